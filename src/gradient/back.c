/* back.c - the way back through the steps of a run
 *
 * A step is made again from the state with which it began; then what it does to derivatives is transposed. States that
 * were not kept are made from the last one before them, and kept for a while: of l steps with c places the first
 * l - r ones are made, so that r = min(l - 1, C(c - 1 + k, c - 1)) are left with c - 1 places, k the fewest times
 * that any step has to be made with c places, C(c + k, c) >= l (Griewank, Walther (2000), ACM Trans. Math. Softw. 26,
 * 19-45).
 */
#include "gradient.h"

#include "base/numbers.h"
#include "base/parts.h"
#include "projection/projection.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a step made again ----------------------------------------------------------------------- */

static double begin_of(const dae_gradient *g, int k) { return k ? g->step[k - 1].t : g->t0; }

/* At (t, u[n]); behind step number `before` it has that step for a prediction, unless that was projected, which its
 * method knows nothing of. */
static dae_status stand(dae_gradient *g, int before, double t, const double *u)
{
    dae_solver *s = g->again;
    if (before >= 0 && g->made == before && !s->options.project)
        return s->method->accepted ? s->method->accepted(s) : DAE_OK;
    s->t = s->t_old = s->t_begin = t;
    memcpy(s->u, u, (size_t)s->n * sizeof *u);
    s->F_in_work = s->cut = driver(s)->was_cut = 0;
    return s->method->start ? s->method->start(s) : DAE_OK;
}

/* The solver `again` := the step behind step number `before` from (t, u[n]): t_old, u_old, t, u, with its data. */
static dae_status make(dae_gradient *g, int before, const dae_kept_step *step, double t, const double *u,
                       const double *numbers)
{
    dae_solver *s = g->again;
    dae_status status = stand(g, before, t, u);
    g->made = -1;
    s->t_new = step->t;
    s->options.step = step->size;
    if (!status && s->method->take_shape)
        status = s->method->take_shape(s, step->shape, numbers);
    if (!status && driver(s)->cuts && step->cut)
        dae_cut_begin(s, step->t - t, step->size);
    if (!status)
        status = s->method->step(s, step->t - t, step->t);
    dae_cut_end(s);
    if (!status)
        status = dae_solver_check_finite(s, s->u_new, "the new state", step->t);
    if (!status && driver(s)->projection)
        status = dae_projection_step(s);
    double *const old = s->u;
    s->u = s->u_new;
    s->u_new = s->u_old = old;
    s->t_old = t;
    s->t = step->t;
    if (status)
        g->a.v.report = s->report;
    return status;
}

/* What the step just made, that with which a state is kept, has to say: it need not be found again. */
static void keep_numbers(const dae_gradient *g, dae_kept_state *of)
{
    const dae_solver *s = g->again;
    const double *numbers = NULL;
    int count = 0;
    if (of->known || !of->numbers || !s->method->shape)
        return;
    (void)s->method->shape(s, &numbers, &count);
    if (count)
        memcpy(of->numbers, numbers, (size_t)count * sizeof *numbers);
    of->known = count > 0;
}

/* u[n] := the state with which step number k begins, from that of a step before */
static dae_status advance(dae_gradient *g, dae_kept_state *from, int k, double *u)
{
    const size_t size = (size_t)g->a.v.n * sizeof *u;
    dae_status status = DAE_OK;
    memcpy(u, from->u, size);
    for (int i = from->step; !status && i < k; i++) {
        const int first = i == from->step;
        status = make(g, i - 1, &g->step[i], begin_of(g, i), u, first && from->known ? from->numbers : NULL);
        g->made = status ? -1 : i;
        if (!status && first)
            keep_numbers(g, from);
        memcpy(u, g->again->u, size);
    }
    return status;
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* a.u, a.p := from the end of a step to its begin (t, u[n]) */
static dae_status step_back(dae_gradient *g, int before, const dae_kept_step *step, double t, const double *u,
                            const double *numbers)
{
    const dae_status status = make(g, before, step, t, u, numbers);
    return status ? status : dae_transpose_step(g);
}

static void add(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* A cost behind a step that was undone, which began at (t, u[n]) */
static dae_status add_aside(dae_gradient *g, const dae_kept_cost *cost, double t, const double *u)
{
    const int n = g->a.v.n;
    memcpy(g->main_way, g->a.u, (size_t)n * sizeof *g->a.u);
    memcpy(g->a.u, cost->u, (size_t)n * sizeof *g->a.u);
    const dae_status status = step_back(g, -1, &cost->aside, t, u, NULL);
    add(n, g->main_way, g->a.u);
    return status;
}

/* The costs behind k steps, where the state is u[n] */
static dae_status add_costs(dae_gradient *g, int k, const double *u)
{
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < g->costs; i++) {
        const dae_kept_cost *cost = &g->cost[i];
        if (cost->step != k)
            continue;
        add(g->a.v.count, cost->p, g->a.p);
        if (cost->is_aside)
            status = add_aside(g, cost, begin_of(g, k), u);
        else
            add(g->a.v.n, cost->u, g->a.u);
    }
    return status;
}

/* C(c + k, c), or more than any number of steps */
static long most_steps(int c, int k)
{
    long product = 1;
    for (int i = 1; i <= c && product <= INT_MAX; i++)
        product = product * (k + i) / i;
    return product;
}

/* How many of so many steps are left to the other side of a place */
static int behind_place(int steps, int places)
{
    int k = 0;
    while (most_steps(places, k) < steps)
        k++;
    const long behind = most_steps(places - 1, k);
    return behind < steps - 1 ? (int)behind : steps - 1;
}

/* Steps from that of a state on to number last - 1, with the places from number `taken` on */
static dae_status segment(dae_gradient *g, dae_kept_state *from, int last, int taken)
{
    const int first = from->step;
    dae_status status = DAE_OK;
    while (!status && last - first > 1 && taken < g->places) {
        dae_kept_state *place = &g->place[taken];
        place->step = last - behind_place(last - first, g->places - taken);
        place->known = 0;
        status = advance(g, from, place->step, place->u);
        if (!status)
            status = segment(g, place, last, taken + 1);
        last = place->step;
    }
    for (int k = last - 1; !status && k >= first; k--) {
        status = advance(g, from, k, g->state_now);
        if (!status)
            status = step_back(g, k - 1, &g->step[k], begin_of(g, k), g->state_now,
                               k == first && from->known ? from->numbers : NULL);
        if (!status)
            status = add_costs(g, k, g->state_now);
    }
    return status;
}

/* Room for the places, as far as the run needs them */
static dae_status make_places(dae_gradient *g)
{
    dae_free_places(g);
    for (int i = 0; i < g->places && i < g->steps; i++)
        if (!DAE_PARTS(g->place + i, DAE_PART(dae_kept_state, u, g->a.v.n + 1),
                       DAE_PART(dae_kept_state, numbers, g->numbers)))
            return dae_fail(&g->a.v.report, DAE_NO_MEMORY, "no memory for %d states of %d unknowns", g->places,
                            g->a.v.n);
    return DAE_OK;
}

void dae_free_places(dae_gradient *g)
{
    for (int i = 0; i < g->places; i++) {
        free(g->place[i].u);
        g->place[i].u = NULL;
    }
}

dae_status dae_walk_back(dae_gradient *g)
{
    int last = g->steps;
    g->made = -1;
    memset(g->a.u, 0, (size_t)g->a.v.n * sizeof *g->a.u);
    memset(g->a.p, 0, (size_t)g->a.v.count * sizeof *g->a.p);
    dae_status status = make_places(g);
    if (!status)
        status = add_costs(g, last, g->own);
    for (int i = g->states - 1; !status && i >= 0; i--) {
        status = segment(g, &g->state[i], last, 0);
        last = g->state[i].step;
    }
    dae_free_places(g);
    return status;
}
