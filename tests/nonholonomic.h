/* nonholonomic.h - problems with constraints on velocities, and what tests of them have in common */
#ifndef DAELAB_NONHOLONOMIC_H
#define DAELAB_NONHOLONOMIC_H

#include "support.h"

extern const dae_problem dae_skate, dae_rolling_disc, dae_coin, dae_skaters;

enum { MOST = 256 };                                    /* unknowns */

/* u := its consistent start */
static inline dae_system *make(const dae_problem *problem, const char *form, double *u)
{
    dae_system *sys;
    dae_report why = {0};
    if (dae_system_create(&sys, problem, dae_find_formulation(form), NULL, NULL, &why)
        || dae_system_start(sys, u, &why) || dae_consistent_start(sys, problem->t0, u, NULL, &why))
        fail_msg("%s %s: %s", problem->name, form, why.message);
    return sys;
}

static inline double largest(const double *x, int n)
{
    const double zero[MOST] = {0};
    return distance(x, zero, n);
}

#endif
