/* pivoting.h - what eliminations with pivots of all kinds of matrices use */
#ifndef DAE_PIVOTING_H
#define DAE_PIVOTING_H

#include <math.h>

#define SWAP(a, b)             \
    do {                       \
        const double c_ = (a); \
        (a) = (b);             \
        (b) = c_;              \
    } while (0)

/* Steps in a row choose the same pivots: a branch is foreseen, where a conditional move would wait for the
 * comparison. */
#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* ---- complex numbers with real and imaginary part apart -------------------------------------- */

/* (x, y) := (a + ib)(x + iy) */
static inline void multiply(double a, double b, double *x, double *y)
{
    const double c = *x, d = *y;
    *x = a * c - b * d;
    *y = a * d + b * c;
}

/* re + i im += (a + ib)(x + iy); im is NULL where b and y are 0. */
static inline void add_product(double a, double b, double x, double y, double *re, double *im)
{
    *re += a * x - b * y;
    if (im)
        *im += a * y + b * x;
}

/* (x, y) := 1/(x + iy), in units of a power of two where the square leaves the range of numbers; 0 where there is
 * none. */
static inline int invert(double *x, double *y)
{
    double a = *x, b = *y, over = 1 / (a * a + b * b);
    if (__builtin_expect(!(over > 0x1p-960 && over < 0x1p960), 0)) {
        const double most = fmax(fabs(a), fabs(b));
        if (!(most > 0 && most < HUGE_VAL))
            return 0;
        const double unit = ldexp(1, -(ilogb(most) > -1000 ? ilogb(most) : -1000));
        a *= unit;
        b *= unit;
        over = unit / (a * a + b * b);
    }
    *x = a * over;
    *y = -b * over;
    return fabs(*x) < HUGE_VAL && fabs(*y) < HUGE_VAL;
}

#endif
