/* nonholonomic.h - problems with constraints on velocities, and what tests of them have in common */
#ifndef DAELAB_NONHOLONOMIC_H
#define DAELAB_NONHOLONOMIC_H

#include "support.h"

extern const dae_problem dae_skate, dae_rolling_disc, dae_coin, dae_skaters;

enum { MOST = 256 };                                    /* unknowns */

/* u := its consistent start */
static inline dae_system *make(const dae_problem *problem, const char *form, double *u)
{
    return consistent_system(problem, form, NULL, u);
}

static inline double largest(const double *x, int n)
{
    const double zero[MOST] = {0};
    return distance(x, zero, n);
}

#endif
