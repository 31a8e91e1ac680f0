/* slope_interval.c - with residuals r_i of count points and s^2 = sum r_i^2/(count - 2) the slope has the standard
 * error s/sqrt(sum (x_i - mean)^2) */
#include "numbers/slope_interval.h"

#include "numbers/order_interval.h"

#include <math.h>

/* Abramowitz, Stegun (1964), Handbook of Mathematical Functions, 26.7.5 and table 26.10 */
double student_quantile(int degrees)
{
    static const double first[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306};
    const double z = 1.959964, v = degrees, square = z * z;
    if (degrees <= (int)(sizeof first / sizeof *first))
        return first[degrees - 1];
    return z + z * (square + 1) / (4 * v) + z * ((5 * square + 16) * square + 3) / (96 * v * v)
           + z * (((3 * square + 19) * square + 17) * square - 15) / (384 * v * v * v);
}

static double mean(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i];
    return sum / count;
}

slope_interval slope_interval_of(const double *x, const double *y, int count)
{
    slope_interval s = {least_squares_slope(x, y, count), NAN, NAN};
    if (count < 3)
        return s;
    const double mx = mean(x, count), my = mean(y, count);
    double squares = 0, spread = 0;
    for (int i = 0; i < count; i++) {
        const double residual = y[i] - my - s.slope * (x[i] - mx);
        squares += residual * residual;
        spread += (x[i] - mx) * (x[i] - mx);
    }
    const double half = student_quantile(count - 2) * sqrt(squares / (count - 2) / spread);
    s.low = s.slope - half;
    s.high = s.slope + half;
    return s;
}
