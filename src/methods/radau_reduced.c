/* radau_reduced.c - the error of a step whose order is not 2s-1: in stiff components, and where F is not smooth
 *
 * The error estimate err has order s and the step 2s-1, so the tolerance of err is larger than rtol
 * (radau_control.c). Here are the errors that have the order of err.
 *
 * Stiff components. In y' = L (y - f(t)) + f'(t) with a large -h L, stages lie on f. The polynomial p through them and
 * u_n is wrong by N X, N = tau prod (tau - c_i), X a divided difference of y, and the step ends with N'(1) X/(h L)
 * = s N'(0) X/(h L) too much. That has the order of N'(0) X, the error of h p'(0), from which err is made. With
 *
 *     v = (M - g J)^-1 M N'(0) X/mu,      K = 1 - (M - g J)^-1 M = -(M - g J)^-1 g J
 *
 * the error is s K^(s-1) v for any L: K is 1 where -h L is large and -h L/mu where it is small, where an error of order
 * 2s remains. (Steps of one size in the problem above, -h L from 1 to 1e5, at any angle of the half plane: the error is
 * 0.3 to 3 times that, and 0.9 to 1.5 times where they are stiff.) Algebraic unknowns of index 1 need nothing of
 * their own: v meets their equations, linearised, and so does K v.
 *
 * X = (p(-theta) - u_b)/N(-theta) is seen where a step before begins theta h behind t_n, at u_b. err contains the error
 * of u_n as well, which is s times that of p'(0): steps would be rejected, whatever their length, for what the one
 * before has done. It serves where there is no step before.
 *
 * Kinks. Where F has a kink or a jump in the step, err is what the step is wrong by. How smooth p' = sum_k f_k P_k is,
 * k < s, in Legendre polynomials P_k of the step, its last coefficients tell. err shows one more: F - M p' is a
 * multiple of P_s - P_(s-1), which is 2 or -2 at t_n, and so err = 2 f_s h/mu. Coefficients of a smooth function fall
 * by some r from degree to degree, and the error of the step is r^(s-1) err, but for a factor. Those of a kink fall by
 * a power of k, of a jump less:
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
static const double LEAP = 16;          /* times the step before: u_b lies too near to t_n behind longer ones */

/* x[n] := (M - g J)^-1 M x; 1, or 0 where it fails */
static int take_lasting_part(dae_solver *s, double *x)
{
    const radau *r = s->stepper;
    dae_system_mass(s->sys, x, r->x);
    memcpy(x, r->x, (size_t)s->n * sizeof *x);
    s->count.solves++;
    return dae_pencil_solve_real(r->real.pencil, x) == 0;
}

/* The norm of x in what is of index 0 and 1. y[n] is overwritten, and may be x. */
static double size_of(const dae_solver *s, double h, const double *x, double *y)
{
    memmove(y, x, (size_t)s->n * sizeof *y);
    dae_take_higher_index(s, NULL, y);
    return dae_error_norm(s, y, h);
}

/* ---- stiff components ------------------------------------------------------------------------ */

/* v[n], but for its sign, from a step before; 0: there is none */
static int from_step_before(dae_solver *s, double h, double *v)
{
    const radau *r = s->stepper;
    const int far = r->far_h > 0, n = s->n;
    const radau_tableau *tab = r->tab, *old = far ? r->far : r->kept;
    const double h_old = far ? r->far_h : r->kept_h, theta = (s->t - (far ? r->far_t : r->kept_t)) / h;
    double l[RADAU_STAGES], part = 1 / (theta * tab->mu);               /* N'(0)/N(-theta)/mu */
    if (h_old == 0 || !(theta * LEAP >= 1))
        return 0;
    for (int j = 0; j < tab->s; j++)
        part /= 1 + theta / tab->c[j];
    dae_radau_basis(old, theta * h / h_old, l);
    dae_radau_combine(1, old->s, n, l, far ? r->z_far : r->z_kept, v);  /* u_n - u_b */
    dae_radau_basis(tab, -theta, l);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < tab->s; j++)
            v[i] += l[j] * r->z[j * n + i];
        v[i] *= part;
    }
    return take_lasting_part(s, v);
}

/* s |v| in the unknowns of index 0 and 1; of an estimate from u_n, which may not meet algebraic equations, only what M
 * sees of it. w[n] is overwritten. */
static double size_of_stiff(dae_solver *s, double h, const double *v, double *w, int from_begin)
{
    const radau *r = s->stepper;
    for (int i = 0; i < s->n; i++)
        w[i] = from_begin && dae_system_is_algebraic(s->sys, i) ? 0 : v[i];
    if (from_begin && s->sys->nondiagonal_mass && !take_lasting_part(s, w))
        return 0;
    return r->tab->s * size_of(s, h, w, w);
}

/* No more powers of K than show that this error neither rejects the step nor chooses the next one. With K =
 * -g L/(1 - g L) of one L, the logarithm of K has the slope 1 - K over that of h, and s K^(s-1) v that of s (2 - K). */
double dae_radau_stiff_error(dae_solver *s, double h, const double *err)
{
    radau *r = s->stepper;
    const int n = s->n, stages = r->tab->s;
    double *v = r->F, *w = v + n;
    int k = 0;
    const int from_begin = !from_step_before(s, h, v);
    if (from_begin && s->sys->index > 1)
        return 0;
    if (from_begin)
        memcpy(v, err, (size_t)n * sizeof *v);
    const double whole = size_of_stiff(s, h, v, w, from_begin);
    double size = whole;
    for (; k < stages - 1 && size > fmin(1, s->error); k++) {
        memcpy(w, v, (size_t)n * sizeof *w);
        if (!take_lasting_part(s, w))
            break;
        for (int i = 0; i < n; i++)
            v[i] -= w[i];
        size = size_of_stiff(s, h, v, w, from_begin);
    }
    const double K = k ? fmin(1, pow(size / whole, 1.0 / k)) : 1;
    r->stiff_order = (int)lround(stages * (2 - K)) - 1;
    return size;
}

/* ---- kinks ----------------------------------------------------------------------------------- */

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
    if (driver(s)->components) {
        const double scale = dae_part_of_time(s, r->full_h);
        sum = dae_radau_square_by_index(s, scale, last);
        sum_before = dae_radau_square_by_index(s, scale, before);
    }
    const double unit = r->tolerance / s->options.rtol;
    norm[0] = unit * sqrt(sum / n);
    norm[1] = unit * sqrt(sum_before / n);
}

/* The norm of (M - g J)^-1 M x, in the unknowns of index 0 and 1. Overwrites x. */
static double lasting_part(dae_solver *s, double h, double *x)
{
    return take_lasting_part(s, x) ? size_of(s, h, x, x) : 0;
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
    const double error = dae_radau_above_rounding(s, h, kink_error(s, h, size));
    r->kinks = error > fmax(1, s->error) ? r->kinks + 1 : 0;
    s->error = fmax(s->error, error);
}
