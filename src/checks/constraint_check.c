/* constraint_check.c - the mass matrix; g, dg/dt, d2g/dt2 and G^T lambda of a model */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the mass matrix ---------------------------------------------------------------------- */

/* The first row i with M_ij = M_ji for not all j, in units of the accelerations. */
static int unsymmetric_row(dae_checker *c)
{
    const int nq = c->nq;
    int worst = 0;
    dae_quad largest = 0;
    memset(c->x, 0, (size_t)nq * sizeof *c->x);
    memset(c->y, 0, (size_t)nq * sizeof *c->y);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < i; j++) {
            c->x[i] = c->size_a[i];
            c->y[j] = c->size_a[j];
            dae_checker_inertia(c, c->x, c->slope);
            dae_checker_inertia(c, c->y, c->got);
            const dae_quad apart = fabsf128(c->slope[j] * c->y[j] - c->got[i] * c->x[i]);
            if (apart > largest) {
                largest = apart;
                worst = i;
            }
            c->x[i] = c->y[j] = 0;
        }
    return worst + 1;
}

void dae_check_mass(dae_checker *c)
{
    enum { FEW = 64 };
    const int nq = c->nq;
    dae_quad size = 0;
    dae_quad *Mx = c->slope, *My = c->got, *both = c->error;
    dae_checker_choose(c, nq, c->size_a, c->x);
    dae_checker_choose(c, nq, c->size_a, c->y);
    dae_checker_inertia(c, c->x, Mx);
    dae_checker_inertia(c, c->y, My);
    for (int i = 0; i < nq; i++)
        c->b[i] = c->x[i] + c->y[i];
    dae_checker_inertia(c, c->b, both);
    for (int i = 0; i < nq; i++)
        dae_checker_compare(c, both[i] - Mx[i] - My[i], 0, fabsf128(Mx[i]) + fabsf128(My[i]),
                            "inertia", i + 1, "is not linear in the accelerations");
    const dae_quad apart = dae_checker_product(nq, c->x, My, &size)
                           - dae_checker_product(nq, c->y, Mx, &size);
    if (fabsf128(apart) > dae_not_rounding * size) {
        const int row = nq <= FEW ? unsymmetric_row(c) : 0;
        dae_checker_compare(c, apart, 0, size, "inertia", row,
                            "is not that of a symmetric mass matrix");
    }
}

/* ---- constraints -------------------------------------------------------------------------- */

/* size_k := largest of |x_k| */
static void raise(int n, const dae_quad *x, dae_quad *size)
{
    for (int i = 0; i < n; i++)
        if (fabsf128(x[i]) > size[i])
            size[i] = fabsf128(x[i]);
}

static void compare_rows(dae_checker *c, const dae_quad *size, const char *what, const char *why)
{
    for (int k = 0; k < c->nl; k++)
        dae_checker_compare(c, c->got[k] - c->slope[k], c->error[k],
                            fmaxf128(size[k], fmaxf128(fabsf128(c->got[k]), fabsf128(c->slope[k]))),
                            what, k + 1, why);
}

/* dg/dt for any velocity w: the real one, where it is small, last. */
static void check_rate(dae_checker *c)
{
    for (int k = 0; k <= DAE_DIRECTIONS; k++) {
        if (k < DAE_DIRECTIONS)
            dae_checker_choose(c, c->nq, c->size_v, c->w);
        else
            memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
        c->e->rate.quad(c->p, c->t, c->q, c->w, c->got);
        memcpy(c->size, c->size_rate, (size_t)c->nl * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_CONSTRAINT, c->nl, 1, c->w, c->w, NULL);
        compare_rows(c, c->size_rate, "rate", "is not dg/dt of constraint");
        raise(c->nl, c->got, c->size_rate);
    }
}

static void check_acceleration(dae_checker *c)
{
    dae_quad *size = c->mu;
    memset(size, 0, (size_t)c->nl * sizeof *size);
    for (int k = 0; k <= DAE_DIRECTIONS; k++) {
        if (k < DAE_DIRECTIONS) {
            dae_checker_choose(c, c->nq, c->size_v, c->w);
            dae_checker_choose(c, c->nq, c->size_a, c->b);
        } else {
            memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
            memcpy(c->b, c->a, (size_t)c->nq * sizeof *c->b);
        }
        c->e->acceleration.quad(c->p, c->t, c->q, c->w, c->b, c->got);
        memcpy(c->size, size, (size_t)c->nl * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_RATE, c->nl, 1, c->w, c->w, c->b);
        compare_rows(c, size, "acceleration", "is not d/dt of rate");
        raise(c->nl, c->got, size);
    }
}

/* The position whose reaction to a unit of multiplier k differs most from dg_k/dq. */
static int reaction_row(dae_checker *c, int k)
{
    int worst = 0;
    dae_quad largest = 0;
    memset(c->w, 0, (size_t)c->nq * sizeof *c->w);
    memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
    c->mu[k] = 1;
    c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
    for (int i = 0; i < c->nq; i++) {
        c->w[i] = c->size_q[i];
        dae_checker_differentiate(c, DAE_ON_CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
        c->w[i] = 0;
        const dae_quad apart = fabsf128(c->slope[k] - c->x[i] * c->size_q[i]);
        if (apart > largest) {
            largest = apart;
            worst = i;
        }
    }
    return worst + 1;
}

/* The multiplier whose reaction is wrong, and its row. */
static void find_reaction(dae_checker *c, dae_quad apart, dae_quad size)
{
    char what[64];
    int worst = 0;
    dae_quad largest = 0;
    dae_checker_choose(c, c->nq, c->size_q, c->w);
    dae_checker_differentiate(c, DAE_ON_CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
    memcpy(c->got, c->slope, (size_t)c->nl * sizeof *c->got);
    for (int k = 0; k < c->nl; k++) {
        dae_quad ignored = 0;
        memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
        c->mu[k] = 1;
        c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
        const dae_quad off = fabsf128(dae_checker_product(c->nq, c->x, c->w, &ignored) - c->got[k]);
        if (c->size_g[k] > 0 && off / c->size_g[k] > largest) {
            largest = off / c->size_g[k];
            worst = k;
        }
    }
    snprintf(what, sizeof what, "reaction to multiplier %d", worst + 1);
    dae_checker_compare(c, apart, 0, size, what, reaction_row(c, worst),
                        "is not the gradient of constraint times it");
}

/* (G^T mu)^T w for random mu, so large that each constraint counts alike */
static void check_reaction(dae_checker *c)
{
    for (int k = 0; k < DAE_DIRECTIONS && !c->found.failed; k++) {
        dae_quad size = 0, error = 0;
        dae_checker_choose(c, c->nq, c->size_q, c->w);
        memset(c->size, 0, (size_t)c->nl * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
        raise(c->nl, c->slope, c->size_g);
        for (int l = 0; l < c->nl; l++) {
            c->mu[l] = c->size_g[l] > 0 ? dae_random_direction(&c->random) / c->size_g[l] : 0;
            error += fabsf128(c->mu[l]) * c->error[l];
        }
        c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
        const dae_quad apart = dae_checker_product(c->nq, c->x, c->w, &size)
                               - dae_checker_product(c->nl, c->mu, c->slope, &size);
        if (fabsf128(apart) - 16 * error > dae_not_rounding * size)
            find_reaction(c, apart, size);
        else
            dae_checker_compare(c, apart, error, size, "reaction", 1, "");
    }
}

/* On the reference itself; sizes are those of the checks above. */
static void check_drift(dae_checker *c)
{
    c->e->constraint.quad(c->p, c->t, c->q, c->got);
    for (int k = 0; k < c->nl; k++)
        dae_checker_compare(c, c->got[k], 0, c->size_g[k], "constraint", k + 1,
                            "is not 0 on the reference");
    c->e->rate.quad(c->p, c->t, c->q, c->v, c->got);
    for (int k = 0; k < c->nl; k++)
        dae_checker_compare(c, c->got[k], 0, c->size_rate[k], "rate", k + 1,
                            "is not 0 on the reference");
}

void dae_check_constraints(dae_checker *c)
{
    check_rate(c);
    check_acceleration(c);
    check_reaction(c);
    check_drift(c);
}
