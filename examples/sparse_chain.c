/* sparse_chain.c - a chain of 2000 links, 10000 unknowns, with KLU
 *
 * Shows: a problem of many copies (a parameter that is a DAE_COUNT), sparse Jacobians that daelab finds and
 * differentiates itself, a linear solver chosen by hand, statistics, and how energy tells that a run is right.
 */
#ifndef DAE_PASS
enum { N, L, G };
#include <daelab/daelab.h>
#include <daelab/model.h>
#include <daelab/study.h>
#include <stdio.h>
#include <stdlib.h>

static const dae_problem chain = {
    .name = "chain", .title = "N masses of 1 kg joined by links, starting horizontal", .citation = "a textbook",
    .equations = "r_i'' = -d_i/L T_i + d_{i+1}/L T_{i+1} - (0, g),  0 = (|d_i|^2 - L^2)/(2 L),  d_i = r_i - r_{i-1}",
    .variables = "x y vx vy T", .units = "m m m/s m/s N",
    .parameters = {{"N", 2000, "-", "number of links", DAE_COUNT}, {"L", 1, "m", "length of a link", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 0.5};

/* Kinetic and potential energy [J]: 0 at the start. */
static double energy(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (u[2 * n + 2 * i] * u[2 * n + 2 * i] + u[2 * n + 2 * i + 1] * u[2 * n + 2 * i + 1]) / 2
               + 9.81 * u[2 * i + 1];
    return sum;
}

static dae_status run(dae_system *sys, double *u, dae_report *why)
{
    dae_solver *solver = NULL;
    dae_options options = dae_default_options();
    options.linear = DAE_LINEAR_KLU;                    /* without it: a band, which is faster here */
    dae_status status = dae_solver_create(&solver, sys, dae_find_method("radau"), &options, why);
    if (!status) {
        status = dae_solver_start(solver, 0, u);
        if (!status)
            status = dae_solver_advance(solver, 0.5, u);
        *why = *dae_solver_report(solver);
        const dae_statistics count = dae_solver_statistics(solver);
        printf("%d unknowns, %ld steps, %ld Jacobians, %ld factorisations%s\n", dae_system_size(sys), count.steps,
               count.jacobians, count.factorizations,
               dae_solver_linear(solver) == DAE_LINEAR_KLU ? " by KLU" : "");
    }
    dae_solver_free(solver);
    return status;
}

int main(void)
{
    dae_report why = {0};
    dae_system *sys = NULL;
    double *u = NULL;
    dae_status status = dae_system_create(&sys, &chain, dae_find_formulation("index2"), NULL, NULL, &why);
    if (!status) {
        const int n = dae_system_size(sys);
        u = malloc((size_t)n * sizeof *u);
        status = u ? dae_system_start(sys, u, &why) : DAE_NO_MEMORY;
        if (!status)
            status = dae_consistent_start(sys, 0, u, NULL, &why);
        if (!status)
            status = run(sys, u, &why);
        if (!status)
            printf("the free end: (%.3f, %.3f) m, energy %.4f J\n", u[2 * n / 5 - 2], u[2 * n / 5 - 1],
                   energy(u, n / 5));
    }
    if (status)
        printf("%s: %s\n", dae_status_name(status), why.message);
    free(u);
    dae_system_free(sys);
    return status != DAE_OK;
}
#else
static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < dae_count(p[N]); i++)
        u[2 * i] = p[L] * (i + 1);
}
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[N]); i++)
        r[i] = a[i];
}
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        f[2 * i] = 0;
        f[2 * i + 1] = -p[G];
    }
}
/* Component k of the difference of masses i and i - 1; the origin is mass -1. */
static real FN(link)(const real *x, int i, int k) { return i ? x[2 * i + k] - x[2 * i - 2 + k] : x[k]; }
static real FN(dot)(const real *x, const real *y, int i)
{ return FN(link)(x, i, 0) * FN(link)(y, i, 0) + FN(link)(x, i, 1) * FN(link)(y, i, 1); }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int i = 0; i < dae_count(p[N]); i++)
        g[i] = (FN(dot)(q, q, i) - p[L] * p[L]) / (2 * p[L]);
}
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    for (int i = 0; i < dae_count(p[N]); i++)
        r[i] = FN(dot)(q, v, i) / p[L];
}
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    for (int i = 0; i < dae_count(p[N]); i++)
        r[i] = (FN(dot)(q, a, i) + FN(dot)(v, v, i)) / p[L];
}
static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    const int n = dae_count(p[N]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++) {
            r[2 * i + k] = FN(link)(q, i, k) / p[L] * T[i];
            if (i + 1 < n)
                r[2 * i + k] -= FN(link)(q, i + 1, k) / p[L] * T[i + 1];
        }
}
#endif
