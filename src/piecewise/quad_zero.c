/* quad_zero.c - a zero of a function between two signs, in quad precision */
#include "quad_zero.h"

#define SCALAR dae_quad
#include "base/chandrupatla.h"

enum { MOST_TRIALS = 500 };
static const double EPSILON = 0x1p-111;         /* of a quad number */

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
        point trial = {x.t + dae_quad_fmin(dae_quad_fmax(part, least), 1 - least) * (y.t - x.t), 0};
        const dae_status status = value(context, trial.t, &trial.g);
        if (status)
            return status;
        part = take_trial(&x, &y, trial);
    }
    *t = dae_quad_fabs(x.g) <= dae_quad_fabs(y.g) ? x.t : y.t;
    return DAE_OK;
}
