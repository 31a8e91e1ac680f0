#include "comparison.h"

#include <math.h>
#include <stdio.h>

const double dae_not_rounding = 1e-14;

double dae_difference(dae_quad found, dae_quad expected, dae_quad error, dae_quad size)
{
    const dae_quad apart = found - expected, off = dae_quad_fabs(apart) - 16 * error;
    if (apart - apart != 0 || !(off > 0) || !(off > size * DAE_QUAD_C(1e-33)))
        return 0;
    return (double)(off / size);
}

int dae_compare(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size,
                const char *function, int row, const char *why)
{
    const double part = dae_difference(found, expected, error, size);
    if (part == 0)
        return 1;
    c->digits = fmin(c->digits, -log10(part));
    if (!(part > dae_not_rounding))
        return 1;
    dae_blame(c, function, row, 0, (double)found, (double)expected, part, why);
    return 0;
}

static dae_finding finding(const dae_comparison *c, const char *function, int row, int column,
                           double found, double expected)
{
    dae_finding f = {.row = row, .column = column, .t = c->t, .found = found, .expected = expected};
    snprintf(f.function, sizeof f.function, "%s", function);
    return f;
}

void dae_blame(dae_comparison *c, const char *function, int row, int column, double found,
               double expected, double part, const char *why)
{
    char where[64] = "", numbers[80] = "";
    dae_finding f = finding(c, function, row, column, found, expected);
    f.failed = 1;
    if (row && column)
        snprintf(where, sizeof where, ", row %d, column %d ([%d], [%d] in C)", row, column, row - 1, column - 1);
    else if (row)
        snprintf(where, sizeof where, ", row %d ([%d] in C)", row, row - 1);
    if (!isnan(found) && !isnan(expected))
        snprintf(numbers, sizeof numbers, ": %.9g, and not %.9g", found, expected);
    snprintf(f.sentence, sizeof f.sentence, "%s, t = %.9g: %s%s, %s%s; off by %.2g of its size",
             c->problem, c->t, function, where, why, numbers, part);
    if (!c->failed)
        dae_fail(c->report, DAE_BAD_ARGUMENT, "%s", f.sentence);
    c->failed = 1;
    if (c->list)
        dae_findings_add(c->list, &f, part);
}

void dae_remark(dae_comparison *c, const char *function, int row, double found, double expected,
                const char *sentence)
{
    dae_finding f = finding(c, function, row, 0, found, expected);
    snprintf(f.sentence, sizeof f.sentence, "%s, t = %.9g: %s", c->problem, c->t, sentence);
    if (c->list)
        dae_findings_add(c->list, &f, fabs(found));
}
