/* functions.h - inside a model, sin(x) is the sine of whatever x is.
 *
 * For authors of problems, through model.h. In C.
 *
 * For the translation unit of a model only, after every other header: from here on sin, pow, ...
 * choose by the type of their argument among the double, dual and quad function.  Those of two
 * arguments choose by the type of the sum, so that pow(x, 2) and fmax(0.0, x) follow x.  The
 * choice is made by the compiler; each argument is evaluated once.
 *
 *     function                derivative                      edge, kink or jump
 *     sin cos tan             cos, -sin, 1 + tan^2
 *     asin acos               1/sqrt(1 - x^2), its negative   x = 1, -1: infinite
 *     atan                    1/(1 + x^2)
 *     sinh cosh tanh          cosh, sinh, 1/cosh^2
 *     asinh                   1/sqrt(x^2 + 1)
 *     acosh                   1/sqrt(x^2 - 1)                 x = 1: infinite
 *     atanh                   1/(1 - x^2)                     x = 1, -1: infinite
 *     exp exp2 expm1          e^x, 2^x log 2, e^x
 *     log log2 log10          1/x, 1/(x log 2), 1/(x log 10)  x = 0: infinite
 *     log1p                   1/(1 + x)                       x = -1: infinite
 *     sqrt cbrt               1/(2 sqrt), 1/(3 cbrt^2)        x = 0: infinite
 *     erf erfc                2/sqrt(pi) exp(-x^2), its negative
 *     pow(x, y)               y x^(y-1), x^y log x            see dual.h
 *     atan2(y, x)             x/r^2, -y/r^2                   (0, 0): NaN
 *     hypot(x, y)             x/r, y/r                        (0, 0): 0
 *     fma(x, y, z)            y, x, 1
 *     ldexp(x, n)             2^n
 *     fabs                    1, -1                           0: 0
 *     fmax fmin               that of the argument chosen     x = y: the mean
 *     fdim(x, y)              1, -1 where x > y, else 0       x = y: 1/2, -1/2
 *     copysign(x, y)          1 or -1 by x; 0 by y            x = 0: 0
 *     floor ceil trunc round rint nearbyint        0          0
 *     fmod(x, y) remainder    1, -(x - value)/y               that of the branch of the value
 *
 * isnan, isinf, isfinite, isnormal and signbit ask for the value. Every other function of <math.h>
 * is refused in a model (refused.h).
 *
 * In the quad pass of model.h, log(10.0), sqrt(2) and all that rounds what it makes of constants is a
 * quad number. A function of a plain number, as sqrt(value(x)), is a plain number in every pass.
 * value(x) is the double to branch on.
 */
#ifndef DAELAB_FUNCTIONS_H
#define DAELAB_FUNCTIONS_H

#include <math.h>

#include "constants.h"
#include "dual.h"
#include "kinks.h"
#include "scalar.h"

/* In the quad pass every double literal is widened, exactly and on purpose. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

/* The parentheses around the name of the double function keep it a function. */
#define DAE_PICK(x, on_dual, on_quad, on_double)                                                \
    _Generic((x), dae_dual: on_dual, dae_quad: on_quad, default: on_double)

/* The same for a function whose value is rounded; model.h defines it anew for its quad pass. */
#define DAE_PICK_ROUNDED(x, on_dual, on_quad, on_double) DAE_PICK(x, on_dual, on_quad, on_double)

/* There: the quad function for a constant. */
#define DAE_PICK_IN_QUAD(x, on_dual, on_quad, on_double)                                        \
    DAE_PICK(__builtin_choose_expr(__builtin_constant_p(x), (dae_quad)0, x), on_dual, on_quad, on_double)

/* 1 where n is 0 to the compiler, as 1/3 is: then it is a null pointer constant. */
#define DAE_IS_INTEGER_ZERO(n)                                                                  \
    _Generic(1 ? (int *)0 : (void *)(long)_Generic((n), int: (n), default: 1), int *: 1, default: 0)

/* 0; model.h defines it anew for its passes: there it is no 1/3. */
#define DAE_EXPONENT(y) 0
#define DAE_EXPONENT_IN_PASS(y)                                                                 \
    (0 * (int)sizeof(struct {                                                                   \
        _Static_assert(!DAE_IS_INTEGER_ZERO(y), "pow(x, 0) is 1, and 1/3, a quotient of "       \
                                                "integers, is 0: write 1.0/3");                 \
        char dae;                                                                               \
    }))

#undef sin
#undef cos
#undef tan
#undef asin
#undef acos
#undef atan
#undef sinh
#undef cosh
#undef tanh
#undef asinh
#undef acosh
#undef atanh
#undef exp
#undef exp2
#undef expm1
#undef log
#undef log2
#undef log10
#undef log1p
#undef sqrt
#undef cbrt
#undef erf
#undef erfc
#undef fabs
#undef floor
#undef ceil
#undef trunc
#undef round
#undef rint
#undef nearbyint
#undef atan2
#undef pow
#undef hypot
#undef fmax
#undef fmin
#undef fdim
#undef copysign
#undef fmod
#undef remainder
#undef fma
#undef ldexp
#undef isnan
#undef isinf
#undef isfinite
#undef isnormal
#undef signbit

#define sin(x) DAE_PICK_ROUNDED((x), dae_dual_sin, dae_quad_sin, (sin))(x)
#define cos(x) DAE_PICK_ROUNDED((x), dae_dual_cos, dae_quad_cos, (cos))(x)
#define tan(x) DAE_PICK_ROUNDED((x), dae_dual_tan, dae_quad_tan, (tan))(x)
#define asin(x) DAE_PICK_ROUNDED((x), dae_dual_asin, dae_quad_asin, (asin))(x)
#define acos(x) DAE_PICK_ROUNDED((x), dae_dual_acos, dae_quad_acos, (acos))(x)
#define atan(x) DAE_PICK_ROUNDED((x), dae_dual_atan, dae_quad_atan, (atan))(x)
#define sinh(x) DAE_PICK_ROUNDED((x), dae_dual_sinh, dae_quad_sinh, (sinh))(x)
#define cosh(x) DAE_PICK_ROUNDED((x), dae_dual_cosh, dae_quad_cosh, (cosh))(x)
#define tanh(x) DAE_PICK_ROUNDED((x), dae_dual_tanh, dae_quad_tanh, (tanh))(x)
#define asinh(x) DAE_PICK_ROUNDED((x), dae_dual_asinh, dae_quad_asinh, (asinh))(x)
#define acosh(x) DAE_PICK_ROUNDED((x), dae_dual_acosh, dae_quad_acosh, (acosh))(x)
#define atanh(x) DAE_PICK_ROUNDED((x), dae_dual_atanh, dae_quad_atanh, (atanh))(x)
#define exp(x) DAE_PICK_ROUNDED((x), dae_dual_exp, dae_quad_exp, (exp))(x)
#define exp2(x) DAE_PICK_ROUNDED((x), dae_dual_exp2, dae_quad_exp2, (exp2))(x)
#define expm1(x) DAE_PICK_ROUNDED((x), dae_dual_expm1, dae_quad_expm1, (expm1))(x)
#define log(x) DAE_PICK_ROUNDED((x), dae_dual_log, dae_quad_log, (log))(x)
#define log2(x) DAE_PICK_ROUNDED((x), dae_dual_log2, dae_quad_log2, (log2))(x)
#define log10(x) DAE_PICK_ROUNDED((x), dae_dual_log10, dae_quad_log10, (log10))(x)
#define log1p(x) DAE_PICK_ROUNDED((x), dae_dual_log1p, dae_quad_log1p, (log1p))(x)
#define sqrt(x) DAE_PICK_ROUNDED((x), dae_dual_sqrt, dae_quad_sqrt, (sqrt))(x)
#define cbrt(x) DAE_PICK_ROUNDED((x), dae_dual_cbrt, dae_quad_cbrt, (cbrt))(x)
#define erf(x) DAE_PICK_ROUNDED((x), dae_dual_erf, dae_quad_erf, (erf))(x)
#define erfc(x) DAE_PICK_ROUNDED((x), dae_dual_erfc, dae_quad_erfc, (erfc))(x)
#define fabs(x) DAE_PICK((x), dae_dual_fabs, dae_quad_fabs, (fabs))(x)
#define floor(x) DAE_PICK((x), dae_dual_floor, dae_quad_floor, (floor))(x)
#define ceil(x) DAE_PICK((x), dae_dual_ceil, dae_quad_ceil, (ceil))(x)
#define trunc(x) DAE_PICK((x), dae_dual_trunc, dae_quad_trunc, (trunc))(x)
#define round(x) DAE_PICK((x), dae_dual_round, dae_quad_round, (round))(x)
#define rint(x) DAE_PICK((x), dae_dual_rint, dae_quad_rint, (rint))(x)
#define nearbyint(x) DAE_PICK((x), dae_dual_nearbyint, dae_quad_nearbyint, (nearbyint))(x)

#define atan2(y, x) DAE_PICK_ROUNDED((y) + (x), dae_dual_atan2, dae_quad_atan2, (atan2))(y, x)
#define pow(x, y) DAE_PICK_ROUNDED((x) + (y) + DAE_EXPONENT(y), dae_dual_pow, dae_quad_pow, (pow))(x, y)
#define hypot(x, y) DAE_PICK_ROUNDED((x) + (y), dae_dual_hypot, dae_quad_hypot, (hypot))(x, y)
#define fmax(x, y) DAE_PICK((x) + (y), dae_dual_fmax, dae_quad_fmax, (fmax))(x, y)
#define fmin(x, y) DAE_PICK((x) + (y), dae_dual_fmin, dae_quad_fmin, (fmin))(x, y)
#define fdim(x, y) DAE_PICK_ROUNDED((x) + (y), dae_dual_fdim, dae_quad_fdim, (fdim))(x, y)
#define copysign(x, y) DAE_PICK((x) + (y), dae_dual_copysign, dae_quad_copysign, (copysign))(x, y)
#define fmod(x, y) DAE_PICK((x) + (y), dae_dual_fmod, dae_quad_fmod, (fmod))(x, y)
#define remainder(x, y) DAE_PICK((x) + (y), dae_dual_remainder, dae_quad_remainder, (remainder))(x, y)
#define fma(x, y, z) DAE_PICK_ROUNDED((x) + (y) + (z), dae_dual_fma, dae_quad_fma, (fma))(x, y, z)
#define ldexp(x, n) DAE_PICK((x), dae_dual_ldexp, dae_quad_ldexp, (ldexp))(x, n)

#define isnan(x) DAE_PICK((x), dae_dual_isnan, dae_quad_isnan, dae_double_isnan)(x)
#define isinf(x) DAE_PICK((x), dae_dual_isinf, dae_quad_isinf, dae_double_isinf)(x)
#define isfinite(x) DAE_PICK((x), dae_dual_isfinite, dae_quad_isfinite, dae_double_isfinite)(x)
#define isnormal(x) DAE_PICK((x), dae_dual_isnormal, dae_quad_isnormal, dae_double_isnormal)(x)
#define signbit(x) DAE_PICK((x), dae_dual_signbit, dae_quad_signbit, dae_double_signbit)(x)

#define value(x) dae_value(x)

#endif
