/* functions.h - inside a model, sin(x) is the sine of whatever x is.
 *
 * For authors of problems, through model.h. In C.
 *
 * For the translation unit of a model only, after every other header: from here on sin, pow, ...
 * choose by the type of their argument among the double, dual and quad function.  Those of two
 * arguments choose by the type of the sum, so that pow(x, 2) and fmax(0.0, x) follow x.  The
 * choice is made by the compiler; each argument is evaluated once.
 *
 * PI follows the macro or type `real` in force where it is used, so the double and the dual
 * pass see a plain double.  value(x) is the double to branch on.
 */
#ifndef DAELAB_FUNCTIONS_H
#define DAELAB_FUNCTIONS_H

#include <math.h>

#include "dual.h"
#include "scalar.h"

#define DAE_PI_DOUBLE 3.14159265358979323846
#define DAE_PI_QUAD DAE_QUAD_C(3.14159265358979323846264338327950288419717)

/* In the quad pass every double literal is widened, exactly and on purpose. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

/* The parentheses around the name of the double function keep it a function. */
#define DAE_PICK(x, on_dual, on_quad, on_double)                                                \
    _Generic((x), dae_dual: on_dual, dae_quad: on_quad, default: on_double)

#undef sin
#undef cos
#undef tan
#undef asin
#undef acos
#undef atan
#undef atan2
#undef sinh
#undef cosh
#undef tanh
#undef exp
#undef log
#undef sqrt
#undef cbrt
#undef pow
#undef hypot
#undef fabs
#undef fmax
#undef fmin

#define sin(x) DAE_PICK((x), dae_dual_sin, sinf128, (sin))(x)
#define cos(x) DAE_PICK((x), dae_dual_cos, cosf128, (cos))(x)
#define tan(x) DAE_PICK((x), dae_dual_tan, tanf128, (tan))(x)
#define asin(x) DAE_PICK((x), dae_dual_asin, asinf128, (asin))(x)
#define acos(x) DAE_PICK((x), dae_dual_acos, acosf128, (acos))(x)
#define atan(x) DAE_PICK((x), dae_dual_atan, atanf128, (atan))(x)
#define sinh(x) DAE_PICK((x), dae_dual_sinh, sinhf128, (sinh))(x)
#define cosh(x) DAE_PICK((x), dae_dual_cosh, coshf128, (cosh))(x)
#define tanh(x) DAE_PICK((x), dae_dual_tanh, tanhf128, (tanh))(x)
#define exp(x) DAE_PICK((x), dae_dual_exp, expf128, (exp))(x)
#define log(x) DAE_PICK((x), dae_dual_log, logf128, (log))(x)
#define sqrt(x) DAE_PICK((x), dae_dual_sqrt, sqrtf128, (sqrt))(x)
#define cbrt(x) DAE_PICK((x), dae_dual_cbrt, cbrtf128, (cbrt))(x)
#define fabs(x) DAE_PICK((x), dae_dual_fabs, fabsf128, (fabs))(x)

#define atan2(y, x) DAE_PICK((y) + (x), dae_dual_atan2, atan2f128, (atan2))(y, x)
#define pow(x, y) DAE_PICK((x) + (y), dae_dual_pow, powf128, (pow))(x, y)
#define hypot(x, y) DAE_PICK((x) + (y), dae_dual_hypot, hypotf128, (hypot))(x, y)
#define fmax(x, y) DAE_PICK((x) + (y), dae_dual_fmax, fmaxf128, (fmax))(x, y)
#define fmin(x, y) DAE_PICK((x) + (y), dae_dual_fmin, fminf128, (fmin))(x, y)

#define value(x) dae_value(x)

#define PI _Generic((real){0}, dae_quad: DAE_PI_QUAD, default: DAE_PI_DOUBLE)

#endif
