/* refused_complex.h - functions of complex numbers, by which dual ones are carried, and which they are not
 *
 * For authors of problems, through model.h and refused.h, which says how they are refused. In C.
 */
#ifndef DAELAB_REFUSED_COMPLEX_H
#define DAELAB_REFUSED_COMPLEX_H

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

#endif
