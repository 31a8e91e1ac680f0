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
 * Functions that answer with an integer, or take a number apart, are for plain numbers, in a pass, too:
 * lround(value(x)) compiles, lround(x) does not. abs is for integers.
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

/* ---- complex numbers, by which dual ones are carried, and which they are not */
#undef creal
#define creal(...) DAE_REFUSE(creal, "write value(x)", __VA_ARGS__)
#undef crealf
#define crealf(...) DAE_REFUSE(crealf, "write value(x)", __VA_ARGS__)
#undef creall
#define creall(...) DAE_REFUSE(creall, "write value(x)", __VA_ARGS__)
#undef cimag
#define cimag(...) DAE_REFUSE(cimag, "a model has no use for the imaginary part of its carrier", __VA_ARGS__)
#undef cimagf
#define cimagf(...) DAE_REFUSE(cimagf, "a model has no use for the imaginary part of its carrier", __VA_ARGS__)
#undef cimagl
#define cimagl(...) DAE_REFUSE(cimagl, "a model has no use for the imaginary part of its carrier", __VA_ARGS__)
#undef cabs
#define cabs(...) DAE_REFUSE(cabs, "write fabs(x)", __VA_ARGS__)
#undef cabsf
#define cabsf(...) DAE_REFUSE(cabsf, "write fabs(x)", __VA_ARGS__)
#undef cabsl
#define cabsl(...) DAE_REFUSE(cabsl, "write fabs(x)", __VA_ARGS__)
#undef carg
#define carg(...) DAE_REFUSE(carg, "write atan2(y, x)", __VA_ARGS__)
#undef cargf
#define cargf(...) DAE_REFUSE(cargf, "write atan2(y, x)", __VA_ARGS__)
#undef cargl
#define cargl(...) DAE_REFUSE(cargl, "write atan2(y, x)", __VA_ARGS__)
#undef conj
#define conj(...) DAE_REFUSE(conj, "write x", __VA_ARGS__)
#undef conjf
#define conjf(...) DAE_REFUSE(conjf, "write x", __VA_ARGS__)
#undef conjl
#define conjl(...) DAE_REFUSE(conjl, "write x", __VA_ARGS__)
#undef cproj
#define cproj(...) DAE_REFUSE(cproj, "write x", __VA_ARGS__)
#undef cprojf
#define cprojf(...) DAE_REFUSE(cprojf, "write x", __VA_ARGS__)
#undef cprojl
#define cprojl(...) DAE_REFUSE(cprojl, "write x", __VA_ARGS__)
#undef csin
#define csin(...) DAE_REFUSE(csin, "write sin", __VA_ARGS__)
#undef csinf
#define csinf(...) DAE_REFUSE(csinf, "write sin", __VA_ARGS__)
#undef csinl
#define csinl(...) DAE_REFUSE(csinl, "write sin", __VA_ARGS__)
#undef ccos
#define ccos(...) DAE_REFUSE(ccos, "write cos", __VA_ARGS__)
#undef ccosf
#define ccosf(...) DAE_REFUSE(ccosf, "write cos", __VA_ARGS__)
#undef ccosl
#define ccosl(...) DAE_REFUSE(ccosl, "write cos", __VA_ARGS__)
#undef ctan
#define ctan(...) DAE_REFUSE(ctan, "write tan", __VA_ARGS__)
#undef ctanf
#define ctanf(...) DAE_REFUSE(ctanf, "write tan", __VA_ARGS__)
#undef ctanl
#define ctanl(...) DAE_REFUSE(ctanl, "write tan", __VA_ARGS__)
#undef casin
#define casin(...) DAE_REFUSE(casin, "write asin", __VA_ARGS__)
#undef casinf
#define casinf(...) DAE_REFUSE(casinf, "write asin", __VA_ARGS__)
#undef casinl
#define casinl(...) DAE_REFUSE(casinl, "write asin", __VA_ARGS__)
#undef cacos
#define cacos(...) DAE_REFUSE(cacos, "write acos", __VA_ARGS__)
#undef cacosf
#define cacosf(...) DAE_REFUSE(cacosf, "write acos", __VA_ARGS__)
#undef cacosl
#define cacosl(...) DAE_REFUSE(cacosl, "write acos", __VA_ARGS__)
#undef catan
#define catan(...) DAE_REFUSE(catan, "write atan", __VA_ARGS__)
#undef catanf
#define catanf(...) DAE_REFUSE(catanf, "write atan", __VA_ARGS__)
#undef catanl
#define catanl(...) DAE_REFUSE(catanl, "write atan", __VA_ARGS__)
#undef csinh
#define csinh(...) DAE_REFUSE(csinh, "write sinh", __VA_ARGS__)
#undef csinhf
#define csinhf(...) DAE_REFUSE(csinhf, "write sinh", __VA_ARGS__)
#undef csinhl
#define csinhl(...) DAE_REFUSE(csinhl, "write sinh", __VA_ARGS__)
#undef ccosh
#define ccosh(...) DAE_REFUSE(ccosh, "write cosh", __VA_ARGS__)
#undef ccoshf
#define ccoshf(...) DAE_REFUSE(ccoshf, "write cosh", __VA_ARGS__)
#undef ccoshl
#define ccoshl(...) DAE_REFUSE(ccoshl, "write cosh", __VA_ARGS__)
#undef ctanh
#define ctanh(...) DAE_REFUSE(ctanh, "write tanh", __VA_ARGS__)
#undef ctanhf
#define ctanhf(...) DAE_REFUSE(ctanhf, "write tanh", __VA_ARGS__)
#undef ctanhl
#define ctanhl(...) DAE_REFUSE(ctanhl, "write tanh", __VA_ARGS__)
#undef casinh
#define casinh(...) DAE_REFUSE(casinh, "write asinh", __VA_ARGS__)
#undef casinhf
#define casinhf(...) DAE_REFUSE(casinhf, "write asinh", __VA_ARGS__)
#undef casinhl
#define casinhl(...) DAE_REFUSE(casinhl, "write asinh", __VA_ARGS__)
#undef cacosh
#define cacosh(...) DAE_REFUSE(cacosh, "write acosh", __VA_ARGS__)
#undef cacoshf
#define cacoshf(...) DAE_REFUSE(cacoshf, "write acosh", __VA_ARGS__)
#undef cacoshl
#define cacoshl(...) DAE_REFUSE(cacoshl, "write acosh", __VA_ARGS__)
#undef catanh
#define catanh(...) DAE_REFUSE(catanh, "write atanh", __VA_ARGS__)
#undef catanhf
#define catanhf(...) DAE_REFUSE(catanhf, "write atanh", __VA_ARGS__)
#undef catanhl
#define catanhl(...) DAE_REFUSE(catanhl, "write atanh", __VA_ARGS__)
#undef cexp
#define cexp(...) DAE_REFUSE(cexp, "write exp", __VA_ARGS__)
#undef cexpf
#define cexpf(...) DAE_REFUSE(cexpf, "write exp", __VA_ARGS__)
#undef cexpl
#define cexpl(...) DAE_REFUSE(cexpl, "write exp", __VA_ARGS__)
#undef clog
#define clog(...) DAE_REFUSE(clog, "write log", __VA_ARGS__)
#undef clogf
#define clogf(...) DAE_REFUSE(clogf, "write log", __VA_ARGS__)
#undef clogl
#define clogl(...) DAE_REFUSE(clogl, "write log", __VA_ARGS__)
#undef cpow
#define cpow(...) DAE_REFUSE(cpow, "write pow", __VA_ARGS__)
#undef cpowf
#define cpowf(...) DAE_REFUSE(cpowf, "write pow", __VA_ARGS__)
#undef cpowl
#define cpowl(...) DAE_REFUSE(cpowl, "write pow", __VA_ARGS__)
#undef csqrt
#define csqrt(...) DAE_REFUSE(csqrt, "write sqrt", __VA_ARGS__)
#undef csqrtf
#define csqrtf(...) DAE_REFUSE(csqrtf, "write sqrt", __VA_ARGS__)
#undef csqrtl
#define csqrtl(...) DAE_REFUSE(csqrtl, "write sqrt", __VA_ARGS__)
#undef clog10
#define clog10(...) DAE_REFUSE(clog10, "write log10", __VA_ARGS__)
#undef clog10f
#define clog10f(...) DAE_REFUSE(clog10f, "write log10", __VA_ARGS__)
#undef clog10l
#define clog10l(...) DAE_REFUSE(clog10l, "write log10", __VA_ARGS__)

/* ---- for plain numbers: integers, the parts of a number, comparisons */
#define DAE_IS_PLAIN(x) _Generic((x), dae_dual: 0, dae_quad: 0, default: 1)
#define DAE_FOR_PLAIN(name, x)                                                                    \
    ((void)sizeof(struct {                                                                        \
        _Static_assert(DAE_IS_PLAIN(x), #name " is for plain numbers: give it value(x), "         \
                                              "which has no derivative");                         \
        char dae;                                                                                 \
    }))

#undef frexp
#undef modf
#undef ilogb
#undef logb
#undef lrint
#undef llrint
#undef lround
#undef llround
#undef remquo
#undef nextafter
#undef nexttoward
#define lrint(x) (DAE_FOR_PLAIN(lrint, x), (lrint)(x))
#define llrint(x) (DAE_FOR_PLAIN(llrint, x), (llrint)(x))
#define lround(x) (DAE_FOR_PLAIN(lround, x), (lround)(x))
#define llround(x) (DAE_FOR_PLAIN(llround, x), (llround)(x))
#define ilogb(x) (DAE_FOR_PLAIN(ilogb, x), (ilogb)(x))
#define logb(x) (DAE_FOR_PLAIN(logb, x), (logb)(x))
#define frexp(x, exponent) (DAE_FOR_PLAIN(frexp, x), (frexp)(x, exponent))
#define modf(x, whole) (DAE_FOR_PLAIN(modf, x), (modf)(x, whole))
#define remquo(x, y, quotient) (DAE_FOR_PLAIN(remquo, (x) + (y)), (remquo)(x, y, quotient))
#define nextafter(x, y) (DAE_FOR_PLAIN(nextafter, (x) + (y)), (nextafter)(x, y))
#define nexttoward(x, y) (DAE_FOR_PLAIN(nexttoward, (x) + (y)), (nexttoward)(x, y))

#undef fpclassify
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered
#define fpclassify(x)                                                                             \
    (DAE_FOR_PLAIN(fpclassify, x),                                                                \
     __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x))
#define isgreater(x, y) (DAE_FOR_PLAIN(isgreater, (x) + (y)), __builtin_isgreater(x, y))
#define isgreaterequal(x, y) (DAE_FOR_PLAIN(isgreaterequal, (x) + (y)), __builtin_isgreaterequal(x, y))
#define isless(x, y) (DAE_FOR_PLAIN(isless, (x) + (y)), __builtin_isless(x, y))
#define islessequal(x, y) (DAE_FOR_PLAIN(islessequal, (x) + (y)), __builtin_islessequal(x, y))
#define islessgreater(x, y) (DAE_FOR_PLAIN(islessgreater, (x) + (y)), __builtin_islessgreater(x, y))
#define isunordered(x, y) (DAE_FOR_PLAIN(isunordered, (x) + (y)), __builtin_isunordered(x, y))

/* ---- for integers */
#define DAE_IS_INTEGER(n)                                                                         \
    _Generic(+(n), int: 1, unsigned: 1, long: 1, unsigned long: 1, long long: 1, unsigned long long: 1, \
             default: 0)
#define DAE_FOR_INTEGERS(name, n)                                                                 \
    ((void)sizeof(struct {                                                                        \
        _Static_assert(DAE_IS_INTEGER(n), #name " is for integers, and would round: write fabs(x)"); \
        char dae;                                                                                 \
    }))

#undef abs
#undef labs
#undef llabs
#define abs(n) (DAE_FOR_INTEGERS(abs, n), (abs)(n))
#define labs(n) (DAE_FOR_INTEGERS(labs, n), (labs)(n))
#define llabs(n) (DAE_FOR_INTEGERS(llabs, n), (llabs)(n))

#endif
