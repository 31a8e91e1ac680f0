#include "publish/order_row.h"

#include "publish/groups.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a slope against the tolerance: the error falls less than twofold where the tolerance falls by ten, and is
 * not so small that rounding might end it. */
static int is_flat(const order_row *o)
{
    return o->high < 0.25 && o->error > sqrt(DBL_EPSILON) * o->scale;
}

/* An order in the step is a whole number: it is 0 where the interval of the study, or without one the slope, is
 * nearer to 0 than to 1 and -1. */
static int is_zero(const order_row *o)
{
    if (o->by_rtol)
        return is_flat(o);
    if (isfinite(o->low) && isfinite(o->high))
        return o->low > -0.5 && o->high < 0.5;
    return isfinite(o->observed) && fabs(o->observed) < 0.5 && strcmp(o->verdict, "not determined") != 0;
}

static page_tone tone_of(const order_row *o)
{
    if (o->stays || strcmp(o->verdict, "below") == 0)
        return TONE_BAD;
    if (strcmp(o->verdict, "agrees") == 0 || strcmp(o->verdict, "above") == 0)
        return TONE_GOOD;
    return strcmp(o->verdict, "not determined") == 0 ? TONE_NOTE : TONE_PLAIN;
}

order_row order_row_at(const table *t, int row)
{
    order_row o = {
        .class = row_text_or_empty(t, row, "class"), .verdict = row_text_or_empty(t, row, "verdict"),
        .reason = row_text_or_empty(t, row, "reason"), .unit = row_text_or_empty(t, row, "unit"),
        .observed = row_number(t, row, "observed"), .low = row_number(t, row, "low"), .high = row_number(t, row, "high"),
        .declared = row_number(t, row, "declared"), .error = row_number(t, row, "error_finest"),
        .scale = row_number(t, row, "scale"), .by_rtol = strcmp(row_text_or_empty(t, row, "levels_by"), "rtol") == 0};
    o.stays = is_zero(&o);
    o.tone = tone_of(&o);
    return o;
}

const char *order_row_text(const order_row *o, char text[ORDER_TEXT])
{
    if (!isfinite(o->observed))
        return "-";
    snprintf(text, ORDER_TEXT, "%.2f", fabs(o->observed) < 0.005 ? 0 : o->observed);
    return text;
}
