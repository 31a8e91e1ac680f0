/* drawn_jumps.c - u_i' = L_i (s_i(t) - u_i), where s_i is constant but for jumps at some times
 *
 *   u_i(t) = s + (u_i(t_k) - s) e^(-L (t - t_k))   from jump k on,    u_i(t0) = 0, and s_i = 0 before the first jump
 *
 * No event tells of the jumps.
 */
#ifndef DAE_PASS
#include "drawn.h"

#include "host/allocate.h"

#include <math.h>

enum { MOST_JUMPS = 3 };

typedef struct {
    int n, count;
    double rate[DRAWN_MOST], t0, time[MOST_JUMPS], level[MOST_JUMPS][DRAWN_MOST];
} jumps;

#include <daelab/model.h>

static const dae_problem record = {
    .name = "jumps",
    .first_order = {.rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
};

static void exact(const void *data, double t, double *u)
{
    const jumps *p = data;
    for (int i = 0; i < p->n; i++) {
        double at = p->t0, level = 0;
        u[i] = 0;
        for (int k = 0; k < p->count && p->time[k] < t; k++) {
            u[i] = level + (u[i] - level) * exp(-p->rate[i] * (p->time[k] - at));
            at = p->time[k];
            level = p->level[k][i];
        }
        u[i] = level + (u[i] - level) * exp(-p->rate[i] * (t - at));
    }
}

static void make(drawn_random *r, drawn *d)
{
    jumps *p = allocate(1, sizeof *p);
    const double second = drawn_unit(r, -9, 4);
    p->n = 1 + drawn_integer(r, 3);
    p->count = 1 + drawn_integer(r, MOST_JUMPS);
    p->t0 = drawn_begin(r, second);
    for (int i = 0; i < p->n; i++)
        p->rate[i] = drawn_decade(r, -0.5, 3) / second;
    for (int k = 0; k < p->count; k++) {
        p->time[k] = p->t0 + second * (10.0 * k / p->count + drawn_uniform(r, 0.5, 2.5));
        for (int i = 0; i < p->n; i++)
            p->level[k][i] = drawn_uniform(r, -1, 1);
    }
    d->problem = record;
    d->problem.first_order.n = d->width = p->n;
    d->problem.t0 = p->t0;
    d->problem.t_end = p->t0 + 10 * second;
    d->exact = exact;
    d->data = p;
}

const drawn_class drawn_jumps = {"jumps", make};

#else

static void FN(rhs)(const param *parameters, real t, const real *u, real *F)
{
    const jumps *p = dae_user_data(parameters);
    int k = -1;
    while (k + 1 < p->count && value(t) > p->time[k + 1])
        k++;
    for (int i = 0; i < p->n; i++)
        F[i] = p->rate[i] * ((k < 0 ? 0 : p->level[k][i]) - u[i]);
}

static void FN(start)(const param *parameters, real *u) { u[0] = (real){0}; }

#endif
