/* excros_ringing.c - oscillations that the columns of an extrapolation amplify
 *
 * On u' = lambda u, z = H lambda, n_j steps of CROS damp by R(z/n_j)^n_j, R = 1/(1 - z + z^2/2), and columns 0 .. k by
 *
 *     U_k(z) = sum_j w_j R(z/n_j)^n_j.
 *
 * Near the imaginary axis |U_k| > 1 where steps neither resolve an oscillation nor are long beside it (of
 * extrapolation in general: Hairer, Wanner (1996), Solving ODEs II, IV.9), and the estimate is a small part of it.
 * So an oscillation that has died away would be kept up, at many times the tolerance, by steps that never grow. There a
 * basic step is only kept where the whole oscillation, the estimate over that of u = 1, is below the tolerance.
 *
 * What the estimate e consists of, P = (M - a h J)^-1 M shows. With x = h lambda, (1 - a x) P e = e, and
 *
 *     x^2 P^2 e = (P^2 e - 2 P e + e)/a^2,    1/a^2 = -2i,
 *
 * is -y^2 P^2 e but for about 2 d of it if e oscillates, x = y (-d + i), and has the sign of P^2 e if it decays. Half
 * of what is not -y^2 P^2 e is taken for damping; the other half may belong to what does not oscillate.
 */
#include "excros.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const double SEEN = 1e-3;        /* tolerances: what a smaller estimate belongs to is not above them by much */
static const double DAMPED = 1e-4;      /* less damping is taken for so much: none asks for steps that resolve all */
static const double SHORTER = 0.9, FARTHEST = 4;        /* steps at which |U_k| is looked at, in those of now */

static double _Complex damping(const dae_excros_table *c, const double *w, int k, double _Complex z)
{
    double _Complex sum = 0;
    for (int j = 0; j <= k; j++) {
        const int steps = c->plan.n0 + j;
        const double _Complex x = z / steps, R = 1 / (1 - x + x * x / 2);
        double _Complex all = R;
        for (int m = 1; m < steps; m++)
            all *= R;
        sum += w[j] * all;
    }
    return sum;
}

/* re + i im := P (from_re + i from_im) */
static dae_status filter(dae_solver *s, dae_excros_table *c, double h, const double *from_re, const double *from_im,
                         double *re, double *im)
{
    dae_system_mass(s->sys, from_re, re);
    if (from_im)
        dae_system_mass(s->sys, from_im, im);
    else
        memset(im, 0, (size_t)s->n * sizeof *im);
    return dae_implicit_solve(s, c->stage.pencil, h, re, im);
}

static double size_of(const dae_solver *s, const double *re, const double *im, double H)
{
    return hypot(dae_error_norm(s, re, H), dae_error_norm(s, im, H));
}

/* *z := H lambda of e = c->re where that oscillates, else 0. w = P e and v = P^2 e; then x^2 v is in place of e. */
static dae_status find_lambda(dae_solver *s, dae_excros_table *c, int steps, double H, double _Complex *z)
{
    const int n = s->n;
    double *e = c->re, *im = c->im, *w = c->F, *w_im = c->F_t, *v = s->work, *v_im = v + n;
    s->F_in_work = 0;
    dae_status status = filter(s, c, H / steps, e, NULL, w, w_im);
    if (!status)
        status = filter(s, c, H / steps, w, w_im, v, v_im);
    for (int i = 0; i < n; i++) {
        im[i] = -2 * (v[i] - 2 * w[i] + e[i]);
        e[i] = 2 * (v_im[i] - 2 * w_im[i]);
    }
    const double size = size_of(s, e, im, H), square = size / size_of(s, v, v_im, H);
    for (int i = 0; i < n; i++) {
        w[i] = e[i] + square * v[i];
        w_im[i] = im[i] + square * v_im[i];
    }
    const double rest = size_of(s, w, w_im, H) / size;
    *z = rest < 1 ? steps * sqrt(square) * (-fmax(rest / 4, DAMPED) + I) : 0;
    return status;
}

dae_status dae_excros_ringing(dae_solver *s, dae_excros_table *c, int k, double H, double *error, double *longest)
{
    const double *w = c->weight[1][k];
    double _Complex z = 0;
    if (*error <= SEEN)
        return DAE_OK;
    const dae_status status = find_lambda(s, c, c->plan.n0 + k, H, &z);
    const double all = *error / cabs(damping(c, c->difference[1][k], k, z));
    if (status || z == 0 || !(all > 1))
        return status;
    double part = 1;
    while (cabs(damping(c, w, k, part * z)) > 1)
        part *= SHORTER;
    *error = part < 1 ? all : *error;
    while (part >= 1 && part < FARTHEST && cabs(damping(c, w, k, part / SHORTER * z)) <= 1)
        part /= SHORTER;
    *longest = part < FARTHEST ? part * H : INFINITY;
    return DAE_OK;
}
