/* multiply.h - complex numbers with real and imaginary part apart */
#ifndef DAE_MULTIPLY_H
#define DAE_MULTIPLY_H

/* (x, y) := (a + ib)(x + iy) */
static inline void multiply(double a, double b, double *x, double *y)
{
    const double c = *x, d = *y;
    *x = a * c - b * d;
    *y = a * d + b * c;
}

#endif
