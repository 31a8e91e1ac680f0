#include "page/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WANTED = 5 };            /* about so many ticks */

axis axis_begin(int log)
{
    return (axis){.log = log, .low = INFINITY, .high = -INFINITY};
}

void axis_take(axis *a, double x)
{
    const double place = a->log ? (x > 0 ? log10(x) : NAN) : x;
    if (!isfinite(place))
        return;
    a->count++;
    a->low = fmin(a->low, place);
    a->high = fmax(a->high, place);
}

/* 1, 2 or 5 times a power of ten: a span has about WANTED of them. */
static double nice_step(double span)
{
    const double rough = span / WANTED, decade = pow(10, floor(log10(rough)));
    const double times = rough / decade;
    return decade * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* Between two ticks; decades on a logarithmic axis are whole. */
static double tick_step(const axis *a)
{
    const double step = nice_step(a->high - a->low);
    return a->log ? fmax(1, ceil((a->high - a->low) / (WANTED + 1))) : step;
}

void axis_end(axis *a)
{
    if (!a->count)
        *a = (axis){.log = a->log, .low = 0, .high = 1};
    const double size = fmax(fabs(a->low), fabs(a->high));
    if (a->high - a->low <= 1e-12 * size || a->high <= a->low) {
        const double half = a->log || size == 0 ? 0.5 : 0.5 * size;
        a->low -= half;
        a->high += half;
    }
    const double step = a->log ? 1 : nice_step(a->high - a->low);
    a->low = step * floor(a->low / step + 1e-9);
    a->high = step * ceil(a->high / step - 1e-9);
}

double axis_place(const axis *a, double x)
{
    if (!isfinite(x))
        return NAN;
    if (a->log && x <= 0)
        return 0;
    const double place = ((a->log ? log10(x) : x) - a->low) / (a->high - a->low);
    return fmin(fmax(place, 0), 1);
}

int axis_ticks(const axis *a, double tick[AXIS_TICKS])
{
    const double step = tick_step(a), first = ceil(a->low / step - 1e-9);
    int count = 0;
    for (; count < AXIS_TICKS && (first + count) * step <= a->high + 1e-9 * step; count++)
        tick[count] = a->log ? pow(10, (first + count) * step) : (first + count) * step;
    return count;
}

static void superscript(int n, char text[AXIS_LABEL])
{
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[AXIS_LABEL];
    snprintf(plain, sizeof plain, "%d", n);
    text[0] = 0;
    for (const char *c = plain; *c; c++)
        strcat(text, *c == '-' ? "⁻" : digit[*c - '0']);
}

void axis_label(const axis *a, double tick, char text[AXIS_LABEL])
{
    char power[AXIS_LABEL];
    if (!a->log) {
        snprintf(text, AXIS_LABEL, "%g", tick);
        return;
    }
    superscript((int)lround(log10(tick)), power);
    snprintf(text, AXIS_LABEL, "10%.20s", power);
}
