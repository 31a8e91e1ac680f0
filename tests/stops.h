/* stops.h - a problem whose right-hand side ends: y' = 1, not a number after t = 0.5 */
#ifndef DAELAB_TEST_STOPS_H
#define DAELAB_TEST_STOPS_H

#include <daelab/problem.h>

#include <math.h>

static void stops_double(const double *p, double t, const double *y, double *F)
{
    (void)p;
    F[0] = t > 0.5 ? NAN : 1 + 0 * y[0];
}

static void stops_dual(const double *p, dae_dual t, const dae_dual *y, dae_dual *F)
{
    (void)p;
    F[0] = dae_dual_value(t) > 0.5 ? NAN : 1 + 0 * y[0];
}

static void stops_quad(const dae_quad *p, dae_quad t, const dae_quad *y, dae_quad *F)
{
    (void)p;
    F[0] = t > (dae_quad)0.5 ? (dae_quad)NAN : 1 + 0 * y[0];
}

static void zero_start(const double *p, double *u)
{
    (void)p;
    u[0] = 0;
}

static const dae_problem stops = {
    .name = "stops", .variables = "y", .units = "-", .start = {zero_start}, .t_end = 1,
    .first_order = {.n = 1, .rhs = {stops_double, stops_dual, stops_quad}}};

#endif
