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
 * of order k. Order and step are chosen for the least number of CROS steps per unit time, as by
 * Deuflhard (1983), Numer. Math. 41, 399-422; Hairer, Wanner (1996), Solving ODEs II, IV.9.
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
 * their own that eliminate h, h^2, ... h^(k-1).
 */
#include "excros.h"
#include "complex_stage.h"
#include "methods.h"

#include "control/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_COLUMNS, FIXED_COLUMNS = 4 };
static const double GROWTH = 4, FIRST_GROWTH = 20;     /* largest quotient of basic steps */

typedef struct {
    dae_stage stage;
    double *F0, *F0_t, *J0;     /* [n], [n], [nnz] at (t, u) of the basic step */
    double *F, *F_t, *re, *im;  /* [n] each */
    double *T;                  /* [COLUMNS x n] changes of u */
    double weight[2][COLUMNS][COLUMNS], difference[2][COLUMNS][COLUMNS];    /* for p = 1, 2 */
    double work[COLUMNS];       /* CROS steps of columns 0 .. k */
    double error[COLUMNS], h[COLUMNS];  /* estimate with columns 0 .. k, and the step it allows */
    int target, lowest;         /* column where convergence is expected; never below lowest */
    int evaluated;              /* F0, F0_t, J0 belong to the solver's (t, u) */
    int rejected;               /* the last basic step was */
    int first;                  /* no basic step was kept yet: any column may converge */
    int n0;                     /* n_j = n0 + j, j = 0, 1, ... */
    int recovers;               /* lambda comes from the acceleration level */
    int raw;                    /* algebraic unknowns of index 2 expand from h on */
} excros;

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

/* Is lambda solved for from the acceleration level, and does the expansion begin at n = 1? Where it
 * is disturbed, the first columns do not show what the next ones would gain: four are the least. */
static void choose_sequence(const dae_system *sys, excros *c)
{
    const int mechanical = sys->compose->kind == DAE_FORM_MECHANICAL;
    c->recovers = mechanical && (sys->compose->eliminates || sys->index == 2);
    c->raw = !c->recovers && sys->index == 2;
    c->n0 = sys->index == 0 || c->recovers ? 1 : 2;
    c->lowest = c->n0 == 1 ? 1 : 3;
}

static void excros_destroy(dae_solver *s)
{
    excros *c = s->stepper;
    if (!c)
        return;
    dae_stage_free(&c->stage);
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
    const dae_status status = dae_stage_create(s, &c->stage);
    if (status)
        return status;
    c->F0 = calloc((6 + COLUMNS) * n + (size_t)c->stage.jac->pattern.nnz, sizeof *c->F0);
    if (!c->F0)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for excros with %d unknowns", s->n);
    c->F0_t = c->F0 + n;
    c->F = c->F0_t + n;
    c->F_t = c->F + n;
    c->re = c->F_t + n;
    c->im = c->re + n;
    c->T = c->im + n;
    c->J0 = c->T + COLUMNS * n;
    return DAE_OK;
}

/* The column where convergence is expected at first: some 0.6 digits a column. */
static dae_status excros_start(dae_solver *s)
{
    excros *c = s->stepper;
    const int guess = (int)(-0.6 * log10(fmax(s->options.rtol, 1e-16)) + 0.5);
    c->target = guess < c->lowest ? c->lowest : guess > COLUMNS - 2 ? COLUMNS - 2 : guess;
    c->evaluated = c->rejected = 0;
    c->first = 1;
    return DAE_OK;
}

/* F0, F0_t, J0 at (t, u). */
static void evaluate_begin(dae_solver *s, excros *c)
{
    dae_jacobian *jac = c->stage.jac;
    if (c->evaluated)
        return;
    dae_linearise(jac, s->t, s->u, c->F0, c->F0_t);
    memcpy(c->J0, jac->J, (size_t)jac->pattern.nnz * sizeof *c->J0);
    c->evaluated = 1;
}

/* u_new := u + h k */
static void add(int n, double h, const double *restrict k, const double *u, double *u_new)
{
    for (int i = 0; i < n; i++)
        u_new[i] = u[i] + h * k[i];
}

static dae_status singular_schur(dae_solver *s, double t)
{
    return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular: a constraint is "
                    "redundant, or its gradient vanishes", t);
}

/* The multipliers of u at t, with S at its q: lambda from the acceleration level, mu = 0. */
static void set_multipliers(dae_solver *s, double t, double *u)
{
    const dae_system *sys = s->sys;
    for (int i = 2 * sys->nq + sys->nl; i < s->n; i++)
        u[i] = 0;
    dae_system_balance(s->sys, t, u, u + sys->nq, sys->state, u + 2 * sys->nq);
}

/* (q, v) onto g = 0, dg/dt = 0; then the multipliers. */
static dae_status project(dae_solver *s, double t, double *u)
{
    const dae_status status = dae_project(s->sys, t, u, u + s->sys->nq);
    if (status == DAE_SINGULAR)
        return singular_schur(s, t);
    if (status)
        return dae_fail(&s->report, status, "t = %.9g: the projection on g = 0 does not converge",
                        t);
    set_multipliers(s, t, u);
    return DAE_OK;
}

/* After a CROS step: what its form asks of (q, v), g = 0 in ggl and dg/dt = 0 in all of index 2;
 * then the multipliers. */
static dae_status recover(dae_solver *s, double t, double *u)
{
    dae_system *sys = s->sys;
    double *v = u + sys->nq, *kappa = sys->state;
    if (sys->compose->auxiliary)
        return project(s, t, u);
    if (sys->index < 2)
        return dae_system_accelerate(sys, t, u, v, sys->state, u + 2 * sys->nq)
                   ? singular_schur(s, t) : DAE_OK;
    if (!dae_system_factor_schur(sys, t, u))
        return singular_schur(s, t);
    sys->problem->mechanical.rate.f(sys->p, t, u, v, kappa);
    dae_system_solve_schur(sys, kappa);
    dae_system_add_reaction(sys, kappa, v);
    set_multipliers(s, t, u);
    return DAE_OK;
}

/* y := what the constraints ask of y, and d moved as much. */
static dae_status recover_both(dae_solver *s, excros *c, double t, double *y, double *d)
{
    memcpy(c->im, y, (size_t)s->n * sizeof *y);
    const dae_status status = recover(s, t, y);
    for (int i = 0; i < s->n; i++)
        d[i] += y[i] - c->im[i];
    return status;
}

/* T_j := the change of u by n_j steps of CROS from (t, u) over H. Changes, not states, are added
 * and combined: their rounding is smaller. */
static dae_status column(dae_solver *s, excros *c, int j, double H)
{
    dae_jacobian *jac = c->stage.jac;
    const int n = s->n, nj = c->n0 + j;
    const double h = H / nj;
    double *y = s->u_new, *d = c->T + j * n;
    memcpy(jac->J, c->J0, (size_t)jac->pattern.nnz * sizeof *c->J0);
    dae_status status =
        dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F0, c->F0_t, c->re, c->im);
    for (int i = 0; i < n; i++)
        d[i] = h * c->re[i];
    for (int m = 1; !status && m < nj; m++) {
        const double t = s->t + m * h;
        add(n, 1, d, s->u, y);
        if (c->recovers && (status = recover_both(s, c, t, y, d)) != DAE_OK)
            break;
        dae_linearise(jac, t, y, c->F, c->F_t);
        status = dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F, c->F_t, c->re, c->im);
        add(n, h, c->re, d, d);
    }
    return status;
}

/* x := sum_j w_j T_j over columns 0 .. k, with the weights that the expansion of each asks for */
static void combine(const dae_solver *s, const excros *c, int k, double w[2][COLUMNS][COLUMNS],
                    double *restrict x)
{
    const int n = s->n;
    for (int i = 0; i < n; i++)
        x[i] = w[1][k][0] * c->T[i];
    for (int j = 1; j <= k; j++)
        for (int i = 0; i < n; i++)
            x[i] += w[1][k][j] * c->T[j * n + i];
    for (int i = 0; c->raw && i < n; i++)
        if (dae_system_is_algebraic(s->sys, i)) {
            x[i] = 0;
            for (int j = 0; j <= k; j++)
                x[i] += w[0][k][j] * c->T[j * n + i];
        }
}

/* u_new := U_k, its estimate, and the step that would bring the estimate to the tolerance. The
 * multipliers that are recovered follow (q, v): they take no part. */
static void test_column(dae_solver *s, excros *c, int k, double H)
{
    combine(s, c, k, c->weight, c->re);
    add(s->n, 1, c->re, s->u, s->u_new);
    combine(s, c, k, c->difference, c->re);
    if (c->recovers)
        memset(c->re + 2 * s->sys->nq, 0, (size_t)(s->n - 2 * s->sys->nq) * sizeof *c->re);
    c->error[k] = dae_error_norm(s, c->re, H);
    const double factor = 0.93 * pow(0.7 / fmax(c->error[k], 1e-14), 1.0 / (k + 2));
    c->h[k] = H * fmax(0.1, factor);
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
    s->h_next = fmin(wanted, (c->first ? FIRST_GROWTH : GROWTH) * H);
    c->target = best;
    c->rejected = c->first = 0;
}

/* No convergence up to column k: less order where that is cheaper. */
static void choose_again(dae_solver *s, excros *c, int k)
{
    int best = k < c->target ? k : c->target;
    if (best > c->lowest && work_rate(c, best - 1) < 0.8 * work_rate(c, best))
        best--;
    c->target = best < c->lowest ? c->lowest : best;
    c->rejected = 1;
    s->h_next = c->h[best];
}

/* Columns until one converges: expected at the target, allowed one before and one after it. Given
 * up as soon as the columns left, each n_j better than the last, cannot reach the tolerance. */
static dae_status adaptive_step(dae_solver *s, excros *c, double H, int *last)
{
    const int target = c->target;
    dae_status status = column(s, c, 0, H);
    for (int k = 1; !status; k++) {
        status = column(s, c, k, H);
        if (status)
            break;
        test_column(s, c, k, H);
        *last = k;
        if (k >= c->lowest && (k >= target - 1 || c->first) && c->error[k] <= 1) {
            choose_next(s, c, k, H);
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
    const int kept = !s->adaptive || s->error <= 1;
    return !status && kept && c->recovers ? project(s, s->t_new, s->u_new) : status;
}

static dae_status excros_accepted(dae_solver *s)
{
    excros *c = s->stepper;
    c->evaluated = 0;
    return DAE_OK;
}

/* The orders of the four columns of a fixed step: those of ODEs, 5, in index 1 and index 2 of
 * mechanical systems, with recovered multipliers; in ggl one less, but on a circle. Elsewhere in
 * index 1, in Baumgarte's form and in first-order problems, the expansion begins away from 0 at the
 * start of each basic step, which costs one order, and in algebraic unknowns of index 2 two. In
 * index 3 the velocities keep the O(h) error of CROS along M^-1 G^T: nothing is gained, but one
 * order in the positions on a circle. */
#define ALL_FOUR                                                                                  \
    {[DAE_POSITION] = 4, [DAE_VELOCITY] = 4, [DAE_MULTIPLIER] = 4, [DAE_RECOVERED] = 4,           \
     [DAE_DIFFERENTIAL] = DAE_UNDECLARED, [DAE_ALGEBRAIC] = DAE_UNDECLARED}

const dae_method dae_excros = {
    .info = {
        .name = "excros",
        .title = "extrapolated complex Rosenbrock, variable order (fixed steps: 4 columns), "
                 "recovered multipliers",
        .citation = "Deuflhard (1983), Numer. Math. 41, 399-422; Al'shin, Al'shina, Kalitkin, "
                    "Koryagina (2006), Comput. Math. Math. Phys. 46(8), 1320-1340",
        .stages = 1,
        .fixed = 1,
        .adaptive = 1,
        .implicit = 1,
        .order = {
            [0] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5, [DAE_MULTIPLIER] = DAE_UNDECLARED,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 5, [DAE_ALGEBRAIC] = DAE_UNDECLARED},
            [1] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5, [DAE_MULTIPLIER] = 5,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 4, [DAE_ALGEBRAIC] = 4},
            [2] = {[DAE_POSITION] = 5, [DAE_VELOCITY] = 5, [DAE_MULTIPLIER] = 5,
                   [DAE_RECOVERED] = 5, [DAE_DIFFERENTIAL] = 4, [DAE_ALGEBRAIC] = 3},
            [3] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 1, [DAE_MULTIPLIER] = 0,
                   [DAE_RECOVERED] = 1, [DAE_DIFFERENTIAL] = DAE_UNDECLARED,
                   [DAE_ALGEBRAIC] = DAE_UNDECLARED},
        },
        .exceptions = {{"baumgarte", ALL_FOUR}, {"ggl", ALL_FOUR}},
    },
    .error_order = COLUMNS - 2,         /* for the first step; each step sets its own */
    .create = excros_create,
    .start = excros_start,
    .step = excros_step,
    .accepted = excros_accepted,
    .destroy = excros_destroy,
};
