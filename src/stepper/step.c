/* step.c - error norm, first step and the next one
 *
 * Norm: the root mean square of e_i/(rtol |u_i| + atol_i), as in IDA, so that tolerances mean the same
 * everywhere. The local error of a variable of index k is larger by 1/h^(k-1) than its part in the
 * global error (Hairer, Wanner (1996), VII.4): it enters multiplied by dae_index_scale^(k-1) (rate.c).
 *
 * The first step size is a guess from derivatives, in stiff problems of transients that decay within it.
 */
#include "solver.h"

#include "derivative.h"

#include <math.h>

static const double LEAP = 5;           /* a factor to h from which what lies ahead is looked at */

double dae_error_norm(const dae_solver *s, const double *e, double h)
{
    const dae_options *o = &s->options;
    const double scale = dae_index_scale(s, h);
    const int *index = dae_indices(s);
    const int some = o->error_test == DAE_TEST_DIFFERENTIAL || s->sys->nq || s->sys->carried;
    double sum = 0;
    int count = 0;
    e = dae_by_index(s, e);
    for (int i = 0; i < s->n; i++) {
        if (some && ((o->error_test == DAE_TEST_DIFFERENTIAL && !dae_has_derivative(s, i))
                     || dae_system_follows(s->sys, i)))
            continue;
        const double before = fabs(s->u[i]), after = fabs(s->u_new[i]);
        const double size = dae_usual_size(s, i, after > before ? after : before);
        double x = e[i] / (o->rtol * size + s->atol[i]);
        for (int k = index[i]; k > 1; k--)
            x *= scale;
        sum += x * x;
        count++;
    }
    return count ? sqrt(sum / count) : 0;
}

static double norm(const dae_solver *s, const double *x)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->n; i++)
        if (!dae_system_is_algebraic(s->sys, i)) {
            const double y = x[i] / (s->options.rtol * fabs(s->u[i]) + s->atol[i]);
            sum += y * y;
            count++;
        }
    return count ? sqrt(sum / count) : 0;
}

/* With the rate r = max(|y''|/|y'|, |y'|/|y|), |y^(k)| is about |y'| r^(k-1). All norms are in units of the
 * tolerance. Where |y| < 1, |y'|/|y| is not used, as y is below its tolerance. */
double dae_step_of_rates(double d0, double d1, double d2, double span, double error, int k)
{
    const double rate = fmax(d2 / d1, d0 > 1 ? d1 / d0 : 1 / span);
    return pow(error / (d1 / rate), 1.0 / k) / rate;
}

/* h0 = 0.01 |y|/|y'|; one Euler step gives |y''|, and h1^(p+1) |y^(p+1)| = first_error. */
double dae_initial_step(dae_solver *s, int p, double t_end)
{
    const double span = t_end - s->t;
    double *du = s->u_new, *y = s->work, *dy = y + s->n, h = 1e-3 * span;
    dae_derivative_at(s, s->t, s->u, du);
    const double d0 = norm(s, s->u), d1 = norm(s, du);
    const double h0 = d0 < 1e-5 || d1 * span < 1e-5 ? 1e-6 * span : fmin(0.01 * d0 / d1, span);
    for (int i = 0; i < s->n; i++)
        y[i] = s->u[i] + h0 * du[i];
    dae_derivative_at(s, s->t + h0, y, dy);
    for (int i = 0; i < s->n; i++)
        dy[i] = (dy[i] - du[i]) / h0;
    const double d2 = norm(s, dy);
    const double h1 = d1 > 0 ? dae_step_of_rates(d0, d1, d2, span, s->first_error, p + 1)
                             : fmax(1e-6 * span, 1e-3 * h0);
    if (isfinite(d1) && isfinite(d2) && h1 > 0)
        h = fmin(fmin(100 * h0, h1), span);
    else if (d1 > 0 && isfinite(d1))                    /* the Euler step left the domain */
        h = fmin(1e-2 * h0, 0.01 / d1);
    return h;
}

/* The controller of this solver: the usual one of its method, unless another has been set. */
static const dae_controller *controller_of(const dae_solver *s, const dae_controller *usual)
{
    return driver(s)->controller ? driver(s)->controller : usual;
}

double dae_step_factor_by(const dae_solver *s, const dae_controller *usual, double h, double caution)
{
    return dae_control_factor(controller_of(s, usual), &driver(s)->control, h, s->error, s->error_order + 1, caution);
}

double dae_step_factor(const dae_solver *s, double h)
{
    return dae_step_factor_by(s, &dae_control_pi, h, 1);
}

int dae_step_leaps(const dae_solver *s, double h) { return dae_step_factor(s, h) >= LEAP; }

void dae_step_kept(dae_solver *s, double h)
{
    dae_control_keep(&driver(s)->control, h, s->error, s->error_order + 1);
}

void dae_step_rejected(dae_solver *s) { dae_control_reject(&driver(s)->control); }
