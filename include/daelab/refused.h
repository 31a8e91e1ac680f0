/* refused.h - what a model cannot call: each is an error of the compiler, which says what to write
 *
 * For authors of problems, through model.h. In C.
 *
 * A function of doubles would be called with the value of a dual number, whose derivative is lost, and with
 * a quad number rounded to double. Within the passes of model.h, where DAE_REFUSE is an error, a call of one
 * of these does not compile, whatever warnings are on. Before and after them it is the plain function.
 *
 * Names that C11 leaves to the user, as gamma, are refused where they are no macros of the user.
 *
 * plain_numbers.h has functions that are for plain numbers, and for integers, alone.
 *
 * A function of one's own needs its derivative, and its value as a quad number. For a Bessel function, before
 * model.h:
 *
 *     #include <daelab/functions.h>
 *     static double bessel_0(double x) { return j0(x); }
 *     static dae_dual bessel_0_dual(dae_dual x)
 *     {
 *         const double a = dae_dual_value(x);
 *         return dae_dual_make(j0(a), -j1(a) * dae_dual_derivative(x));
 *     }
 *     dae_quad DAE_QUAD_NAME(j0)(dae_quad x);
 *     #define bessel_0(x) DAE_PICK((x), bessel_0_dual, DAE_QUAD_NAME(j0), bessel_0)(x)
 *
 * Then bessel_0(x) is a function like sin(x) in all passes.
 */
#ifndef DAELAB_REFUSED_H
#define DAELAB_REFUSED_H

#include <math.h>
#include <stdlib.h>

#include "scalar.h"

/* model.h defines it anew around its passes: what a call of `name` is. */
#define DAE_REFUSE(name, instead, ...) name(__VA_ARGS__)

/* In a pass: the error. */
#define DAE_REFUSED(name, instead)                                                                \
    ((real)sizeof(struct {                                                                        \
        _Static_assert(0, #name " follows neither derivatives nor quad numbers: " instead);       \
        char dae;                                                                                 \
    }))

/* ---- functions without a derivative here */
#undef lgamma
#define lgamma(...) DAE_REFUSE(lgamma, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#undef tgamma
#define tgamma(...) DAE_REFUSE(tgamma, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#ifndef gamma
#define gamma(...) DAE_REFUSE(gamma, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef lgamma_r
#define lgamma_r(...) DAE_REFUSE(lgamma_r, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef j0
#define j0(...) DAE_REFUSE(j0, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef j1
#define j1(...) DAE_REFUSE(j1, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef jn
#define jn(...) DAE_REFUSE(jn, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef y0
#define y0(...) DAE_REFUSE(y0, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef y1
#define y1(...) DAE_REFUSE(y1, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef yn
#define yn(...) DAE_REFUSE(yn, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif
#ifndef significand
#define significand(...) DAE_REFUSE(significand, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#endif

/* ---- other names of functions that have one */
#ifndef exp10
#define exp10(...) DAE_REFUSE(exp10, "write pow(10.0, x)", __VA_ARGS__)
#endif
#ifndef pow10
#define pow10(...) DAE_REFUSE(pow10, "write pow(10.0, x)", __VA_ARGS__)
#endif
#ifndef drem
#define drem(...) DAE_REFUSE(drem, "write remainder(x, y)", __VA_ARGS__)
#endif
#ifndef scalb
#define scalb(...) DAE_REFUSE(scalb, "write ldexp(x, n)", __VA_ARGS__)
#endif
#undef scalbn
#define scalbn(...) DAE_REFUSE(scalbn, "write ldexp(x, n)", __VA_ARGS__)
#undef scalbln
#define scalbln(...) DAE_REFUSE(scalbln, "write ldexp(x, n)", __VA_ARGS__)
#ifndef sincos
#define sincos(...) DAE_REFUSE(sincos, "write sin(x) and cos(x)", __VA_ARGS__)
#endif

/* ---- float and long double */
#undef sinf
#define sinf(...) DAE_REFUSE(sinf, "write sin", __VA_ARGS__)
#undef sinl
#define sinl(...) DAE_REFUSE(sinl, "write sin", __VA_ARGS__)
#undef cosf
#define cosf(...) DAE_REFUSE(cosf, "write cos", __VA_ARGS__)
#undef cosl
#define cosl(...) DAE_REFUSE(cosl, "write cos", __VA_ARGS__)
#undef tanf
#define tanf(...) DAE_REFUSE(tanf, "write tan", __VA_ARGS__)
#undef tanl
#define tanl(...) DAE_REFUSE(tanl, "write tan", __VA_ARGS__)
#undef asinf
#define asinf(...) DAE_REFUSE(asinf, "write asin", __VA_ARGS__)
#undef asinl
#define asinl(...) DAE_REFUSE(asinl, "write asin", __VA_ARGS__)
#undef acosf
#define acosf(...) DAE_REFUSE(acosf, "write acos", __VA_ARGS__)
#undef acosl
#define acosl(...) DAE_REFUSE(acosl, "write acos", __VA_ARGS__)
#undef atanf
#define atanf(...) DAE_REFUSE(atanf, "write atan", __VA_ARGS__)
#undef atanl
#define atanl(...) DAE_REFUSE(atanl, "write atan", __VA_ARGS__)
#undef sinhf
#define sinhf(...) DAE_REFUSE(sinhf, "write sinh", __VA_ARGS__)
#undef sinhl
#define sinhl(...) DAE_REFUSE(sinhl, "write sinh", __VA_ARGS__)
#undef coshf
#define coshf(...) DAE_REFUSE(coshf, "write cosh", __VA_ARGS__)
#undef coshl
#define coshl(...) DAE_REFUSE(coshl, "write cosh", __VA_ARGS__)
#undef tanhf
#define tanhf(...) DAE_REFUSE(tanhf, "write tanh", __VA_ARGS__)
#undef tanhl
#define tanhl(...) DAE_REFUSE(tanhl, "write tanh", __VA_ARGS__)
#undef asinhf
#define asinhf(...) DAE_REFUSE(asinhf, "write asinh", __VA_ARGS__)
#undef asinhl
#define asinhl(...) DAE_REFUSE(asinhl, "write asinh", __VA_ARGS__)
#undef acoshf
#define acoshf(...) DAE_REFUSE(acoshf, "write acosh", __VA_ARGS__)
#undef acoshl
#define acoshl(...) DAE_REFUSE(acoshl, "write acosh", __VA_ARGS__)
#undef atanhf
#define atanhf(...) DAE_REFUSE(atanhf, "write atanh", __VA_ARGS__)
#undef atanhl
#define atanhl(...) DAE_REFUSE(atanhl, "write atanh", __VA_ARGS__)
#undef expf
#define expf(...) DAE_REFUSE(expf, "write exp", __VA_ARGS__)
#undef expl
#define expl(...) DAE_REFUSE(expl, "write exp", __VA_ARGS__)
#undef exp2f
#define exp2f(...) DAE_REFUSE(exp2f, "write exp2", __VA_ARGS__)
#undef exp2l
#define exp2l(...) DAE_REFUSE(exp2l, "write exp2", __VA_ARGS__)
#undef expm1f
#define expm1f(...) DAE_REFUSE(expm1f, "write expm1", __VA_ARGS__)
#undef expm1l
#define expm1l(...) DAE_REFUSE(expm1l, "write expm1", __VA_ARGS__)
#undef logf
#define logf(...) DAE_REFUSE(logf, "write log", __VA_ARGS__)
#undef logl
#define logl(...) DAE_REFUSE(logl, "write log", __VA_ARGS__)
#undef log2f
#define log2f(...) DAE_REFUSE(log2f, "write log2", __VA_ARGS__)
#undef log2l
#define log2l(...) DAE_REFUSE(log2l, "write log2", __VA_ARGS__)
#undef log10f
#define log10f(...) DAE_REFUSE(log10f, "write log10", __VA_ARGS__)
#undef log10l
#define log10l(...) DAE_REFUSE(log10l, "write log10", __VA_ARGS__)
#undef log1pf
#define log1pf(...) DAE_REFUSE(log1pf, "write log1p", __VA_ARGS__)
#undef log1pl
#define log1pl(...) DAE_REFUSE(log1pl, "write log1p", __VA_ARGS__)
#undef sqrtf
#define sqrtf(...) DAE_REFUSE(sqrtf, "write sqrt", __VA_ARGS__)
#undef sqrtl
#define sqrtl(...) DAE_REFUSE(sqrtl, "write sqrt", __VA_ARGS__)
#undef cbrtf
#define cbrtf(...) DAE_REFUSE(cbrtf, "write cbrt", __VA_ARGS__)
#undef cbrtl
#define cbrtl(...) DAE_REFUSE(cbrtl, "write cbrt", __VA_ARGS__)
#undef erff
#define erff(...) DAE_REFUSE(erff, "write erf", __VA_ARGS__)
#undef erfl
#define erfl(...) DAE_REFUSE(erfl, "write erf", __VA_ARGS__)
#undef erfcf
#define erfcf(...) DAE_REFUSE(erfcf, "write erfc", __VA_ARGS__)
#undef erfcl
#define erfcl(...) DAE_REFUSE(erfcl, "write erfc", __VA_ARGS__)
#undef fabsf
#define fabsf(...) DAE_REFUSE(fabsf, "write fabs", __VA_ARGS__)
#undef fabsl
#define fabsl(...) DAE_REFUSE(fabsl, "write fabs", __VA_ARGS__)
#undef floorf
#define floorf(...) DAE_REFUSE(floorf, "write floor", __VA_ARGS__)
#undef floorl
#define floorl(...) DAE_REFUSE(floorl, "write floor", __VA_ARGS__)
#undef ceilf
#define ceilf(...) DAE_REFUSE(ceilf, "write ceil", __VA_ARGS__)
#undef ceill
#define ceill(...) DAE_REFUSE(ceill, "write ceil", __VA_ARGS__)
#undef truncf
#define truncf(...) DAE_REFUSE(truncf, "write trunc", __VA_ARGS__)
#undef truncl
#define truncl(...) DAE_REFUSE(truncl, "write trunc", __VA_ARGS__)
#undef roundf
#define roundf(...) DAE_REFUSE(roundf, "write round", __VA_ARGS__)
#undef roundl
#define roundl(...) DAE_REFUSE(roundl, "write round", __VA_ARGS__)
#undef rintf
#define rintf(...) DAE_REFUSE(rintf, "write rint", __VA_ARGS__)
#undef rintl
#define rintl(...) DAE_REFUSE(rintl, "write rint", __VA_ARGS__)
#undef nearbyintf
#define nearbyintf(...) DAE_REFUSE(nearbyintf, "write nearbyint", __VA_ARGS__)
#undef nearbyintl
#define nearbyintl(...) DAE_REFUSE(nearbyintl, "write nearbyint", __VA_ARGS__)
#undef atan2f
#define atan2f(...) DAE_REFUSE(atan2f, "write atan2", __VA_ARGS__)
#undef atan2l
#define atan2l(...) DAE_REFUSE(atan2l, "write atan2", __VA_ARGS__)
#undef powf
#define powf(...) DAE_REFUSE(powf, "write pow", __VA_ARGS__)
#undef powl
#define powl(...) DAE_REFUSE(powl, "write pow", __VA_ARGS__)
#undef hypotf
#define hypotf(...) DAE_REFUSE(hypotf, "write hypot", __VA_ARGS__)
#undef hypotl
#define hypotl(...) DAE_REFUSE(hypotl, "write hypot", __VA_ARGS__)
#undef fmaxf
#define fmaxf(...) DAE_REFUSE(fmaxf, "write fmax", __VA_ARGS__)
#undef fmaxl
#define fmaxl(...) DAE_REFUSE(fmaxl, "write fmax", __VA_ARGS__)
#undef fminf
#define fminf(...) DAE_REFUSE(fminf, "write fmin", __VA_ARGS__)
#undef fminl
#define fminl(...) DAE_REFUSE(fminl, "write fmin", __VA_ARGS__)
#undef fdimf
#define fdimf(...) DAE_REFUSE(fdimf, "write fdim", __VA_ARGS__)
#undef fdiml
#define fdiml(...) DAE_REFUSE(fdiml, "write fdim", __VA_ARGS__)
#undef copysignf
#define copysignf(...) DAE_REFUSE(copysignf, "write copysign", __VA_ARGS__)
#undef copysignl
#define copysignl(...) DAE_REFUSE(copysignl, "write copysign", __VA_ARGS__)
#undef fmodf
#define fmodf(...) DAE_REFUSE(fmodf, "write fmod", __VA_ARGS__)
#undef fmodl
#define fmodl(...) DAE_REFUSE(fmodl, "write fmod", __VA_ARGS__)
#undef remainderf
#define remainderf(...) DAE_REFUSE(remainderf, "write remainder", __VA_ARGS__)
#undef remainderl
#define remainderl(...) DAE_REFUSE(remainderl, "write remainder", __VA_ARGS__)
#undef fmaf
#define fmaf(...) DAE_REFUSE(fmaf, "write fma", __VA_ARGS__)
#undef fmal
#define fmal(...) DAE_REFUSE(fmal, "write fma", __VA_ARGS__)
#undef ldexpf
#define ldexpf(...) DAE_REFUSE(ldexpf, "write ldexp", __VA_ARGS__)
#undef ldexpl
#define ldexpl(...) DAE_REFUSE(ldexpl, "write ldexp", __VA_ARGS__)
#undef frexpf
#define frexpf(...) DAE_REFUSE(frexpf, "frexp is for plain numbers", __VA_ARGS__)
#undef frexpl
#define frexpl(...) DAE_REFUSE(frexpl, "frexp is for plain numbers", __VA_ARGS__)
#undef ilogbf
#define ilogbf(...) DAE_REFUSE(ilogbf, "ilogb is for plain numbers", __VA_ARGS__)
#undef ilogbl
#define ilogbl(...) DAE_REFUSE(ilogbl, "ilogb is for plain numbers", __VA_ARGS__)
#undef logbf
#define logbf(...) DAE_REFUSE(logbf, "logb is for plain numbers", __VA_ARGS__)
#undef logbl
#define logbl(...) DAE_REFUSE(logbl, "logb is for plain numbers", __VA_ARGS__)
#undef modff
#define modff(...) DAE_REFUSE(modff, "modf is for plain numbers", __VA_ARGS__)
#undef modfl
#define modfl(...) DAE_REFUSE(modfl, "modf is for plain numbers", __VA_ARGS__)
#undef scalbnf
#define scalbnf(...) DAE_REFUSE(scalbnf, "write ldexp", __VA_ARGS__)
#undef scalbnl
#define scalbnl(...) DAE_REFUSE(scalbnl, "write ldexp", __VA_ARGS__)
#undef scalblnf
#define scalblnf(...) DAE_REFUSE(scalblnf, "write ldexp", __VA_ARGS__)
#undef scalblnl
#define scalblnl(...) DAE_REFUSE(scalblnl, "write ldexp", __VA_ARGS__)
#undef lgammaf
#define lgammaf(...) DAE_REFUSE(lgammaf, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#undef lgammal
#define lgammal(...) DAE_REFUSE(lgammal, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#undef tgammaf
#define tgammaf(...) DAE_REFUSE(tgammaf, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#undef tgammal
#define tgammal(...) DAE_REFUSE(tgammal, "functions.h lists those that do, refused.h adds one", __VA_ARGS__)
#undef lrintf
#define lrintf(...) DAE_REFUSE(lrintf, "lrint is for plain numbers", __VA_ARGS__)
#undef lrintl
#define lrintl(...) DAE_REFUSE(lrintl, "lrint is for plain numbers", __VA_ARGS__)
#undef llrintf
#define llrintf(...) DAE_REFUSE(llrintf, "llrint is for plain numbers", __VA_ARGS__)
#undef llrintl
#define llrintl(...) DAE_REFUSE(llrintl, "llrint is for plain numbers", __VA_ARGS__)
#undef lroundf
#define lroundf(...) DAE_REFUSE(lroundf, "lround is for plain numbers", __VA_ARGS__)
#undef lroundl
#define lroundl(...) DAE_REFUSE(lroundl, "lround is for plain numbers", __VA_ARGS__)
#undef llroundf
#define llroundf(...) DAE_REFUSE(llroundf, "llround is for plain numbers", __VA_ARGS__)
#undef llroundl
#define llroundl(...) DAE_REFUSE(llroundl, "llround is for plain numbers", __VA_ARGS__)
#undef remquof
#define remquof(...) DAE_REFUSE(remquof, "remquo is for plain numbers", __VA_ARGS__)
#undef remquol
#define remquol(...) DAE_REFUSE(remquol, "remquo is for plain numbers", __VA_ARGS__)
#undef nextafterf
#define nextafterf(...) DAE_REFUSE(nextafterf, "nextafter is for plain numbers", __VA_ARGS__)
#undef nextafterl
#define nextafterl(...) DAE_REFUSE(nextafterl, "nextafter is for plain numbers", __VA_ARGS__)
#undef nexttowardf
#define nexttowardf(...) DAE_REFUSE(nexttowardf, "nexttoward is for plain numbers", __VA_ARGS__)
#undef nexttowardl
#define nexttowardl(...) DAE_REFUSE(nexttowardl, "nexttoward is for plain numbers", __VA_ARGS__)

#include "refused_complex.h"
#include "plain_numbers.h"

#endif
