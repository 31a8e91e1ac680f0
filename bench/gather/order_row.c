#include "gather/order_row.h"

#include "gather/groups.h"

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

/* What some thousand steps leave of rounding cannot fall. */
static int is_rounding(const order_row *o) { return o->error <= 1e4 * DBL_EPSILON * o->scale; }

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

static int same_pair(const table *t, int a, int b)
{
    static const char *const names[] = {"part", "problem", "form", "method"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!same_text(row_text(t, a, names[i]), row_text(t, b, names[i])))
            return 0;
    return 1;
}

/* Of the class and of the one that it is a part of, which stands in a row before: "position" of
 * "position_after_events", which may be where all positions are zero. */
static double scale_at(const table *t, int row)
{
    const char *class = row_text_or_empty(t, row, "class");
    double scale = NAN;
    for (int k = row; k >= 0 && same_pair(t, row, k); k--) {
        const char *whole = row_text_or_empty(t, k, "class");
        if (strncmp(class, whole, strlen(whole)) == 0)
            scale = fmax(scale, row_number(t, k, "scale"));
    }
    return scale;
}

order_row order_row_at(const table *t, int row)
{
    order_row o = {
        .class = row_text_or_empty(t, row, "class"), .verdict = row_text_or_empty(t, row, "verdict"),
        .reason = row_text_or_empty(t, row, "reason"), .unit = row_text_or_empty(t, row, "unit"),
        .observed = row_number(t, row, "observed"), .low = row_number(t, row, "low"),
        .high = row_number(t, row, "high"),
        .declared = row_number(t, row, "declared"), .error = row_number(t, row, "error_finest"),
        .scale = scale_at(t, row), .by_rtol = strcmp(row_text_or_empty(t, row, "levels_by"), "rtol") == 0};
    o.stays = is_zero(&o) && !is_rounding(&o);
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
