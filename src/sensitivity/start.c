/* start.c - the derivative of a consistent start
 *
 * Mechanical: of the nearest (q, v) on the constraints, then the multipliers. First order: what M sees of du stays, and
 * the rest x, M x = 0, solves the algebraic equations z_k^T (F_u (du + x) + F_p dp) = 0, for each z_k with z_k^T M = 0:
 *
 *     (M + sum_k z_k z_k^T F_u) x = -sum_k z_k z_k^T (F_u du + F_p dp)
 */
#include "sensitivity.h"

#include "base/parts.h"
#include "linear/dense_lu.h"
#include "start/consistent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What from[n] has otherwise than the start of the problem was set: parameters do not move it. */
static dae_status hold(dae_sensitivity *w, const double *from)
{
    double *start = w->end;
    const dae_status status = dae_system_start(w->v.sys, start, &w->v.report);
    for (int i = 0; !status && i < w->v.n; i++)
        for (int c = 0; (w->held[i] || from[i] != start[i]) && c < w->parameters; c++)
            dae_du(&w->v, c)[i] = 0;
    return status;
}

dae_status dae_sensitivity_given(dae_sensitivity *w, const double *from)
{
    const dae_system *sys = w->v.sys;
    dae_status status = DAE_OK;
    memset(w->v.du, 0, (size_t)w->v.count * (size_t)w->v.n * sizeof *w->v.du);
    for (int c = 0; !status && c < w->parameters; c++)
        status = dae_system_start_along(w->v.sys, dae_dp(&w->v, c), dae_du(&w->v, c), &w->v.report);
    for (int k = 0; k < w->unknowns; k++)
        if (!dae_system_is_algebraic(sys, w->unknown[k]) || sys->compose->kind == DAE_FORM_MINIMAL)
            dae_du(&w->v, w->parameters + k)[w->unknown[k]] = 1;
    return status || !from ? status : hold(w, from);
}

/* ---- first order ----------------------------------------------------------------------------- */

typedef struct {
    int n, rows;                /* unknowns, algebraic equations */
    double *z;                  /* [rows x n] */
    double *A, *b, *dF, *size, *row;    /* [n x n], [n] each */
    int *pivot;
} algebraic;

static dae_status create(dae_sensitivity *w, algebraic *a)
{
    const size_t n = (size_t)w->v.n, rows = (size_t)dae_system_algebraic_equations(w->v.sys);
    *a = (algebraic){.n = w->v.n, .rows = (int)rows};
    if (!DAE_PARTS(a,
                   DAE_PART(algebraic, z, rows * n), DAE_PART(algebraic, A, n * n), DAE_PART(algebraic, b, n),
                   DAE_PART(algebraic, dF, n), DAE_PART(algebraic, size, n), DAE_PART(algebraic, row, n),
                   DAE_PART(algebraic, pivot, n)))
        return dae_fail(&w->v.report, DAE_NO_MEMORY, "no memory for the algebraic equations of %d unknowns", w->v.n);
    for (int k = 0; k < a->rows; k++)
        dae_system_algebraic_weights(w->v.sys, k, a->z + k * a->n);
    return DAE_OK;
}

/* out[n] += sum_k z_k (z_k^T dF); returns the largest of |z_k^T dF| over the sum of its terms */
static double add_algebraic(const algebraic *a, const double *dF, double *out)
{
    double largest = 0;
    for (int k = 0; k < a->rows; k++) {
        const double *z = a->z + k * a->n;
        double sum = 0, terms = 0;
        for (int i = 0; i < a->n; i++) {
            sum += z[i] * dF[i];
            terms += fabs(z[i] * dF[i]);
        }
        for (int i = 0; i < a->n; i++)
            out[i] += sum * z[i];
        largest = fmax(largest, terms > 0 ? fabs(sum) : 0);
    }
    return largest;
}

/* The matrix, column by column; 0 where it is singular. */
static int factor(dae_sensitivity *w, algebraic *a, double t, const double *u)
{
    double *e = w->v.z;
    memset(e, 0, (size_t)a->n * sizeof *e);
    for (int j = 0; j < a->n; j++) {
        double *column = a->A + j * a->n;
        e[j] = 1;
        dae_system_mass(w->v.sys, e, column);
        if (dae_system_rhs_along(w->v.sys, t, u, &(dae_tangent){.u = e}, a->dF, &w->v.report))
            return 0;
        add_algebraic(a, a->dF, column);
        e[j] = 0;
        a->size[j] = fmax(fabs(u[j]), w->solver->atol[j]);
    }
    return dae_dense_factor_real(a->n, a->A, a->size, a->row, a->pivot) < 0;
}

/* du of direction c, by the matrix */
static dae_status complete(dae_sensitivity *w, algebraic *a, int c, double t, const double *u)
{
    double *du = dae_du(&w->v, c);
    const dae_status status = dae_vary_rhs(&w->v, c, t, u, du, a->dF);
    memset(a->b, 0, (size_t)a->n * sizeof *a->b);
    add_algebraic(a, a->dF, a->b);
    dae_dense_solve_real(a->n, a->A, a->pivot, a->b);
    for (int i = 0; i < a->n; i++)
        du[i] -= a->b[i];
    return status;
}

static dae_status not_determined(dae_sensitivity *w, double t)
{
    return dae_fail(&w->v.report, DAE_SINGULAR, "t = %.9g: the algebraic equations do not determine their unknowns", t);
}

/* du of direction c, less what M (u - from) = 0 leaves of M du: dM (u - from) */
static dae_status follow_mass(dae_sensitivity *w, algebraic *a, int c, const double *from, const double *u)
{
    double *du = dae_du(&w->v, c);
    for (int i = 0; i < a->n; i++)
        a->dF[i] = u[i] - from[i];
    const dae_status status = dae_vary_mass(&w->v, c, a->dF, a->b);
    dae_dense_solve_real(a->n, a->A, a->pivot, a->b);
    for (int i = 0; i < a->n; i++)
        du[i] -= a->b[i];
    return status;
}

/* Index 1: all directions. */
static dae_status solve_algebraic(dae_sensitivity *w, algebraic *a, double t, const double *from, const double *u)
{
    dae_status status = factor(w, a, t, u) ? DAE_OK : not_determined(w, t);
    for (int c = 0; !status && c < w->v.count; c++) {
        status = follow_mass(w, a, c, from, u);
        status = status ? status : complete(w, a, c, t, u);
    }
    return status;
}

dae_status dae_sensitivity_complete(dae_sensitivity *w, int c, double t, const double *u)
{
    algebraic a;
    dae_status status = create(w, &a);
    if (!status && a.rows)
        status = factor(w, &a, t, u) ? complete(w, &a, c, t, u) : not_determined(w, t);
    free(a.z);
    return status;
}

/* Index 2 and above: the start of the problem has to meet its constraints at all parameters. */
static dae_status check_algebraic(dae_sensitivity *w, algebraic *a, double t, const double *u)
{
    static const double ROUNDING = 1e-9;
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < w->v.count; c++) {
        const double *du = dae_du(&w->v, c);
        double size = 0;
        status = dae_vary_rhs(&w->v, c, t, u, du, a->dF);
        for (int i = 0; i < a->n; i++)
            size = fmax(size, fabs(a->dF[i]));
        if (!status && add_algebraic(a, a->dF, a->b) > ROUNDING * size)
            status = dae_fail(&w->v.report, DAE_UNSUPPORTED,
                              "t = %.9g: direction %d moves the start off the constraints of "
                              "%s, whose index is %d: no derivative of a consistent start is known", t, c + 1,
                              w->v.sys->problem->name, w->v.sys->index);
    }
    return status;
}

/* moved := how far a consistent start near u moves away from it, the largest of what M sees, in sizes of unknowns */
static dae_status find_move(dae_sensitivity *w, dae_system *sys, double t, const double *near, double *moved)
{
    double *u = w->v.y;
    memcpy(u, near, (size_t)w->v.n * sizeof *u);
    const dae_status status = dae_consistent_start(sys, t, u, NULL, &w->v.report);
    *moved = 0;
    for (int i = 0; !status && i < w->v.n; i++)
        if (!dae_system_in_kernel(sys, i))
            *moved = fmax(*moved, fabs(u[i] - near[i]) / fmax(fabs(u[i]), w->solver->atol[i]));
    return status;
}

/* Constraints that are hidden show in starts a small step away in direction c: they stay where they are. */
static dae_status check_hidden(dae_sensitivity *w, int c, double t, const double *from)
{
    static const double STEP = 1e-4, PART = 1e-2;
    const dae_system *sys = w->v.sys;
    const double *dp = dae_dp(&w->v, c), *du = dae_du(&w->v, c);
    double *p = calloc((size_t)sys->parameters + 1, sizeof *p), *near = w->v.x, longest = INFINITY, moved = 0;
    dae_system *other = NULL;
    for (int i = 0; p && i < sys->parameters; i++)
        longest = dp[i] != 0 ? fmin(longest, (sys->p[i] != 0 ? fabs(sys->p[i]) : 1) / fabs(dp[i])) : longest;
    for (int i = 0; i < w->v.n; i++)
        longest = du[i] != 0 ? fmin(longest, fmax(fabs(from[i]), w->solver->atol[i]) / fabs(du[i])) : longest;
    longest = isfinite(longest) ? STEP * longest : 0;
    for (int i = 0; p && i < sys->parameters; i++)
        p[i] = sys->p[i] + longest * dp[i];
    for (int i = 0; i < w->v.n; i++)
        near[i] = from[i] + longest * du[i];
    dae_status status = !p ? dae_fail(&w->v.report, DAE_NO_MEMORY, "no memory for %d parameters", sys->parameters)
                           : dae_system_create(&other, sys->problem, sys->form, p, &sys->options, &w->v.report);
    if (!status)
        status = find_move(w, other, t, near, &moved);
    if (!status && moved > PART * STEP)
        status = dae_fail(&w->v.report, DAE_UNSUPPORTED,
                          "t = %.9g: direction %d moves the start of %s off constraints that "
                          "are hidden, its index is %d: no derivative of a consistent start is known", t, c + 1,
                          sys->problem->name, sys->index);
    dae_system_free(other);
    free(p);
    return status;
}

static dae_status first_order(dae_sensitivity *w, double t, const double *from, const double *u)
{
    static const double ROUNDING = 1e-12;
    for (int i = 0; w->v.sys->index > 1 && i < w->v.n; i++)
        if (!(fabs(from[i] - u[i]) <= ROUNDING * fmax(fabs(u[i]), w->solver->atol[i]))
            && !dae_system_in_kernel(w->v.sys, i))
            return dae_fail(&w->v.report, DAE_UNSUPPORTED, "t = %.9g: the start of %s was moved onto its constraints, "
                            "and its index is %d: the derivative of that is not known", t, w->v.sys->problem->name,
                            w->v.sys->index);
    algebraic a;
    dae_status status = create(w, &a);
    if (!status && a.rows)
        status = w->v.sys->index > 1 ? check_algebraic(w, &a, t, u) : solve_algebraic(w, &a, t, from, u);
    for (int c = 0; !status && w->v.sys->index > 1 && c < w->v.count; c++)
        status = check_hidden(w, c, t, u);
    free(a.z);
    return status;
}

/* ---- mechanical ------------------------------------------------------------------------------ */

/* The nearest (q, v) where that is another than was given */
static dae_status vary_moved(dae_sensitivity *w, double t, const double *from, const double *u)
{
    const size_t size = 2 * (size_t)w->v.sys->nq * sizeof *u;
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < w->v.count; c++) {
        double *du = dae_du(&w->v, c);
        memcpy(w->end, du, size);
        status = dae_start_state_along(w->v.sys, t, 0, dae_dp(&w->v, c), from, w->end, u, du, &w->v.report);
    }
    return status;
}

static dae_status mechanical(dae_sensitivity *w, double t, const double *from, const double *u)
{
    const dae_system *sys = w->v.sys;
    const int moved = memcmp(from, u, 2 * (size_t)sys->nq * sizeof *u) != 0;
    dae_status status = DAE_OK;
    if (sys->nl)
        status = moved ? vary_moved(w, t, from, u)
                       : dae_vary_projection(&w->v, DAE_VARY_POSITIONS | DAE_VARY_VELOCITIES, t, u, u);
    return status ? status : dae_vary_multipliers(&w->v, t, u);
}

dae_status dae_sensitivity_of_start(dae_sensitivity *w, double t, const double *from, const double *u)
{
    const dae_system *sys = w->v.sys;
    const dae_status status = dae_sensitivity_given(w, from);
    if (status || !from || sys->compose->kind == DAE_FORM_MINIMAL)
        return status;
    return sys->nq ? mechanical(w, t, from, u) : first_order(w, t, from, u);
}
