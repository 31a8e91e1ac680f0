/* numbers.h - random numbers, maximum norm, test for finite values */
#ifndef DAE_NUMBERS_H
#define DAE_NUMBERS_H

#include "no_fast_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Uniform in [-1, 1), the same sequence in every run (Knuth's MMIX generator). */
static inline double dae_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Of either sign and a size in [1/2, 3/2]: a direction in which nothing cancels by chance. */
static inline double dae_random_direction(uint64_t *state)
{
    const double r = dae_random(state);
    return r + copysign(0.5, r);
}

/* max |x_i|, 0 for none; NaN are passed over */
static inline double dae_largest(int n, const double *x)
{
    double y = 0;
    for (int i = 0; i < n; i++)
        y = fabs(x[i]) > y ? fabs(x[i]) : y;
    return y;
}

/* 0 x_i is NaN where x_i is not finite. Of many numbers even and odd i apart: neither waits for the other, and they
 * are loaded together; which waits where few were stored one by one just now. */
enum { DAE_FEW = 16 };
static inline int dae_vector_finite(int n, const double *x)
{
    const int paired = n > DAE_FEW ? n - 1 : 0;
    double even = 0, odd = 0;
    int i = 0;
    for (; i < paired; i += 2) {
        even += 0 * x[i];
        odd += 0 * x[i + 1];
    }
    for (; i < n; i++)
        even += 0 * x[i];
    return even + odd == 0;
}

/* The power of two in x > 0: x without its digits; 1 where there is none, as of 0. */
static inline double dae_power_of_two(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (uint64_t)0x7ff << 52;
    if (bits == 0 || bits == (uint64_t)0x7ff << 52)
        return 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
