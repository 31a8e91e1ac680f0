#include "comparison.h"

#include <math.h>

const double dae_not_rounding = 1e-14;

int dae_compare(dae_comparison *c, dae_quad apart, dae_quad error, dae_quad size, const char *what,
                int row, const char *why)
{
    const dae_quad off = fabsf128(apart) - 16 * error;
    if (apart - apart != 0 || !(off > 0) || !(off > size * DAE_QUAD_C(1e-33)))
        return 1;                           /* where a difference has no number it shows nothing */
    const double part = (double)(off / size);
    c->digits = fmin(c->digits, -log10(part));
    if (!(part > dae_not_rounding))
        return 1;
    if (!c->failed)
        dae_fail(c->report, DAE_BAD_ARGUMENT, "%s, t = %.9g: %s, row %d, %s: off by %.2g of its "
                 "size", c->problem, c->t, what, row, why, part);
    c->failed = 1;
    return 0;
}
