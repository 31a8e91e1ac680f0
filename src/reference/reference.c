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

static dae_status extrapolate(dae_quad_model *m, dae_reference_kind kind, const dae_quad_grid *grid,
                              double *digits, dae_report *report)
{
    const dae_quad_ode ode = dae_quad_model_ode(m, kind);
    const dae_status status = dae_extrapolate_pair(&ode, grid, m->y0, m->z, digits, report);
    const dae_status held = dae_quad_model_mass_held(m, report);
    return held ? held : status;
}

/* kind becomes SLOW where the start of a stiff problem was moved by rounding. */
static dae_status collocate(dae_quad_model *m, const dae_quad_grid *grid, dae_reference_kind *kind,
                            double *digits, dae_report *report)
{
    const dae_quad_dae dae = dae_quad_model_dae(m);
    int slow = 0;
    const dae_status status = dae_collocate_pair(&dae, grid, m->y0, m->z, digits, &slow, report);
    if (slow && dae.equations->index < 2)
        *kind = DAE_REFERENCE_SLOW;
    return status;
}

/* The times that a reference is wanted at. */
typedef struct {
    double t0;
    const double *times;        /* [count] */
    int count;
} wanted;

/* The model's functions at t0 and at count of the times; digits := those that agree, if fewer. */
static dae_status check_model(dae_quad_model *m, dae_reference_kind kind, const wanted *at, int count,
                              double *digits, dae_report *report)
{
    const dae_quad_rows rows = {.sys = m->sys, .mechanics = &m->mechanics, .t0 = at->t0,
                                .times = at->times, .count = count,
                                .span = at->times[at->count - 1] - at->t0, .z = m->first,
                                .solved = kind == DAE_REFERENCE_EXACT};
    return m->nq ? dae_check_mechanics(&rows, digits, report)
                 : dae_check_first_order(&rows, digits, report);
}

static dae_status run_twice(dae_quad_model *m, dae_reference_kind *kind, const wanted *at, double *digits,
                            dae_report *report)
{
    dae_quad *times = calloc((size_t)at->count, sizeof *times);
    const dae_quad_grid grid = {.t0 = at->t0, .times = times, .count = at->count};
    if (!times)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a reference at %d times", at->count);
    for (int i = 0; i < at->count; i++)
        times[i] = at->times[i];
    const dae_status status = *kind == DAE_REFERENCE_COLLOCATION ? collocate(m, &grid, kind, digits, report)
                                                                 : extrapolate(m, *kind, &grid, digits, report);
    free(times);
    return status;
}

static dae_status integrate(dae_quad_model *m, dae_reference_kind *kind, double t0, const double *u0,
                            const double *times, int count, double *digits, dae_report *report)
{
    const wanted at = {.t0 = t0, .times = times, .count = count};
    dae_status status = dae_quad_model_start(m, *kind, t0, times[count - 1] - t0, u0,
                                             m->sys->compose->kind == DAE_FORM_MINIMAL, report);
    if (status != DAE_OK)
        return status;
    dae_quad_model_ode(m, *kind).outputs(m, t0, m->y0, m->first);
    status = check_model(m, *kind, &at, 0, digits, report);
    if (status == DAE_OK)
        status = run_twice(m, kind, &at, digits, report);
    return status ? status : check_model(m, *kind, &at, count, digits, report);
}

/* w of an exact u, behind it; 0 where M has lost its rank. */
static int set_exact_slopes(const dae_quad_model *m, double t, dae_quad *z)
{
    const dae_system *s = m->sys;
    if (!s->carried)
        return 1;
    s->problem->first_order.rhs.quad(s->p_quad, t, z, s->a_quad);
    return dae_state_mass_solve_quad(s->carried, s->p_quad, t, z, s->a_quad, z + s->carried->n);
}

/* The algebraic unknown in which u differs from the exact solution at t0; -1 where there is none. */
static int differs(const dae_quad_model *m, const dae_quad *exact, const dae_quad *u)
{
    const dae_quad part = 1e-6;
    for (int i = 0; i < m->sys->problem->first_order.n; i++)
        if (m->sys->classes[i] == DAE_ALGEBRAIC
            && !(dae_quad_fabs(u[i] - exact[i]) <= part * dae_quad_fmax(dae_quad_fabs(u[i]), dae_quad_fabs(exact[i]))))
            return i;
    return -1;
}

/* Algebraic equations may have several solutions: that of u0 is found where it is no more than a guess. */
static dae_status check_branch(dae_quad_model *m, double t0, double t_end, const double *u0, dae_report *report)
{
    const dae_quad_dae dae = dae_quad_model_dae(m);
    int slow;
    for (int i = 0; i < m->m; i++)
        m->y0[i] = u0[i];
    m->sys->problem->first_order.exact.quad(m->sys->p_quad, t0, m->first);
    if (differs(m, m->first, m->y0) >= 0 && dae_collocation_start(&dae, t0, t_end, m->y0, &slow, NULL))
        return DAE_OK;                                  /* nothing is known of it */
    const int i = differs(m, m->first, m->y0);
    return i < 0 ? DAE_OK
           : dae_fail(report, DAE_INCONSISTENT, "t = %.9g: the exact solution is on another branch of the algebraic "
                      "equations: unknown %d is %.9g there and %.9g in the start", t0, i + 1, (double)m->first[i],
                      (double)m->y0[i]);
}

static dae_status evaluate_exact(dae_quad_model *m, double t0, const double *u0, const double *times, int count,
                                 double *digits, dae_report *report)
{
    const wanted at = {.t0 = t0, .times = times, .count = count};
    const dae_status same = check_branch(m, t0, times[count - 1], u0, report);
    if (same)
        return same;
    for (int i = 0; i <= count; i++) {
        const double t = i == 0 ? t0 : times[i - 1];
        dae_quad *z = m->first + (size_t)i * (size_t)m->m;
        m->sys->problem->first_order.exact.quad(m->sys->p_quad, t, z);
        if (!set_exact_slopes(m, t, z))
            return dae_fail(report, DAE_SINGULAR, "t = %.9g: M(t, u) has lost its rank", t);
        for (int j = 0; j < m->m; j++)
            if (z[j] - z[j] != 0)
                return dae_fail(report, DAE_NOT_FINITE,
                                "t = %.9g: the exact solution is not finite", t);
    }
    *digits = 33;
    return check_model(m, DAE_REFERENCE_EXACT, &at, count, digits, report);
}

/* ---- which kind --------------------------------------------------------------------------- */

/* How far the differential unknowns of u0 are from the exact solution, each against its size in the run;
 * NaN: no memory. */
static double start_apart(dae_system *sys, double t0, const double *u0, const double *times, int count)
{
    const size_t n = (size_t)sys->n;
    dae_quad worst = 0, *exact = calloc(3 * n, sizeof *exact), *size = exact + n, *now = size + n;
    if (!exact)
        return NAN;
    sys->problem->first_order.exact.quad(sys->p_quad, t0, exact);
    for (int k = -1; k < count; k++) {
        sys->problem->first_order.exact.quad(sys->p_quad, k < 0 ? t0 : times[k], now);
        for (size_t i = 0; i < n; i++)
            size[i] = dae_quad_fmax(size[i], dae_quad_fabs(now[i]));
    }
    for (int i = 0; i < sys->n; i++)
        if (sys->classes[i] == DAE_DIFFERENTIAL && u0[i] != exact[i])
            worst = dae_quad_fmax(worst, dae_quad_fabs(u0[i] - exact[i]) / size[i]);
    free(exact);
    return (double)worst;
}

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
static dae_status choose(dae_system *sys, double t0, const double *u0, const double *times, int count,
                         dae_reference_kind *kind, double *apart, dae_report *report)
{
    const double same = 1e-30, rounded = 8 * DBL_EPSILON;
    const char *name = sys->problem->name;
    *apart = exists(sys, DAE_REFERENCE_EXACT) ? start_apart(sys, t0, u0, times, count) : 1;
    if (isnan(*apart))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", sys->n);
    if (*kind == DAE_REFERENCE_BEST) {
        for (dae_reference_kind k = DAE_REFERENCE_EXACT; k <= DAE_REFERENCE_COLLOCATION; k++)
            if (!*kind && exists(sys, k) && (k != DAE_REFERENCE_EXACT || *apart <= same))
                *kind = k;
    } else if (!exists(sys, *kind)) {
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no reference solution from: %s", name,
                        dae_reference_source((int)*kind));
    }
    if (!(*apart <= rounded) && *kind == DAE_REFERENCE_EXACT)
        return dae_fail(report, DAE_UNSUPPORTED,
                        "%s: the start at t = %.9g is not on the exact solution", name, t0);
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

static dae_status solve(dae_reference *reference, dae_system *sys, dae_reference_kind *kind,
                        double t0, const double *u0, const double *times, int count,
                        const dae_reference_watch *watch, dae_report *report)
{
    dae_quad_model m;
    dae_status status = dae_quad_model_create(&m, sys, count, report);
    m.watch = watch;
    if (status == DAE_OK)
        status = *kind == DAE_REFERENCE_EXACT
            ? evaluate_exact(&m, t0, u0, times, count, &reference->digits, report)
            : integrate(&m, kind, t0, u0, times, count, &reference->digits, report);
    for (int k = 0; status == DAE_OK && k < count; k++)
        dae_reference_set_row(reference, k, m.z + (size_t)k * (size_t)m.m);
    dae_quad_model_free(&m);
    return status;
}

static dae_status check_arguments(const dae_reference *reference, const dae_system *sys, double t0,
                                  const double *u0, const double *times, int count,
                                  dae_report *report)
{
    if (!reference || !sys || !u0 || !times)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", !reference ? "reference"
                        : !sys ? "system" : !u0 ? "start" : "time");
    if (count < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a reference at %d times", count);
    if (!isfinite(t0) || !dae_vector_finite(sys->n, u0))
        return dae_fail(report, DAE_BAD_ARGUMENT, "t0 = %g: the start of a reference is not finite",
                        t0);
    for (int i = 0; i < count; i++)
        if (!isfinite(times[i]) || !(times[i] > (i > 0 ? times[i - 1] : t0) || (i == 0 && times[i] == t0)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "the times of a reference must increase: %.9g "
                            "does not come after %.9g", times[i], i > 0 ? times[i - 1] : t0);
    return dae_check_quad(sys->problem, report);
}

static dae_status solve_kind(dae_reference *reference, dae_system *sys, dae_reference_kind kind,
                             double t0, const double *u0, const double *times, int count,
                             const dae_reference_watch *watch, dae_report *report)
{
    const dae_status checked = check_arguments(reference, sys, t0, u0, times, count, report);
    if (reference)
        memset(reference, 0, sizeof *reference);
    if (checked)
        return checked;
    if (sys->problem->events || sys->problem->modes)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has events, and a reference is smooth in t",
                        sys->problem->name);
    const int best = kind == DAE_REFERENCE_BEST;
    double apart;
    dae_status status = choose(sys, t0, u0, times, count, &kind, &apart, report);
    if (status == DAE_OK)
        status = dae_reference_allocate(reference, sys, count, report);
    if (status == DAE_OK)
        status = solve(reference, sys, &kind, t0, u0, times, count, watch, report);
    if (best && status == DAE_INCONSISTENT && kind == DAE_REFERENCE_EXACT) {
        apart = 1;
        kind = DAE_REFERENCE_COLLOCATION;               /* there are algebraic equations */
        status = solve(reference, sys, &kind, t0, u0, times, count, watch, report);
    }
    if (best && kind == DAE_REFERENCE_EXPLICIT
        && (status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE)) {
        kind = DAE_REFERENCE_COLLOCATION;               /* stiff, maybe */
        status = solve(reference, sys, &kind, t0, u0, times, count, watch, report);
    }
    if (best && (status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE)
        && apart <= 8 * DBL_EPSILON) {
        kind = DAE_REFERENCE_EXACT;                     /* of a start that is near, and says so */
        status = solve(reference, sys, &kind, t0, u0, times, count, watch, report);
        reference->digits = fmin(reference->digits, -log10(apart));
        kind = DAE_REFERENCE_ROUNDED;
    }
    if (status == DAE_OK)
        reference->source = dae_reference_source((int)kind);
    else
        dae_reference_free(reference);
    return status;
}

dae_status dae_reference_solve_in(dae_reference *reference, dae_system *sys,
                                  dae_reference_kind kind, double t0, const double *u0,
                                  const double *times, int count, dae_report *report)
{
    return solve_kind(reference, sys, kind, t0, u0, times, count, NULL, report);
}

dae_status dae_reference_solve_watched(dae_reference *reference, dae_system *sys, double t0,
                                       const double *u0, const double *times, int count,
                                       const dae_reference_watch *watch, dae_report *report)
{
    return solve_kind(reference, sys, DAE_REFERENCE_BEST, t0, u0, times, count, watch, report);
}

dae_status dae_reference_solve(dae_reference *reference, dae_system *sys, double t0,
                               const double *u0, const double *times, int count,
                               dae_report *report)
{
    return solve_kind(reference, sys, DAE_REFERENCE_BEST, t0, u0, times, count, NULL, report);
}
