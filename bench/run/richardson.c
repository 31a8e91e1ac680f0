/* richardson.c - order and error without a reference, as Richardson's rule sees them
 *
 * From three steps h_1 > h_2 > h_3 with differences e_1, e_2 of neighbours:
 *
 *     e_1/e_2 = (h_1^p - h_2^p)/(h_2^p - h_3^p),    error of the finest = e_2/((h_2/h_3)^p - 1)
 *
 * Kalitkin, Al'shin, Al'shina, Rogov (2005), Computations on Quasi-Uniform Grids, ch. 1.
 */
#include "run/richardson.h"

#include <math.h>

static double distance(const run_result *a, const run_result *b, int c)
{
    double largest = 0;
    for (int i = 0; i < a->length[c]; i++)
        largest = fmax(largest, fabs(a->values[c][i] - b->values[c][i]));
    return largest;
}

/* p where (h_1^p - h_2^p)/(h_2^p - h_3^p) = quotient: the left side grows with p. NaN: none. */
static double richardson_order(double r1, double r2, double quotient)
{
    double low = 1e-6, high = 64;                       /* r1 = h_1/h_2, r2 = h_2/h_3 */
#define LEFT(p) ((pow(r1, p) - 1) / (1 - pow(r2, -(p))))
    if (!(quotient > LEFT(low) && quotient < LEFT(high)))
        return NAN;
    while (high - low > 1e-12 * high) {
        const double middle = (low + high) / 2;
        if (LEFT(middle) < quotient)
            low = middle;
        else
            high = middle;
    }
#undef LEFT
    return (low + high) / 2;
}

void richardson(const run_result *runs, int count, int c, double *order, double *error)
{
    const run_result *fine = runs + count - 1, *middle = fine - 1, *coarse = fine - 2;
    *order = *error = NAN;
    if (count < 3 || !fine->values[c] || !middle->values[c] || !coarse->values[c])
        return;
    const double e1 = distance(coarse, middle, c), e2 = distance(middle, fine, c);
    const double ratio = middle->step / fine->step;
    const double p = richardson_order(coarse->step / middle->step, ratio, e1 / e2);
    if (isnan(p))
        return;
    *order = p;
    *error = e2 / (pow(ratio, p) - 1);
}
