/* radau_newton.c - simplified Newton iteration in transformed stages
 *
 * It ends when eta |dw| <= kappa with eta = theta/(1 - theta), theta the observed contraction, and
 * is given up when theta >= 1 or when the iterations left will not do: Hairer, Wanner (1996), IV.8
 * (8.10), (8.11); of bodies under constraints not before the third correction, as the first ratio
 * tells little there: what the first correction changes in velocities the second one does to
 * multipliers, and then that is done. The norm is that of the error test, with its tolerance tol = 0.05
 * rtol^((s+1)/(2s)), and kappa = min(0.03, 0.3 tol^((s-1)/(s+1))), so that kappa tol is below rtol
 * by a factor of a hundred and more. With fixed steps the iteration goes on to rounding, of each
 * unknown for itself (radau_rounding.c).
 */
#include "radau.h"

#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_TO_ROUNDING = 60,           /* corrections with fixed steps */
       STUBBORN = 4 };                  /* attempts at a step, before noise in F is looked for */

static const double LEAST_PROGRESS = 0.01;      /* that is believed without a second correction */

static void evaluate_stages(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const int n = s->n;
    for (int k = 0; k < r->tab->s; k++) {
        dae_system_rhs(s->sys, s->t + r->tab->c[k] * h, r->at + k * n, r->F + k * n);
        if (r->full_h > h)
            dae_radau_keep_residual(s, r->tab->c[k] * h / r->full_h, r->F + k * n);
    }
    s->count.rhs += r->tab->s;
}

static int solve(dae_solver *s)
{
    const radau *r = s->stepper;
    const int n = s->n, pairs = r->tab->s / 2;
    dae_status status = dae_pencil_solve_real(r->real.pencil, r->dw);
    for (int k = 0; !status && k < pairs; k++) {
        double *re = r->dw + (2 * k + 1) * n;
        status = dae_pencil_solve(r->pair[k], re, re + n);
    }
    s->count.solves += 1 + pairs;
    return status == DAE_OK;
}

void dae_radau_stage(const dae_solver *s, int k, double *x)
{
    const radau *r = s->stepper;
    for (int i = 0; i < s->n; i++)
        x[i] = s->u[i] + r->z[k * s->n + i];
}

int dae_radau_correction(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    if (r->with_all)
        return dae_radau_full_correction(s, h);
    dae_radau_right_sides(s, h);
    return solve(s);
}

/* Of sum_i (w_i x_i)^2 for x[n] in its components, w_i = (h/T)^(k-1)/(tolerance_i) */
double dae_radau_square_by_index(const dae_solver *s, double scale, const double *x)
{
    const radau *r = s->stepper;
    const int *index = dae_indices(s);
    double sum = 0;
    x = dae_by_index(s, x);
    for (int i = 0; i < s->n; i++) {
        double y = x[i] / (r->tolerance * (fabs(s->u[i]) + s->atol[i] / s->options.rtol));
        for (int k = index[i]; k > 1; k--)
            y *= scale;
        sum += dae_system_follows(s->sys, i) ? 0 : y * y;
    }
    return sum;
}

/* (h/T)^(k-1)/(rtol |u_i| + atol_i) for an unknown of index k in an interval T */
static void set_weights(dae_solver *s)
{
    const radau *r = s->stepper;
    const double scale = dae_part_of_time(s, r->full_h), rtol = r->tolerance;
    for (int i = 0; i < s->n; i++) {
        double x = 1 / (rtol * (fabs(s->u[i]) + s->atol[i] / s->options.rtol));
        for (int k = s->variable_index[i]; k > 1; k--)
            x *= scale;
        r->weight[i] = x;
    }
    for (int i = 0; i < s->n; i++)
        if (dae_system_follows(s->sys, i))
            r->weight[i] = 0;                           /* what it does is seen in q, or u */
}

/* x^k, k >= 0 */
static inline double power(double x, int k)
{
    double y = 1;
    for (; k > 0; k /= 2, x *= x)
        y = k % 2 ? y * x : y;
    return y;
}

/* After a correction that was not small enough, with so many iterations left: go on? theta tells that
 * from a number of corrections on. A step that would miss kappa is tried again smaller, by (8.12) of the
 * book. */
static radau_outcome judge(radau *r, int telling, double size, double kappa, int left)
{
    const double theta = r->contraction;
    if (!isfinite(size) || (r->iterations >= telling && theta >= 0.99) || left < 0)
        return RADAU_DIVERGED;
    if (r->iterations < telling)
        return RADAU_GOING_ON;
    const double missed = r->progress * size * power(theta, left) / kappa;
    if (missed < 1)
        return RADAU_GOING_ON;
    r->slow_factor = 0.8 * pow(fmin(20, missed), -1.0 / (4 + left));
    return RADAU_SLOW;
}

/* The norm of a correction where what has an index is not an unknown: the root mean square over stages and
 * components. */
static double size_by_index(const dae_solver *s)
{
    const radau *r = s->stepper;
    const double scale = dae_part_of_time(s, r->full_h);
    double sum = 0;
    for (int k = 0; k < r->tab->s; k++)
        sum += dae_radau_square_by_index(s, scale, r->dw + k * s->n);
    return sqrt(sum / (r->tab->s * s->n));
}

/* theta from two corrections, from three on as a geometric mean. A correction that is not finite
 * tells nothing of it. */
static void observe_contraction(radau *r, double size, double *size_old, double *ratio_old)
{
    const double ratio = size / *size_old;
    if (r->iterations > 1 && isfinite(ratio)) {
        const double mean = sqrt(ratio * (r->iterations == 2 ? r->usual_ratio : *ratio_old));
        const double theta = r->iterations == 2 ? fmax(ratio, mean) : mean;
        r->contraction = r->iterations == 2 ? ratio : mean;
        r->progress = theta / fmax(1 - theta, 1e-2);
        dae_radau_keep_ratio(r, ratio);
    }
    *ratio_old = ratio;
    *size_old = fmax(size, DBL_MIN);
}

/* What is known of theta/(1 - theta) before the first correction: the value of the step before, of
 * which less remains with every step, and none in a longer one, as theta grows with h. Of a problem that is
 * linear but for a kink it would be 0, and one correction with the J of the wrong side enough. */
static double expected_progress(const radau *r, double h)
{
    const double before = pow(r->progress > LEAST_PROGRESS ? r->progress : LEAST_PROGRESS, 0.8);
    return h > r->progress_h ? fmax(before, fmin(1, before * h / r->progress_h)) : before;
}

/* The root mean square of weight level */
static double size_of_level(const dae_solver *s)
{
    const radau *r = s->stepper;
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        const double x = r->weight[i] * r->level[i];
        sum += x * x;
    }
    return sqrt(sum / s->n);
}

/* An iteration that will not reach its tolerance may be at rounding, of which theta tells nothing;
 * then it has converged, unless that moves the stages by more than the user's tolerance. Until a run has seen
 * that, the step is made smaller, as most want, and the iteration looked at where that does not help. */
static radau_outcome at_rounding(dae_solver *s, double h, double size, radau_outcome otherwise)
{
    radau *r = s->stepper;
    if (!r->met_rounding && r->undone == 0)
        return otherwise;
    const double near = r->undone < STUBBORN ? RADAU_NEAR : 10 * RADAU_NEAR;
    if (r->undone >= STUBBORN && !r->noise_known)
        dae_radau_measure_noise(s);
    dae_radau_measure_rounding(s, h);
    if (!(size <= near * size_of_level(s)))
        return otherwise;
    dae_radau_level_of_stages(s);
    if (r->full_h == h && size_of_level(s) * r->tolerance > s->options.rtol)
        return RADAU_BELOW_ROUNDING;
    r->met_rounding = 1;
    r->contraction = 0.5;
    r->progress = 1;
    return RADAU_CONVERGED;
}

/* With steps that the tolerance chooses. */
static radau_outcome to_tolerance(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const int most = radau_most_iterations(r->tab->s), telling = s->sys->nl > 0 ? 3 : 2;
    const double kappa = r->kappa;
    double size_old = 1, ratio_old = 1;
    radau_outcome outcome = RADAU_GOING_ON;
    set_weights(s);
    r->progress = expected_progress(r, h);
    r->progress_h = h;
    r->contraction = 1e-3;
    for (r->iterations = 1; outcome == RADAU_GOING_ON; r->iterations++) {
        evaluate_stages(s, h);
        if (!dae_radau_correction(s, h))
            return RADAU_DIVERGED;
        const double all = dae_radau_correct(s), size = driver(s)->components && isfinite(all) ? size_by_index(s) : all;
        observe_contraction(r, size, &size_old, &ratio_old);
        r->left_in_stages = r->progress * size;
        if (r->left_in_stages <= kappa)
            return RADAU_CONVERGED;
        outcome = judge(r, telling, size, kappa, most - 1 - r->iterations);
        if (outcome > RADAU_GOING_ON && isfinite(size) && !r->with_all)
            return at_rounding(s, h, size, outcome);
    }
    return outcome;
}

/* With fixed steps. */
static radau_outcome to_rounding(dae_solver *s, double h)
{
    radau *r = s->stepper;
    radau_outcome outcome = RADAU_GOING_ON;
    dae_radau_begin_rounding(s, h);
    for (r->iterations = 1; outcome == RADAU_GOING_ON; r->iterations++) {
        evaluate_stages(s, h);
        if (r->iterations > MOST_TO_ROUNDING || !dae_radau_correction(s, h))
            return RADAU_DIVERGED;
        dae_radau_note_correction(s);
        dae_radau_end_stages(s);
        outcome = dae_radau_judge_rounding(s, h);
    }
    return outcome;
}

radau_outcome dae_radau_newton(dae_solver *s, double h)
{
    return s->adaptive ? to_tolerance(s, h) : to_rounding(s, h);
}
