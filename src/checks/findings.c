#include "findings.h"

#include "base/no_fast_math.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const double dae_double_rounding = 1e-14, dae_rough_rounding = 1e-9;

/* ---- the list ----------------------------------------------------------------------------- */

static int find(const dae_findings *list, const char *function)
{
    int i = 0;
    while (i < list->count && strcmp(list->item[i].function, function) != 0)
        i++;
    return i;
}

static void keep(dae_findings *list, const dae_finding *f, double part)
{
    const int i = find(list, f->function);
    if (i == DAE_MOST_FINDINGS)
        return;
    if (i == list->count)
        list->count++;
    else if (f->failed < list->item[i].failed
             || (f->failed == list->item[i].failed && !(part > list->part[i])))
        return;
    list->item[i] = *f;
    list->part[i] = part;
}

int dae_findings_blame(const dae_findings *list, const char *function)
{
    const int i = find(list, function);
    return i < list->count && list->item[i].failed;
}

/* ---- differences -------------------------------------------------------------------------- */

double dae_difference(dae_quad found, dae_quad expected, dae_quad error, dae_quad size)
{
    const dae_quad apart = found - expected, off = dae_quad_fabs(apart) - 16 * error;
    if (apart - apart != 0 || !(off > 0) || !(off > size * DAE_QUAD_C(1e-33)))
        return 0;
    return (double)(off / size);
}

double dae_show(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size)
{
    const double part = dae_difference(found, expected, error, size);
    if (part > 0)
        c->digits = fmin(c->digits, -log10(part));
    return part;
}

int dae_compare(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size,
                const char *function, int row, const char *why)
{
    const double part = dae_show(c, found, expected, error, size);
    if (!(part > c->rounding))
        return 1;
    dae_blame(c, function, row, 0, (double)found, (double)expected, part, why);
    return 0;
}

/* ---- in words ----------------------------------------------------------------------------- */

static void add(dae_comparison *c, dae_finding *f, const char *function, double part)
{
    f->t = c->t;
    snprintf(f->function, sizeof f->function, "%s", function);
    if (f->failed && !c->status)
        c->status = dae_fail(c->report, DAE_BAD_ARGUMENT, "%s", f->sentence);
    if (c->list)
        keep(c->list, f, part);
}

/* How the two numbers differ, of which a reader sees no others: in sign, by a part of the larger, or, where one of them
 * is 0, by a part of the size of the row. */
static void put_numbers(char *out, size_t length, double found, double expected, double part)
{
    const double larger = fmax(fabs(found), fabs(expected)), apart = fabs(found - expected);
    const int end = snprintf(out, length, ": %.9g, and not %.9g; ", found, expected);
    if (larger > 0 && fabs(found + expected) <= 1e-6 * larger)
        snprintf(out + end, length - (size_t)end, "the sign is wrong");
    else if (found != 0 && expected != 0 && apart > 0 && isfinite(larger))
        snprintf(out + end, length - (size_t)end, "they differ by %.2g of the larger", apart / larger);
    else
        snprintf(out + end, length - (size_t)end, "off by %.2g of its size", part);
}

void dae_blame(dae_comparison *c, const char *function, int row, int column, double found,
               double expected, double part, const char *why)
{
    char where[64] = "", numbers[128] = "";
    dae_finding f = {.failed = 1, .row = row, .column = column, .found = found, .expected = expected};
    if (row && column)
        snprintf(where, sizeof where, ", row %d, column %d ([%d], [%d] in C)", row, column, row - 1, column - 1);
    else if (row)
        snprintf(where, sizeof where, ", row %d ([%d] in C)", row, row - 1);
    if (!isnan(found) && !isnan(expected))
        put_numbers(numbers, sizeof numbers, found, expected, part);
    snprintf(f.sentence, sizeof f.sentence, "%s, t = %.9g: %s%s, %s%s", c->problem, c->t, function, where, why,
             numbers);
    add(c, &f, function, part);
}

void dae_tell(dae_comparison *c, int failed, double part, const char *function, int row, double found,
              double expected, const char *format, ...)
{
    dae_finding f = {.failed = failed, .row = row, .found = found, .expected = expected};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f.sentence, sizeof f.sentence, format, arguments);
    va_end(arguments);
    add(c, &f, function, part);
}
