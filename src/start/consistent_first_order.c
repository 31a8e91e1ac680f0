/* consistent_first_order.c - the consistent state of M u' = F nearest to a given one
 *
 *     W (u - u0) + C_u(t,u)^T kappa = 0,   C(t, u) = 0
 *
 * C: the equations without a derivative, z^T F = 0 for z^T M = 0, as written and of the reduced
 * right-hand side. W = 1 - sum y y^T/(y^T y) over the directions y without a derivative, M y = 0:
 * what has a derivative moves least, and not at all where C can be met without (index 1). W is that in units
 * of the unknowns: of 1 and 1e12 in the entries of y nothing would be left of the smaller ones.
 *
 * This is the KKT system of the nearest point; of its Newton matrix the curvature of C is left out,
 * which is zero where the index is 1. Where that fails, or leads far away, it begins once more at
 * the end of a descent (nearest.h), and the nearer state counts.
 */
#include "backends/kinsol.h"
#include "consistent.h"
#include "nearest.h"
#include "base/small_dense.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-13;     /* relative change that is none */
static const double cancelled = 1e-12;    /* a slope that is none, of its terms: z is rounded */
static const double nearer = 1e-9;        /* part of a squared distance that makes a state nearer */
static const double FAR = 1e-3;           /* relative move after which another way is tried */

/* w and z at u. An M without its rank leaves no number in C. */
static void follow(dae_nearest_state *c, const double *u)
{
    dae_system *s = c->sys;
    dae_state_mass *M = s->carried;
    const dae_first_order *f = &s->problem->first_order;
    const int n = c->n, nx = M->nx, m = s->n;
    double *F = c->w + 2 * nx;
    int good = 1;
    for (int form = 0; good && form < (f->reduced.f ? 2 : 1); form++) {
        (form ? f->reduced : f->rhs).f(s->p, c->t, u, F);
        good = dae_state_mass_solve(M, s->p, c->t, u, F, c->w + form * nx, c->y, c->order);
    }
    memset(c->z, 0, (size_t)c->rows * (size_t)m * sizeof *c->z);
    for (int k = 0; k < c->rows; k++)
        for (int i = 0; i < n; i++)
            c->z[k * m + M->place[i]] = good ? c->y[c->order[nx + c->equation[k]] * n + i] : NAN;
}

/* The w of a right-hand side behind x. */
static void append_slopes(const dae_nearest_state *c, int form, dae_dual *x)
{
    for (int k = c->n; k < c->sys->n; k++)
        x[k] = dae_dual_make(c->w[form * (c->sys->n - c->n) + k - c->n], 0);
}

/* C in quad, where the model has it: at u as it is, so that what cancels leaves no rounding */
static void evaluate_exactly(dae_nearest_state *c, const double *u)
{
    dae_system *s = c->sys;
    const dae_first_order *f = &s->problem->first_order;
    const int m = s->n, forms = f->reduced.f ? 2 : 1;
    dae_quad *x = c->exact, *F = x + m;
    if (!f->rhs.quad || (f->reduced.f && !f->reduced.quad) || !dae_system_open_quad(s))
        return;
    for (int form = 0; form < forms; form++) {
        for (int i = 0; i < m; i++)
            x[i] = i < c->n ? u[i] : c->w[form * (m - c->n) + i - c->n];
        dae_first_order_rhs_quad(s, form ? &f->reduced : &f->rhs, c->t, x, F + form * m);
    }
    for (int k = 0; k < c->rows; k++) {
        const dae_quad *of = F + c->reduced[k] * m;
        dae_quad value = 0;
        for (int i = 0; i < m; i++)
            if (c->z[k * m + i] != 0)                   /* not of an F_i that is not finite */
                value += c->z[k * m + i] * of[i];
        c->C[k] = (double)value;
    }
}

/* C, its terms, and C_u at u, column by column */
void dae_nearest_state_evaluate(dae_nearest_state *c, const double *u)
{
    dae_system *s = c->sys;
    const dae_first_order *f = &s->problem->first_order;
    const dae_dual t = dae_dual_make(c->t, 0);
    const int m = s->n;
    if (s->carried)
        follow(c, u);
    for (int j = 0; j < c->n; j++)
        c->u[j] = dae_dual_make(u[j], 0);
    for (int j = 0; j < c->n; j++) {
        c->u[j] = dae_dual_make(u[j], 1);
        append_slopes(c, 0, c->u);
        dae_first_order_rhs_dual(s, &f->rhs, t, c->u, c->F);
        if (f->reduced.dual) {
            append_slopes(c, 1, c->u);
            dae_first_order_rhs_dual(s, &f->reduced, t, c->u, c->F_reduced);
        }
        c->u[j] = dae_dual_make(u[j], 0);
        for (int k = 0; k < c->rows; k++) {
            const dae_dual *F = c->reduced[k] ? c->F_reduced : c->F;
            double value = 0, slope = 0, terms = 0, slopes = 0;
            for (int i = 0; i < m; i++)
                if (c->z[k * m + i] != 0) {             /* not of an F_i that is not finite */
                    value += c->z[k * m + i] * dae_dual_value(F[i]);
                    terms += fabs(c->z[k * m + i] * dae_dual_value(F[i]));
                    slope += c->z[k * m + i] * dae_dual_derivative(F[i]);
                    slopes += fabs(c->z[k * m + i] * dae_dual_derivative(F[i]));
                }
            c->C[k] = value;
            c->terms[k] = terms;
            c->C_u[j * c->rows + k] = fabs(slope) <= cancelled * slopes ? 0 : slope;
        }
    }
    evaluate_exactly(c, u);
}

/* r = (W (u - u0) + C_u^T kappa, C) and J = (W, C_u^T; C_u, 0) */
static void evaluate_nearest(void *context, const double *x, double *r, double *J)
{
    dae_nearest_state *c = context;
    const int n = c->n, m = n + c->rows;
    dae_nearest_state_evaluate(c, x);
    memset(J, 0, (size_t)m * (size_t)m * sizeof *J);
    for (int j = 0; j < n; j++) {
        r[j] = 0;
        for (int i = 0; i < n; i++) {
            const double W = c->W[j * n + i] / c->unit[i] / c->unit[j];
            r[j] += W * (x[i] - c->given[i]);
            J[j * m + i] = W;
        }
        for (int k = 0; k < c->rows; k++) {
            const double slope = c->C_u[j * c->rows + k];
            r[j] += slope * x[n + k];
            J[j * m + n + k] = J[(n + k) * m + j] = slope;
        }
    }
    memcpy(r + n, c->C, (size_t)c->rows * sizeof *r);
}

/* Equation k says the same as an earlier one where both have the same value and slopes. */
static int repeats(const dae_nearest_state *c, int k)
{
    for (int l = 0; l < k; l++) {
        int same = c->C[l] == c->C[k];
        for (int j = 0; same && j < c->n; j++)
            same = c->C_u[j * c->rows + l] == c->C_u[j * c->rows + k];
        if (same)
            return 1;
    }
    return 0;
}

/* Choose the equations of C: as written, then those that reducing changed. */
static void choose_constraints(dae_nearest_state *c, const double *u)
{
    const int m = c->sys->n, forms = c->sys->problem->first_order.reduced.dual ? 2 : 1;
    const int equations = dae_first_order_constraints(c->sys);
    int kept = 0;
    c->rows = 0;
    for (int form = 0; form < forms; form++)
        for (int k = 0; k < equations; k++) {
            if (!c->sys->carried)
                dae_system_algebraic_weights(c->sys, k, c->z + c->rows * m);
            c->equation[c->rows] = k;
            c->reduced[c->rows++] = form;
        }
    dae_nearest_state_evaluate(c, u);
    for (int k = 0; k < c->rows; k++)
        if (!c->reduced[k] || !repeats(c, k)) {
            memmove(c->z + kept * m, c->z + k * m, (size_t)m * sizeof *c->z);
            c->equation[kept] = c->equation[k];
            c->reduced[kept++] = c->reduced[k];
        }
    c->rows = kept;
}

/* W -= y y^T/(y^T y), unless no equation of C depends on the way along y: it stays as it is. */
static void release(dae_nearest_state *c, const double *y)
{
    const int n = c->n;
    double size = 0;
    int contained = 0;
    for (int k = 0; k < c->rows; k++) {
        double slope = 0, most = 0;
        for (int j = 0; j < n; j++) {
            slope += c->C_u[j * c->rows + k] * y[j];
            most = fmax(most, fabs(c->C_u[j * c->rows + k] * y[j]));
        }
        contained |= fabs(slope) > rounding * most;
    }
    for (int j = 0; j < n; j++)
        size += y[j] / c->unit[j] * (y[j] / c->unit[j]);
    for (int j = 0; contained && j < n; j++)
        for (int i = 0; i < n; i++)
            c->W[j * n + i] -= y[j] / c->unit[j] * (y[i] / c->unit[i]) / size;
}

/* The kernel of M(t, u), which is that of P, in y[n x n]; the number of its directions. */
static int carried_kernel(const dae_nearest_state *c, double *y)
{
    const dae_state_mass *M = c->sys->carried;
    const int n = c->n;
    int count = 0;
    memset(y, 0, (size_t)(n * n) * sizeof *y);
    for (int j = 0, k = 0; j < n; j++) {
        if (k < M->nx && M->column[k] == j) {
            k++;
            continue;
        }
        double *x = y + count++ * n;
        x[j] = 1;
        for (int l = 0; l < M->nx; l++)
            x[M->column[l]] = -M->P[l * n + j];
    }
    memcpy(c->W, M->P, (size_t)(M->nx * n) * sizeof *c->W);
    dae_column_units(M->nx, n, c->W, c->unit, c->w);
    dae_orthogonalise(n, count, c->unit, y);
    return count;
}

static void choose_weights(dae_nearest_state *c, const double *u, double *y)
{
    const dae_system *s = c->sys;
    const int n = c->n;
    dae_nearest_state_evaluate(c, u);
    c->joined = s->carried ? !s->carried->diagonal : s->right_null != NULL;
    for (int j = 0; j < n; j++)
        c->unit[j] = c->joined && !s->carried ? s->unit[j] : 1;
    const int joined = !c->joined ? 0 : s->carried ? carried_kernel(c, c->y) : s->nulls;
    memset(c->W, 0, (size_t)(n * n) * sizeof *c->W);
    for (int j = 0; j < n; j++)
        c->W[j * n + j] = 1;
    for (int k = 0; k < joined; k++)
        release(c, (s->carried ? c->y : s->right_null) + k * n);
    for (int j = 0; !c->joined && j < n; j++)
        if (dae_system_is_algebraic(s, j)) {
            y[j] = 1;
            release(c, y);
            y[j] = 0;
        }
}

/* Differential variables that moved by no more than rounding are given back as they were. */
static void give_back(const dae_nearest_state *c, double *u)
{
    const dae_system *s = c->sys;
    const double *given = c->given;
    for (int i = 0; i < c->n; i++)
        if (!dae_system_is_algebraic(s, i) && fabs(u[i] - given[i]) <= rounding * fabs(given[i]))
            u[i] = given[i];
}

/* W (u - u0), component i: what has a derivative has moved so far. */
static double weighted_move(const dae_nearest_state *c, const double *u, int i)
{
    const int n = c->n;
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += c->W[j * n + i] * (u[j] - c->given[j]) / c->unit[j];
    return sum * c->unit[i];
}

/* W (u - u0) beside the terms of an equation, the largest; nothing below rounding. C and its terms
 * are overwritten. */
static double relative_move(dae_nearest_state *c, const double *u)
{
    double *move = c->C, *size = c->terms, most = 0;
    dae_nearest_state_evaluate(c, u);
    memset(move, 0, (size_t)c->rows * sizeof *move);
    memset(size, 0, (size_t)c->rows * sizeof *size);
    for (int j = 0; j < c->n; j++) {
        const double moved = fabs(weighted_move(c, u, j));
        const double largest = fmax(fabs(u[j]), fabs(c->given[j]));
        for (int k = 0; k < c->rows; k++) {
            move[k] += fabs(c->C_u[j * c->rows + k]) * moved;
            size[k] += fabs(c->C_u[j * c->rows + k]) * largest;
        }
    }
    for (int k = 0; k < c->rows; k++)
        most = move[k] > rounding * size[k] ? fmax(most, move[k] / size[k]) : most;
    return most;
}

/* (u - u0)^T W (u - u0), in units */
static double distance(const dae_nearest_state *c, const double *u)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += (u[i] - c->given[i]) / c->unit[i] * (weighted_move(c, u, i) / c->unit[i]);
    return sum;
}

/* Newton's method from x = (u, kappa) */
static dae_status newton(dae_nearest_state *c, int always, double *x, dae_report *report)
{
    const dae_equations equations = {.what = "values", .n = c->n + c->rows, .nx = c->n,
                                     .t = c->t, .context = c, .evaluate = evaluate_nearest,
                                     .always = always, .terms = c->terms};
    return dae_equations_solve(&equations, x, report);
}

/* u: the descent, and Newton's method from its end, unless that leads away again. other: [3 n] */
static dae_status descend(dae_nearest_state *c, double *u, double *other)
{
    const size_t n = (size_t)c->n;
    const dae_status status = dae_nearest_state_approach(c, u, other + n);
    memcpy(other, u, n * sizeof *u);
    if (!status && !newton(c, 1, other, NULL)
        && distance(c, other) <= distance(c, u) * (1 + nearer))
        memcpy(u, other, n * sizeof *u);
    return status;
}

static dae_status solve_nearest(dae_nearest_state *c, double *u, double *x, double *relative,
                                dae_report *report)
{
    const size_t n = (size_t)c->n;
    double *second = x + 3 * n, *other = second + n;
    choose_constraints(c, u);
    memset(x, 0, 3 * n * sizeof *x);
    choose_weights(c, u, x);
    if (c->rows == 0)
        return DAE_OK;
    memcpy(x, u, n * sizeof *x);
    const dae_status status = newton(c, 0, x, report);
    const int far = status == DAE_INCONSISTENT || (!status && relative_move(c, x) > FAR);
    const int found = far && !descend(c, second, other);
    if (status && !found)
        return status;
    if (found && (status || distance(c, second) < distance(c, x) * (1 - nearer)))
        memcpy(x, second, n * sizeof *x);
    give_back(c, x);
    *relative = relative_move(c, x);
    memcpy(u, x, n * sizeof *x);
    return DAE_OK;
}

/* The KKT matrix is dense: a larger system has to bring a start that satisfies its equations. */
enum { MOST_UNKNOWNS = 1000, PROBES = 4 };
static const double NEARLY = 1e-8;              /* of the terms of an equation */

/* size[rows] := about sum_j |C_kj u_j|, from what small relative changes of random signs make of C.
 * u_new: [n], changed: [rows] */
static void probe_sizes(dae_system *sys, double t, const double *u, const double *C, double *u_new,
                        double *changed, double *size)
{
    const double part = 0x1p-20;
    uint64_t random = 1;
    memset(size, 0, (size_t)sys->n * sizeof *size);
    for (int probe = 0; probe < PROBES; probe++) {
        for (int j = 0; j < sys->n; j++)
            u_new[j] = u[j] + part * copysign(u[j], dae_random(&random));
        const int rows = dae_first_order_constraint(sys, 0, t, u_new, changed);
        for (int k = 0; k < rows; k++)
            size[k] = fmax(size[k], fabs(changed[k] - C[k]) / part);
    }
}

static dae_status check_start(dae_system *sys, double t, const double *u, dae_report *report)
{
    const size_t n = (size_t)sys->n;
    double *C = malloc(4 * n * sizeof *C), worst = 0;
    int good = 1;
    if (!C)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", sys->n);
    const int rows = dae_first_order_constraint(sys, 0, t, u, C);
    probe_sizes(sys, t, u, C, C + n, C + 2 * n, C + 3 * n);
    for (int k = 0; k < rows; k++) {
        good = good && fabs(C[k]) <= NEARLY * C[3 * n + (size_t)k];
        worst = !(fabs(C[k]) <= worst) ? fabs(C[k]) : worst;            /* a NaN is kept */
    }
    free(C);
    return good ? DAE_OK
                : dae_fail(report, DAE_INCONSISTENT, "t = %.6g: the algebraic equations of the "
                           "start are off by %.3g, and only up to %d unknowns are moved onto them",
                           t, worst, (int)MOST_UNKNOWNS);
}

/* The state that the algebraic equations determine, without w. */
static dae_status settle(dae_system *sys, double t, double *u, double *relative, dae_report *report)
{
    const size_t m = (size_t)sys->n, n = (size_t)sys->problem->first_order.n;
    if (dae_first_order_constraints(sys) == 0)
        return DAE_OK;
    if (sys->n > MOST_UNKNOWNS)
        return check_start(sys, t, u, report);
    dae_nearest_state c = {.sys = sys, .t = t, .n = (int)n};
    void *const memory = DAE_PARTS(&c,
        DAE_PART(dae_nearest_state, C, 2 * m),
        DAE_PART(dae_nearest_state, terms, 2 * m), DAE_PART(dae_nearest_state, w, 4 * m),
        DAE_PART(dae_nearest_state, unit, m), DAE_PART(dae_nearest_state, C_u, 2 * m * m),
        DAE_PART(dae_nearest_state, W, m * m), DAE_PART(dae_nearest_state, z, 2 * m * m),
        DAE_PART(dae_nearest_state, y, m * m), DAE_PART(dae_nearest_state, u, m), DAE_PART(dae_nearest_state, F, m),
        DAE_PART(dae_nearest_state, F_reduced, m), DAE_PART(dae_nearest_state, exact, 3 * m),
        DAE_PART(dae_nearest_state, reduced, 2 * m), DAE_PART(dae_nearest_state, equation, 2 * m),
        DAE_PART(dae_nearest_state, order, m));
    double *work = calloc(8 * m, sizeof *work);
    dae_status status = DAE_NO_MEMORY;
    if (memory && work) {
        c.given = memcpy(work, u, n * sizeof *u);
        c.order[0] = -1;
        status = solve_nearest(&c, u, work + m, relative, report);
    } else {
        dae_fail(report, status, "no memory for a consistent start");
    }
    free(memory);
    free(work);
    return status;
}

dae_status dae_start_first_order(dae_system *sys, double t, double *u, double *relative,
                                 dae_report *report)
{
    const dae_status status = settle(sys, t, u, relative, report);
    if (status || !sys->carried || dae_system_set_slopes(sys, t, u))
        return status;
    return dae_fail(report, DAE_SINGULAR, "t = %.9g: M(t, u) of %s has not the rank that it has at its start",
                    t, sys->problem->name);
}
