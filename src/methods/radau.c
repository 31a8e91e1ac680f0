/* radau.c - Radau IIA with 3, 5 or 7 stages (order 5, 9, 13), or with a variable number of them
 *
 * The local error is estimated by
 *
 *     err = (M - g J)^-1 g (F(t, u) - M p'(0)/h),     g = h/mu
 *
 * with p the collocation polynomial; in the first step and after a rejection once more with
 * F(t, u + err). Dense output is p; its continuation predicts the stages of the next step.
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8; Hairer, Wanner (1999),
 * J. Comput. Appl. Math. 111, 93-111.
 */
#include "radau.h"

#include "stepper/output.h"
#include "system/system.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHORT = 0.25;       /* part of a step that a cut one is, to be left out */
static const double TINY = 0.01;        /* a part of a step over which p has no error */
enum { HOPELESS = 20,                   /* attempts at a step, after which slow is no word */
       BLOCKS = 8 };                    /* arrays [n x s] of the stepper */
static const double LONGEST_WAY = 16;   /* lengths of a step that its polynomial serves */

static void radau_destroy(dae_solver *s)
{
    radau *r = s->stepper;
    if (!r)
        return;
    for (int k = 0; k < RADAU_PAIRS; k++)
        dae_pencil_free(r->pair[k]);
    dae_dense_radau_free(r->dense);
    dae_radau_full_free(r->full);
    dae_radau_jacobians_free(r->stages);
    dae_linearised_free(&r->real);
    free(r);
    s->stepper = NULL;
}

static dae_status create_linear(dae_solver *s, radau *r)
{
    dae_status status = dae_linearised_create(s, &r->real);
    for (int k = 0; !status && k < r->most / 2; k++)
        status = dae_pencil_create(&r->pair[k], &r->real.jac->pair, s->options.linear, &s->report);
    return status;
}

/* The record's tableau: fewest and most stages. */
static dae_status radau_create(dae_solver *s)
{
    const int *stages = s->method->tableau;
    const size_t n = (size_t)s->n, rows = (size_t)stages[1] * n;
    /* Of what Newton's iteration leaves in q, dq, the multiplier of index 3 shows dq/h^2: no more may be
     * asked of it than of the iteration; in index 2 what is shown are others than the method's own. */
    s->index_scale_by_interval = s->sys->index > 2 || s->sys->nq;
    radau *r = s->stepper = DAE_RECORD(radau,
        DAE_PART(radau, z, rows), DAE_PART(radau, z_kept, rows), DAE_PART(radau, z_far, rows),
        DAE_PART(radau, w, rows), DAE_PART(radau, F, rows), DAE_PART(radau, dw, rows), DAE_PART(radau, at, rows),
        DAE_PART(radau, Mw, s->sys->nondiagonal_mass ? rows : 0), DAE_PART(radau, F0, n), DAE_PART(radau, x, n),
        DAE_PART(radau, Mx, n), DAE_PART(radau, weight, n), DAE_PART(radau, mass, n), DAE_PART(radau, moved, n),
        DAE_PART(radau, level, n), DAE_PART(radau, noise, n), DAE_PART(radau, left, n), DAE_PART(radau, left_rate, n));
    if (!r)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s with %d unknowns",
                        s->method->info.name, s->n);
    if (!s->sys->nondiagonal_mass)
        r->Mw = r->w;
    for (size_t i = 0; i < n; i++)
        r->mass[i] = s->sys->nondiagonal_mass ? 1 : s->sys->diagonal[i];
    r->fewest = stages[0];
    r->most = stages[1];
    return create_linear(s, r);
}

static dae_status radau_start(dae_solver *s)
{
    radau *r = s->stepper;
    r->kept_h = r->far_h = r->factored_h = r->level_h = 0;
    r->jacobian_at_t = r->F0_at_t = r->jacobian_useful = 0;
    dae_radau_full_start(r);
    if (r->stages)
        r->stages->end_t = NAN;
    r->real.jac->pair.transposes = 0;
    r->met_rounding = r->steps = r->rejected = r->failures = r->undone = r->kinks = r->noisy = r->noise_known = 0;
    r->progress = 1;
    r->progress_h = INFINITY;
    r->contraction_kept = 0;
    r->usual_ratio = 1;
    r->left_in_stages = 0;
    r->z_given = 0;
    dae_radau_first_order(s);
    return DAE_OK;
}

/* F and, where the old one will not do, J at (t, u). */
static dae_status linearise(dae_solver *s)
{
    radau *r = s->stepper;
    if (!r->jacobian_at_t && !r->jacobian_useful) {
        if (!dae_radau_take_jacobian(s))
            dae_linearise(r->real.jac, s->t, s->u, r->F0, NULL);
        r->jacobian_at_t = 1;
        r->factored_h = 0;
    } else if (!r->F0_at_t && s->F_in_work) {
        memcpy(r->F0, s->work, (size_t)s->n * sizeof *r->F0);
    } else if (!r->F0_at_t) {
        dae_system_rhs(s->sys, s->t, s->u, r->F0);
        s->count.rhs++;
    } else {
        return DAE_OK;
    }
    r->F0_at_t = 1;
    return dae_solver_check_finite(s, r->F0, "F", s->t);
}

dae_status dae_radau_factor(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const radau_tableau *tab = r->tab;
    if (r->factored_h == h && r->factored == tab)
        return DAE_OK;
    r->factored_h = 0;
    dae_status status = dae_implicit_factor_real(s, r->real.pencil, h, h / tab->mu);
    for (int k = 0; !status && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], d = h / (a * a + b * b);
        status = dae_implicit_factor(s, r->pair[k], h, d * a, -d * b);
    }
    if (status)
        return status;
    r->factored_h = h;
    r->factored = tab;
    return DAE_OK;
}

/* sum_j (l_j(x + c h/h_old) - l_j(x)) z_j, where x is the place of t in the old step, 1 behind the last
 * one, 0 where that is made longer; zero in the first step, and where the way is so long that the
 * polynomial tells nothing. */
void dae_radau_predict(const dae_solver *s, double h, double *z)
{
    const radau *r = s->stepper;
    const int n = s->n, stages = r->tab->s, far = r->far_h > 0;
    const radau_tableau *tab = far ? r->far : r->kept;
    const double h_old = far ? r->far_h : r->kept_h;
    const double x = far ? (s->t - r->far_t) / h_old : s->t != r->kept_t;
    if (!(h <= LONGEST_WAY * h_old)) {
        memset(z, 0, (size_t)(n * stages) * sizeof *z);
        return;
    }
    double l[RADAU_STAGES], l_0[RADAU_STAGES] = {0}, a[RADAU_STAGES * RADAU_STAGES];
    l_0[tab->s - 1] = x;
    if (far)
        dae_radau_basis(tab, x, l_0);
    for (int k = 0; k < stages; k++) {
        dae_radau_basis(tab, x + r->tab->c[k] * h / h_old, l);
        for (int j = 0; j < tab->s; j++)
            a[j * stages + k] = l[j] - l_0[j];
    }
    dae_radau_combine(stages, tab->s, n, a, far ? r->z_far : r->z_kept, z);
}

/* What Newton's iteration left in the stages of the last step has grown in those predicted for the end of this one, to
 * more than they change by? */
static int prediction_is_noise(const dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const int n = s->n, last = r->kept ? r->kept->s - 1 : 0;
    const double ratio = h / r->kept_h;
    double l[RADAU_STAGES], growth = 0, sum = 0;
    if (r->kept_h == 0 || r->far_h > 0 || s->t == r->kept_t || ratio > LONGEST_WAY)
        return 0;
    dae_radau_basis(r->kept, 1 + ratio, l);
    l[last] -= 1;
    for (int j = 0; j <= last; j++)
        growth += fabs(l[j]);
    for (int i = 0; i < n; i++) {
        const double x = r->weight[i] * r->z_kept[last * n + i];
        sum += x * x;
    }
    return growth * r->kept_left > ratio * sqrt(sum / n);
}

/* z[n x s] := by the mean slope of the last step */
static void predict_by_slope(const dae_solver *s, double h, double *z)
{
    const radau *r = s->stepper;
    const int n = s->n;
    const double *end = r->z_kept + (r->kept->s - 1) * n, ratio = h / r->kept_h;
    for (int k = 0; k < r->tab->s; k++)
        for (int i = 0; i < n; i++)
            z[k * n + i] = r->tab->c[k] * ratio * end[i];
}

void dae_radau_slope_at_begin(const radau *r, int n, double h, const double *restrict z, double *restrict x)
{
    const radau_tableau *tab = r->tab;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < tab->s; j++)
            sum += tab->slope[j] * z[j * n + i];
        x[i] = sum / h;
    }
}

/* x := (M - g J)^-1 g (x - M p'(0)), Mx = M p'(0); without the multipliers that vanish, whose
 * estimate is rounding divided by h */
static dae_status filter(dae_solver *s, double g, double *x)
{
    const radau *r = s->stepper;
    for (int i = 0; i < s->n; i++)
        x[i] = g * (x[i] - r->Mx[i]);
    s->count.solves++;
    const dae_status status = dae_pencil_solve_real(r->real.pencil, x);
    for (int i = s->sys->acceleration_at; i > 2 * s->sys->nq + s->sys->nl; i--)
        x[i - 1] = 0;
    return status;
}

static dae_status estimate(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const int n = s->n;
    const double g = h / r->tab->mu, unit = r->with_all ? 1 : s->options.rtol / r->tolerance;
    double *p = r->w, *err = r->dw;                     /* w has done its work */
    dae_radau_slope_at_begin(r, n, h, r->z, p);
    dae_system_mass(s->sys, p, r->Mx);
    memcpy(err, r->F0, (size_t)n * sizeof *err);
    dae_status status = filter(s, g, err);
    double size = dae_error_norm(s, err, h);
    s->error = unit * size;
    double stiff = status ? 0 : dae_radau_stiff_error(s, h, err);
    if (!status && s->error > 1 && (r->steps == 0 || r->rejected)) {
        for (int i = 0; i < n; i++)
            r->x[i] = s->u[i] + err[i];
        dae_system_rhs(s->sys, s->t, r->x, err);
        s->count.rhs++;
        status = filter(s, g, err);
        size = dae_error_norm(s, err, h);
        s->error = unit * size;
    }
    if (status || !isfinite(s->error))
        return dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: the error estimate is not finite, "
                        "h = %g", s->t, h);
    dae_radau_notice_kink(s, h, size);
    stiff = dae_radau_above_rounding(s, h, stiff);
    r->stiff = stiff > s->error;
    s->error = fmax(s->error, stiff);
    return DAE_OK;
}

/* Predict and iterate; with a new Jacobian where an old one failed, and with another prediction where that may be
 * noise. solved = 0: too slowly. */
static dae_status solve_stages(dae_solver *s, double h, int *solved)
{
    radau *r = s->stepper;
    r->with_all = r->all_left > 0 && dae_radau_full_room(s);
    for (int by_slope = 0;;) {
        dae_status status = linearise(s);
        if (!status)
            status = dae_radau_factor(s, h);
        if (status)
            return status;
        if (by_slope)
            predict_by_slope(s, h, r->z);
        else
            dae_radau_predict(s, h, r->z);
        dae_radau_begin_stages(s, h);
        if (r->full_h > h)
            dae_radau_note_residual(s);
        const radau_outcome outcome = dae_radau_newton(s, h);
        *solved = outcome == RADAU_CONVERGED;
        if (*solved && r->full_h > h)
            dae_radau_restore(s, h);
        if (*solved)
            return DAE_OK;
        if (r->jacobian_at_t && !by_slope && s->adaptive && prediction_is_noise(s, h)) {
            by_slope = 1;
            continue;
        }
        if (r->jacobian_at_t && dae_radau_full_wanted(s, h)) {
            r->with_all = 1;
            continue;
        }
        if (r->jacobian_at_t) {
            const int slow = outcome == RADAU_SLOW && r->undone < HOPELESS;
            dae_radau_newton_failed(s, h, slow);
            if (slow)
                return DAE_OK;
            if (outcome == RADAU_BELOW_ROUNDING)
                return dae_radau_below_rounding(s, h);
            return dae_fail(&s->report, DAE_NO_CONVERGENCE, "t = %.9g: Newton's iteration for the "
                            "stages does not converge, h = %g", s->t, h);
        }
        r->jacobian_useful = 0;
    }
}

static dae_status radau_step(dae_solver *s, double h, double t_stop)
{
    radau *r = s->stepper;
    const radau_tableau *tab = r->tab;
    int solved = 0;
    (void)t_stop;
    dae_dense_radau_forget(r->dense);
    dae_radau_begin_cut(s, h);
    dae_status status = r->z_given ? DAE_OK : solve_stages(s, h, &solved);
    solved |= r->z_given;
    r->z_given = 0;
    for (int i = 0; i < s->n; i++)
        s->u_new[i] = s->u[i] + (solved ? r->z[(tab->s - 1) * s->n + i] : 0);
    if (!s->adaptive)
        return status;
    if (solved)
        status = estimate(s, h);
    if (solved && !status)
        dae_radau_next_step(s, h);
    if (status || !dae_step_passes(s)) {
        r->rejected = 1;
        r->jacobian_useful = 0;
        r->undone++;
    }
    if (!status && solved && s->error > 1 && r->undone > HOPELESS
        && dae_radau_is_rounding(s, h, s->error * r->tolerance / s->options.rtol))
        return dae_radau_below_rounding(s, h);
    return status;
}

static void exchange(double **x, double **y)
{
    double *z = *x;
    *x = *y;
    *y = z;
}

/* A step that was cut far shorter than it could be leaves the prediction to the one before. */
static void keep_polynomial(const dae_solver *s, radau *r)
{
    const double h = s->t - s->t_old, h_old = r->far_h > 0 ? r->far_h : r->kept_h;
    const double t_old = r->far_h > 0 ? r->far_t : s->t_old - h_old;
    if (!(r->cut && h < SHORT * h_old && s->t - t_old < (1 + SHORT) * h_old)) {
        r->far_h = 0;
    } else if (r->far_h == 0) {
        exchange(&r->z_kept, &r->z_far);
        r->far = r->kept;
        r->far_h = h_old;
        r->far_t = t_old;
    }
    exchange(&r->z, &r->z_kept);
    r->kept = r->tab;
    r->kept_left = r->left_in_stages;
    r->kept_h = h;
    r->kept_t = s->t_old;
}

/* w = P u' of the end is that of M(t, u) w = F. Newton's iteration tests what it does to u in this step, and in
 * a next one that is far longer what it left of that would be taken for an error. */
static void settle_slopes(dae_solver *s)
{
    if (!s->sys->carried || !s->adaptive)
        return;
    (void)dae_system_set_slopes(s->sys, s->t, s->u);
    s->count.rhs++;
}

static dae_status radau_accepted(dae_solver *s)
{
    radau *r = s->stepper;
    settle_slopes(s);
    keep_polynomial(s, r);
    dae_dense_radau_forget(r->dense);
    r->F0_at_t = r->jacobian_at_t = 0;
    r->rejected = r->failures = r->undone = r->kinks = r->noisy = r->noise_known = 0;
    dae_radau_full_count(s);
    r->steps++;
    if (s->adaptive)
        dae_radau_next_order(s, r->kept_h);
    return DAE_OK;
}

/* Collocation with 2 s - 1 stages, beginning at p; to find events on, p is looked at first. */
static dae_status radau_refine(dae_solver *s)
{
    radau *r = s->stepper;
    double l[RADAU_STAGES];
    const double *nodes;
    if (r->kept_h == 0 || !dae_dense_radau_is_due(s, r->dense))
        return DAE_OK;
    if (r->with_all && dae_radau_full_holds(s))
        return DAE_OK;
    if (r->cut && r->kept_h < TINY * r->full_h)         /* a step with equations of its own */
        return DAE_OK;
    if (s->searching && (!dae_dense_radau_may_search(s) || r->factored_h != r->kept_h))
        return DAE_OK;
    const int stages = s->searching ? r->kept->s : 2 * r->kept->s - 1;
    const dae_status status =
        dae_dense_radau_choose(s, &r->dense, r->real.jac, stages);
    if (status)
        return status;
    double *z = dae_dense_radau_stages(r->dense, &nodes);
    for (int k = 0; k < stages; k++) {
        dae_radau_basis(r->kept, nodes[k], l);
        dae_radau_combine(1, r->kept->s, s->n, l, r->z_kept, z + k * s->n);
    }
    return s->searching ? dae_dense_radau_look(s, r->dense, r->real.pencil, r->kept_h / r->factored->mu)
                        : dae_dense_radau_solve(s, r->dense);
}

/* u + p(tau) - p(1), relative to the end, where u stands, and so that the begin comes back, too: the end
 * may have been moved. */
static dae_status radau_interpolate(dae_solver *s, double t, double *u)
{
    const radau *r = s->stepper;
    double l[RADAU_STAGES];
    if (r->kept_h == 0) {
        memcpy(u, s->u, (size_t)s->n * sizeof *u);
        return DAE_OK;
    }
    const double x = (t - s->t_old) / r->kept_h;
    if (dae_dense_radau_is_known(s, r->dense)) {
        const dae_status status = dae_dense_radau_at(s, r->dense, t, u);
        if (!status)
            dae_output_finish(s, t, u);
        return status;
    }
    const double *end = r->z_kept + (r->kept->s - 1) * s->n;
    dae_radau_basis(r->kept, x, l);
    l[r->kept->s - 1] -= 1;
    dae_radau_combine(1, r->kept->s, s->n, l, r->z_kept, u);
    for (int i = 0; i < s->n; i++)
        u[i] += s->u[i];
    for (int i = 0; s->t_new == s->t && i < s->n; i++)
        u[i] -= (1 - x) * (s->u[i] - s->u_old[i] - end[i]);
    dae_output_finish(s, t, u);
    return DAE_OK;
}

/* Global orders: 2s-1 in index 1; y: 2s-1, z: s in index 2; q: 2s-1, v: s, lambda: s-1 in index 3.
 * Hairer, Lubich, Roche (1989), Lecture Notes in Mathematics 1409; Jay (1993), BIT 33, 137-150. The
 * multiplier recovered has the order of the velocity. */
#define RADAU_METHOD(symbol, id, words, from, to, S, for_what)                                     \
    const dae_method symbol = {                                                                    \
        .info = {.name = id, .title = words,                                                       \
                 .citation = "Hairer, Wanner (1999), J. Comput. Appl. Math. 111, 93-111",          \
                 .stages = to, .fixed = 1, .adaptive = 1, .implicit = 1, .dense_order = S + 1,     \
                 .roles = for_what,                                                                \
                 .order = {[0] = ORDERS(2 * S - 1, 2 * S - 1, DAE_UNDECLARED, 2 * S - 1),          \
                           [1] = ORDERS(2 * S - 1, 2 * S - 1, 2 * S - 1, 2 * S - 1),               \
                           [2] = ORDERS(2 * S - 1, 2 * S - 1, S, 2 * S - 1),                       \
                           [3] = ORDERS(2 * S - 1, S, S - 1, S)}},                                 \
        .tableau = (const int[]){from, to}, .family = DAE_FAMILY_RADAU_IIA,                        \
        .create = radau_create, .start = radau_start, .follow = dae_radau_follow,                  \
        .step = radau_step, .accepted = radau_accepted, .refine = radau_refine,             \
        .interpolate = radau_interpolate, .destroy = radau_destroy, .vary = dae_radau_vary,       \
        .transpose = dae_radau_transpose, .shape = dae_radau_shape, .take_shape = dae_radau_take_shape}

#define ORDERS(q, v, z, again)                                                                     \
    {[DAE_POSITION] = q, [DAE_VELOCITY] = v, [DAE_MULTIPLIER] = z, [DAE_RECOVERED] = again,        \
     [DAE_DIFFERENTIAL] = v, [DAE_ALGEBRAIC] = z}

RADAU_METHOD(dae_radau5, "radau5", "Radau IIA, 3 stages, order 5", 3, 3, 3, DAE_FOR_TIME_SCALE);
RADAU_METHOD(dae_radau9, "radau9", "Radau IIA, 5 stages, order 9", 5, 5, 5, 0);
RADAU_METHOD(dae_radau13, "radau13", "Radau IIA, 7 stages, order 13", 7, 7, 7, 0);
RADAU_METHOD(dae_radau, "radau", "Radau IIA, order 5, 9 or 13; fixed steps: 13", 3, 7, 7,
             DAE_FOR_ONE_RUN | DAE_FOR_SCALING);
