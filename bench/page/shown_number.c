#include "page/writers.h"

#include <math.h>
#include <string.h>

const char *shown_number(const page_column *column, double x, char text[SHOWN_NUMBER])
{
    if (!isfinite(x))
        return "-";
    snprintf(text, SHOWN_NUMBER, column->format ? column->format : "%.6g", x);
    return text[0] == '-' && !strpbrk(text, "123456789") ? text + 1 : text;     /* no -0.00 */
}
