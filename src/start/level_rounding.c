/* level_rounding.c - what rounding makes of equations that are affine in x, by their second differences
 *
 * Hamming (1973), Numerical Methods for Scientists and Engineers, ch. 10.
 */
#include "level_rounding.h"

#include "base/numbers.h"
#include "base/zeroed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 3 };
static const double near = 1e-3;        /* |d| over |x| */
static const double surely = 8;         /* what is left over the rounding that is seen */

/* Differences and scratch rows [nl], x + d [n]. */
typedef struct {
    double *difference, *r, *x;
} probe;

/* r^T S^-1 r; solved[nl] := S^-1 r */
static double energy_of(const dae_system *s, const double *r, double *solved)
{
    double energy = 0;
    memcpy(solved, r, (size_t)s->nl * sizeof *r);
    dae_system_solve_schur(s, solved);
    for (int k = 0; k < s->nl; k++)
        energy += r[k] * solved[k];
    return energy;
}

/* difference := r(x + d) - 2 r(x) + r(x - d) over the length of (1, -2, 1); r(x) is evaluated last. */
static void look(const dae_system *s, const dae_level *level, const double *x, uint64_t *random, const probe *w)
{
    static const double place[] = {1, -1, 0}, weight[] = {1, 1, -2};
    const uint64_t begin = *random;
    memset(w->difference, 0, (size_t)s->nl * sizeof *w->difference);
    for (int point = 0; point < 3; point++) {
        *random = begin;                                /* the same d */
        for (int i = 0; i < level->n; i++)
            w->x[i] = x[i] + place[point] * near * x[i] * dae_random_direction(random);
        level->evaluate(level->context, w->x, w->r);
        for (int k = 0; k < s->nl; k++)
            w->difference[k] += weight[point] / sqrt(6) * w->r[k];
    }
}

/* The energy of the rounding that is seen, the largest of a few directions; *seen as the header has it */
static double rounding_energy(const dae_system *s, const dae_level *level, const double *x, const probe *w,
                              double *seen)
{
    double most = 0;
    uint64_t random = 19860501;
    for (int line = 0; line < LINES; line++) {
        look(s, level, x, &random, w);
        most = fmax(most, energy_of(s, w->difference, w->r));
        *seen = fmax(*seen, dae_largest(s->nl, w->difference));
    }
    return most;
}

dae_status dae_level_is_solved(dae_system *s, const dae_level *level, const double *x, const double *r, double energy,
                               double *seen)
{
    const size_t n = (size_t)level->n, nl = (size_t)s->nl;
    *seen = 0;
    double *memory = dae_zeroed(2 * nl + n, sizeof *memory);
    if (!memory)
        return DAE_NO_MEMORY;
    const probe w = {.difference = memory, .r = memory + nl, .x = memory + 2 * nl};
    const double left = energy_of(s, r, w.r);
    int good = left <= DAE_START_ROUNDING * DAE_START_ROUNDING * energy;        /* not if it is a NaN */
    if (!good && isfinite(left)) {
        const double rounding = rounding_energy(s, level, x, &w, seen);
        good = left <= surely * surely * rounding && rounding <= DBL_EPSILON * energy;
    }
    free(memory);
    return good ? DAE_OK : DAE_INCONSISTENT;
}
