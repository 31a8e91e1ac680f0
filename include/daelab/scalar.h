/* scalar.h - the three scalars a model is compiled in: double, dual, quad.
 *
 * For authors of problems, through model.h, and for programs that compute in quad. In C.
 *
 * A dual number a + b*eps, eps^2 = 0, is carried by the complex number
 *
 *     z = a + i*h*b,        h = DAE_DUAL_SCALE = 2^-200,
 *
 * because C gives infix + - * / to arithmetic types only.  The product
 *
 *     (a + ihb)(c + ihd) = (ac - h^2 bd) + ih(ad + bc)
 *
 * is the dual product with a value off by h^2 bd = 2^-400 bd.  This is lost in the rounding
 * of ac while |bd| < 2^346 |ac|.  Nothing subnormal arises while |b| > 2^-822, |bd| > 2^-622.
 *
 * Where a value is exactly 0 the carrier shows: x x has the value -2^-400 x'^2, which sqrt
 * rightly turns into NaN, 1/x has the value 0 and x/x has 1.  Hence take values, and the test
 * whether they are finite, from the double pass, and write x^2 as pow(x, 2) under a root.
 * With -fcx-limited-range a quotient squares its divisor c: keep 2^-500 < |c| < 2^500.
 *
 * Include no <complex.h> for this: it would define I, a good name for a current.
 */
#ifndef DAELAB_SCALAR_H
#define DAELAB_SCALAR_H

#include "quad.h"

typedef double _Complex dae_dual;

#define DAE_DUAL_SCALE 0x1p-200

/* value + derivative * eps.  Both scalings are by a power of two, hence exact. */
static inline dae_dual dae_dual_make(double value, double derivative)
{
    return __builtin_complex(value, DAE_DUAL_SCALE * derivative);
}

static inline double dae_dual_value(dae_dual x)
{
    return __builtin_creal(x);
}

static inline double dae_dual_derivative(dae_dual x)
{
    return __builtin_cimag(x) * (1.0 / DAE_DUAL_SCALE);
}

static inline double dae_double_value(double x)
{
    return x;
}

static inline double dae_quad_value(dae_quad x)
{
    return (double)x;
}

/* The value as a double, whichever the scalar: what a model branches on. */
#define dae_value(x)                                                                            \
    _Generic((x), dae_dual: dae_dual_value, dae_quad: dae_quad_value, default: dae_double_value)(x)

/* A count, 0 ... 1000000, of a parameter that is one: the whole number below x, 0 where x is negative or
 * NaN, 1000000 where it is larger. Of all scalars: dae_count(p[N]). */
enum { DAE_MOST_COPIES = 1000000 };
static inline int dae_count_of(double x)
{
    return !(x > 0) ? 0 : x < (double)DAE_MOST_COPIES ? (int)x : DAE_MOST_COPIES;
}
#define dae_count(x) dae_count_of(dae_value(x))

#endif
