/* quad_zero.c - a zero of a function between two signs, in quad precision
 *
 * T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
 * without using derivatives, Adv. Eng. Software 28 (1997) 145-149.
 */
#include "quad_zero.h"

enum { MOST_TRIALS = 500 };
static const double EPSILON = 0x1p-111;         /* of a quad number */

typedef struct {
    dae_quad t, g;
} point;

/* The part of the way from x to y at which the inverse quadratic through x, y and the older z vanishes, or
 * half of it where that is not monotone. */
static dae_quad part_of(point x, point y, point z)
{
    const dae_quad xi = (x.t - y.t) / (z.t - y.t), phi = (x.g - y.g) / (z.g - y.g);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
        return 0.5;
    return x.g / (y.g - x.g) * (z.g / (y.g - z.g))
           + (z.t - x.t) / (y.t - x.t) * (x.g / (z.g - x.g)) * (y.g / (z.g - y.g));
}

dae_status dae_quad_zero(dae_quad_scalar *value, void *context, dae_quad resolution, dae_quad l, dae_quad g_l,
                         dae_quad r, dae_quad g_r, dae_quad *t)
{
    point x = {r, g_r}, y = {l, g_l};
    dae_quad part = g_r / (g_r - g_l);
    for (int k = 0; k < MOST_TRIALS && x.g != 0; k++) {
        const dae_quad size = dae_quad_fmax(dae_quad_fabs(x.t), dae_quad_fabs(y.t));
        const dae_quad least = dae_quad_fmax(resolution, EPSILON * size) / dae_quad_fabs(y.t - x.t);
        if (!(least < 0.5))
            break;
        point z = x, next = {x.t + dae_quad_fmin(dae_quad_fmax(part, least), 1 - least) * (y.t - x.t), 0};
        const dae_status status = value(context, next.t, &next.g);
        if (status)
            return status;
        if ((next.g > 0) != (x.g > 0)) {
            z = y;
            y = x;
        }
        x = next;
        part = part_of(x, y, z);
    }
    *t = dae_quad_fabs(x.g) <= dae_quad_fabs(y.g) ? x.t : y.t;
    return DAE_OK;
}
