/* radau_control.c - the next step, the reuse of the Jacobian, and the number of stages
 *
 * Step: by stepper/control.c, with (2 N + 1)/(2 N + iterations) in its safety.
 * The error estimate has order s and not 2s-1: its tolerance is 0.05 rtol^((s+1)/(2s)) (the code RADAU takes 0.1), so
 * that the error follows rtol. Hairer, Wanner (1996), IV.8.
 *
 * Stages: the contraction theta of Newton's iteration decides; fast convergence means smooth and
 * not stiff, where a high order pays. Hairer, Wanner (1999), J. Comput. Appl. Math. 111, 93-111.
 * Here the tolerance chooses the first order, and two failures of the iteration in a row lower it;
 * not in the first step, or one much longer than the last, which are guesses: no more is known of their
 * length.
 *
 * Kinks: where two tries of a step in a row are rejected as F is not smooth in them (radau_reduced.c), the
 * error falls with h^2, and no order is better than the lowest.
 *
 * First step: that whose error estimate would be the tolerance if all derivatives grew with UNSEEN
 * times the rate of the first two.
 */
#include "radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double FASTEST = 0.002;    /* theta below which the order rises */
static const double FAST = 0.1;         /* the same below the order of the first step */
static const double SLOWEST = 0.8;      /* theta from which it falls */
static const double FRESH = 0.001;      /* theta up to which J serves once more */
static const double LOOSE = 1e-3;       /* rtol above which order 5 is the cheapest to begin with */
static const double UNSEEN = 8;         /* rates of high derivatives, in the rates seen at the start */
static const double LEAP = 2;           /* times the last step: longer ones are guesses */
enum { STEPS_AT_ORDER = 10,             /* before the order rises */
       KINKS = 2 };                     /* tries in a row with a kink before it is believed */

static void set_order(dae_solver *s, int stages)
{
    radau *r = s->stepper;
    r->tab = dae_radau_tableau(stages);
    r->tolerance = s->adaptive ? 0.05 * pow(s->options.rtol, (stages + 1.0) / (2 * stages)) : 1;
    const double kappa = 0.3 * pow(r->tolerance, (stages - 1.0) / (stages + 1));
    r->kappa = fmax(10 * DBL_EPSILON / r->tolerance, fmin(0.03, kappa));
    r->steps_at_order = 0;
}

/* Of a smooth solution the tolerance alone decides; 7 stages follow where theta allows them. */
static int first_stages(const dae_solver *s)
{
    const radau *r = s->stepper;
    const int wanted = s->options.rtol > LOOSE ? 3 : 5;
    return wanted < r->fewest ? r->fewest : wanted > r->most ? r->most : wanted;
}

/* |p'(0) - y'(0)| = h^s |y^(s+1)| c_1 ... c_s/(s+1)!, which the estimate shows times h/mu. */
static double error_constant(const radau_tableau *tab)
{
    double x = 1 / tab->mu;
    for (int k = 0; k < tab->s; k++)
        x *= tab->c[k] / (k + 2);
    return x;
}

void dae_radau_first_order(dae_solver *s)
{
    const radau *r = s->stepper;
    set_order(s, s->adaptive ? first_stages(s) : r->most);
    s->error_order = r->tab->s;
    s->first_error = r->tolerance / (s->options.rtol * error_constant(r->tab)
                                     * pow(UNSEEN, r->tab->s + 1));
}

void dae_radau_next_step(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const int kink = r->kinks >= KINKS;
    const int most = radau_most_iterations(r->tab->s);
    const double caution = (1.0 + 2 * most) / (r->iterations + 2 * most);
    s->error_order = kink ? 1 : r->stiff ? r->stiff_order : r->tab->s;
    double factor = dae_step_factor_by(s, &dae_control_elementary, h, caution);
    if (s->error > 1) {
        s->h_next = (r->steps ? factor : 0.1) * h;
        if (kink && r->tab->s > r->fewest)
            set_order(s, r->fewest);
        return;
    }
    r->jacobian_useful = r->contraction <= FRESH && !r->with_all;
    if (r->jacobian_useful && factor >= 1 && factor <= 1.2)
        factor = 1;                                     /* keep the factors too */
    s->h_next = factor * h;
}

void dae_radau_newton_failed(dae_solver *s, double h, int slow)
{
    radau *r = s->stepper;
    s->count.newton_failures++;
    dae_radau_full_failed(s);
    r->progress = 1;
    if (slow) {
        s->newton_failed = 1;
        s->h_next = r->slow_factor * h;
    }
    if (r->steps == 0 || h > LEAP * r->kept_h)
        return;
    if (++r->failures >= 2 && r->tab->s > r->fewest) {
        set_order(s, r->tab->s - 2);
        r->failures = 0;
    }
}

void dae_radau_follow(dae_solver *s, const void *stepper)
{
    const radau *other = stepper;
    if (other->kept_h > 0)
        set_order(s, other->kept->s);
}

int dae_radau_shape(const dae_solver *s, const double **z, int *count)
{
    const radau *r = s->stepper;
    *z = r->z;
    *count = r->tab->s * s->n;
    return 2 * r->tab->s + (r->with_all != 0);
}

dae_status dae_radau_take_shape(dae_solver *s, int shape, const double *z)
{
    radau *r = s->stepper;
    set_order(s, shape / 2);
    r->all_left = shape % 2;
    r->z_given = z != NULL;
    if (z)
        memcpy(r->z, z, (size_t)(r->tab->s * s->n) * sizeof *z);
    return DAE_OK;
}

void dae_radau_next_order(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const double quotient = s->h_next / h;
    int stages = r->tab->s;
    const double enough = stages < first_stages(s) ? FAST : FASTEST;
    r->steps_at_order++;
    r->contraction_kept = fmin(10, fmax(r->contraction, 0.5 * r->contraction_kept));
    if (r->contraction_kept >= SLOWEST)
        stages -= 2;
    else if (r->iterations > 1 && r->contraction_kept <= enough && quotient > 0.8
             && quotient < 1.2 && r->steps_at_order >= STEPS_AT_ORDER)
        stages += 2;
    if (stages >= r->fewest && stages <= r->most && stages != r->tab->s)
        set_order(s, stages);
}
