/* eulex_method.c - a solver that is there already as a method of daelab: what it calls back for, and counts
 *
 *     cc -shared -fPIC -O2 -IPREFIX/include -o eulex.so eulex_method.c eulex.c -lm
 *     daelab converge predator_prey --plugin ./eulex.so --method eulex,rodas4
 */
#include "eulex.h"

#include <daelab/matrices.h>
#include <daelab/plugin.h>
#include <daelab/tableau.h>

#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_matrices *matrices;
    double *work, h;
    int *pivots, *tested;
} wrapped;

static void rhs(int n, double t, const double *y, double *f, void *solver)
{
    (void)n;
    dae_system_rhs(((dae_solver *)solver)->sys, t, y, f);
}

static int matrices(int n, double t, const double *y, double *J, double *M, void *solver)
{
    const wrapped *w = ((dae_solver *)solver)->stepper;
    const dae_status status = dae_matrices_evaluate(w->matrices, t, y, NULL, NULL);
    (void)n;
    dae_matrices_full(w->matrices, M, J);
    return status != DAE_OK;
}

/* One step at a time: the driver shows it, and comes again. */
static int seen(double t, const double *y, void *solver)
{
    (void)t, (void)y, (void)solver;
    return 1;
}

static dae_status create(dae_solver *s)
{
    const size_t n = (size_t)s->n;
    wrapped *w = s->stepper = calloc(1, sizeof *w);
    if (!w || !(w->work = calloc(3 * n * n + 8 * n, sizeof *w->work))
        || !(w->pivots = calloc(2 * n, sizeof *w->pivots)))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for eulex with %d unknowns", s->n);
    w->tested = w->pivots + n;
    for (int i = 0; i < s->n; i++)
        w->tested[i] = s->variable_index[i] < 2;
    return dae_matrices_create(&w->matrices, s);
}

static dae_status start(dae_solver *s)
{
    ((wrapped *)s->stepper)->h = s->options.step;       /* 0: not known */
    return DAE_OK;
}

static dae_status step(dae_solver *s, double h, double t_stop)
{
    static const dae_status failures[] = {DAE_OK, DAE_SMALL_STEP, DAE_MAX_STEPS, DAE_SINGULAR};
    wrapped *w = s->stepper;
    long counts[EULEX_COUNTS] = {0};
    double t = s->t;
    if (h > 0 || w->h == 0)                             /* fixed steps; the first one */
        w->h = h > 0 ? h : dae_initial_step(s, 4, t_stop);
    memcpy(s->u_new, s->u, (size_t)s->n * sizeof *s->u);
    const int code = eulex(s->n, rhs, matrices, &t, s->u_new, h > 0 ? s->t_new : t_stop, &w->h, h > 0,
                           s->options.rtol, s->atol, w->tested, seen, w->work, w->pivots, counts, s);
    s->count.steps += counts[EULEX_STEPS];
    s->count.rejected += counts[EULEX_REJECTED];
    s->count.rhs += counts[EULEX_F];
    s->count.factorizations += counts[EULEX_FACTORED];
    s->count.solves += counts[EULEX_SOLVED];
    s->t_new = t;
    return code >= 0 ? dae_solver_check_finite(s, s->u_new, "the new state", t)
           : dae_fail(&s->report, failures[-code], "t = %.9g, h = %.3g: eulex stopped with %d", t, w->h, code);
}

static void destroy(dae_solver *s)
{
    wrapped *w = s->stepper;
    if (!w)
        return;
    dae_matrices_free(w->matrices);
    free(w->work);
    free(w->pivots);
    free(w);
}

static const dae_method dae_eulex = {
    .info = {.name = "eulex", .title = "extrapolated linearly implicit Euler, a solver of another hand",
             .stages = 10, .fixed = 1, .adaptive = 1, .implicit = 1, .order = DAE_ORDERS(4)},
    .own_control = 1, .create = create, .start = start, .step = step, .destroy = destroy,
};
DAE_PLUGIN_METHODS(&dae_eulex);
