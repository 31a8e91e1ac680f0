/* sensitivity.h - what follows the steps of a solver, and the derivative of its start */
#ifndef DAE_SENSITIVITY_H
#define DAE_SENSITIVITY_H

#include "stepper/solver.h"
#include "variation/variation.h"

struct dae_sensitivity {
    dae_solver *solver;
    dae_variation v;            /* du at t */
    dae_status status;          /* of the start and all steps so far */
    int parameters, *unknown;   /* directions in p come first; then unknown[] of the start */
    int *held;                  /* [n] 1: its start is a number, whatever the parameters are */
    double t, t_before, t_undone;
    double *before, *undone;    /* [count x n]: du at t_before, where the last step began; at the end of one that was undone */
    double *end, *own;          /* [n] the end of the last step, before options.project; and as the method goes on from it */
};

/* du := the derivatives of the start (t, u[n]) along all directions; of the consistent state nearest to from[n], unless it
 * is NULL. */
dae_status dae_sensitivity_of_start(dae_sensitivity *s, double t, const double *from, const double *u);

#endif
