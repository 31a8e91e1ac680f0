/* start.c - the end of the way back: what parameters and initial values do to the start */
#include "gradient.h"

#include <string.h>

/* Before a start that was on its constraints, u by the consistent state becomes u by the one that was given. */
static int goes_back(const dae_gradient *g)
{
    const dae_system *sys = g->a.v.sys;
    const size_t moving = 2 * (size_t)sys->nq;
    for (int i = (int)moving; i < sys->n; i++)
        if (g->a.u[i] != 0)
            return 0;
    return sys->nq && sys->compose->kind != DAE_FORM_MINIMAL && !dae_system_is_nonholonomic(sys)
           && memcmp(g->from, g->u0, moving * sizeof *g->u0) == 0;
}

/* dJ of so many parameters, or starts, from number first on: what they move the start by, times u */
static dae_status add_some(dae_gradient *g, int first, int count, int consistent, double *dJ)
{
    const int parameters = g->a.v.count, by_start = first >= parameters;
    dae_directions some = {.parameters = g->parameter + first, .parameter_count = count};
    dae_sensitivity *w;
    if (by_start)
        some = (dae_directions){.unknowns = g->unknown + first - parameters, .unknown_count = count};
    dae_status status = dae_sensitivity_create_for(&w, g->again, &some, count, &g->a.v.report);
    if (status)
        return status;
    dae_sensitivity_hold(w, g->held);
    status = consistent ? dae_sensitivity_start(w, g->given ? g->from : NULL, NULL)
                        : dae_sensitivity_given(w, g->given ? g->from : NULL);
    if (status)
        g->a.v.report = w->v.report;
    for (int c = 0; !status && c < count; c++)
        for (int i = 0; i < g->a.v.n; i++)
            dJ[first + c] += g->a.u[i] * dae_du(&w->v, c)[i];
    dae_sensitivity_free(w);
    return status;
}

/* Of the start of an unknown that is u by itself: all but what constraints determine */
static double by_unknown(const dae_gradient *g, int i)
{
    return dae_system_is_algebraic(g->a.v.sys, i) ? 0 : g->a.u[i];
}

dae_status dae_gradient_of_start(dae_gradient *g, double *dJ)
{
    enum { AT_ONCE = 16 };
    const int parameters = g->a.v.count, all = parameters + g->unknowns, back = g->given && goes_back(g);
    dae_solver *s = g->again;
    dae_status status = dae_driver_start(s, g->t0, g->u0);
    if (status)
        g->a.v.report = s->report;
    memcpy(s->u, g->u0, (size_t)s->n * sizeof *s->u);
    if (!status && back && s->sys->nl)
        status = dae_transpose_projection(&g->a, g->t0, g->u0, g->u0 + s->sys->nq);
    for (int c = 0; c < all; c++)
        dJ[c] = c < parameters ? g->a.p[c] : back ? by_unknown(g, g->unknown[c - parameters]) : 0;
    const int last = back ? parameters : all;
    for (int first = 0, count; !status && first < last; first += count) {
        const int left = (first < parameters ? parameters : all) - first;
        count = left < AT_ONCE ? left : AT_ONCE;
        status = add_some(g, first, count, g->given && !back, dJ);
    }
    return status;
}
