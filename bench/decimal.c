#include "decimal.h"

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
