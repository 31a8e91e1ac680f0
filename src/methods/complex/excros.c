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
 * All sequences begin with the same F, J and F_t at (t, u): these are evaluated once.
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
#include "stepper/control.h"
#include "stepper/dense_radau.h"
#include "complex_stage.h"
#include "stepper/output.h"
#include "excros_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_COLUMNS, FIXED_COLUMNS = DAE_EXCROS_FIXED };
enum { STAGES = 5 };                                    /* of collocation between steps */
enum { ROWS = COLUMNS * (COLUMNS + 3) / 2 };            /* CROS steps with n_j = 2 .. 11 */
static const double SHORT = 1e-12;  /* of the time: a step that places a jump */
static const double TARGET = 0.7;   /* error that steps aim at */

typedef struct {
    dae_linearised stage;
    double *F0, *F0_t;          /* [n] at (t, u) of the basic step, where J0 is, put aside */
    double *F, *F_t, *re, *im;  /* [n] each */
    double *changes;            /* [ROWS x n] of u, after each step of each column */
    double weight[2][COLUMNS][COLUMNS], difference[2][COLUMNS][COLUMNS];    /* for p = 1, 2 */
    int work[COLUMNS];          /* CROS steps of columns 0 .. k */
    double error[COLUMNS], h[COLUMNS];  /* estimate with columns 0 .. k, and the step it allows */
    dae_control control[COLUMNS];       /* what is known of that estimate in the steps before */
    int target, lowest;         /* column where convergence is expected; never below lowest */
    int evaluated;              /* F0, F0_t, J0 belong to the solver's (t, u) */
    int rejected;               /* the last basic step was */
    int first;                  /* no basic step was kept yet: any column may converge */
    int n0;                     /* n_j = n0 + j, j = 0, 1, ... */
    int recovers;               /* lambda comes from the acceleration level */
    int raw;                    /* algebraic unknowns of index 2 expand from h on */
    int columns;                /* of the last try */
    dae_excros_dense dense;
    dae_dense_radau *rows;      /* NULL until one is asked for */
} excros;

/* T_j, the change of u by all steps of column j */
static double *total(const excros *c, int n, int j) { return c->changes + (c->work[j] - 1) * n; }

/* Rows k: the weights of U_(k+1), and those less the weights without column 0. */
static void set_weights(excros *c)
{
    for (int k = 0; k < COLUMNS; k++) {
        c->work[k] = (k ? c->work[k - 1] : 0) + c->n0 + k;
        for (int p = 1; p <= 2; p++) {
            double *w = c->weight[p - 1][k], *d = c->difference[p - 1][k];
            dae_excros_weights(p, c->n0, k + 1, w);
            if (k)
                dae_excros_weights(p, c->n0 + 1, k, d + 1);
            for (int j = 0; j <= k; j++)
                d[j] = w[j] - d[j];
        }
    }
}

/* Is lambda solved for from the acceleration level, and does the expansion begin at n = 1? */
dae_excros_plan dae_excros_choose(const dae_system *sys)
{
    const int mechanical = sys->compose->kind == DAE_FORM_MECHANICAL;
    const int recovers =
        mechanical && sys->n > 2 * sys->nq && (sys->compose->eliminates || sys->index == 2);
    return (dae_excros_plan){.n0 = sys->index == 0 || recovers ? 1 : 2, .recovers = recovers,
                             .raw = !recovers && sys->index == 2};
}

/* Where the expansion is disturbed, the first columns do not show what the next ones would gain:
 * four are the least. */
static void choose_sequence(const dae_system *sys, excros *c)
{
    const dae_excros_plan plan = dae_excros_choose(sys);
    c->recovers = plan.recovers;
    c->raw = plan.raw;
    c->n0 = plan.n0;
    c->lowest = c->n0 == 1 ? 1 : 3;
}

static void excros_destroy(dae_solver *s)
{
    excros *c = s->stepper;
    if (!c)
        return;
    dae_excros_dense_free(&c->dense);
    dae_dense_radau_free(c->rows);
    dae_linearised_free(&c->stage);
    free(c->F0);
    free(c);
    s->stepper = NULL;
}

static dae_status excros_create(dae_solver *s)
{
    excros *c = calloc(1, sizeof *c);
    const size_t n = (size_t)s->n;
    s->stepper = c;
    if (!c)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for excros");
    choose_sequence(s->sys, c);
    set_weights(c);
    dae_status status = dae_linearised_create(s, &c->stage);
    if (!status)
        status = dae_excros_dense_create(s, &c->dense, c->n0 > 1);
    if (status)
        return status;
    c->F0 = calloc((6 + (size_t)ROWS) * n, sizeof *c->F0);
    if (!c->F0 || !dae_jacobian_make_room(c->stage.jac))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for excros with %d unknowns", s->n);
    c->F0_t = c->F0 + n;
    c->F = c->F0_t + n;
    c->F_t = c->F + n;
    c->re = c->F_t + n;
    c->im = c->re + n;
    c->changes = c->im + n;
    return DAE_OK;
}

/* The column where convergence is expected at first: some 0.6 digits a column. */
static dae_status excros_start(dae_solver *s)
{
    excros *c = s->stepper;
    const int guess = (int)(-0.6 * log10(fmax(s->options.rtol, 1e-16)) + 0.5);
    c->target = guess < c->lowest ? c->lowest : guess > COLUMNS - 2 ? COLUMNS - 2 : guess;
    c->evaluated = c->rejected = c->dense.columns = 0;
    c->first = 1;
    for (int k = 0; k < COLUMNS; k++)
        dae_control_start(&c->control[k], s->options.rtol);
    return DAE_OK;
}

/* F0, F0_t, J0 at (t, u). */
static void evaluate_begin(dae_solver *s, excros *c)
{
    dae_jacobian *jac = c->stage.jac;
    if (c->evaluated)
        return;
    dae_linearise(jac, s->t, s->u, c->F0, c->F0_t);
    dae_jacobian_put_aside(jac);                        /* J0 */
    c->evaluated = 1;
}

/* u_new := u + h k */
static void add(int n, double h, const double *restrict k, const double *u, double *u_new)
{
    for (int i = 0; i < n; i++)
        u_new[i] = u[i] + h * k[i];
}

/* The changes of u by 1 .. n_j steps of CROS from (t, u) over H; the last is T_j. Changes, not
 * states, are added and combined: their rounding is smaller. */
static dae_status column(dae_solver *s, excros *c, int j, double H)
{
    dae_jacobian *jac = c->stage.jac;
    const int n = s->n, nj = c->n0 + j;
    const double h = H / nj;
    double *y = s->u_new, *d = total(c, n, j) - (nj - 1) * n;
    dae_jacobian_take_back(jac);
    dae_status status =
        dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F0, c->F0_t, c->re, c->im);
    for (int i = 0; i < n; i++)
        d[i] = h * c->re[i];
    for (int m = 1; !status && m < nj; m++, d += n) {
        const double t = s->t + m * h;
        add(n, 1, d, s->u, y);
        if (c->recovers)
            status = dae_excros_recover(s, t, y, d, c->im);
        if (status)
            break;
        dae_linearise(jac, t, y, c->F, c->F_t);
        status = dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F, c->F_t, c->re, c->im);
        add(n, h, c->re, d, d + n);
    }
    return status;
}

/* x := sum_j w_j T_j over columns 0 .. k, with the weights that the expansion of each asks for */
static void combine(const dae_solver *s, const excros *c, int k, double w[2][COLUMNS][COLUMNS],
                    double *restrict x)
{
    const int n = s->n;
    for (int i = 0; i < n; i++)
        x[i] = w[1][k][0] * total(c, n, 0)[i];
    for (int j = 1; j <= k; j++)
        for (int i = 0; i < n; i++)
            x[i] += w[1][k][j] * total(c, n, j)[i];
    for (int i = 0; c->raw && i < n; i++)
        if (dae_system_is_algebraic(s->sys, i)) {
            x[i] = 0;
            for (int j = 0; j <= k; j++)
                x[i] += w[0][k][j] * total(c, n, j)[i];
        }
}

/* Raw unknowns count in full, but for what a stop leaves of a step: rounding over a small h. */
static double norm_of_estimate(const dae_solver *s, const excros *c, double H)
{
    return dae_error_norm(s, c->re, c->raw && !s->cut ? INFINITY : H);
}

/* u_new := U_k, its estimate, and the next step by that of the controller, which follows the estimate
 * of each number of columns for itself: they fall with different powers of h. The multipliers that are recovered follow (q, v): they take no part. */
static void test_column(dae_solver *s, excros *c, int k, double H)
{
    combine(s, c, k, c->weight, c->re);
    add(s->n, 1, c->re, s->u, s->u_new);
    combine(s, c, k, c->difference, c->re);
    if (c->recovers)
        memset(c->re + 2 * s->sys->nq, 0, (size_t)(s->n - 2 * s->sys->nq) * sizeof *c->re);
    c->error[k] = norm_of_estimate(s, c, H);
    c->h[k] = H * dae_control_factor(&dae_control_extrapolation, &c->control[k], H, c->error[k] / TARGET, k + 2, 1);
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

static double work_rate(const excros *c, int k) { return c->work[k] / c->h[k]; }

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
    const double wanted = best <= k ? c->h[best] : c->h[k] * c->work[best] / c->work[k];
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

/* Algebraic unknowns of first-order problems of index 1: all columns are blind to what F does in
 * time within the last step of each. It shows in what the algebraic equations leave at the end,
 * settled with the factors of the last column. Steps so short that they place a jump pass. */
static dae_status look_at_end(dae_solver *s, excros *c, int k, double H)
{
    const double h = H / (c->n0 + k), shortest = SHORT * fmax(fabs(s->t), s->t_end - s->t_begin);
    if (s->sys->nq || s->sys->index != 1 || dae_system_algebraic_equations(s->sys) == 0
        || H < shortest)
        return DAE_OK;
    dae_system_rhs(s->sys, s->t_new, s->u_new, c->F);
    s->count.rhs++;
    dae_status status = dae_solver_check_finite(s, c->F, "F", s->t_new);
    if (status)
        return status;
    s->end_checked = 1;
    memcpy(c->re, c->F, (size_t)s->n * sizeof *c->re);
    dae_system_remove_algebraic(s->sys, c->re);
    for (int i = 0; i < s->n; i++) {
        c->re[i] = h * (c->F[i] - c->re[i]);
        c->im[i] = 0;
    }
    status = dae_implicit_solve(s, c->stage.pencil, h, c->re, c->im);
    if (status)
        return status;
    const double error = dae_error_norm(s, c->re, H);
    if (error > 1) {
        c->rejected = 1;
        remember(c, 0, H);
        s->h_next = H / dae_control_extrapolation.most;
        c->error[k] = error;
    }
    return DAE_OK;
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
    dae_status status = column(s, c, 0, H);
    for (int k = 1; !status; k++) {
        status = column(s, c, k, H);
        if (status)
            break;
        test_column(s, c, k, H);
        *last = k;
        if (k >= c->lowest && (k >= target - 1 || c->first) && c->error[k] <= 1) {
            choose_next(s, c, k, H);
            status = look_at_end(s, c, k, H);
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
    int last = FIXED_COLUMNS - 1;
    (void)t_stop;
    c->dense.columns = 0;
    evaluate_begin(s, c);
    if (s->adaptive)
        status = adaptive_step(s, c, h, &last);
    else
        for (int j = 0; !status && j <= last; j++)
            status = column(s, c, j, h);
    if (!status && !s->adaptive) {
        combine(s, c, last, c->weight, c->re);
        add(s->n, 1, c->re, s->u, s->u_new);
    }
    c->columns = last + 1;
    const int kept = !s->adaptive || s->error <= 1;
    return !status && kept && c->recovers ? dae_excros_project(s, s->t_new, s->u_new) : status;
}

static dae_status excros_accepted(dae_solver *s)
{
    excros *c = s->stepper;
    c->evaluated = c->dense.ready = 0;
    c->dense.columns = c->columns;
    dae_dense_radau_forget(c->rows);
    return DAE_OK;
}

/* Before the fit in index 2: the ends of all columns onto what was asked of the points before. */
static dae_status recover_ends(dae_solver *s, excros *c)
{
    dae_status status = DAE_OK;
    for (int j = 0; !status && j < c->dense.columns; j++) {
        add(s->n, 1, total(c, s->n, j), s->u_old, c->re);
        status = dae_excros_recover(s, s->t, c->re, total(c, s->n, j), c->im);
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
            status = column(s, c, j, x[i] * H);
        combine(s, c, k - 1, c->weight, c->dense.nodes + i * s->n);
    }
    if (!nodes && k < COLUMNS) {
        status = column(s, c, k, H);
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
    const int n = s->n, k = c->dense.columns - 1, steps = c->n0 + k;
    const int m = x < 1 ? (int)(x * steps) : steps - 1;
    const double part = x * steps - m, *after = total(c, n, k) - (steps - 1 - m) * n;
    for (int i = 0; i < n; i++)
        change[i] = part * after[i] + (m > 0 ? (1 - part) * after[i - n] : 0);
}

static dae_status excros_refine(dae_solver *s)
{
    excros *c = s->stepper;
    if (!c->dense.columns || c->dense.ready || !dae_dense_radau_is_due(s, c->rows))
        return DAE_OK;
    dae_jacobian_take_back(c->stage.jac);               /* J0 */
    return dae_dense_radau_find(s, &c->rows, c->stage.jac, STAGES, along_last_column);
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
    if (dae_dense_radau_at(s, c->rows, (t - s->t_old) / (s->t - s->t_old), u))
        return DAE_OK;
    if (!c->dense.ready) {
        status = step_again(s, c);
        if (!status && c->recovers && s->sys->index == 2)
            status = recover_ends(s, c);
        if (!status)
            dae_excros_dense_fit(s, &c->dense, c->changes);
    }
    if (!status)
        dae_excros_dense_at(s, &c->dense, t, u);
    if (!status && !c->recovers)
        dae_output_finish(s, t, u);
    return !status && c->recovers ? dae_excros_project(s, t, u) : status;
}

/* The orders of a fixed step, four columns: those of ODEs, 5, in index 1 and 2 of mechanical systems,
 * with recovered multipliers; in ggl one less. In Baumgarte's form and first-order problems the
 * expansion begins away from 0 at the start of each basic step, which costs one order, in algebraic
 * unknowns of index 2 two. In index 3 v keeps the O(h) error of CROS along M^-1 G^T. */
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
    .destroy = excros_destroy,
};
