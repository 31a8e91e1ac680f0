/* model.h - compiles the equations of a problem file once for each scalar
 *
 * For authors of problems. In C.
 *
 * A problem file `name.c` has two halves:
 *
 *     #ifndef DAE_PASS
 *     enum { M, L };                    names for the parameters p[M], p[L] in both halves
 *     #include <daelab/model.h>
 *     ... const dae_problem dae_name = { ..., .force = DAE_MODEL(force), ... };
 *     #else
 *     static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) {...}
 *     #endif
 *
 * This header includes the second half once for each pass, with two types and FN(force) a name of
 * its own each time:
 *
 *     pass       real       param      FN(name)
 *     double     double     double     name_double     values
 *     dual       dae_dual   double     name_dual       derivatives with respect to t and the state
 *     quad       dae_quad   dae_quad   name_quad       references
 *     tangent    dae_dual   dae_dual   name_tangent    derivatives with respect to parameters, too
 *
 * In it, + - * / and the functions of <math.h> in functions.h work for every scalar, PI, or M_PI, is pi to
 * full accuracy, EXACT(0.1) a tenth (0.1 is a double in every pass), value(x) is the plain number of x for
 * a branch, and dae_count(p[N]) the integer of a parameter that is a DAE_COUNT. What is made of parameters
 * only is a param, what t or the state enters is a real: `const param square = p[L] * p[L]`. Zero may be
 * written f[0] = 0; the problems that come with daelab write (real){0}, which is zero for a vector of several
 * doubles, too.
 *
 * Nothing loses its derivative, or its digits, unseen. In the passes these are errors, by gcc and clang,
 * whatever warnings are on (but for -w, which turns off the first two):
 *     a real that becomes a double, float or int: double y = x, f(x) of a function of doubles
 *     an array of reals taken for one of doubles, a function that was not declared, 0.1f * x
 *     a function of <math.h> that follows no derivatives: refused.h
 *     x > 0 of a real: write value(x) > 0
 *     pow(x, 1/3), where 1/3 is 0, a quotient of integers: write 1.0/3 (nothing tells of it elsewhere)
 * An explicit cast, (double)x, and x == 0, which compares the derivative as well, are legal C: write value(x)
 * where that is meant, and a real everywhere else.
 *
 * The file that is included is the one being compiled. A compiler that is given a relative path
 * needs -I. to find it again. Define DAE_SOURCE to its name before this header where a build
 * compiles it through another file.
 */
#ifndef DAELAB_MODEL_H
#define DAELAB_MODEL_H

#ifdef __cplusplus
#error "a problem is a file of C: compile it with cc, and link it to the program in C++"
#endif

#include "functions.h"
#include "plugin.h"
#include "problem.h"
#include "refused.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "a model must not be compiled with -ffast-math: its dual and quad numbers would be wrong"
#endif

#ifndef DAE_SOURCE
#define DAE_SOURCE __BASE_FILE__
#endif

#define DAE_MODEL(name) {name##_double, name##_dual, name##_quad, name##_tangent}

/* The six maps that every mechanical problem has, where the model calls them by these names. */
#define DAE_MECHANICAL_MODEL                                                                      \
    .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),                                     \
    .constraint = DAE_MODEL(constraint), .rate = DAE_MODEL(rate),                                 \
    .acceleration = DAE_MODEL(acceleration), .reaction = DAE_MODEL(reaction)

/* A model's signatures are fixed; it need not use all of their arguments. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Where daelab is installed this is a system header, and so would be what it includes: compilers say nothing
 * of those. A line marker makes the passes the user's again; as a GNU extension it is for system headers. */
#pragma GCC system_header
# 1 "<the passes of daelab/model.h>"

/* What passes refuse, whatever warnings are on: functions of plain numbers (refused.h), said once, in the
 * first pass; and, as errors, the warnings that tell of a number that becomes less than it is. Signs of
 * integers stay a warning, which clang makes of an error only where it was ignored between. Enumerators, which
 * clang 19 counts among them beside a double, are ints. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wconversion"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wenum-float-conversion"
#endif
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic warning "-Wsign-conversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wdouble-promotion"
#undef DAE_REFUSE
#define DAE_REFUSE(name, instead, ...) DAE_REFUSED(name, instead)
#undef DAE_CONSTANT
#define DAE_CONSTANT(digits) DAE_CONSTANT_OF_PASS(digits)
#undef DAE_EXPONENT
#define DAE_EXPONENT(y) DAE_EXPONENT_IN_PASS(y)

#define DAE_PASS
#define real double
#define param double
#define FN(name) name##_double
#include DAE_SOURCE
#undef real
#undef param
#undef FN
#pragma GCC diagnostic pop
#undef DAE_REFUSE
#define DAE_REFUSE(name, instead, ...) ((real){0})
#undef DAE_EXPONENT
#define DAE_EXPONENT(y) 0
#define real dae_dual
#define param double
#define FN(name) name##_dual
#include DAE_SOURCE
#undef real
#undef param
#undef FN
/* The other two spend their time in arithmetic of quad numbers, or are asked for rarely: to compile them
 * with all effort makes them no faster, and took a fifth of the time. */
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O1")
#endif
#undef DAE_PICK_ROUNDED
#define DAE_PICK_ROUNDED(...) DAE_PICK_IN_QUAD(__VA_ARGS__)
#define real dae_quad
#define param dae_quad
#define FN(name) name##_quad
#include DAE_SOURCE
#undef real
#undef param
#undef FN
#undef DAE_PICK_ROUNDED
#define DAE_PICK_ROUNDED(...) DAE_PICK(__VA_ARGS__)
#define real dae_dual
#define param dae_dual
#define FN(name) name##_tangent
#include DAE_SOURCE
#undef real
#undef param
#undef FN
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
#undef DAE_PASS
#pragma GCC diagnostic pop
#undef DAE_REFUSE
#define DAE_REFUSE(name, instead, ...) name(__VA_ARGS__)
#undef DAE_CONSTANT
#define DAE_CONSTANT(digits) digits

#if defined(_TGMATH_H) || defined(__CLANG_TGMATH_H)
#error "a model must not include <tgmath.h>: it takes dual numbers for complex ones; <math.h> is there"
#endif

#endif
