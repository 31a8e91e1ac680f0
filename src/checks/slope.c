/* slope.c - central differences, extrapolated
 *
 *     D(e) = (f(e) - f(-e)) / 2e = f' + c_1 e^2 + c_2 e^4 + ...
 *
 * for e, e/2, ... e/32 gives a table by Aitken and Neville, whose last entry is off by O(e^12). What
 * it differs by from its two neighbours, and the rounding of f over e, are its error. How large e may
 * be is for f to say: from 1/64 of the unit down to 2^-36 of it, each row keeps its best.
 */
#include "slope.h"

#include "base/no_fast_math.h"

#include <math.h>
#include <string.h>

enum { RUNGS = 6 };

void dae_quad_difference(dae_quad_path *f, void *context, dae_quad e, int m, dae_quad *slope, dae_quad *work)
{
    f(context, e, slope);
    f(context, -e, work);
    for (int i = 0; i < m; i++)
        slope[i] = (slope[i] - work[i]) / (2 * e);
}

void dae_quad_bend(dae_quad_path *f, void *context, dae_quad e, int m, const dae_quad *here, dae_quad *out,
                   dae_quad *work)
{
    for (int i = 0; i < m; i++)
        out[i] = -2 * here[i];
    for (int sign = -1; sign <= 1; sign += 2) {
        f(context, sign * e, work);
        for (int i = 0; i < m; i++)
            out[i] += work[i];
    }
}

/* row[0 ... l] of the table, from those of l - 1; work: [2 m] */
static void add_row(dae_quad_path *f, void *context, dae_quad e, int l, int m, dae_quad *table,
                    dae_quad *work)
{
    dae_quad_difference(f, context, e, m, work, work + m);
    for (int i = 0; i < m; i++) {
        dae_quad T = work[i], power = 1;
        for (int j = 0; j < l; j++) {
            const dae_quad above = table[j * m + i];
            table[j * m + i] = T;
            power *= 4;
            T += (T - above) / (power - 1);
        }
        table[l * m + i] = T;
    }
}

void dae_quad_slope(dae_quad_path *f, void *context, dae_quad unit, int m, const dae_quad *size,
                    const dae_quad *rounding, dae_quad *slope, dae_quad *error, dae_quad *way,
                    dae_quad *work)
{
    dae_quad *table = work + 2 * m, *before = table + DAE_SLOPE_ROWS * m, e = unit * 0x1p-6;
    const dae_quad *last = table + (DAE_SLOPE_ROWS - 1) * m;
    memset(slope, 0, (size_t)m * sizeof *slope);
    for (int i = 0; i < m; i++)
        error[i] = HUGE_VAL;
    for (int rung = 0, rough = 1; rung < RUNGS && rough; rung++, e *= 0x1p-6) {
        for (int l = 0; l < DAE_SLOPE_ROWS; l++) {
            if (l == DAE_SLOPE_ROWS - 1)
                memcpy(before, last - m, (size_t)m * sizeof *before);
            add_row(f, context, e * ldexp(1, -l), l, m, table, work);
        }
        rough = 0;
        for (int i = 0; i < m; i++) {
            const dae_quad apart = dae_quad_fabs(last[i] - last[i - m]) + dae_quad_fabs(last[i] - before[i])
                                   + (rounding ? 32 * rounding[i] / e : 0);
            if (apart < error[i]) {
                error[i] = apart;
                slope[i] = last[i];
                if (way)
                    way[i] = e;
            }
            rough |= !(error[i] <= 1e-24 * dae_quad_fmax(dae_quad_fabs(slope[i]), size[i]));
        }
    }
}
