/* transpose_step.c - the transpose of a step: by its method, or column by column */
#include "gradient.h"

#include <math.h>
#include <string.h>

/* A map of du, and of dp: what stands in a solver does to v.du. */
typedef dae_status step_map(dae_sensitivity *w, dae_solver *s);

enum { COLUMNS = 32 };                  /* at once */

/* Room for columns, where there is none yet */
static dae_status create_columns(dae_gradient *g)
{
    static const dae_directions none = {0};
    const int all = g->a.v.n + g->a.v.count;
    if (g->columns)
        return DAE_OK;
    const dae_status status = dae_sensitivity_create_for(&g->columns, g->again, &none, all < COLUMNS ? all : COLUMNS,
                                                         &g->a.v.report);
    driver(g->again)->vary = NULL;
    return status;
}

/* Columns first, first + 1, ... of the unit matrix of (du, dp); how many there are */
static int set_columns(const dae_gradient *g, int first)
{
    dae_variation *v = &g->columns->v;
    const size_t n = (size_t)v->n, parameters = (size_t)v->sys->parameters;
    const int left = v->n + g->a.v.count - first, count = left < v->count ? left : v->count;
    memset(v->du, 0, (size_t)v->count * n * sizeof *v->du);
    memset(v->dp, 0, (size_t)v->count * parameters * sizeof *v->dp);
    for (int c = 0; c < count; c++)
        if (first + c < v->n)
            dae_du(v, c)[first + c] = 1;
        else
            memcpy(dae_dp(v, c), dae_dp(&g->a.v, first + c - v->n), parameters * sizeof *v->dp);
    dae_vary_anew(v);
    v->kept_t = NAN;
    return count;
}

static dae_status by_columns(dae_gradient *g, step_map *map, dae_solver *s)
{
    const int n = g->a.v.n, all = n + g->a.v.count;
    const dae_status created = create_columns(g);
    if (created)
        return created;
    dae_variation *v = &g->columns->v;
    for (int first = 0, count; first < all; first += count) {
        count = set_columns(g, first);
        const dae_status status = map(g->columns, s);
        if (status) {
            g->a.v.report = v->report;
            return status;
        }
        for (int c = 0; c < count; c++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += g->a.u[i] * dae_du(v, c)[i];
            if (first + c < n)
                g->product[first + c] = sum;
            else
                g->a.p[first + c - n] += sum;
        }
    }
    memcpy(g->a.u, g->product, (size_t)n * sizeof *g->a.u);
    return DAE_OK;
}

dae_status dae_transpose_step(dae_gradient *g)
{
    dae_solver *s = g->again;
    if (!s->method->transpose)
        return by_columns(g, dae_sensitivity_step, s);
    const dae_status status = s->options.project ? by_columns(g, dae_sensitivity_moved, s) : DAE_OK;
    return status ? status : s->method->transpose(s, &g->a);
}

/* What the multipliers of the method are counts for nothing; positions, and velocities but in index 3, are its own. */
dae_status dae_transpose_shown(dae_gradient *g)
{
    dae_solver *s = g->solver;
    const dae_system *sys = s->sys;
    int own = sys->index < 3;
    for (int i = 2 * sys->nq; i < s->n; i++)
        own &= g->a.u[i] == 0;
    if (!driver(s)->corrects_output || !(s->t > s->t_begin) || own)
        return DAE_OK;
    const dae_status status = create_columns(g);
    if (status)
        return status;
    memcpy(g->columns->own, g->own, (size_t)s->n * sizeof *g->own);
    return by_columns(g, dae_sensitivity_shown, s);
}
