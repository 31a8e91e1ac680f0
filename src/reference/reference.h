/* reference.h - reference solutions of a given kind */
#ifndef DAE_REFERENCE_H
#define DAE_REFERENCE_H

#include "daelab/daelab.h"
#include "daelab/quad_reference.h"

typedef enum {
    DAE_REFERENCE_BEST,         /* the first of the others that the problem has */
    DAE_REFERENCE_EXACT,        /* the problem's exact solution, where the start is on it */
    DAE_REFERENCE_MINIMAL,      /* s'' = acceleration(t, s, s'), embedded */
    DAE_REFERENCE_CARTESIAN,    /* (q, v)' with d2g/dt2 = 0 solved for lambda */
    DAE_REFERENCE_EXPLICIT,     /* u' = F(t, u) where M = I */
    DAE_REFERENCE_COLLOCATION,  /* M u' = F(t, u), also stiff */
    DAE_REFERENCE_SLOW,         /* collocation on the slow solution, next to initial values off by rounding */
    DAE_REFERENCE_ROUNDED       /* exact, although the initial values differ from it by rounding */
} dae_reference_kind;

/* As dae_reference_solve; DAE_UNSUPPORTED where the problem has not this kind. First-order problems
 * get no v and no lambda. */
dae_status dae_reference_solve_in(dae_reference *reference, dae_system *sys,
                                  dae_reference_kind kind, double t0, const double *u0,
                                  const double *times, int count, dae_report *report);

/* DAE_BAD_ARGUMENT where times[count] do not increase from t0 on; the first may be t0 where at_start is 1. */
dae_status dae_check_times(double t0, const double *times, int count, int at_start, dae_report *report);

/* Of a zeroed reference: room for the states of sys at count times; row k := z, (q, v, lambda), or u and what stands
 * behind it. */
dae_status dae_reference_allocate(dae_reference *reference, const dae_system *sys, int count, dae_report *report);
void dae_reference_set_row(dae_reference *reference, int k, const dae_quad *z);

#endif
