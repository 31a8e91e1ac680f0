/* curves.h - the work of a method against the true error of its steps, over tolerances */
#ifndef CONTROL_CURVES_H
#define CONTROL_CURVES_H

#include <daelab/daelab.h>

#include "stepper/control.h"

enum { MOST_POINTS = 40, NODES = 16 };

/* A problem in a form, with a solution to measure errors by: piece k, from t[k] to t[k + 1], holds the states
 * at NODES points of it. */
typedef struct {
    const dae_problem *problem;
    const dae_formulation *form;
    dae_system *sys;
    int n, pieces, room;
    double *t;                  /* [pieces + 1] */
    double *u;                  /* [pieces x NODES x n] */
    double *size;               /* [n] largest |u_i| */
    double *start;              /* [n] consistent */
} subject;

/* 0 where the solution cannot be computed; then nothing is left of it. */
int subject_create(subject *subject, const dae_problem *problem, const dae_formulation *form);
void subject_free(subject *subject);

/* One run at a tolerance: ln of its work in floating-point operations and of its error, and its steps. */
typedef struct {
    int valid;
    double work, error, end;    /* end: error of the last point alone */
    long steps, rejected;
} run_point;

/* With the controller, or that of the method for NULL. error: mean of ln over points of the run, of the root mean
 * square over what has a derivative of the difference to the solution, in units of |u_i| + 0.01 max |u_i|. */
run_point run_at(const subject *subject, const dae_method *method, const dae_controller *controller, double rtol);

#endif
