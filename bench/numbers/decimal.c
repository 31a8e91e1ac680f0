#include "numbers/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A decimal of at most 15 digits that reads back is found at once, as %g leaves zeros at the end
 * out; only below the normal numbers may fewer digits do that %.15g does not print. */
const char *decimal(double x, char text[DECIMAL])
{
    for (int digits = fabs(x) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, DECIMAL, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return text;
}

double decimal_clean(double x)
{
    char text[DECIMAL];
    snprintf(text, sizeof text, "%.15g", x);
    return strtod(text, NULL);
}

double decimal_level(double first, double ratio, int i)
{
    return i == 0 ? first : decimal_clean(first / pow(ratio, i));
}

/* 10^places is a double up to there. */
enum { MOST_PLACES = 22 };

int decimal_places(double x)
{
    double unit = 1;
    for (int places = 0; places <= MOST_PLACES; places++, unit *= 10) {
        const double n = round(x * unit);
        if (fabs(n) >= 1e12)
            break;
        if (n / unit == x)
            return places;
    }
    return -1;
}

/* Numerator and denominator are integers without rounding: their quotient is rounded once. */
double decimal_multiple(double t0, double every, long k, int places)
{
    double unit = 1;
    for (int i = 0; i < places; i++)
        unit *= 10;
    const double first = round(t0 * unit), numerator = first + (double)k * round(every * unit);
    return places < 0 || fabs(first) + fabs(numerator) >= 0x1p52 ? t0 + (double)k * every
                                                                 : numerator / unit;
}
