/* consistent_positions.c - the positions on g(t, q) = 0 nearest to given ones
 *
 *     M (q - q0) + G(t,q)^T kappa = 0,   g(t, q) = 0,      M at q0.
 *
 * Nonholonomic constraints have no part in it: every q is allowed to them.
 *
 * Newton's method on this system may end at a point that is stationary and far away. So it begins
 * twice, at q0 and where the descent of nearest.h ends, and the nearer point counts, for each part
 * by itself. There the second derivative along the constraints, Z^T (M + sum_k kappa_k g_k'') Z
 * with G Z = 0, must not be negative; where it is, both ways down from there are tried. With many
 * constraints the matrices are not formed, and the descent has to do.
 *
 * Nocedal, Wright (2006), Numerical Optimization, 12.5 and 18.1.
 */
#include "backends/kinsol.h"
#include "consistent.h"
#include "nearest.h"
#include "projection/project.h"
#include "base/small_dense.h"
#include "base/zeroed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPES = 4, SHORTER = 20 };      /* for each constraint */
static const double rounding = 1e-13;   /* of sum_j |G_kj q_j|: a row that holds */
static const double nearer = 1e-9;      /* part of a squared distance that makes a point nearer */
static const double negative = 1e-8;    /* part of the terms of a pivot */

typedef struct {
    dae_system *sys;
    double t;
    const double *given;        /* [nq] q0 */
    dae_dual *q0, *x, *r, *y;   /* [nq], [nq + nl], [nq + ng], [2 nq] */
    dae_surface surface;
    dae_parts parts;
    double *square;             /* [2 ng] of parts: squared distances */
    double *work;               /* [nq] */
} position_level;

/* ---- g = 0 as a surface
 * ------------------------------------------------------------------------ */

static void surface_residual(void *context, const double *q, double *g)
{
    const position_level *l = context;
    dae_project_exactly(l->sys, l->t, q, g);
}

static int surface_factor(void *context, const double *q)
{
    const position_level *l = context;
    return dae_system_factor_schur(l->sys, l->t, q);
}

static void surface_solve(void *context, double *c)
{
    const position_level *l = context;
    dae_system_solve_schur(l->sys, c);
}

static void surface_correct(void *context, const double *c, double *q)
{
    const position_level *l = context;
    dae_system_add_reaction(l->sys, c, q);
}

static void surface_multiply(void *context, const double *x, int absolute, double *c)
{
    const position_level *l = context;
    if (absolute)
        dae_project_sizes(l->sys, x, c);
    else
        dae_project_slopes(l->sys, x, c);
}

static void surface_touch(void *context, dae_parts *parts)
{
    const dae_system *s = ((const position_level *)context)->sys;
    for (int k = 0; k < s->holonomic; k++)
        if (s->sparse_schur)
            for (int a = s->plan.pattern.column[k]; a < s->plan.pattern.column[k + 1]; a++)
                dae_parts_touch(parts, k, s->plan.pattern.row[a]);
        else
            for (int i = 0; i < s->nq; i++)
                if (s->gradient[k * s->nq + i] != 0)
                    dae_parts_touch(parts, k, i);
}

static void surface_weigh(void *context, const double *x, double *Mx)
{
    const position_level *l = context;
    l->sys->problem->mechanical.inertia.f(l->sys->p, l->t, l->given, x, Mx);
}

static dae_status surface_project(void *context, double *q)
{
    const position_level *l = context;
    return dae_project_positions(l->sys, l->t, q);
}

static dae_surface surface_of(position_level *l, const double *unit)
{
    return (dae_surface){.context = l, .n = l->sys->nq, .rows = l->sys->holonomic,
                         .joined = l->sys->general_mass, .unit = unit, .residual = surface_residual,
                         .factor = surface_factor, .solve = surface_solve,
                         .correct = surface_correct, .multiply = surface_multiply,
                         .touch = surface_touch, .weigh = surface_weigh,
                         .project = surface_project};
}

/* ---- Newton's method
 * ---------------------------------------------------------------------------- */


/* r and J from one pass with dual numbers for each unknown, g in quad */
static void evaluate(void *context, const double *x, double *r, double *J)
{
    const position_level *l = context;
    const dae_system *s = l->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const dae_dual t = dae_dual_make(l->t, 0);
    const int nq = s->nq, n = nq + s->holonomic;
    dae_dual *y = l->y, *My = y + nq;
    for (int i = 0; i < n; i++)
        l->x[i] = dae_dual_make(x[i], 0);
    for (int j = 0; j < n; j++) {
        l->x[j] = dae_dual_make(x[j], 1);
        for (int i = 0; i < nq; i++)
            y[i] = l->x[i] - l->given[i];
        m->inertia.dual(s->p, t, l->q0, y, My);
        m->reaction.dual(s->p, t, l->x, l->x + nq, l->r);
        m->constraint.dual(s->p, t, l->x, l->r + nq);
        for (int i = 0; i < nq; i++)
            l->r[i] += My[i];
        l->x[j] = dae_dual_make(x[j], 0);
        for (int i = 0; i < n; i++) {
            r[i] = dae_dual_value(l->r[i]);
            J[j * n + i] = dae_dual_derivative(l->r[i]);
        }
    }
    dae_project_exactly(l->sys, l->t, x, r + nq);
}

static int take_nearer(position_level *l, double factor, double *q, const double *other)
{
    return dae_parts_take_nearer(&l->parts, &l->surface, l->given, factor, q, other, l->square);
}

/* kappa of a point where the distance is stationary, or nearly so */
static int reactions(position_level *l, const double *q, double *kappa)
{
    dae_system *s = l->sys;
    if (!dae_system_factor_schur(s, l->t, q))
        return 0;
    for (int i = 0; i < s->nq; i++)
        l->work[i] = l->given[i] - q[i];
    dae_project_slopes(s, l->work, kappa);
    dae_system_solve_schur(s, kappa);
    return 1;
}

/* Newton's method from x = (q, kappa), and what it leaves of g projected away */
static dae_status newton(position_level *l, double *x, dae_report *report)
{
    const dae_system *s = l->sys;
    const dae_equations equations = {.what = "positions", .n = s->nq + s->holonomic, .nx = s->nq,
                                     .t = l->t, .context = l, .evaluate = evaluate, .always = 1};
    const dae_status status = dae_equations_solve(&equations, x, report);
    if (status)
        return status;
    return dae_project_positions(l->sys, l->t, x)
               ? dae_fail(report, DAE_INCONSISTENT, "t = %.6g: no consistent positions near the "
                          "start", l->t) : DAE_OK;
}

/* The descent from q := start, then Newton's method, unless it goes elsewhere. */
static dae_status descend(position_level *l, const double *start, double *q, double *x)
{
    const size_t nq = (size_t)l->sys->nq;
    memcpy(q, start, nq * sizeof *q);
    const dae_status status = dae_approach(&l->surface, &l->parts, l->given, 0, q);
    memcpy(x, q, nq * sizeof *x);
    if (!status && reactions(l, q, x + nq) && !newton(l, x, NULL))
        take_nearer(l, 1 + nearer, q, x);
    return status;
}

/* ---- a minimum? ------------------------------------------------------------------------------ */

/* y with y^T H y < 0 from L D L^T of H[n x n], which is overwritten; 0 where there is none. */
static int goes_down(int n, double *H, double *y)
{
    for (int j = 0; j < n; j++) {
        double D = H[j * n + j], terms = fabs(D);
        for (int k = 0; k < j; k++) {
            D -= H[j * n + k] * H[j * n + k] * H[k * n + k];
            terms += fabs(H[j * n + k] * H[j * n + k] * H[k * n + k]);
        }
        if (D < -negative * terms) {
            memset(y, 0, (size_t)n * sizeof *y);
            y[j] = 1;
            for (int i = j - 1; i >= 0; i--)
                for (int k = i + 1; k <= j; k++)
                    y[i] -= H[k * n + i] * y[k];
            return 1;
        }
        H[j * n + j] = D;
        for (int i = j + 1; i < n; i++) {
            double sum = H[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= H[i * n + k] * H[k * n + k] * H[j * n + k];
            H[i * n + j] = D > negative * terms ? sum / D : 0;
        }
    }
    return 0;
}

/* d[nq] along the constraints at q, along which the distance is largest there. memory: as
 * leave_saddles has it */
static int way_down(position_level *l, const double *q, double *d, double *memory)
{
    dae_system *s = l->sys;
    const int nq = s->nq, n = nq + s->holonomic;
    double *x = memory, *r = x + n, *J = r + n, *A = J + n * n, *Z = A + nq * nq,
           *work = Z + nq * nq, *H = work + nq * nq + nq, *y = H + nq * nq;
    memcpy(x, q, (size_t)nq * sizeof *x);
    if (!reactions(l, q, x + nq))
        return 0;
    evaluate(l, x, r, J);
    memset(A, 0, (size_t)(nq * nq) * sizeof *A);
    for (int i = 0; i < nq; i++)
        for (int k = 0; k < s->holonomic && k < nq; k++)
            A[i * nq + k] = J[i * n + nq + k];          /* G^T */
    const int m = dae_null_space(nq, A, Z, work);
    for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int i = 0; i < nq; i++)
                for (int j = 0; Z[a * nq + i] != 0 && j < nq; j++)
                    sum += Z[a * nq + i] * J[j * n + i] * Z[b * nq + j];
            H[a * m + b] = sum;
        }
    if (!goes_down(m, H, y))
        return 0;
    memset(d, 0, (size_t)nq * sizeof *d);
    for (int a = 0; a < m; a++)
        for (int i = 0; i < nq; i++)
            d[i] += y[a] * Z[a * nq + i];
    return 1;
}

/* d in units of the move of the parts that it has; NaN or infinite where there is none. */
static double unit_of(position_level *l, const double *q, const double *d, double *along)
{
    const int nl = l->sys->holonomic;
    double moved = 0, size = 0, *square = l->square, *square_new = square + nl;
    for (int i = 0; i < l->sys->nq; i++)
        along[i] = l->given[i] + d[i];
    dae_parts_measure(&l->parts, &l->surface, l->given, q, square);
    dae_parts_measure(&l->parts, &l->surface, l->given, along, square_new);
    for (int k = 0; k < nl; k++) {
        size += square_new[k];
        moved += square_new[k] > 0 ? square[k] : 0;
    }
    return sqrt(moved / size);
}

/* From q both ways along d, which become shorter until one leads to a nearer point: q becomes
 * that. */
static int escape(position_level *l, double *q, const double *d, double *trial, double *x)
{
    const size_t nq = (size_t)l->sys->nq;
    double length = unit_of(l, q, d, x);
    for (int k = 0; k < SHORTER && isfinite(length); k++, length /= 2)
        for (int side = 1; side >= -1; side -= 2) {
            for (size_t i = 0; i < nq; i++)
                x[i] = q[i] + side * length * d[i];
            if (!descend(l, x, trial, x) && take_nearer(l, 1 - nearer, q, trial))
                return 1;
        }
    return 0;
}

static dae_status leave_saddles(position_level *l, double *q, double *trial, double *x,
                                dae_report *report)
{
    const size_t nq = (size_t)l->sys->nq, n = nq + (size_t)l->sys->holonomic;
    double *memory = malloc((2 * n + n * n + 4 * nq * nq + 3 * nq) * sizeof *memory);
    if (!memory)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    double *d = memory + 2 * n + n * n + 4 * nq * nq + 2 * nq;
    int more = 1;
    for (int k = 0; k < ESCAPES * l->sys->holonomic && more; k++)
        more = way_down(l, q, d, memory) && escape(l, q, d, trial, x);
    free(memory);
    return DAE_OK;
}

/* ---- the level ------------------------------------------------------------------------------- */

static dae_status nearest_of_two(position_level *l, double *q, double *x, dae_report *report)
{
    const size_t nq = (size_t)l->sys->nq, n = nq + (size_t)l->sys->holonomic;
    double *other = x + n, *trial = other + nq;
    memcpy(x, l->given, nq * sizeof *x);
    memset(x + nq, 0, (n - nq) * sizeof *x);
    const dae_status status = newton(l, x, report);
    memcpy(q, x, nq * sizeof *q);
    const dae_status descended = descend(l, l->given, other, x);
    if (status && descended)
        return status;
    if (status)
        memcpy(q, other, nq * sizeof *q);
    else if (!descended)
        take_nearer(l, 1 - nearer, q, other);
    return leave_saddles(l, q, trial, x, report);
}

static dae_status few(position_level *l, double *q, dae_report *report)
{
    const size_t nq = (size_t)l->sys->nq, n = nq + (size_t)l->sys->holonomic;
    double *x = dae_zeroed(n + 2 * nq, sizeof *x);
    const size_t multipliers = (size_t)l->sys->nl;      /* 0 behind the holonomic ones */
    dae_dual *dual = dae_zeroed(4 * nq + multipliers + n, sizeof *dual);
    dae_status status;
    if (x && dual) {
        l->q0 = dual;
        l->x = dual + nq;
        l->r = l->x + nq + multipliers;
        l->y = l->r + n;
        for (size_t i = 0; i < nq; i++)
            l->q0[i] = dae_dual_make(l->given[i], 0);
        status = nearest_of_two(l, q, x, report);
    } else {
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    }
    free(x);
    free(dual);
    return status;
}

static dae_status many(position_level *l, double *q, dae_report *report)
{
    const dae_status status = dae_approach(&l->surface, &l->parts, l->given, 1, q);
    if (status == DAE_NO_MEMORY)
        return dae_fail(report, status, "no memory for a consistent start");
    return status ? dae_fail(report, DAE_INCONSISTENT, "t = %.6g: no consistent positions near the "
                             "start", l->t) : DAE_OK;
}

static dae_status move(dae_system *s, double t, const double *given, double *q, dae_report *report)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->holonomic;
    double *memory = dae_zeroed(2 * nq + 2 * nl, sizeof *memory);
    position_level l = {.sys = s, .t = t, .given = given};
    dae_status status = DAE_NO_MEMORY;
    if (memory) {
        double *unit = memory + nq + 2 * nl;
        l.square = memory;
        l.work = memory + 2 * nl;
        for (size_t i = 0; i < nq; i++)
            unit[i] = sqrt(s->inverse_mass[i]);         /* 1 of a full M: a length is enough */
        l.surface = surface_of(&l, unit);
        status = dae_parts_create(&l.parts, &l.surface, given);
    }
    if (status)
        dae_fail(report, status, "no memory for a consistent start");
    else
        status = dae_system_has_many(s) ? many(&l, q, report) : few(&l, q, report);
    dae_parts_free(&l.parts);
    free(memory);
    return status;
}

/* Every row holds to rounding; *off is not finite where g or G is not. */
static int holds(dae_system *s, double t, const double *q, double *g, double *off)
{
    double *size = g + s->holonomic;
    int good = 1;
    dae_system_factor_schur(s, t, q);                   /* for G */
    dae_project_exactly(s, t, q, g);
    dae_project_sizes(s, q, size);
    *off = 0;
    for (int k = 0; k < s->holonomic; k++) {
        good = good && isfinite(g[k]) && fabs(g[k]) <= rounding * size[k];
        *off += fabs(g[k]) + 0 * size[k];          /* a NaN or infinity stays */
    }
    return good;
}

/* G and S are those of constraints on positions. */
static dae_status settle(dae_system *s, double t, double *q, dae_report *report)
{
    const size_t nq = (size_t)s->nq;
    double *given = malloc((nq + 2 * (size_t)s->holonomic) * sizeof *given), off;
    if (!given)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    memcpy(given, q, nq * sizeof *given);
    const int good = holds(s, t, q, given + nq, &off);
    const dae_status status = good ? DAE_OK
                              : !isfinite(off)
                                    ? dae_fail(report, DAE_NOT_FINITE, "t = %.6g: the equations of "
                                               "the positions are not finite at the start", t)
                              : move(s, t, given, q, report);
    free(given);
    return status;
}

dae_status dae_start_positions(dae_system *s, double t, double *q, dae_report *report)
{
    if (!s->holonomic)
        return DAE_OK;
    const int all = dae_system_take_rows(s, s->holonomic);
    const dae_status status = settle(s, t, q, report);
    dae_system_take_rows(s, all);
    return status;
}
