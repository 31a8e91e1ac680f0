/* bracket.h - a zero of a function between two signs, and how far it reaches between two points */
#ifndef DAE_BRACKET_H
#define DAE_BRACKET_H

#include "base/no_fast_math.h"
#include "daelab/status.h"

typedef dae_status (*dae_scalar)(void *context, double t, double *g);

/* t in [l, r] where g is 0 or has just changed from the sign of g_l to that of g_r, the other one:
 * to the last places of t, or where t is near 0, of eps length (base/chandrupatla.h). Fails as value
 * does. */
dae_status dae_bracket_zero(dae_scalar value, void *context, double length, double l, double g_l,
                            double r, double g_r, double *t);

/* The first t tried in [l, r] with toward g(t) > noise, toward = 1 or -1, starting at *t inside; or
 * about where toward g is largest, if nowhere. Brent's minimisation: R. P. Brent, Algorithms for
 * Minimization without Derivatives (1973), ch. 5. *g is g(*t). Fails as value does. */
dae_status dae_bracket_beyond(dae_scalar value, void *context, int toward, double noise, double l,
                              double g_l, double r, double g_r, double *t, double *g);

#endif
