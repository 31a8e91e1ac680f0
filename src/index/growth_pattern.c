/* growth_pattern.c - growth of the rows of (M - h J)^-1 from the places of its entries alone
 *
 * With the potentials of the least matching, M - h J = diag(h^p) B diag(h^q), B(0) is regular, and
 * entry (j, i) of the inverse is of order h^(d - q_j - p_i), where d is the length of the shortest
 * alternating way, in the lengths order - p - q, from column j to row i: the least matching of the
 * minor without them. So with r the row matched to j
 *
 *     k_j = q_j + V_r,   V_r = max (p_r, max over columns c of row r of V_row(c) - length(r, c)).
 */
#include "growth.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64 };      /* of p: an index beyond is not asked for */

/* V[n] from p[n]: level after level, each row tells those that use its column. stack[n] is scratch;
 * 0 where there are too many levels. */
static int spread(const dae_pattern *p, const double *M, const dae_matching *m, int *V, int *stack)
{
    const int n = p->n, *column = p->column, *row = p->row;
    int most = INT_MIN, least = INT_MAX;
    for (int i = 0; i < n; i++) {
        V[i] = m->p[i];
        most = V[i] > most ? V[i] : most;
        least = V[i] < least ? V[i] : least;
    }
    if (n > 0 && most - least > MOST_LEVELS)
        return 0;
    for (int level = most; level > least; level--) {
        int waiting = 0;
        for (int i = 0; i < n; i++)
            if (V[i] == level)
                stack[waiting++] = i;
        while (waiting > 0) {
            const int j = m->column_of[stack[--waiting]];
            for (int k = column[j]; k < column[j + 1]; k++) {
                const int i = row[k], length = (M[k] == 0) - m->p[i] - m->q[j];
                if (level - length <= V[i])
                    continue;
                V[i] = level - length;
                if (length == 0)
                    stack[waiting++] = i;
            }
        }
    }
    return 1;
}

int dae_growth_of_pattern(const dae_pattern *p, const double *M, int *k)
{
    const int n = p->n;
    dae_by_rows rows = {0};
    dae_matching m = {0};
    int *V = calloc(2 * (size_t)n + (size_t)p->nnz + 1, sizeof *V), *order = V + 2 * n, found = -1;
    if (V && dae_pattern_rows(p, &rows)) {
        for (int e = 0; e < p->nnz; e++)
            order[e] = M[rows.entry[e]] == 0;
        found = dae_match(&(dae_orders){.n = n, .row = rows.start, .column = rows.column, .order = order}, &m);
    }
    if (found > 0)
        found = spread(p, M, &m, V, V + n);
    for (int j = 0; found > 0 && j < n; j++)
        k[j] = m.q[j] + V[m.row_of[j]];
    dae_matching_free(&m);
    free(rows.start);
    free(V);
    return found;
}
