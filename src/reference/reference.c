/* reference.c - reference solutions in quad precision, of whichever kind a problem has
 *
 *   exact          u(t) as the problem states it, where the start is on it to the last digit
 *   minimal        s'' = acceleration(t, s, s'),  (q, v) = embed(s, s')
 *   Cartesian      q' = v,  v' = a(t, q, v)  with d2g/dt2 = 0 solved for lambda
 *   explicit       u' = F(t, u) by extrapolation
 *   collocation    M u' = F(t, u), also stiff, by Radau IIA
 *
 * The multipliers of both mechanical kinds come from the acceleration level. A Cartesian start is
 * moved onto g = 0 and dg/dt = 0 first: one rounded to doubles would leave them linearly in time.
 */
#include "reference.h"

#include "quad_model.h"
#include "checks/model_check.h"
#include "base/numbers.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *dae_reference_source(int i)
{
    static const char *const names[] = {
        [DAE_REFERENCE_BEST] = "best", [DAE_REFERENCE_EXACT] = "exact",
        [DAE_REFERENCE_MINIMAL] = "minimal coordinates",
        [DAE_REFERENCE_CARTESIAN] = "Cartesian coordinates",
        [DAE_REFERENCE_EXPLICIT] = "extrapolation",
        [DAE_REFERENCE_COLLOCATION] = "collocation",
        [DAE_REFERENCE_SLOW] = "collocation, slow solution",
        [DAE_REFERENCE_ROUNDED] = "exact, but for the rounding of its start"};
    return i >= 0 && i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

/* A reference that is wanted: of what, how, and from where. */
typedef struct {
    dae_system *sys;
    dae_reference_kind kind;
    double t0;
    const dae_quad *u0;         /* [n] */
    const double *times;        /* [count] */
    int count;
    const dae_reference_watch *watch;
    dae_report *report;
    dae_quad_model m;
    double digits;
} wanted;

static double t_end(const wanted *w) { return w->times[w->count - 1]; }

static dae_status extrapolate(wanted *w, const dae_quad_grid *grid)
{
    const dae_quad_ode ode = dae_quad_model_ode(&w->m, w->kind);
    const dae_status status = dae_extrapolate_pair(&ode, grid, w->m.y0, w->m.z, &w->digits, w->report);
    const dae_status held = dae_quad_model_mass_held(&w->m, w->report);
    return held ? held : status;
}

/* kind becomes SLOW where the start of a stiff problem was moved by rounding. */
static dae_status collocate(wanted *w, const dae_quad_grid *grid)
{
    const dae_quad_dae dae = dae_quad_model_dae(&w->m);
    int slow = 0;
    const dae_status status = dae_collocate_pair(&dae, grid, w->m.y0, w->m.z, &w->digits, &slow, w->report);
    if (slow && dae.equations->index < 2)
        w->kind = DAE_REFERENCE_SLOW;
    return status;
}

/* The model's functions at t0 and at count of the times; digits := those that agree, if fewer. */
static dae_status check_model(wanted *w, int count)
{
    const dae_quad_rows rows = {.sys = w->sys, .mechanics = &w->m.mechanics, .t0 = w->t0, .times = w->times,
                                .count = count, .span = t_end(w) - w->t0, .z = w->m.first,
                                .m = w->sys->nq ? 2 * w->sys->nq + w->sys->nl : w->sys->n,
                                .solved = w->kind == DAE_REFERENCE_EXACT};
    return dae_check_functions(&rows, &w->digits, w->report);
}

static dae_status run_twice(wanted *w)
{
    dae_quad *times = calloc((size_t)w->count, sizeof *times);
    const dae_quad_grid grid = {.t0 = w->t0, .times = times, .count = w->count};
    if (!times)
        return dae_fail(w->report, DAE_NO_MEMORY, "no memory for a reference at %d times", w->count);
    for (int i = 0; i < w->count; i++)
        times[i] = w->times[i];
    const dae_status status = w->kind == DAE_REFERENCE_COLLOCATION ? collocate(w, &grid) : extrapolate(w, &grid);
    free(times);
    return status;
}

static dae_status integrate(wanted *w)
{
    dae_quad_model *m = &w->m;
    dae_status status = dae_quad_model_start(m, w->kind, w->t0, t_end(w) - w->t0, w->u0,
                                             w->sys->compose->kind == DAE_FORM_MINIMAL, w->report);
    if (status != DAE_OK)
        return status;
    dae_quad_model_ode(m, w->kind).outputs(m, w->t0, m->y0, m->first);
    status = check_model(w, 0);
    if (status == DAE_OK)
        status = run_twice(w);
    return status ? status : check_model(w, w->count);
}

/* ---- the exact solution -------------------------------------------------------------------- */

static void evaluate_exact(const dae_system *s, double t, dae_quad *z)
{
    s->problem->first_order.exact.quad(s->p_quad, t, z);
}

/* The algebraic unknown in which u differs from the exact solution at t0; -1 where there is none. */
static int differs(const dae_system *sys, const dae_quad *exact, const dae_quad *u)
{
    const dae_quad part = 1e-6;
    for (int i = 0; i < sys->problem->first_order.n; i++)
        if (sys->classes[i] == DAE_ALGEBRAIC
            && !(dae_quad_fabs(u[i] - exact[i]) <= part * dae_quad_fmax(dae_quad_fabs(u[i]), dae_quad_fabs(exact[i]))))
            return i;
    return -1;
}

/* Algebraic equations may have several solutions: that of u0 is found where it is no more than a guess. */
static dae_status check_branch(wanted *w)
{
    const dae_quad_dae dae = dae_quad_model_dae(&w->m);
    dae_quad *u = w->m.y0, *exact = w->m.first;
    int slow;
    for (int i = 0; i < w->m.m; i++)
        u[i] = w->u0[i];
    evaluate_exact(w->sys, w->t0, exact);
    if (differs(w->sys, exact, u) >= 0 && dae_collocation_start(&dae, w->t0, t_end(w), u, &slow, NULL))
        return DAE_OK;                                  /* nothing is known of it */
    const int i = differs(w->sys, exact, u);
    return i < 0 ? DAE_OK
           : dae_fail(w->report, DAE_INCONSISTENT, "t = %.9g: the exact solution is on another branch of the algebraic "
                      "equations: unknown %d is %.9g there and %.9g in the start", w->t0, i + 1, (double)exact[i],
                      (double)u[i]);
}

static dae_status take_exact(wanted *w)
{
    const dae_status same = check_branch(w);
    if (same)
        return same;
    for (int i = 0; i <= w->count; i++) {
        const double t = i == 0 ? w->t0 : w->times[i - 1];
        dae_quad *z = w->m.first + (size_t)i * (size_t)w->m.m;
        evaluate_exact(w->sys, t, z);
        if (dae_quad_set_slopes(w->sys, t, z))
            return dae_fail(w->report, DAE_SINGULAR, "t = %.9g: M(t, u) has lost its rank", t);
        for (int j = 0; j < w->m.m; j++)
            if (z[j] - z[j] != 0)
                return dae_fail(w->report, DAE_NOT_FINITE, "t = %.9g: the exact solution is not finite", t);
    }
    w->digits = 33;
    return check_model(w, w->count);
}

/* How far the differential unknowns of u0 are from the exact solution, each against its size in the run;
 * NaN: no memory. */
static double start_apart(const wanted *w)
{
    const dae_system *sys = w->sys;
    const size_t n = (size_t)sys->n;
    dae_quad worst = 0, *exact = calloc(3 * n, sizeof *exact), *size = exact + n, *now = size + n;
    if (!exact)
        return NAN;
    evaluate_exact(sys, w->t0, exact);
    for (int k = -1; k < w->count; k++) {
        evaluate_exact(sys, k < 0 ? w->t0 : w->times[k], now);
        for (size_t i = 0; i < n; i++)
            size[i] = dae_quad_fmax(size[i], dae_quad_fabs(now[i]));
    }
    for (int i = 0; i < sys->n; i++)
        if (sys->classes[i] == DAE_DIFFERENTIAL && w->u0[i] != exact[i])
            worst = dae_quad_fmax(worst, dae_quad_fabs(w->u0[i] - exact[i]) / size[i]);
    free(exact);
    return (double)worst;
}

/* ---- which kind --------------------------------------------------------------------------- */

static int exists(const dae_system *sys, dae_reference_kind kind)
{
    const dae_first_order *f = &sys->problem->first_order;
    switch (kind) {
    case DAE_REFERENCE_EXACT:       return !sys->nq && f->exact.quad;
    case DAE_REFERENCE_MINIMAL:     return sys->nq && sys->problem->mechanical.minimal.n > 0;
    case DAE_REFERENCE_CARTESIAN:   return sys->nq > 0;
    case DAE_REFERENCE_EXPLICIT:    return !sys->nq && !f->mass.quad;
    case DAE_REFERENCE_COLLOCATION: return !sys->nq;
    default:                        return 0;
    }
}

/* BEST becomes the kind that (t0, u0) is solved in; any other is only checked. The exact solution is that
 * of the start it has; from one that is rounded to doubles another one goes. */
static dae_status choose(wanted *w, double *apart)
{
    const double same = 1e-30, rounded = 8 * DBL_EPSILON;
    const dae_system *sys = w->sys;
    *apart = exists(sys, DAE_REFERENCE_EXACT) ? start_apart(w) : 1;
    if (isnan(*apart))
        return dae_fail(w->report, DAE_NO_MEMORY, "no memory for %d unknowns", sys->n);
    if (w->kind == DAE_REFERENCE_BEST) {
        for (dae_reference_kind k = DAE_REFERENCE_EXACT; k <= DAE_REFERENCE_COLLOCATION; k++)
            if (!w->kind && exists(sys, k) && (k != DAE_REFERENCE_EXACT || *apart <= same))
                w->kind = k;
    } else if (!exists(sys, w->kind)) {
        return dae_fail(w->report, DAE_UNSUPPORTED, "%s has no reference solution from: %s", sys->problem->name,
                        dae_reference_source((int)w->kind));
    }
    if (!(*apart <= rounded) && w->kind == DAE_REFERENCE_EXACT)
        return dae_fail(w->report, DAE_UNSUPPORTED,
                        "%s: the start at t = %.9g is not on the exact solution", sys->problem->name, w->t0);
    return DAE_OK;
}

/* ---- references --------------------------------------------------------------------------- */

dae_status dae_reference_allocate(dae_reference *reference, const dae_system *sys, int count, dae_report *report)
{
    const int mechanical = sys->nq > 0;
    const size_t nq = (size_t)(mechanical ? sys->nq : sys->problem->first_order.n), nl = (size_t)sys->nl;
    reference->nq = (int)nq;
    reference->nl = (int)nl;
    reference->q = calloc((size_t)count * nq, sizeof *reference->q);
    if (mechanical) {
        reference->v = calloc((size_t)count * nq, sizeof *reference->v);
        reference->lambda = calloc((size_t)count * nl + 1, sizeof *reference->lambda);
    }
    if (!reference->q || (mechanical && (!reference->v || !reference->lambda)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a reference at %d times", count);
    return DAE_OK;
}

void dae_reference_free(dae_reference *reference)
{
    if (!reference)
        return;
    free(reference->q);
    free(reference->v);
    free(reference->lambda);
    memset(reference, 0, sizeof *reference);
}

void dae_reference_set_row(dae_reference *to, int k, const dae_quad *z)
{
    const size_t nq = (size_t)to->nq, nl = (size_t)to->nl, row = (size_t)k;
    memcpy(to->q + row * nq, z, nq * sizeof *z);
    if (!to->v)
        return;
    memcpy(to->v + row * nq, z + nq, nq * sizeof *z);
    memcpy(to->lambda + row * nl, z + 2 * nq, nl * sizeof *z);
}

static dae_status solve(wanted *w, dae_reference *reference, dae_reference_kind kind)
{
    w->kind = kind;
    dae_status status = dae_quad_model_create(&w->m, w->sys, w->count, w->report);
    w->m.watch = w->watch;
    if (status == DAE_OK)
        status = kind == DAE_REFERENCE_EXACT ? take_exact(w) : integrate(w);
    for (int k = 0; status == DAE_OK && k < w->count; k++)
        dae_reference_set_row(reference, k, w->m.z + (size_t)k * (size_t)w->m.m);
    dae_quad_model_free(&w->m);
    return status;
}

static dae_status check_arguments(const dae_reference *reference, const wanted *w)
{
    if (!reference || !w->sys || !w->u0 || !w->times)
        return dae_fail(w->report, DAE_BAD_ARGUMENT, "no %s is given", !reference ? "reference"
                        : !w->sys ? "system" : !w->u0 ? "start" : "time");
    if (w->count < 1)
        return dae_fail(w->report, DAE_BAD_ARGUMENT, "a reference at %d times", w->count);
    int finite = isfinite(w->t0);
    for (int i = 0; i < w->sys->n; i++)
        finite = finite && w->u0[i] - w->u0[i] == 0;
    if (!finite)
        return dae_fail(w->report, DAE_BAD_ARGUMENT, "t0 = %g: the start of a reference is not finite", w->t0);
    const dae_status times = dae_check_times(w->t0, w->times, w->count, 1, w->report);
    return times ? times : dae_check_quad(w->sys->problem, w->report);
}

dae_status dae_check_times(double t0, const double *times, int count, int at_start, dae_report *report)
{
    for (int i = 0; i < count; i++) {
        const double before = i > 0 ? times[i - 1] : t0;
        if (!isfinite(times[i]) || !(times[i] > before || (i == 0 && times[i] == before && at_start)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "the times of a reference must increase: %.9g does not come "
                            "after %.9g", times[i], before);
    }
    return DAE_OK;
}

/* The kind that was chosen; where that fails, another one. */
static dae_status solve_best(wanted *w, dae_reference *reference, double apart)
{
    const dae_reference_kind chosen = w->kind;
    dae_status status = solve(w, reference, chosen);
    if (status == DAE_INCONSISTENT && chosen == DAE_REFERENCE_EXACT) {
        apart = 1;
        status = solve(w, reference, DAE_REFERENCE_COLLOCATION);        /* there are algebraic equations */
    }
    if (chosen == DAE_REFERENCE_EXPLICIT && (status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE))
        status = solve(w, reference, DAE_REFERENCE_COLLOCATION);        /* stiff, maybe */
    if ((status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE) && apart <= 8 * DBL_EPSILON) {
        status = solve(w, reference, DAE_REFERENCE_EXACT);              /* of a start that is near, and says so */
        w->digits = fmin(w->digits, -log10(apart));
        w->kind = DAE_REFERENCE_ROUNDED;
    }
    return status;
}

static dae_status solve_kind(dae_reference *reference, wanted w)
{
    const int best = w.kind == DAE_REFERENCE_BEST;
    const dae_status checked = check_arguments(reference, &w);
    double apart;
    if (reference)
        memset(reference, 0, sizeof *reference);
    if (checked)
        return checked;
    if (w.sys->problem->events || w.sys->problem->modes)
        return dae_fail(w.report, DAE_UNSUPPORTED, "%s has events, and a reference is smooth in t",
                        w.sys->problem->name);
    dae_status status = choose(&w, &apart);
    if (status == DAE_OK)
        status = dae_reference_allocate(reference, w.sys, w.count, w.report);
    if (status == DAE_OK)
        status = best ? solve_best(&w, reference, apart) : solve(&w, reference, w.kind);
    if (status == DAE_OK) {
        reference->digits = w.digits;
        reference->source = dae_reference_source((int)w.kind);
    } else {
        dae_reference_free(reference);
    }
    return status;
}

static dae_status solve_from_doubles(dae_reference *reference, wanted w, const double *u0)
{
    const size_t n = w.sys && u0 ? (size_t)w.sys->n : 0;
    dae_quad *start = n ? calloc(n, sizeof *start) : NULL;
    if (n && !start)
        return dae_fail(w.report, DAE_NO_MEMORY, "no memory for %d unknowns", w.sys->n);
    for (size_t i = 0; i < n; i++)
        start[i] = u0[i];
    w.u0 = start;
    const dae_status status = solve_kind(reference, w);
    free(start);
    return status;
}

dae_status dae_reference_solve_in(dae_reference *reference, dae_system *sys,
                                  dae_reference_kind kind, double t0, const double *u0,
                                  const double *times, int count, dae_report *report)
{
    return solve_from_doubles(reference, (wanted){.sys = sys, .kind = kind, .t0 = t0, .times = times, .count = count,
                                                  .report = report}, u0);
}

dae_status dae_reference_solve_quad(dae_reference *reference, dae_system *sys, double t0, const dae_quad *u0,
                                    const double *times, int count, const dae_reference_watch *watch,
                                    dae_report *report)
{
    return solve_kind(reference, (wanted){.sys = sys, .t0 = t0, .u0 = u0, .times = times, .count = count,
                                          .watch = watch, .report = report});
}

dae_status dae_reference_solve_watched(dae_reference *reference, dae_system *sys, double t0,
                                       const double *u0, const double *times, int count,
                                       const dae_reference_watch *watch, dae_report *report)
{
    return solve_from_doubles(reference, (wanted){.sys = sys, .t0 = t0, .times = times, .count = count, .watch = watch,
                                                  .report = report}, u0);
}

dae_status dae_reference_solve(dae_reference *reference, dae_system *sys, double t0,
                               const double *u0, const double *times, int count,
                               dae_report *report)
{
    return dae_reference_solve_watched(reference, sys, t0, u0, times, count, NULL, report);
}
