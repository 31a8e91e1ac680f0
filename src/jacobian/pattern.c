/* pattern.c - where dF/du or M has entries: all places, or those that probing finds
 *
 * Probing differentiates with dual numbers at several random points near the start; an entry that
 * vanishes at all of them is taken as structurally zero. An entry that is NaN counts as present.
 */
#include "providers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 3 };

dae_status dae_pattern_full(dae_pattern *pattern, int n)
{
    const size_t nnz = (size_t)n * (size_t)n;
    pattern->n = n;
    pattern->nnz = n * n;
    pattern->full = 1;
    pattern->column = malloc(((size_t)n + 1) * sizeof *pattern->column);
    pattern->row = malloc(nnz * sizeof *pattern->row);
    if (!pattern->column || !pattern->row)
        return DAE_NO_MEMORY;
    for (int j = 0; j <= n; j++)
        pattern->column[j] = j * n;
    for (int k = 0; k < n * n; k++)
        pattern->row[k] = k % n;
    return DAE_OK;
}

/* Uniform in [-1, 1], the same sequence in every run (Knuth's MMIX generator). */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Random points u (1 + r/10) + r/10 around the start. */
static void random_points(dae_jacobian *jac, const double *start, double *points)
{
    uint64_t state = 20090217;
    for (int i = 0; i < PROBES * jac->sys->n; i++) {
        const double r = uniform(&state) / 10;
        points[i] = start[i % jac->sys->n] * (1 + r) + uniform(&state) / 10;
    }
}

/* mark[n] := rows of column j that are not zero at some point, or where M has an entry. */
static void probe_column(dae_jacobian *jac, int j, const double *points, unsigned char *mark)
{
    dae_system *sys = jac->sys;
    const int n = sys->n;
    dae_dual *x = jac->dual, *y = x + n;
    memset(mark, 0, (size_t)n);
    for (int p = 0; p < PROBES; p++) {
        for (int i = 0; i < n; i++)
            x[i] = dae_dual_make(points[p * n + i], i == j);
        sys->compose->rhs_dual(sys, dae_dual_make(sys->problem->t0 + 0.1 * (p + 1), 0), x, y);
        for (int i = 0; i < n; i++)
            mark[i] |= dae_dual_derivative(y[i]) != 0;
    }
    double *e = jac->work, *column = e + n;
    memset(e, 0, (size_t)n * sizeof *e);
    e[j] = 1;
    dae_system_mass(sys, e, column);
    for (int i = 0; i < n; i++)
        mark[i] |= column[i] != 0;
}

/* Append the marked rows to the pattern as column j, growing the memory by doubling. */
static int append(dae_pattern *pattern, int j, const unsigned char *mark, int *room)
{
    for (int i = 0; i < pattern->n; i++) {
        if (!mark[i])
            continue;
        if (pattern->nnz == *room) {
            int *grown = realloc(pattern->row, 2 * (size_t)*room * sizeof *grown);
            if (!grown)
                return 0;
            pattern->row = grown;
            *room *= 2;
        }
        pattern->row[pattern->nnz++] = i;
    }
    pattern->column[j + 1] = pattern->nnz;
    return 1;
}

dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report)
{
    dae_pattern *pattern = &jac->pattern;
    const int n = jac->sys->n;
    int room = 8 * n;
    double *points = malloc((1 + PROBES) * (size_t)n * sizeof *points);
    unsigned char *mark = malloc((size_t)n);
    pattern->n = n;
    pattern->column = calloc((size_t)n + 1, sizeof *pattern->column);
    pattern->row = malloc((size_t)room * sizeof *pattern->row);
    dae_status status = points && mark && pattern->column && pattern->row ? DAE_OK : DAE_NO_MEMORY;
    if (!status)
        status = dae_system_start(jac->sys, points + PROBES * n, report);
    if (!status)
        random_points(jac, points + PROBES * n, points);
    for (int j = 0; !status && j < n; j++) {
        probe_column(jac, j, points, mark);
        if (!append(pattern, j, mark, &room))
            status = DAE_NO_MEMORY;
    }
    free(points);
    free(mark);
    return status;
}
