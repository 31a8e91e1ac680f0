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

#include "collocation.h"
#include "extrapolation.h"
#include "checks/model_check.h"
#include "system/quad_mechanics.h"
#include "base/numbers.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A system in quad precision. */
typedef struct {
    dae_system *sys;
    const dae_minimal *minimal;
    dae_quad_mechanics mechanics;
    int nq, nl, m;              /* m = 2 nq + nl, first order: n */
    dae_quad *y0;               /* [2 nq, 2 ns or n] the start */
    dae_quad *first, *z;        /* [m] at t0, [count x m] (q, v, lambda) or u; one block */
    dae_class *group;           /* [m] */
    const dae_reference_watch *watch;
} model;

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

/* The number of leading unknowns of u0 that determine the solution: (q, v), (s, s') or u. */
static int start_size(const dae_system *sys)
{
    return sys->compose->kind == DAE_FORM_MECHANICAL ? 2 * sys->nq : sys->n;
}

static dae_status create(model *m, dae_system *sys, int count, dae_report *report)
{
    memset(m, 0, sizeof *m);
    m->sys = sys;
    m->minimal = &sys->problem->mechanical.minimal;
    m->nq = sys->nq;
    m->nl = sys->nl;
    m->m = m->nq ? 2 * m->nq + m->nl : sys->n;
    const size_t columns = (size_t)m->m, start = (size_t)(sys->n + 2 * m->nq + 2 * m->minimal->n);
    m->y0 = calloc(start, sizeof *m->y0);
    m->first = calloc(((size_t)count + 1) * columns, sizeof *m->first);
    m->group = calloc(columns, sizeof *m->group);
    if (!m->y0 || !m->first || !m->group || (sys->carried && !dae_system_open_quad(sys))
        || !dae_quad_mechanics_create(&m->mechanics, sys))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a reference at %d times", count);
    m->z = m->first + columns;
    for (int i = 0; i < m->m; i++)
        m->group[i] = !m->nq ? sys->classes[i] : i < m->nq ? DAE_POSITION
                      : i < 2 * m->nq ? DAE_VELOCITY : DAE_MULTIPLIER;
    return DAE_OK;
}

static void destroy(model *m)
{
    dae_quad_mechanics_free(&m->mechanics);
    free(m->group);
    free(m->first);
    free(m->y0);
}

/* ---- differential equations and what is wanted of them ------------------------------------ */

static dae_status minimal_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    model *m = context;
    for (int i = 0; i < m->minimal->n; i++)
        dy[i] = y[m->minimal->n + i];
    m->minimal->acceleration.quad(m->sys->p_quad, t, y, y + m->minimal->n, dy + m->minimal->n);
    return DAE_OK;
}

static dae_status cartesian_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    model *m = context;
    for (int i = 0; i < m->nq; i++)
        dy[i] = y[m->nq + i];
    return dae_quad_accelerate(&m->mechanics, t, y, y + m->nq, dy + m->nq);
}

static dae_status explicit_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    model *m = context;
    m->sys->problem->first_order.rhs.quad(m->sys->p_quad, t, y, dy);
    return DAE_OK;
}

/* z := (q, v, lambda); (q, v) stands there already */
static dae_status complete(model *m, dae_quad t, dae_quad *z)
{
    const dae_status status = dae_quad_accelerate(&m->mechanics, t, z, z + m->nq, m->mechanics.a);
    for (int k = 0; k < m->nl; k++)
        z[2 * m->nq + k] = m->mechanics.lambda[k];
    return status;
}

static dae_status minimal_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    model *m = context;
    m->minimal->embed.quad(m->sys->p_quad, t, y, y + m->minimal->n, z);
    return complete(m, t, z);
}

static dae_status cartesian_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    model *m = context;
    memcpy(z, y, 2 * (size_t)m->nq * sizeof *z);
    return complete(m, t, z);
}

static dae_status explicit_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    model *m = context;
    (void)t;
    memcpy(z, y, (size_t)m->sys->n * sizeof *z);
    return DAE_OK;
}

/* m->y0 := the start of the kind */
static dae_status set_start(model *m, dae_reference_kind kind, double t0, const double *u0,
                            dae_report *report)
{
    const int given_minimal = m->sys->compose->kind == DAE_FORM_MINIMAL, ns = m->minimal->n;
    const size_t size = 2 * (size_t)m->nq * sizeof *m->y0;
    dae_quad *y = m->y0, *q = m->z, *v = q + m->nq;     /* z is free until the run */
    for (int i = 0; i < start_size(m->sys); i++)
        y[i] = u0[i];
    if (kind == DAE_REFERENCE_EXPLICIT || kind == DAE_REFERENCE_COLLOCATION)
        return DAE_OK;
    if (given_minimal)
        m->minimal->embed.quad(m->sys->p_quad, t0, y, y + ns, q);
    else
        memcpy(q, y, size);
    dae_quad_set_mass(&m->mechanics, t0, q);
    if (kind == DAE_REFERENCE_MINIMAL && !given_minimal)
        m->minimal->chart.quad(m->sys->p_quad, t0, q, v, y);
    if (kind == DAE_REFERENCE_MINIMAL)
        return DAE_OK;
    memcpy(y, q, size);
    const dae_status status = dae_quad_project(&m->mechanics, t0, y, y + m->nq);
    return status == DAE_OK ? status :
        dae_fail(report, status, "t = %.9g: the start does not go onto the constraints: %s", t0,
                 dae_status_sentence(status));
}

static dae_status extrapolate(model *m, dae_reference_kind kind, const dae_quad_grid *grid,
                              double *digits, dae_report *report)
{
    const int minimal = kind == DAE_REFERENCE_MINIMAL, cartesian = kind == DAE_REFERENCE_CARTESIAN;
    const dae_quad_ode ode = {
        .n = minimal ? 2 * m->minimal->n : cartesian ? 2 * m->nq : m->sys->n,
        .m = m->m,
        .f = minimal ? minimal_rhs : cartesian ? cartesian_rhs : explicit_rhs,
        .outputs = minimal ? minimal_outputs : cartesian ? cartesian_outputs : explicit_outputs,
        .group = m->group,
        .context = m,
        .watch = m->watch,
    };
    const dae_status status = dae_extrapolate_pair(&ode, grid, m->y0, m->z, digits, report);
    return !m->mechanics.varied ? status
           : dae_fail(report, DAE_BAD_ARGUMENT, "the mass matrix, row %d, is not the constant diagonal "
                      "that it was near the start: the record of %s has to declare it by .mass = "
                      "DAE_MASS_VARIES", m->mechanics.varied, m->sys->problem->name);
}

/* P u' = w, 0 = F - M(t, u) E w: collocation hands its parameters through unseen, and here they are the
 * system. */
static dae_system *system_of(const dae_quad *p)
{
    return (dae_system *)(uintptr_t)p;
}

static void carried_rhs(const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    dae_first_order_rhs_quad(system_of(p), &system_of(p)->problem->first_order.rhs, t, u, F);
}

static void carried_mass(const dae_quad *p, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    (void)t, (void)u;
    dae_state_mass_multiply_quad(system_of(p)->carried, x, out);
}

static int mass_holds(const dae_quad *p, dae_quad t, const dae_quad *u)
{
    dae_system *s = system_of(p);
    for (int i = 0; i < s->n; i++)
        s->start[i] = (double)u[i];
    return !dae_system_mass_changed(s, (double)t, s->start);
}

/* kind becomes SLOW where the start of a stiff problem was moved by rounding. */
static dae_status collocate(model *m, const dae_quad_grid *grid, dae_reference_kind *kind,
                            double *digits, dae_report *report)
{
    dae_first_order carried = {.n = m->m, .index = m->sys->problem->first_order.index,
                               .rhs = {.quad = carried_rhs}, .mass = {.quad = carried_mass}};
    carried.index += carried.index < 1;
    dae_quad_dae dae = {.equations = &m->sys->problem->first_order, .p = m->sys->p_quad,
                        .group = m->group, .watch = m->watch};
    int slow = 0;
    if (m->sys->carried) {
        dae.equations = &carried;
        dae.p = (const dae_quad *)(const void *)m->sys;
        dae.holds = mass_holds;
    }
    const dae_status status = dae_collocate_pair(&dae, grid, m->y0, m->z, digits, &slow, report);
    if (slow && dae.equations->index < 2)
        *kind = DAE_REFERENCE_SLOW;
    return status;
}

/* The model's functions at t0 and at count of the times; digits := those that agree, if fewer. */
static dae_status check_model(model *m, dae_reference_kind kind, const dae_quad_grid *grid, int count,
                              double *digits, dae_report *report)
{
    const dae_quad_rows rows = {.sys = m->sys, .mechanics = &m->mechanics, .t0 = grid->t0,
                                .times = grid->times, .count = count,
                                .span = grid->times[grid->count - 1] - grid->t0, .z = m->first,
                                .solved = kind == DAE_REFERENCE_EXACT};
    return m->nq ? dae_check_mechanics(&rows, digits, report)
                 : dae_check_first_order(&rows, digits, report);
}

/* m->first from the start in m->y0 */
static void set_first(model *m, dae_reference_kind kind, double t0)
{
    if (kind == DAE_REFERENCE_MINIMAL)
        minimal_outputs(m, t0, m->y0, m->first);
    else if (kind == DAE_REFERENCE_CARTESIAN)
        cartesian_outputs(m, t0, m->y0, m->first);
    else
        explicit_outputs(m, t0, m->y0, m->first);
}

static dae_status integrate(model *m, dae_reference_kind *kind, double t0, const double *u0,
                            const double *times, int count, double *digits, dae_report *report)
{
    const dae_quad_grid grid = {.t0 = t0, .times = times, .count = count};
    dae_status status = set_start(m, *kind, t0, u0, report);
    if (status != DAE_OK)
        return status;
    set_first(m, *kind, t0);
    status = check_model(m, *kind, &grid, 0, digits, report);
    if (status == DAE_OK)
        status = *kind == DAE_REFERENCE_COLLOCATION ? collocate(m, &grid, kind, digits, report)
                                                    : extrapolate(m, *kind, &grid, digits, report);
    return status ? status : check_model(m, *kind, &grid, count, digits, report);
}

/* w of an exact u, behind it; 0 where M has lost its rank. */
static int set_exact_slopes(const model *m, double t, dae_quad *z)
{
    const dae_system *s = m->sys;
    if (!s->carried)
        return 1;
    s->problem->first_order.rhs.quad(s->p_quad, t, z, s->a_quad);
    return dae_state_mass_solve_quad(s->carried, s->p_quad, t, z, s->a_quad, z + s->carried->n);
}

static dae_status evaluate_exact(model *m, double t0, const double *times, int count, double *digits,
                                 dae_report *report)
{
    const dae_quad_grid grid = {.t0 = t0, .times = times, .count = count};
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
    return check_model(m, DAE_REFERENCE_EXACT, &grid, count, digits, report);
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
            size[i] = fmaxf128(size[i], fabsf128(now[i]));
    }
    for (int i = 0; i < sys->n; i++)
        if (sys->classes[i] == DAE_DIFFERENTIAL && u0[i] != exact[i])
            worst = fmaxf128(worst, fabsf128(u0[i] - exact[i]) / size[i]);
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

static dae_status allocate(dae_reference *reference, const dae_system *sys, int count,
                           dae_report *report)
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

/* m numbers in a row of z; w = P u' behind u is not part of the reference. */
static void copy_rows(dae_reference *to, int m, const dae_quad *z, int count)
{
    const size_t nq = (size_t)to->nq, nl = (size_t)to->nl;
    for (size_t i = 0; i < (size_t)count; i++) {
        memcpy(to->q + i * nq, z, nq * sizeof *z);
        z += to->v ? nq : (size_t)m;
        if (!to->v)
            continue;
        memcpy(to->v + i * nq, z, nq * sizeof *z);
        memcpy(to->lambda + i * nl, z + nq, nl * sizeof *z);
        z += nq + nl;
    }
}

static dae_status solve(dae_reference *reference, dae_system *sys, dae_reference_kind *kind,
                        double t0, const double *u0, const double *times, int count,
                        const dae_reference_watch *watch, dae_report *report)
{
    model m;
    dae_status status = create(&m, sys, count, report);
    m.watch = watch;
    if (status == DAE_OK)
        status = *kind == DAE_REFERENCE_EXACT
            ? evaluate_exact(&m, t0, times, count, &reference->digits, report)
            : integrate(&m, kind, t0, u0, times, count, &reference->digits, report);
    if (status == DAE_OK)
        copy_rows(reference, m.m, m.z, count);
    destroy(&m);
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
        status = allocate(reference, sys, count, report);
    if (status == DAE_OK)
        status = solve(reference, sys, &kind, t0, u0, times, count, watch, report);
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
