/* root_model.h - how many zeros a function has between two samples, as far as a cubic tells
 *
 * Between l and r = l + h, s = (t - l)/h, the cubic p from two values and two slopes, and what its
 * error is like:
 *
 *     g - p = 16 E s^2 (1 - s)^2,     |E| the error in the middle, h^4 g''''/384.
 *
 * So g lies between two polynomials of degree 4, and in the basis of Bernstein,
 *
 *     b = (g_l, g_l + Y_l/4, (g_l + g_r)/2 + (Y_l - Y_r)/6 -+ 8/3 E, g_r - Y_r/4, g_r),  Y = h p',
 *
 * the changes of sign in b bound its zeros: none is none, one is one (Descartes' rule; J. M. Lane,
 * R. F. Riesenfeld, Bounds on a polynomial, BIT 21 (1981) 112-117). They are counted with the worst
 * signs of b between both, and where they are several, after b has been cut in halves a few times.
 */
#ifndef DAE_ROOT_MODEL_H
#define DAE_ROOT_MODEL_H

#include "base/no_fast_math.h"

typedef struct {
    double g_l, g_r, Y_l, Y_r;          /* values and h p' at the ends */
    double E;
    double noise_l, noise_r, noise_Y_l, noise_Y_r;      /* noise of g and of Y at the ends */
} dae_root_model;

typedef enum { DAE_ROOT_DONE, DAE_ROOT_HUNT, DAE_ROOT_CUT } dae_root_plan;

/* -1, 0 or 1: 0 where |x| <= noise */
static inline int dae_sign(double x, double noise)
{
    return (x > noise) - (x < -noise);
}

/* p(s) */
double dae_root_model_value(const dae_root_model *m, double s);

/* The sign of g before it passes: its side, or where it is heading that has not left zero yet. */
int dae_root_model_heading(const dae_root_model *m, int side);

/* What is to be done before g is observed at r: nothing, as it has no zero or one that its sign at
 * r shows; to find whether its extremum passes zero (or leaves it); or to cut, if not last_cut. */
dae_root_plan dae_root_model_plan(const dae_root_model *m, int side, int last_cut);

/* s where p' = C + B s + A s^2 vanishes and p is extreme towards that sign, kept off the ends. */
double dae_root_model_extremum(const dae_root_model *m, int toward);

#endif
