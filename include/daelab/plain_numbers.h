/* plain_numbers.h - functions that a model can call of plain numbers, and of integers, alone
 *
 * For authors of problems, through model.h and refused.h. In C.
 *
 * Functions that answer with an integer, or take a number apart, are for plain numbers, in a pass, too:
 * lround(value(x)) compiles, lround(x) does not. abs is for integers.
 */
#ifndef DAELAB_PLAIN_NUMBERS_H
#define DAELAB_PLAIN_NUMBERS_H

#include <math.h>
#include <stdlib.h>

#include "scalar.h"

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
