/* radau_kinks.c - the error of a step in which F is not smooth
 *
 * The error estimate err has order s and the step 2s-1, so the tolerance of err is larger than rtol
 * (radau_control.c). Where F has a kink or a jump in the step, both have the order of that, and err is what
 * the step is wrong by.
 *
 * How smooth p' = sum_k f_k P_k is, k < s, in Legendre polynomials P_k of the step, its last coefficients
 * tell. err shows one more: F - M p' is a multiple of P_s - P_(s-1), which is 2 or -2 at t_n, and so
 * err = 2 f_s h/mu. Coefficients of a smooth function fall by some r from degree to degree, and the error of
 * the step is r^(s-1) err, but for a factor. Those of a kink fall by a power of k, of a jump less:
 *
 *     error = min(1, 8 x)^(s-1) err,      x = max(|f_s|, |f_(s-1)|/4)/|f_(s-2)|,
 *
 * the larger of two, as each vanishes at some places of a kink. The error is not all of err where
 * x < 1/8: coefficients fall by almost three in each degree.
 *
 * Only the part (M - g J)^-1 M f of each coefficient counts, which lasts: not that of algebraic unknowns,
 * where p has a jump at t_n, as u_n meets their equations to Newton's tolerance, nor that of stiff ones, in
 * which errors are damped. Where all of the coefficients tells of a smooth step, that is enough.
 */
#include "radau.h"

#include "system/system.h"

#include <math.h>
#include <string.h>

static const double ROUGH = 8;
static const double LAST = 0.25;
enum { STUBBORN = 4 };                  /* rejections, and a multiple of them, before rounding is looked for */

/* The error, from the norms of its estimate and of the last two coefficients of p' */
static double error_of(const radau_tableau *tab, double estimate, double last, double before)
{
    const double x = ROUGH * fmax(tab->mu / 2 * estimate, LAST * last);
    double error = estimate;
    for (int k = 1; x < before && k < tab->s; k++)
        error *= x / before;
    return error;
}

/* h times the last two coefficients of p', last[n] and before[n], and their norms by the weights of Newton's
 * iteration, in units of rtol */
static void coefficients(const dae_solver *s, double *last, double *before, double norm[2])
{
    const radau *r = s->stepper;
    const radau_tableau *tab = r->tab;
    const int n = s->n;
    double sum = 0, sum_before = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < tab->s; j++) {
            x += tab->last[j] * r->z[j * n + i];
            y += tab->last_but_one[j] * r->z[j * n + i];
        }
        last[i] = x;
        before[i] = y;
        sum += r->weight[i] * x * (r->weight[i] * x);
        sum_before += r->weight[i] * y * (r->weight[i] * y);
    }
    const double unit = r->tolerance / s->options.rtol;
    norm[0] = unit * sqrt(sum / n);
    norm[1] = unit * sqrt(sum_before / n);
}

/* The norm of (M - g J)^-1 M x, in the unknowns of index 0 and 1. Overwrites x. */
static double lasting_part(dae_solver *s, double h, double *x)
{
    const radau *r = s->stepper;
    dae_system_mass(s->sys, x, r->Mx);
    memcpy(x, r->Mx, (size_t)s->n * sizeof *x);
    s->count.solves++;
    if (dae_pencil_solve_real(r->real.pencil, x))
        return 0;
    for (int i = 0; i < s->n; i++)
        if (s->variable_index[i] > 1)
            x[i] = 0;
    return dae_error_norm(s, x, h);
}

/* The error of a step in which F may not be smooth, in units of rtol and atol; at most 1 where it is smooth */
static double kink_error(dae_solver *s, double h, double size)
{
    const radau *r = s->stepper;
    double *last = r->F, *before = last + s->n, norm[2];
    if (size <= 1 || r->noisy)
        return 0;
    coefficients(s, last, before, norm);
    if (error_of(r->tab, size, norm[0], norm[1]) <= 1)
        return 0;
    size = lasting_part(s, h, r->dw);
    norm[0] = lasting_part(s, h, last);
    norm[1] = lasting_part(s, h, before);
    return error_of(r->tab, size, norm[0], norm[1]);
}

void dae_radau_notice_kink(dae_solver *s, double h, double size)
{
    radau *r = s->stepper;
    double error = kink_error(s, h, size);
    if (error > fmax(1, s->error) && r->undone > 0 && r->undone % STUBBORN == 0)
        r->noisy = dae_radau_is_rounding(s, h, error);
    if (r->noisy)
        error = 0;
    r->kinks = error > fmax(1, s->error) ? r->kinks + 1 : 0;
    s->error = fmax(s->error, error);
}
