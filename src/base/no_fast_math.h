/* no_fast_math.h - every file of the library refuses -ffast-math (tests/fast_math.cmake tries
 * each) */
#ifndef DAE_NO_FAST_MATH_H
#define DAE_NO_FAST_MATH_H

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "daelab must not be compiled with -ffast-math: it tells NaN and Inf from numbers"
#endif

#endif
