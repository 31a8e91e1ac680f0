/* quad_zero.h - a zero of a function between two signs, in quad precision */
#ifndef DAE_QUAD_ZERO_H
#define DAE_QUAD_ZERO_H

#include "base/no_fast_math.h"
#include "daelab/scalar.h"
#include "daelab/status.h"

typedef dae_status dae_quad_scalar(void *context, dae_quad t, dae_quad *g);

/* *t in [l, r] where g is 0, or next to where it has changed from the sign of g_l to that of g_r, the other
 * one: as near as resolution, or as numbers next to each other. Fails as value does. */
dae_status dae_quad_zero(dae_quad_scalar *value, void *context, dae_quad resolution, dae_quad l, dae_quad g_l,
                         dae_quad r, dae_quad g_r, dae_quad *t);

#endif
