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
#include "explicit_stepper.h"

#include "tableau.h"

#include "projection/project.h"
#include "stage_rows.h"
#include "base/zeroed.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { ROWS = DAE_RK_STAGES + DAE_RK_ESTIMATES + DAE_RK_DENSE };
enum { E_ROWS = DAE_RK_STAGES, D_ROWS = E_ROWS + DAE_RK_ESTIMATES };

typedef struct {
    const dae_tableau *T;       /* of the method's record, or derived from that */
    dae_tableau *derived;       /* NULL: there was no need */
    int ny, projects;
    dae_stage_sum *sum;         /* of T, or NULL: by its terms */
    dae_stage_run *run;
    dae_stage_squares *squares;
    int first;                  /* k_0 holds f at (t, u) */
    int step_kept;              /* k_S does, and all stages belong to the last step */
    int dense_ready;            /* r holds the last step */
    int on_constraints;         /* (t, u) has been projected */
    double *k;                  /* [stages x ny] */
    double *y;                  /* [n] Y_i */
    double *weight;             /* [ny] 1/(rtol |u_i| + atol_i) */
    double *e;                  /* [ny] */
    double *zero;               /* [ny] */
    double *r;                  /* [(3 + DAE_RK_DENSE) x ny] */
    dae_term *begin[ROWS + 1];  /* the terms that are not zero of each row of A, E and D that is not compiled */
    dae_term *terms;
} explicit_rk;

dae_status dae_explicit_supports(const dae_method *method, const dae_system *sys,
                                 dae_report *report)
{
    const int reducible = sys->nq > 0 && sys->form->info.index > 1;
    if (dae_system_explicit_size(sys) > 0)
        return DAE_OK;
    return dae_fail(report, DAE_UNSUPPORTED, "%s is explicit: it solves y' = f(t, y), which form "
                    "%s of %s is not; choose %s", method->info.name, sys->form->info.name,
                    sys->problem->name,
                    reducible ? "form ode or index1" : "a method that is implicit");
}

/* ---- storage ------------------------------------------------------------------------------ */

void dae_explicit_destroy(dae_solver *s)
{
    explicit_rk *e = s->stepper;
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
    return row < E_ROWS ? T->A[row] : row < D_ROWS ? T->E[row - E_ROWS] : T->D[row - D_ROWS];
}

static int is_compiled(const explicit_rk *e, int row)
{
    return row <= e->T->stages ? e->sum != NULL : row >= E_ROWS && row < D_ROWS && e->squares != NULL;
}

/* Number of terms of the rows that are not compiled */
static size_t count_terms(const explicit_rk *e)
{
    size_t count = 0;
    for (int row = 0; row < ROWS; row++) {
        const double *a = row_of(e->T, row);
        for (int j = 0; !is_compiled(e, row) && j < DAE_RK_STAGES; j++)
            count += a[j] != 0;
    }
    return count;
}

/* Where all rows of a step are compiled, dense output is the first to ask for them. */
static dae_status collect_terms(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    dae_term *next = e->terms = malloc((count_terms(e) + 1) * sizeof *e->terms);
    if (!next)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    for (int row = 0; row < ROWS; row++) {
        const double *a = row_of(e->T, row);
        e->begin[row] = next;
        for (int j = 0; !is_compiled(e, row) && j < DAE_RK_STAGES; j++)
            if (a[j] != 0)
                *next++ = (dae_term){a[j], e->k + j * e->ny};
    }
    e->begin[ROWS] = next;
    return DAE_OK;
}

/* The sums that were compiled for e->T and this number of unknowns. */
static void choose_rows(explicit_rk *e)
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
static dae_status choose_tableau(dae_solver *s, explicit_rk *e)
{
    e->T = s->method->tableau;
    if (s->method->family != DAE_FAMILY_BUTCHER)
        return DAE_OK;
    e->T = e->derived = malloc(sizeof *e->derived);
    return e->derived ? dae_tableau_derive(s->method, e->derived, &s->report)
                      : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
}

static dae_status allocate(dae_solver *s, explicit_rk *e)
{
    const size_t ny = (size_t)dae_system_explicit_size(s->sys), n = (size_t)s->n;
    const size_t stages = (size_t)e->T->last + 1, vectors = stages + 3 + 3 + DAE_RK_DENSE;
    e->k = dae_zeroed(vectors * ny + n, sizeof *e->k);
    e->ny = (int)ny;
    if (!e->k)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    e->projects = e->T->projects && s->sys->compose->kind == DAE_FORM_MECHANICAL && s->sys->nl > 0;
    e->weight = e->k + stages * ny;
    e->e = e->weight + ny;
    e->zero = e->e + ny;
    e->r = e->zero + ny;
    e->y = e->r + (3 + DAE_RK_DENSE) * ny;
    choose_rows(e);
    return e->sum && e->squares ? DAE_OK : collect_terms(s);
}

dae_status dae_explicit_create(dae_solver *s)
{
    explicit_rk *e = s->stepper = dae_zeroed(1, sizeof *e);
    if (!e)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    const dae_status status = choose_tableau(s, e);
    return status ? status : allocate(s, e);
}

/* ---- sums over stages --------------------------------------------------------------------- */

/* out := y + h sum_j a_j k_j */
static inline void combine(const explicit_rk *e, int row, const double *y, double h, double *out)
{
    if (e->sum && row <= e->T->stages)
        e->sum(row, e->ny, e->k, y, h, out);
    else
        dae_add_stages(e->begin[row], e->begin[row + 1], e->ny, y, h, out);
}

static void copy(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i];
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
    const explicit_rk *e = s->stepper;
    for (int i = e->ny; i < s->n; i++)
        y[i] = 0;
    const dae_status status = dae_solver_check_finite(s, y, "a stage", t);
    return status ? status : singular(s, t);
}

/* k := f(t, y[n]), y's multipliers behind it */
static inline dae_status evaluate(dae_solver *s, double t, double *y, double *k)
{
    const explicit_rk *e = s->stepper;
    s->count.rhs++;
    return s->sys->explicit_map(s->sys, t, y, k, y + e->ny) ? not_evaluated(s, t, y) : DAE_OK;
}

/* Stages begin .. end-1 of the step of size h from (t, u), by the terms of their rows. */
static dae_status stages_by_terms(dae_solver *s, int begin, int end, double t, double h, const double *u)
{
    const explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_system *sys = s->sys;
    dae_explicit_map *f = sys->explicit_map;
    const int ny = e->ny;
    double *y = e->y, *z = y + ny, *k = e->k + begin * ny;
    for (int i = begin; i < end; i++, k += ny) {
        combine(e, i, u, h, y);
        s->count.rhs++;
        if (f(sys, t + T->c[i] * h, y, k, z))
            return not_evaluated(s, t + T->c[i] * h, y);
    }
    return DAE_OK;
}

/* Stages 1 .. S-1 of the step of size h from (t, u) */
static inline dae_status inner_stages(dae_solver *s, double t, double h, const double *u)
{
    const explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    if (!e->run)
        return stages_by_terms(s, 1, T->stages, t, h, u);
    const int failed = e->run(s->sys, e->ny, t, h, u, e->k, e->y);
    s->count.rhs += failed ? failed : T->stages - 1;
    return failed ? not_evaluated(s, t + T->c[failed] * h, e->y) : DAE_OK;
}

/* k_0 := f(t, u), where the last step has not left it. */
static dae_status first_stage(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_status status = DAE_OK;
    if (e->step_kept) {
        copy(e->ny, e->k + T->stages * e->ny, e->k);
    } else if (!e->first) {
        copy(e->ny, s->u, e->y);
        status = evaluate(s, s->t, e->y, e->k);
    }
    e->first = !status;
    e->step_kept = 0;
    return status;
}

/* ---- error -------------------------------------------------------------------------------- */

static void weigh(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    dae_weigh(e->ny, s->u, s->u_new, s->options.rtol, s->atol, e->weight);
}

static double mean_square(const explicit_rk *e, const double *x)
{
    double sum = 0;
    for (int i = 0; i < e->ny; i++)
        sum += e->weight[i] * x[i] * e->weight[i] * x[i];
    return sum / e->ny;
}

/* square[m] := sum_i (w_i sum_j E_mj k_j)^2, as far as there are estimates */
static void squares(dae_solver *s, double *square)
{
    const explicit_rk *e = s->stepper;
    if (e->squares) {
        e->squares(e->ny, e->k, s->u, s->u_new, s->options.rtol, s->atol, e->weight, square);
        return;
    }
    weigh(s);
    for (int m = 0; m < e->T->estimates; m++) {
        combine(e, E_ROWS + m, e->zero, 1, e->e);
        square[m] = e->ny * mean_square(e, e->e);
    }
}

/* One estimate, or the quotient of two: of order h^8 from h^6 and h^4 in DOP853 (HNW II.10). */
static double local_error(dae_solver *s, double h)
{
    const explicit_rk *e = s->stepper;
    double square[DAE_RK_ESTIMATES];
    squares(s, square);
    const double fine = square[0], size = fabs(h);
    return fine == 0 ? 0 : size * (e->T->estimates == 1 ? sqrt(fine / e->ny)
                                   : fine / sqrt((fine + 0.01 * square[1]) * e->ny));
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

/* Move the state u at t onto the constraints. */
static dae_status project(dae_solver *s, double t, double *u)
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
    explicit_rk *e = s->stepper;
    const int exact = s->sys->exact;
    copy(e->ny, s->u_new, e->y);
    const dae_status status = project(s, s->t_new, s->u_new);
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
    explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    double *k = e->k + T->stages * e->ny, *q = s->u_new, *v = q + s->sys->nq;
    if (!e->projects) {
        const dae_status at_end = evaluate(s, s->t_new, s->u_new, k);
        s->end_checked = !at_end && !s->sys->nq && dae_vector_finite(e->ny, k);
        return at_end;
    }
    const dae_status status = project_step(s);
    if (status)
        return status;
    s->count.rhs++;
    copy(s->sys->nq, v, k);
    dae_system_balance(s->sys, s->t_new, q, v, k + s->sys->nq, v + s->sys->nq);
    if (s->sys->general_mass)
        copy(s->sys->nq, k + s->sys->nq, s->u_new + s->sys->acceleration_at);
    return DAE_OK;
}

/* The estimate, unless it waits for k_S, then projection and k_S where the step will be kept. */
static dae_status finish_step(dae_solver *s, double h)
{
    const dae_tableau *T = ((const explicit_rk *)s->stepper)->T;
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
    return status;
}

dae_status dae_explicit_step(dae_solver *s, double h, double t_stop)
{
    explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    (void)t_stop;
    s->error = 0;
    dae_status status = first_stage(s);
    if (!status)
        status = inner_stages(s, s->t, h, s->u);
    if (status)
        return status;
    combine(e, T->stages, s->u, h, s->u_new);
    copy(s->n - e->ny, s->u + e->ny, s->u_new + e->ny);
    return finish_step(s, h);
}

dae_status dae_explicit_accepted(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    e->step_kept = 1;
    e->first = 0;
    e->dense_ready = 0;
    e->on_constraints = e->projects;
    return DAE_OK;
}

const double *dae_explicit_stages(dae_solver *s, double *y)
{
    const explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    combine(e, T->stages - 1, s->u_old, s->t - s->t_old, y);
    return e->k;
}

/* ---- start -------------------------------------------------------------------------------- */

/* The first step, h^p |y^(p)| = 1 in the error norm by dae_step_of_rates, from k_0, which the step
 * uses again, and one more evaluation. The driver's rule with 1 in place of 0.01: at these orders
 * it errs to the small side, and a step too small costs as much as any other. |y'|/|y| is no rate
 * here: where y begins at 0 it is as large as the tolerance is small. */
static double initial_step(dae_solver *s, int order)
{
    explicit_rk *e = s->stepper;
    const dae_problem *problem = s->sys->problem;
    const double span = problem->t_end - problem->t0;
    double *k = e->k, *k1 = k + e->ny;
    copy(e->ny, s->u, s->u_new);
    weigh(s);
    const double d0 = sqrt(mean_square(e, s->u)), d1 = sqrt(mean_square(e, k));
    const double h0 = d1 * span < 1e-5 ? 1e-6 * span : d0 < 1e-5 ? 0.01 / d1 : 0.01 * d0 / d1;
    for (int i = 0; i < e->ny; i++)
        e->y[i] = s->u[i] + h0 * k[i];
    if (evaluate(s, s->t + h0, e->y, k1))
        return 0;
    for (int i = 0; i < e->ny; i++)
        e->e[i] = (k1[i] - k[i]) / h0;
    const double d2 = sqrt(mean_square(e, e->e));
    const double h1 = d1 > 0 ? dae_step_of_rates(0, d1, d2, span, 1, order)
                             : fmax(1e-6 * span, 1e-3 * h0);
    const double h = fmin(100 * h0, h1);
    return isfinite(h) ? h : 0;
}

/* Where the first step cannot be found here the driver's own rule finds it, or the step fails. One that was
 * given belongs to the start of the run, not to a change of method in it. */
dae_status dae_explicit_start(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    e->first = e->step_kept = e->dense_ready = e->on_constraints = 0;
    const int given = s->options.first_step > 0 && s->t == s->t_begin;
    if (s->adaptive && !first_stage(s) && !given)
        s->h = initial_step(s, s->method->error_order + 1);
    s->report = (dae_report){0};
    return DAE_OK;
}

/* ---- dense output ------------------------------------------------------------------------- */

/* r of the last step, from y = u_old at t_old to u at t */
static dae_status prepare_dense(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int ny = e->ny;
    const double h = s->t - s->t_old, *k = e->k, *k_S = k + T->stages * ny;
    dae_status status = e->terms ? DAE_OK : collect_terms(s);
    if (!status)
        status = stages_by_terms(s, T->stages + 1, T->last + 1, s->t_old, h, s->u_old);
    if (status)
        return status;
    double *r0 = e->r, *r1 = r0 + ny, *r2 = r1 + ny;
    for (int i = 0; i < ny; i++) {
        r0[i] = s->u[i] - s->u_old[i];
        r1[i] = h * k[i] - r0[i];
        r2[i] = r0[i] - h * k_S[i] - r1[i];
    }
    for (int d = 0; d < T->dense; d++)
        combine(e, D_ROWS + d, e->zero, h, r2 + (d + 1) * ny);
    e->dense_ready = 1;
    return DAE_OK;
}

/* Is the polynomial of r worse than the step? Where what its highest power, x^a (1 - x)^b, adds at
 * the most exceeds the tolerance: near the border of stability the differences of stages that it is
 * made of are those of errors. */
static int is_poor(dae_solver *s)
{
    const explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int power = T->dense + 3, b = power / 2, a = power - b;
    const double most = pow((double)a / power, a) * pow((double)b / power, b);
    if (!s->adaptive || s->searching)
        return 0;
    weigh(s);
    return most * sqrt(mean_square(e, e->r + (power - 1) * e->ny)) > 1;
}

/* y := that of r at x */
static void along_polynomial(const dae_solver *s, double x, double *y)
{
    const explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    for (int i = 0; i < e->ny; i++) {
        double sum = 0;
        for (int d = T->dense + 2; d >= 0; d--)
            sum = (e->r[d * e->ny + i] + sum) * (d % 2 ? 1 - x : x);
        y[i] = s->u_old[i] + sum;
    }
}

/* y := the end of a step of the method from t_old to t; k_0 and k_S stay */
static dae_status step_to(dae_solver *s, double t, double *y)
{
    const dae_tableau *T = ((const explicit_rk *)s->stepper)->T;
    const double h = t - s->t_old;
    const dae_status status = inner_stages(s, s->t_old, h, s->u_old);
    if (!status)
        combine(s->stepper, T->stages, s->u_old, h, y);
    return status;
}

/* y(t), the polynomial or the end of a step to t, projected as the steps are, and the multipliers
 * that belong to it. */
dae_status dae_explicit_interpolate(dae_solver *s, double t, double *u)
{
    explicit_rk *e = s->stepper;
    dae_status status = DAE_OK;
    if (t == s->t || !e->step_kept) {
        copy(s->n, s->u, u);
        return t == s->t ? DAE_OK
               : dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %g: a failed step has overwritten the "
                          "last one", t);
    }
    if (!e->dense_ready)
        status = prepare_dense(s);
    if (status)
        return status;
    if (is_poor(s))
        status = step_to(s, t, u);
    else
        along_polynomial(s, (t - s->t_old) / (s->t - s->t_old), u);
    if (!status && e->projects)
        status = project(s, t, u);
    return status || s->n == e->ny ? status : evaluate(s, t, u, e->e);
}
