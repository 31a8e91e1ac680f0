/* explicit_stepper.c - explicit Runge-Kutta steps with the multipliers eliminated at every stage
 *
 * y are the leading ny unknowns: (q, v), where each f solves M a + G^T lambda = f, d2g/dt2 = 0 for
 * (a, lambda); or minimal coordinates; or all unknowns of u' = F(t, u). A method that projects
 * moves y+ onto g = 0, dg/dt = 0 before k_S is evaluated there, so that k_S is the first stage of
 * the next step and gives lambda of the new state at no further evaluation. Where the estimate
 * itself uses k_S (dopri5) that changes it by O(h) times the correction, less than its order.
 *
 * The error norm is the weighted root mean square over y alone: the multipliers are functions of y,
 * and counting them as zeros would flatter the mean. The correction of the projection must not
 * exceed the tolerance either (Shampine 1986, Comput. Math. Appl. 12A, 1287-1296), except in the
 * first step, which may begin off the constraints.
 */
#include "explicit_rk.h"

#include "tableau.h"

#include "projection/project.h"
#include "base/parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* text := the formulations of this mechanical problem that are y' = f(t, y), or what there is besides */
static const char *advice(const dae_system *sys, char *text, size_t size)
{
    size_t length = 0;
    const dae_formulation *form;
    for (int i = 0; sys->nq > 0 && sys->form->info.index > 1 && (form = dae_formulation_at(i)); i++)
        if ((form->mechanical.eliminates || form->mechanical.kind == DAE_FORM_MINIMAL)
            && dae_formulation_applies(form, sys->problem) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " or " : "form ",
                                       form->info.name);
    return length ? text : "a method that is implicit";
}

dae_status dae_explicit_supports(const dae_method *method, const dae_system *sys,
                                 dae_report *report)
{
    char text[128];
    if (dae_system_explicit_size(sys) > 0)
        return DAE_OK;
    return dae_fail(report, DAE_UNSUPPORTED, "%s is explicit: it solves y' = f(t, y), which form "
                    "%s of %s is not; choose %s", method->info.name, sys->form->info.name,
                    sys->problem->name, advice(sys, text, sizeof text));
}

/* ---- storage ------------------------------------------------------------------------------ */

void dae_explicit_destroy(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    if (!e)
        return;
    free(e->k);
    free(e->terms);
    free(e->derived);
    free(e);
    s->stepper = NULL;
}

static const double *row_of(const dae_tableau *T, int row)
{
    return row < DAE_RK_E ? T->A[row] : row < DAE_RK_D ? T->E[row - DAE_RK_E] : T->D[row - DAE_RK_D];
}

static int is_compiled(const dae_explicit_rk *e, int row)
{
    return row <= e->T->stages ? e->sum != NULL : row >= DAE_RK_E && row < DAE_RK_D && e->squares != NULL;
}

/* Number of terms of the rows that are not compiled */
static size_t count_terms(const dae_explicit_rk *e)
{
    size_t count = 0;
    for (int row = 0; row < DAE_RK_ROWS; row++) {
        const double *a = row_of(e->T, row);
        for (int j = 0; !is_compiled(e, row) && j < DAE_RK_STAGES; j++)
            count += a[j] != 0;
    }
    return count;
}

/* The terms of rows that are not compiled */
static dae_status collect_terms(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    dae_term *next = e->terms = malloc((count_terms(e) + 1) * sizeof *e->terms);
    if (!next)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    for (int row = 0; row < DAE_RK_ROWS; row++) {
        const double *a = row_of(e->T, row);
        e->begin[row] = next;
        for (int j = 0; !is_compiled(e, row) && j < DAE_RK_STAGES; j++)
            if (a[j] != 0)
                *next++ = (dae_term){a[j], e->k + j * e->ny};
    }
    e->begin[DAE_RK_ROWS] = next;
    return DAE_OK;
}

/* The sums that were compiled for e->T and this number of unknowns. */
static void choose_rows(dae_explicit_rk *e)
{
    const dae_stage_rows *rows = e->T->rows;
    const int size = dae_row_size(e->ny);
    if (rows && rows->tableau == e->T) {
        e->sum = rows->sum[size];
        e->run = rows->run[size];
        e->squares = rows->squares[size];
    }
}

/* e->T, from published coefficients where the record has those. */
static dae_status choose_tableau(dae_solver *s, dae_explicit_rk *e)
{
    e->T = s->method->tableau;
    if (s->method->family != DAE_FAMILY_BUTCHER)
        return DAE_OK;
    e->T = e->derived = malloc(sizeof *e->derived);
    return e->derived ? dae_tableau_derive(s->method, e->derived, &s->report)
                      : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
}

static dae_status allocate(dae_solver *s, dae_explicit_rk *e)
{
    const size_t ny = (size_t)dae_system_explicit_size(s->sys), n = (size_t)s->n;
    const size_t stages = (size_t)e->T->last + 2;
    e->ny = (int)ny;
    if (!DAE_PARTS(e,
                   DAE_PART(dae_explicit_rk, k, stages * ny), DAE_PART(dae_explicit_rk, weight, ny),
                   DAE_PART(dae_explicit_rk, e, ny), DAE_PART(dae_explicit_rk, zero, ny),
                   DAE_PART(dae_explicit_rk, r, (3 + DAE_RK_DENSE) * ny), DAE_PART(dae_explicit_rk, y, n)))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    e->projects = e->T->projects && s->sys->compose->kind == DAE_FORM_MECHANICAL && s->sys->nl > 0;
    choose_rows(e);
    return collect_terms(s);
}

dae_status dae_explicit_create(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper = dae_zeroed(1, sizeof *e);
    if (!e)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    const dae_status status = choose_tableau(s, e);
    return status ? status : allocate(s, e);
}

/* ---- stages ------------------------------------------------------------------------------- */

static dae_status singular(dae_solver *s, double t)
{
    return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular: a constraint is "
                    "redundant, or its gradient vanishes", t);
}

/* Of f at (t, y[n]). */
__attribute__((noinline))
static dae_status not_evaluated(dae_solver *s, double t, double *y)
{
    const dae_explicit_rk *e = s->stepper;
    for (int i = e->ny; i < s->n; i++)
        y[i] = 0;
    const dae_status status = dae_solver_check_finite(s, y, "a stage", t);
    return status ? status : singular(s, t);
}

dae_status dae_rk_evaluate(dae_solver *s, double t, double *y, double *k)
{
    const dae_explicit_rk *e = s->stepper;
    s->count.rhs++;
    return s->sys->explicit_map(s->sys, t, y, k, y + e->ny) ? not_evaluated(s, t, y) : DAE_OK;
}

dae_status dae_rk_stages_by_terms(dae_solver *s, int begin, int end, double t, double h, const double *u)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_system *sys = s->sys;
    dae_explicit_map *f = sys->explicit_map;
    const int ny = e->ny;
    double *y = e->y, *z = y + ny, *k = e->k + begin * ny;
    for (int i = begin; i < end; i++, k += ny) {
        dae_rk_combine(e, i, u, h, y);
        s->count.rhs++;
        if (f(sys, t + T->c[i] * h, y, k, z))
            return not_evaluated(s, t + T->c[i] * h, y);
    }
    return DAE_OK;
}

dae_status dae_rk_inner_stages(dae_solver *s, double t, double h, const double *u)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    if (!e->run)
        return dae_rk_stages_by_terms(s, 1, T->stages, t, h, u);
    const int failed = e->run(s->sys, e->ny, t, h, u, e->k, e->y);
    s->count.rhs += failed ? failed : T->stages - 1;
    return failed ? not_evaluated(s, t + T->c[failed] * h, e->y) : DAE_OK;
}

/* k_0 := f(t, u), where the last step has not left it. */
static dae_status first_stage(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_status status = DAE_OK;
    if (e->step_kept) {
        dae_rk_copy(e->ny, e->k + T->stages * e->ny, e->k);
    } else if (!e->first) {
        dae_rk_copy(e->ny, s->u, e->y);
        status = dae_rk_evaluate(s, s->t, e->y, e->k);
    }
    e->first = !status;
    e->step_kept = 0;
    return status;
}

/* ---- error -------------------------------------------------------------------------------- */

/* square[m] := sum_i (w_i sum_j E_mj k_j)^2 */
static void squares(dae_solver *s, double *square)
{
    const dae_explicit_rk *e = s->stepper;
    if (e->squares) {
        e->squares(e->ny, e->k, s->u, s->u_new, s->options.rtol, s->atol, e->weight, square);
        return;
    }
    dae_rk_weigh(s);
    for (int m = 0; m < DAE_RK_ESTIMATES; m++) {
        dae_rk_combine(e, DAE_RK_E + m, e->zero, 1, e->e);
        square[m] = e->ny * dae_rk_mean_square(e, e->e);
    }
}

/* The first estimate, or a quotient with the second: of order h^8 from h^6 and h^4 in DOP853 (HNW II.10). */
static double local_error(dae_solver *s, double h)
{
    dae_explicit_rk *e = s->stepper;
    double square[DAE_RK_ESTIMATES];
    squares(s, square);
    const double fine = square[0], both = fine + 0.01 * square[1], size = fabs(h);
    e->rough = size * sqrt((fine + square[1]) / e->ny);
    return fine == 0 ? 0 : size * (e->T->quotient ? fine / sqrt(both * e->ny) : sqrt(fine / e->ny));
}

static dae_status estimate(dae_solver *s, double h)
{
    s->error = local_error(s, h);
    if (isfinite(s->error))
        return DAE_OK;
    const dae_status status = dae_solver_check_finite(s, s->u_new, "the new state", s->t_new);
    return status ? status
           : dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: the error estimate is %g", s->t_new,
                      s->error);
}

/* ---- a step ------------------------------------------------------------------------------- */

dae_status dae_rk_project(dae_solver *s, double t, double *u)
{
    const dae_status status = dae_project(s->sys, t, u, u + s->sys->nq);
    if (status == DAE_SINGULAR)
        return singular(s, t);
    return !status ? DAE_OK
           : dae_fail(&s->report, status, "t = %.9g: the projection on g = 0 does not converge", t);
}

/* The same for u_new; the norm of the correction counts as an error. */
static dae_status project_step(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    const int exact = s->sys->exact;
    dae_rk_copy(e->ny, s->u_new, e->y);
    const dae_status status = dae_rk_project(s, s->t_new, s->u_new);
    if (s->sys->exact != exact)                         /* u holds to what rounding left of g */
        e->on_constraints = 0;
    if (status || !s->adaptive || !e->on_constraints)
        return status;
    double square = 0;
    for (int i = 0; i < e->ny; i++) {
        const double moved = e->weight[i] * (s->u_new[i] - e->y[i]);
        square += moved * moved;
    }
    if (square > e->ny * s->error * s->error)
        s->error = sqrt(square / e->ny);
    return DAE_OK;
}

/* k_S, the multipliers and, where they are unknowns, the accelerations at the new state; after a
 * projection G and S stand for it already. */
static dae_status last_stage(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    double *k = e->k + T->stages * e->ny, *q = s->u_new, *v = q + s->sys->nq;
    if (!e->projects) {
        const dae_status at_end = dae_rk_evaluate(s, s->t_new, s->u_new, k);
        s->end_checked = !at_end && !s->sys->nq && dae_vector_finite(e->ny, k);
        return at_end;
    }
    const dae_status status = project_step(s);
    if (status)
        return status;
    s->count.rhs++;
    dae_rk_copy(s->sys->nq, v, k);
    dae_system_balance(s->sys, s->t_new, q, v, k + s->sys->nq, v + s->sys->nq);
    if (s->sys->general_mass)
        dae_rk_copy(s->sys->nq, k + s->sys->nq, s->u_new + s->sys->acceleration_at);
    return DAE_OK;
}

/* The estimate, unless it waits for k_S, then projection and k_S where the step will be kept. */
static dae_status finish_step(dae_solver *s, double h)
{
    const dae_tableau *T = ((const dae_explicit_rk *)s->stepper)->T;
    dae_status status = s->adaptive && !T->estimate_last
                        ? estimate(s, h)
                        : dae_solver_check_finite(s, s->u_new, "the new state", s->t_new);
    if (status || s->error > 1)
        return status;
    status = last_stage(s);
    if (!status && s->adaptive && T->estimate_last) {
        const double correction = s->error;
        status = estimate(s, h);
        s->error = fmax(s->error, correction);
    }
    return !status && s->error <= 1 && dae_rk_is_doubtful(s, h) ? dae_rk_look(s, h) : status;
}

dae_status dae_explicit_step(dae_solver *s, double h, double t_stop)
{
    dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    (void)t_stop;
    s->error = 0;
    dae_status status = first_stage(s);
    if (!status)
        status = dae_rk_inner_stages(s, s->t, h, s->u);
    if (status)
        return status;
    dae_rk_combine(e, T->stages, s->u, h, s->u_new);
    dae_rk_copy(s->n - e->ny, s->u + e->ny, s->u_new + e->ny);
    return finish_step(s, h);
}

dae_status dae_explicit_accepted(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    e->step_kept = 1;
    e->first = 0;
    e->dense_ready = 0;
    e->on_constraints = e->projects;
    e->kept = (dae_doubt){e->rough, s->t - s->t_old};
    return DAE_OK;
}

const double *dae_explicit_stages(dae_solver *s, double *y)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_rk_combine(e, T->stages - 1, s->u_old, s->t - s->t_old, y);
    return e->k;
}

/* ---- start -------------------------------------------------------------------------------- */

/* The first step, h^p |y^(p)| = 1 in the error norm by dae_step_of_rates, from k_0, which the step
 * uses again, and one more evaluation. The driver's rule with 1 in place of 0.01: at these orders
 * it errs to the small side, and a step too small costs as much as any other. |y'|/|y| is no rate
 * here: where y begins at 0 it is as large as the tolerance is small. */
static double initial_step(dae_solver *s, int order)
{
    dae_explicit_rk *e = s->stepper;
    const dae_problem *problem = s->sys->problem;
    const double span = problem->t_end - problem->t0;
    double *k = e->k, *k1 = k + e->ny;
    dae_rk_copy(e->ny, s->u, s->u_new);
    dae_rk_weigh(s);
    const double d0 = sqrt(dae_rk_mean_square(e, s->u)), d1 = sqrt(dae_rk_mean_square(e, k));
    const double h0 = d1 * span < 1e-5 ? 1e-6 * span : d0 < 1e-5 ? 0.01 / d1 : 0.01 * d0 / d1;
    for (int i = 0; i < e->ny; i++)
        e->y[i] = s->u[i] + h0 * k[i];
    if (dae_rk_evaluate(s, s->t + h0, e->y, k1))
        return 0;
    for (int i = 0; i < e->ny; i++)
        e->e[i] = (k1[i] - k[i]) / h0;
    const double d2 = sqrt(dae_rk_mean_square(e, e->e));
    const double h1 = d1 > 0 ? dae_step_of_rates(INFINITY, d1, d2, 1, order)
                             : fmax(1e-6 * span, 1e-3 * h0);
    const double h = fmin(100 * h0, h1);
    return isfinite(h) ? h : 0;
}

/* Where the first step cannot be found here the driver's own rule finds it, or the step fails. One that was
 * given belongs to the start of the run, not to a change of method in it. */
dae_status dae_explicit_start(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    e->first = e->step_kept = e->dense_ready = e->on_constraints = 0;
    e->kept.h = 0;
    const int given = s->options.first_step > 0 && s->t == s->t_begin;
    if (s->adaptive && !first_stage(s) && !given)
        s->h = initial_step(s, s->method->error_order + 1);
    s->report = (dae_report){0};
    return DAE_OK;
}
