/* radau_rounding.c - when is Newton's iteration of a fixed step at rounding?
 *
 * When the correction of each unknown is: at most 2e-15 of the largest of |u_i| and its increments
 * |z_ki| in the stages, or, once corrections no longer fall, 5 times what stages rounded otherwise
 * would make,
 *
 *     (M - g J) dw = g T^-1 (F(x + e) - F(x)),   |e_i| <= DBL_EPSILON |x_i|,
 *
 * which for a multiplier, or a force that a stiff spring makes of its length, is eps L/h^2;
 * measured anew after some steps, or where it does not explain what is left. Each for itself, as
 * corrections of multipliers are at rounding long before those of positions, and a norm of all
 * would not see them. Sizes are sums of these quotients, so that all unknowns count as they are far
 * from rounding, in whatever units. What is judged is the correction to come, theta/(1 - theta)
 * times the last one, where the first ratio counts by its mean with the usual one (radau.h).
 *
 * F may round more than x does, where large terms cancel in it. An iteration that is stuck asks for
 * that noise: fourth differences of F along a line, sum_k (-1)^k C(4, k) F_k, of which the smooth
 * part, d^4, is below rounding, have a variance of C(8, 4) = 70 times that of F (Hamming (1973),
 * Numerical Methods for Scientists and Engineers, ch. 10; More, Wild (2011), SIAM J. Sci. Comput.
 * 33, 1292-1314).
 */
#include "radau.h"

#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = 2e-15;
static const double STAGNANT = 1e-10;   /* corrections that end an iteration which is stuck, */
static const double FALLING = 0.3;      /* theta of corrections above rounding */
static const double ALIKE = 1e-3;       /* steps whose sizes differ by no more round alike */
static const double SAFE = 3;           /* times the corrections expected */
static const double LEFT = 0.01;        /* of rounding: what is left has one sign from step to step, and adds up */
enum { STUCK = 8,                       /* corrections that did not fall to half of others */
       STUBBORN = 4,                    /* rejections, and a multiple of them, before rounding is looked for */
       OLD = 10 };                      /* steps for which a rounding measured is that of now */

void dae_radau_begin_rounding(dae_solver *s, double h)
{
    radau *r = s->stepper;
    if (!(fabs(r->level_h - h) <= ALIKE * h) || r->level_of != r->tab || ++r->level_age > OLD) {
        memset(r->level, 0, (size_t)s->n * sizeof *r->level);
        r->level_h = 0;
    }
    r->levelled = r->stalled = 0;
    r->size = r->smallest = INFINITY;
    r->ratio = 1;
}

/* moved_i := max_k |dw_ki|; w += dw. What is not a number stays one in w, and in z. */
void dae_radau_note_correction(dae_solver *s)
{
    const radau *r = s->stepper;
    const int n = s->n;
    double *restrict moved = r->moved;
    memset(moved, 0, (size_t)n * sizeof *moved);
    for (int k = 0; k < r->tab->s; k++) {
        const double *restrict dw = r->dw + k * n;
        double *restrict w = r->w + k * n;
        for (int i = 0; i < n; i++) {
            const double size = fabs(dw[i]);
            moved[i] = size > moved[i] ? size : moved[i];
            w[i] += dw[i];
        }
    }
}

/* weight_i := max(|u_i|, |z_ki|) */
static void measure_unknowns(dae_solver *s)
{
    const radau *r = s->stepper;
    const int n = s->n;
    double *restrict size = r->weight;
    for (int i = 0; i < n; i++)
        size[i] = fabs(s->u[i]);
    for (int k = 0; k < r->tab->s; k++) {
        const double *restrict z = r->z + k * n;
        for (int i = 0; i < n; i++) {
            const double x = fabs(z[i]);
            size[i] = x > size[i] ? x : size[i];
        }
    }
}

/* The root mean square of the corrections in units of rounding, and the largest of them; *relative:
 * the largest in units of the unknowns' own rounding alone. */
static double size_of_correction(const dae_solver *s, double *largest, double *relative)
{
    const radau *r = s->stepper;
    double sum = 0;
    *largest = *relative = 0;
    for (int i = 0; i < s->n; i++) {
        if (r->moved[i] == 0)
            continue;
        const double own = fmax(ROUNDING * r->weight[i], DBL_MIN);
        const double x = r->moved[i] / (own + RADAU_NEAR * r->level[i]);
        *relative = fmax(*relative, r->moved[i] / own);
        *largest = fmax(*largest, x);
        sum += x * x;
    }
    return sqrt(sum / s->n);
}

/* F := F(x + 64 e) - F(x) at the stages, e of any sign and size; 64, as differences round, too */
static void round_stages(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const int n = s->n;
    for (int k = 0; k < r->tab->s; k++) {
        const double t = s->t + r->tab->c[k] * h;
        double *F = r->F + k * n;
        dae_radau_stage(s, k, r->x);
        dae_system_rhs(s->sys, t, r->x, F);
        for (int i = 0; i < n; i++)
            r->x[i] *= 1 + 64 * DBL_EPSILON * cos(1 + 2 * i + 5 * k);
        dae_system_rhs(s->sys, t, r->x, r->Mx);
        for (int i = 0; i < n; i++)
            F[i] = r->Mx[i] - F[i] + 64 * r->noise[i] * cos(2 + 3 * i + 7 * k);
    }
    s->count.rhs += 2 * r->tab->s;
}

/* noise_i := at least what fourth differences along points d apart show */
static void differences(dae_solver *s, double d)
{
    enum { POINTS = 7, DIFFERENCES = POINTS - 4 };
    static const double binomial[] = {1, -4, 6, -4, 1};
    const radau *r = s->stepper;
    const int n = s->n;
    memset(r->dw, 0, (size_t)(DIFFERENCES * n) * sizeof *r->dw);
    for (int k = 0; k < POINTS; k++) {
        for (int i = 0; i < n; i++)
            r->x[i] = s->u[i] * (1 + d * (k - POINTS / 2) * cos(2 + 3 * i));
        dae_system_rhs(s->sys, s->t, r->x, r->Mx);
        for (int j = 0; j < DIFFERENCES; j++)
            for (int i = 0; i < n && k >= j && k <= j + 4; i++)
                r->dw[j * n + i] += binomial[k - j] * r->Mx[i];
    }
    s->count.rhs += POINTS;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < DIFFERENCES; j++)
            sum += r->dw[j * n + i] * r->dw[j * n + i];
        sum = sqrt(sum / (70 * DIFFERENCES));
        r->noise[i] = isfinite(sum) ? fmax(r->noise[i], sum) : r->noise[i];
    }
}

/* Twice, as rounding may fall by the same amount from point to point. */
void dae_radau_measure_noise(dae_solver *s)
{
    radau *r = s->stepper;
    memset(r->noise, 0, (size_t)s->n * sizeof *r->noise);
    differences(s, 1e-5);
    differences(s, 0.618e-5);
    r->noise_known = 1;
}

/* level_i := max_k |x_ki|/64 */
static void set_level(const dae_solver *s, const double *x)
{
    const radau *r = s->stepper;
    for (int i = 0; i < s->n; i++) {
        double largest = 0;
        for (int k = 0; k < r->tab->s; k++)
            largest = fmax(largest, fabs(x[k * s->n + i]));
        r->level[i] = isfinite(largest) ? largest / 64 : 0;
    }
}

void dae_radau_measure_rounding(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const int stages = r->tab->s, n = s->n;
    r->levelled = 1;
    r->level_h = h;
    r->level_of = r->tab;
    r->level_age = 0;
    memset(r->w, 0, (size_t)(stages * n) * sizeof *r->w);   /* leaves g T^-1 F of the right sides */
    round_stages(s, h);
    if (!dae_radau_correction(s, h))
        memset(r->dw, 0, (size_t)(stages * n) * sizeof *r->dw);
    set_level(s, r->dw);
    dae_radau_combine(stages, stages, n, r->tab->T_inverse, r->z, r->w);
}

void dae_radau_level_of_stages(dae_solver *s)
{
    radau *r = s->stepper;
    dae_radau_combine(r->tab->s, r->tab->s, s->n, r->tab->T, r->dw, r->F);
    set_level(s, r->F);
    r->level_h = 0;
}

int dae_radau_is_rounding(dae_solver *s, double h, double error)
{
    const radau *r = s->stepper;
    if (!r->noise_known)
        dae_radau_measure_noise(s);
    dae_radau_measure_rounding(s, h);
    dae_radau_level_of_stages(s);
    return error <= 10 * dae_error_norm(s, r->level, h);
}

double dae_radau_above_rounding(dae_solver *s, double h, double error)
{
    radau *r = s->stepper;
    if (error > fmax(1, s->error) && r->undone > 0 && r->undone % STUBBORN == 0)
        r->noisy = dae_radau_is_rounding(s, h, error);
    return r->noisy ? 0 : error;
}

/* Corrections that do not fall and are small: rounding that the measured one does not contain. */
static int is_small(const dae_solver *s)
{
    const radau *r = s->stepper;
    for (int i = 0; i < s->n; i++)
        if (!(r->moved[i] <= fmax(10 * RADAU_NEAR * r->level[i], STAGNANT * r->weight[i])))
            return 0;
    return 1;
}

/* Small, or no larger than what noise in F makes. */
static int stuck_at_rounding(dae_solver *s, double h)
{
    radau *r = s->stepper;
    double largest, relative;
    if (is_small(s))
        return 1;
    if (r->stalled > STUCK)
        return 0;
    dae_radau_measure_noise(s);
    dae_radau_measure_rounding(s, h);
    size_of_correction(s, &largest, &relative);
    return largest <= 1;
}

radau_outcome dae_radau_judge_rounding(dae_solver *s, double h)
{
    radau *r = s->stepper;
    double largest, relative;
    measure_unknowns(s);
    double size = size_of_correction(s, &largest, &relative);
    const double ratio = size / r->size;
    const double theta = r->iterations > 2 ? sqrt(ratio * r->ratio) : ratio;
    const double next = fmax(ratio, r->iterations > 2 ? theta : sqrt(ratio * r->usual_ratio));
    const int falls = r->iterations == 1 || theta <= FALLING;
    const double rest = r->iterations > 1 && next < 0.2 ? SAFE * next / (1 - next) : 1;
    if (!isfinite(size) || !dae_vector_finite(s->n * r->tab->s, r->w))
        return RADAU_DIVERGED;
    if (r->iterations > 1)
        dae_radau_keep_ratio(r, ratio);
    if (rest * relative <= LEFT)
        return RADAU_CONVERGED;
    if (!falls && largest > 1 && !r->levelled) {
        dae_radau_measure_rounding(s, h);
        size = size_of_correction(s, &largest, &relative);
        r->smallest = INFINITY;
    }
    if (!falls && largest <= 1)
        return RADAU_CONVERGED;
    r->stalled = size > r->smallest / 2 ? r->stalled + 1 : 0;
    r->ratio = ratio;
    r->size = size;
    r->smallest = fmin(r->smallest, size);
    return r->stalled >= STUCK && stuck_at_rounding(s, h) ? RADAU_CONVERGED : RADAU_GOING_ON;
}

dae_status dae_radau_below_rounding(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    char name[32], unit[32];
    int most = 0;
    dae_radau_measure_rounding(s, h);
    dae_radau_level_of_stages(s);
    for (int i = 1; i < s->n; i++)
        if (r->weight[i] * r->level[i] > r->weight[most] * r->level[most])
            most = i;
    dae_system_unknown(s->sys, most, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_NO_CONVERGENCE, "t = %.9g: the tolerance is below what "
                    "rounding permits: rounding alone moves %s by %.2g in a step of %.2g, "
                    "rtol |%s| + atol is %.2g", s->t, name, r->level[most], h, name,
                    s->options.rtol * fabs(s->u[most]) + s->atol[most]);
}
