/* doubt.h - is an explicit step to be believed whose estimate passes?
 *
 * An estimate of the error is a sum of stages that vanishes to high order where f is smooth. Across a jump of f it is
 * the sum of the weights of the stages behind it, and that may be next to nothing: for a jump at 0.3 < x < 0.8 that of
 * dopri5 is a ninetieth of the error, the quotient of DOP853 vanishes wherever its finer estimate does, and that of
 * rk4, the difference of two slopes at one time, does wherever the jump is. So a step that was rejected before, or
 * whose sums of stages have grown by much more than the power of h that those of a smooth solution follow (after
 * steps, too, that grew far past stability while nothing happened), is looked at between its ends. Its polynomial p
 * misses of the equation
 *
 *     d(x) = h (p'(x) - f(t + x h, p(x))),
 *
 * which is of the order of the estimate where f is smooth, and there two to ten times as large. Defect control:
 * Enright (1989), SIAM J. Numer. Anal. 26, 588-599.
 */
#ifndef DAE_DOUBT_H
#define DAE_DOUBT_H

#include <float.h>
#include <math.h>

static const double DAE_USUAL_DEFECT = 5;               /* d over the estimate of a smooth step */
static const double dae_defect_at[] = {0.4, 0.7};
enum { DAE_DEFECTS = sizeof dae_defect_at / sizeof *dae_defect_at };

/* Sums of stages of a step, in tolerances, and its size; h = 0: there is none */
typedef struct { double rough, h; } dae_doubt;

/* Have those of a step of size h, of order h^k, grown by more than they should since the last one? A step tells nothing
 * that is below a part of the tolerance, or below a part of u where that is less. */
static inline int dae_is_doubtful(const dae_doubt *last, double rough, double h, double k, double rtol)
{
    const double grown = 10, most = 10, telling = fmin(1e-4, 100 * DBL_EPSILON / rtol);
    return last->h > 0 && rough > telling && rough > grown * last->rough * pow(fmin(h / last->h, most), k);
}

#endif
