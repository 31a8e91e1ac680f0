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
 * tolerance. d0 = INFINITY: |y'|/|y| tells nothing. */
double dae_step_of_rates(double d0, double d1, double d2, double error, int k)
{
    const double rate = fmax(d2 / d1, d1 / d0);
    return rate > 0 ? pow(error / (d1 / rate), 1.0 / k) / rate : INFINITY;
}

/* |y|, |y'|, |y''| in units of the tolerance, and the short time after which the last are looked at */
typedef struct { double h, d0, d1, d2; } first_look;

/* h = 0.01 |y|/|y'|; one Euler step gives |y''|. Where y is below its tolerance, of the size from which this is
 * relative, and less. */
static first_look look(dae_solver *s, double span)
{
    double *du = s->u_new, *y = s->work, *dy = y + s->n;
    dae_derivative_at(s, s->t, s->u, du);
    first_look x = {.d0 = norm(s, s->u), .d1 = norm(s, du)};
    const double part = x.d0 > 1 ? 0.01 : 1e-4;
    if (!(x.d0 > 1))
        x.d0 = s->options.rtol > 0 ? 1 / s->options.rtol : 1;
    x.h = x.d1 * span < 1e-5 ? 1e-6 * span : fmin(part * x.d0 / x.d1, span);
    for (int i = 0; i < s->n; i++)
        y[i] = s->u[i] + x.h * du[i];
    dae_derivative_at(s, s->t + x.h, y, dy);
    for (int i = 0; i < s->n; i++)
        dy[i] = (dy[i] - du[i]) / x.h;
    x.d2 = norm(s, dy);
    if (driver(s)->scales_by_rate)
        dae_rate_begin(s, du, dy, 100 * x.h);
    return x;
}

void dae_look_at_start(dae_solver *s, double t_end) { (void)look(s, t_end - s->t); }

/* h^(p+1) |y^(p+1)| = first_error */
double dae_initial_step(dae_solver *s, int p, double t_end)
{
    const double span = t_end - s->t;
    const first_look x = look(s, span);
    const double h = x.d1 > 0 ? dae_step_of_rates(x.d0, x.d1, x.d2, s->first_error, p + 1)
                              : fmax(1e-6 * span, 1e-3 * x.h);
    if (isfinite(x.d1) && isfinite(x.d2) && h > 0)
        return fmin(fmin(100 * x.h, h), span);
    return x.d1 > 0 && isfinite(x.d1) ? fmin(1e-2 * x.h, 0.01 / x.d1)   /* the Euler step left the domain */
                                      : 1e-3 * span;
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
