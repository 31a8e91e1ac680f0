/* excros.c - extrapolated complex Rosenbrock: variable order and step
 *
 * Over a basic step H let T_j be n_j equal steps of CROS. Its error expands in powers of h = H/n_j
 * from h^2 on. With k sequences
 *
 *     U_k = sum_j w_j T_j,    sum_j w_j = 1,    sum_j w_j n_j^-m = 0 for m = 2 .. k
 *
 * has order k + 1 on ODEs (excros_weights.c).
 *
 * The error of U_k is estimated by its difference to the combination of the last k - 1 sequences,
 * of order k. From each estimate stepper/control.c has a step; order and step are chosen for the least
 * number of CROS steps per unit time, as by Deuflhard (1983), Numer. Math. 41, 399-422; Hairer, Wanner
 * (1996), Solving ODEs II, IV.9.
 *
 * Algebraic unknowns disturb the expansion: those of the start do not lie on the smooth error of
 * the sequence, and what is left of the difference after n_j steps is smaller by one h for each
 * step (R(infinity) = 0). So n_j = 2, 3, 4, ... where there are any. Mechanical systems need not
 * suffer from it: in index 1, index 2 and ggl each CROS step is followed by what its form asks of
 * (q, v) (dg/dt = 0 in index 2, g = 0 too in ggl) and by the multipliers of the acceleration level.
 * That makes it a one-step map of the (q, v) on the constraints, with an expansion as on ODEs, and
 * n_j = 1, 2, 3, ... The end of each basic step is projected on g = 0 and dg/dt = 0. So the
 * multipliers of index 2 are recovered ones, of the order of (q, v), not the raw ones of order 1.
 * The algebraic unknowns of first-order problems of index 2 expand from h on: they have weights of
 * their own that eliminate h, h^2, ... h^(k-1). Their errors are those of the last step alone, so
 * that the estimates count in full. Weighed by h w as elsewhere (step.c), errors in units of the
 * tolerance would grow as steps get shorter. Dense output: excros_dense.c.
 */
#include "excros.h"
#include "slow_error.h"
#include "stepper/control.h"
#include "stepper/dense_radau.h"
#include "stepper/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_COLUMNS, FIXED_COLUMNS = DAE_EXCROS_FIXED };
enum { STAGES = 5 };                                    /* of collocation between steps */
static const double SHORT = 1e-12;  /* of the time: a step that places a jump */
static const double TARGET = 0.7;   /* error that steps aim at */

typedef struct {
    dae_excros_table table;
    double error[COLUMNS], h[COLUMNS];  /* estimate with columns 0 .. k, and the step it allows */
    dae_control control[COLUMNS];       /* what is known of that estimate in the steps before */
    int target, lowest;         /* column where convergence is expected; never below lowest */
    int rejected;               /* the last basic step was */
    int first;                  /* no basic step was kept yet: any column may converge */
    int columns;                /* of the last try */
    int fixed;                  /* of a fixed step */
    dae_excros_dense dense;
    dae_dense_radau *rows;      /* NULL until one is asked for */
} excros;

static void excros_destroy(dae_solver *s)
{
    excros *c = s->stepper;
    if (!c)
        return;
    dae_excros_dense_free(&c->dense);
    dae_dense_radau_free(c->rows);
    dae_excros_table_free(&c->table);
    free(c);
    s->stepper = NULL;
}

/* Where the expansion is disturbed, the first columns do not show what the next ones would gain: four are the
 * least. */
static dae_status excros_create(dae_solver *s)
{
    excros *c = calloc(1, sizeof *c);
    s->stepper = c;
    if (!c)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for excros");
    const dae_status status = dae_excros_table_create(s, &c->table);
    const int disturbed = c->table.plan.n0 > 1;
    c->lowest = disturbed ? 3 : 1;
    return status ? status : dae_excros_dense_create(s, &c->dense, disturbed);
}

/* The column where convergence is expected at first: some 0.6 digits a column. */
static dae_status excros_start(dae_solver *s)
{
    excros *c = s->stepper;
    const int guess = (int)(-0.6 * log10(fmax(s->options.rtol, 1e-16)) + 0.5);
    c->target = guess < c->lowest ? c->lowest : guess > COLUMNS - 2 ? COLUMNS - 2 : guess;
    c->table.evaluated = c->rejected = c->dense.columns = 0;
    c->first = 1;
    c->fixed = FIXED_COLUMNS;
    for (int k = 0; k < COLUMNS; k++)
        dae_control_start(&c->control[k], s->options.rtol);
    return DAE_OK;
}

/* Raw unknowns count in full, but for what a stop leaves of a step: rounding over a small h. */
static double norm_of_estimate(const dae_solver *s, const dae_excros_table *T, double H)
{
    return dae_error_norm(s, T->re, T->plan.raw && !s->cut ? INFINITY : H);
}

/* u_new := U_k, its estimate, and the next step by that of the controller, which follows the estimate of each
 * number of columns for itself: they fall with different powers of h. Multipliers that are recovered follow
 * (q, v): they take no part. */
static dae_status test_column(dae_solver *s, excros *c, int k, double H)
{
    dae_excros_table *T = &c->table;
    double longest = INFINITY;
    dae_excros_combine(s, T, k, T->weight, T->re);
    dae_excros_add(s->n, 1, T->re, s->u, s->u_new);
    dae_excros_combine(s, T, k, T->difference, T->re);
    if (T->plan.recovers)
        memset(T->re + 2 * s->sys->nq, 0, (size_t)(s->n - 2 * s->sys->nq) * sizeof *T->re);
    s->error_order = k + 1;
    c->error[k] = s->sys->index > 0 ? norm_of_estimate(s, T, H) : dae_slow_error(s, &T->stage, H, T->re, T->F, T->im);
    c->h[k] = H * dae_control_factor(&dae_control_extrapolation, &c->control[k], H, c->error[k] / TARGET, k + 2, 1);
    if (c->error[k] > 1)
        return DAE_OK;
    const dae_status status = dae_excros_ringing(s, T, k, H, &c->error[k], &longest);
    c->h[k] = fmin(c->h[k], longest);
    return status;
}

/* A step of size H is kept; known are the estimates up to column k. */
static void remember(excros *c, int k, double H)
{
    for (int j = 0; j < COLUMNS; j++)
        if (0 < j && j <= k)
            dae_control_keep(&c->control[j], H, c->error[j] / TARGET, j + 2);
        else
            dae_control_forget(&c->control[j]);
}

static double work_rate(const excros *c, int k) { return c->table.work[k] / c->h[k]; }

/* After convergence in column k: the next target, and its step. */
static void choose_next(dae_solver *s, excros *c, int k, double H)
{
    int best = k <= c->target ? k : k - 1;
    if (best > c->lowest && work_rate(c, best - 1) < 0.8 * work_rate(c, best))
        best--;
    else if (best == k && (k == 1 || work_rate(c, k) < 0.9 * work_rate(c, k - 1)))
        best = k + 1;
    else if (best < k && work_rate(c, k) < 0.9 * work_rate(c, best))
        best = k;
    if (c->rejected && best > k)
        best = k;
    best = best < c->lowest ? c->lowest : best > COLUMNS - 2 ? COLUMNS - 2 : best;
    const double wanted = best <= k ? c->h[best] : c->h[k] * c->table.work[best] / c->table.work[k];
    const dae_controller *limits = &dae_control_extrapolation;
    const int cut = H < 0.9 * s->h;                     /* it tells nothing of the next */
    s->h_next = fmin(wanted, (c->first ? limits->first : limits->most) * H);
    remember(c, cut ? 0 : k, H);
    if (cut)
        return;
    c->target = best;
    c->rejected = c->first = 0;
}

/* No convergence up to column k: less order where that is cheaper. */
static void choose_again(dae_solver *s, excros *c, int k)
{
    int best = k < c->target ? k : c->target;
    if (s->extending)
        return;
    for (int j = 1; j < COLUMNS; j++)
        dae_control_reject(&c->control[j]);
    if (best > c->lowest && work_rate(c, best - 1) < 0.8 * work_rate(c, best))
        best--;
    c->target = best < c->lowest ? c->lowest : best;
    c->rejected = 1;
    s->h_next = c->h[best];
}

/* re[n] := what the algebraic equations leave at (t_new, u_new), settled with the factors of the last column, of
 * steps h */
static dae_status settle_end(dae_solver *s, dae_excros_table *T, double h)
{
    dae_system_rhs(s->sys, s->t_new, s->u_new, T->F);
    s->count.rhs++;
    const dae_status status = dae_solver_check_finite(s, T->F, "F", s->t_new);
    if (status)
        return status;
    s->end_checked = 1;
    memcpy(T->re, T->F, (size_t)s->n * sizeof *T->re);
    dae_system_remove_algebraic(s->sys, T->re);
    for (int i = 0; i < s->n; i++) {
        T->re[i] = h * (T->F[i] - T->re[i]);
        T->im[i] = 0;
    }
    return dae_implicit_solve(s, T->stage.pencil, h, T->re, T->im);
}

/* The step is refused where what its end shows is above the tolerance. */
static void judge_end(dae_solver *s, excros *c, int k, double H, double error)
{
    if (!(error > 1))
        return;
    c->rejected = 1;
    remember(c, 0, H);
    s->h_next = H / dae_control_extrapolation.most;
    c->error[k] = error;
}

/* Algebraic unknowns of first-order problems of index 1: all columns are blind to what F does in time within the
 * last step of each. It shows in what the algebraic equations leave at the end. Steps so short that they place a
 * jump pass. */
static dae_status look_at_end(dae_solver *s, excros *c, int k, double H)
{
    const double shortest = SHORT * fmax(fabs(s->t), s->t_end - s->t_begin);
    if (s->sys->nq || s->sys->index != 1 || dae_system_algebraic_equations(s->sys) == 0
        || H < shortest)
        return DAE_OK;
    const dae_status status = settle_end(s, &c->table, H / (c->table.plan.n0 + k));
    if (status)
        return status;
    judge_end(s, c, k, H, dae_error_norm(s, c->table.re, H));
    return DAE_OK;
}

/* The same for all others: F where column k ends, beside F where its steps begin. */
static dae_status look_behind(dae_solver *s, excros *c, int k, double H)
{
    double error = 0;
    if (s->cut || c->error[k] > 1 || (s->sys->index > 1 && !c->table.plan.recovers))
        return DAE_OK;
    const dae_status status = dae_excros_end_error(s, &c->table, k, H, &error);
    if (!status)
        judge_end(s, c, k, H, error);
    return status;
}

/* Of a step that is made longer, one column more than it took; the next steps need not follow it. */
static int target_of(const dae_solver *s, const excros *c)
{
    const int longer = c->columns < COLUMNS - 2 ? c->columns : COLUMNS - 2;
    return s->extending && longer > c->target ? longer : c->target;
}

/* Columns until one converges: expected at the target, allowed one before and one after it. Given
 * up as soon as the columns left, each n_j better than the last, cannot reach the tolerance. */
static dae_status adaptive_step(dae_solver *s, excros *c, double H, int *last)
{
    const int target = target_of(s, c);
    dae_status status = dae_excros_column(s, &c->table, 0, H);
    for (int k = 1; !status; k++) {
        status = dae_excros_column(s, &c->table, k, H);
        if (!status)
            status = test_column(s, c, k, H);
        if (status)
            break;
        *last = k;
        if (k >= c->lowest && (k >= target - 1 || c->first) && c->error[k] <= 1) {
            choose_next(s, c, k, H);
            status = look_at_end(s, c, k, H);
            if (!status)
                status = look_behind(s, c, k, H);
            break;
        }
        const double within_reach = k == target - 1 ? 4.0 * (k + 2) * (k + 3)
                                    : k == target ? 2.0 * (k + 2) : 1;
        if (k >= target - 1 && !(c->error[k] <= within_reach)) {
            choose_again(s, c, k);
            break;
        }
    }
    s->error = status ? 0 : c->error[*last];
    s->error_order = *last;
    return status;
}

static dae_status excros_step(dae_solver *s, double h, double t_stop)
{
    excros *c = s->stepper;
    dae_status status = DAE_OK;
    int last = c->fixed - 1;
    (void)t_stop;
    c->dense.columns = 0;
    dae_excros_begin(s, &c->table);
    if (s->adaptive)
        status = adaptive_step(s, c, h, &last);
    else
        for (int j = 0; !status && j <= last; j++)
            status = dae_excros_column(s, &c->table, j, h);
    if (!status && !s->adaptive) {
        dae_excros_combine(s, &c->table, last, c->table.weight, c->table.re);
        dae_excros_add(s->n, 1, c->table.re, s->u, s->u_new);
    }
    c->columns = last + 1;
    const int kept = !s->adaptive || s->error <= 1;
    return !status && kept && c->table.plan.recovers ? dae_excros_project(s, s->t_new, s->u_new) : status;
}

static dae_status excros_vary(dae_solver *s, struct dae_variation *v)
{
    excros *c = s->stepper;
    return dae_excros_vary(s, v, &c->table, c->columns);
}

static int excros_shape(const dae_solver *s, const double **numbers, int *count)
{
    const excros *c = s->stepper;
    (void)numbers;
    (void)count;
    return c->columns;
}

static dae_status excros_take_shape(dae_solver *s, int columns, const double *numbers)
{
    excros *c = s->stepper;
    (void)numbers;
    c->fixed = columns;
    return DAE_OK;
}

static dae_status excros_accepted(dae_solver *s)
{
    excros *c = s->stepper;
    c->table.evaluated = c->dense.ready = 0;
    c->dense.columns = c->columns;
    dae_dense_radau_forget(c->rows);
    return DAE_OK;
}

/* Before the fit in index 2: the ends of all columns onto what was asked of the points before. */
static dae_status recover_ends(dae_solver *s, excros *c)
{
    dae_status status = DAE_OK;
    for (int j = 0; !status && j < c->dense.columns; j++) {
        dae_excros_add(s->n, 1, dae_excros_total(&c->table, s->n, j), s->u_old, c->table.re);
        status = dae_excros_recover(s, s->t, c->table.re, dae_excros_total(&c->table, s->n, j), c->table.im);
    }
    return status;
}

/* From t_old, where F0, F0_t and J0 still are: basic steps to the nodes, or one more column. */
static dae_status step_again(dae_solver *s, excros *c)
{
    double x[DAE_EXCROS_POINTS], h[DAE_EXCROS_POINTS], *const u = s->u, *const u_old = s->u_old;
    const double t = s->t, H = t - s->t_old;
    const int k = c->columns, nodes = c->dense.at_nodes ? dae_excros_dense_points(1, k, x, h) : 0;
    dae_status status = DAE_OK;
    s->t = s->t_old;
    s->u = u_old;
    s->u_new = s->work;
    for (int i = 0; !status && i < nodes; i++) {
        for (int j = 0; !status && j < k; j++)
            status = dae_excros_column(s, &c->table, j, x[i] * H);
        dae_excros_combine(s, &c->table, k - 1, c->table.weight, c->dense.nodes + i * s->n);
    }
    if (!nodes && k < COLUMNS) {
        status = dae_excros_column(s, &c->table, k, H);
        c->dense.columns = k + !status;
    }
    s->t = t;
    s->u = u;
    s->u_new = u_old;
    return status;
}

/* The changes of u after each step of the last column, and straight lines between. */
static void along_last_column(const dae_solver *s, double x, double *change)
{
    const excros *c = s->stepper;
    const int n = s->n, k = c->dense.columns - 1, steps = c->table.plan.n0 + k;
    const int m = x < 1 ? (int)(x * steps) : steps - 1;
    const double part = x * steps - m, *after = dae_excros_total(&c->table, n, k) - (steps - 1 - m) * n;
    for (int i = 0; i < n; i++)
        change[i] = part * after[i] + (m > 0 ? (1 - part) * after[i - n] : 0);
}

static dae_status excros_refine(dae_solver *s)
{
    excros *c = s->stepper;
    if (s->searching || !c->dense.columns || c->dense.ready || !dae_dense_radau_is_due(s, c->rows))
        return DAE_OK;
    dae_jacobian_take_back(c->table.stage.jac);         /* J0 */
    return dae_dense_radau_find(s, &c->rows, c->table.stage.jac, STAGES, along_last_column);
}

/* The polynomial of excros_dense.c; recovered multipliers are those of (q, v), projected. */
static dae_status excros_interpolate(dae_solver *s, double t, double *u)
{
    excros *c = s->stepper;
    dae_status status = DAE_OK;
    if (!c->dense.columns) {
        memcpy(u, s->u, (size_t)s->n * sizeof *u);
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %g: a failed step has overwritten the "
                        "last one", t);
    }
    if (dae_dense_radau_is_known(s, c->rows))
        return dae_dense_radau_at(s, c->rows, t, u);
    if (!c->dense.ready) {
        status = step_again(s, c);
        if (!status && c->table.plan.recovers && s->sys->index == 2)
            status = recover_ends(s, c);
        if (!status)
            dae_excros_dense_fit(s, &c->dense, c->table.changes);
    }
    if (!status)
        dae_excros_dense_at(s, &c->dense, t, u);
    if (!status && !c->table.plan.recovers)
        dae_output_finish(s, t, u);
    return !status && c->table.plan.recovers ? dae_excros_project(s, t, u) : status;
}

/* The orders of a fixed step, four columns: those of ODEs, 5, in index 1 and 2 of mechanical systems,
 * with recovered multipliers; in ggl one less (4.0 on the double pendulum; on circles 5). In Baumgarte's form and
 * first-order problems the expansion begins away from 0 at the start of each basic step, which costs one order, in
 * algebraic unknowns of index 2 two. In index 3 v keeps the O(h) error of CROS along M^-1 G^T. */
#define ALL_FOUR                                                                                  \
    {[DAE_POSITION] = 4, [DAE_VELOCITY] = 4, [DAE_MULTIPLIER] = 4, [DAE_RECOVERED] = 4}

const dae_method dae_excros = {
    .info = {
        .name = "excros",
        .title = "extrapolated complex Rosenbrock, variable order (fixed steps: 4 columns), "
                 "recovered multipliers",
        .citation = "Deuflhard (1983), Numer. Math. 41, 399-422; Al'shin, Al'shina, Kalitkin, "
                    "Koryagina (2006), Comput. Math. Math. Phys. 46(8), 1320-1340",
        .stages = 1, .fixed = 1, .adaptive = 1, .implicit = 1,
        .order = {
            [0] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 5},
            [1] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5, [DAE_MULTIPLIER] = 5,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 4, [DAE_ALGEBRAIC] = 4},
            [2] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5, [DAE_MULTIPLIER] = 5,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 4, [DAE_ALGEBRAIC] = 3},
            [3] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 1, [DAE_MULTIPLIER] = DAE_ORDER_ZERO,
                   [DAE_RECOVERED] = 1},
        },
        .exceptions = {{DAE_BY_FEEDBACK, ALL_FOUR}, {DAE_BY_MULTIPLIERS, ALL_FOUR}},
    },
    .family = DAE_FAMILY_EXCROS,
    .error_order = COLUMNS - 2,         /* for the first step; each step sets its own */
    .keeps_open = 1,
    .create = excros_create, .start = excros_start,
    .step = excros_step,
    .accepted = excros_accepted,
    .refine = excros_refine,
    .interpolate = excros_interpolate,
    .vary = excros_vary,
    .shape = excros_shape,
    .take_shape = excros_take_shape,
    .destroy = excros_destroy,
};
