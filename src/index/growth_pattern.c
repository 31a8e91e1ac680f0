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
#include "matching.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64 };      /* of p: an index beyond is not asked for */

/* Compressed columns to rows; order 0 where M has an entry, else 1. */
static int transpose(int n, const int *column, const int *row, const double *M, dae_orders *o)
{
    const int nnz = column[n];
    *o = (dae_orders){.n = n, .row = calloc((size_t)n + 2, sizeof *o->row),
                      .column = calloc((size_t)nnz + 1, sizeof *o->column),
                      .order = calloc((size_t)nnz + 1, sizeof *o->order)};
    if (!o->row || !o->column || !o->order)
        return 0;
    for (int k = 0; k < nnz; k++)
        o->row[row[k] + 2]++;
    for (int i = 0; i < n; i++)
        o->row[i + 2] += o->row[i + 1];
    for (int j = 0; j < n; j++)
        for (int k = column[j]; k < column[j + 1]; k++) {
            const int place = o->row[row[k] + 1]++;     /* runs through the row before it */
            o->column[place] = j;
            o->order[place] = M[k] == 0;
        }
    return 1;
}

static void free_orders(dae_orders *o)
{
    free(o->row);
    free(o->column);
    free(o->order);
}

/* V[n] from p[n]: level after level, each row tells those that use its column. stack[n] is scratch;
 * 0 where there are too many levels. */
static int spread(int n, const int *column, const int *row, const double *M,
                  const dae_matching *m, int *V, int *stack)
{
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

int dae_growth_of_pattern(int n, const int *column, const int *row, const double *M, int *k)
{
    dae_orders orders;
    dae_matching m = {0};
    int *V = calloc(2 * (size_t)n + 1, sizeof *V);
    int found = V && transpose(n, column, row, M, &orders) ? dae_match(&orders, &m) : -1;
    if (found > 0)
        found = spread(n, column, row, M, &m, V, V + n);
    for (int j = 0; found > 0 && j < n; j++)
        k[j] = m.q[j] + V[m.row_of[j]];
    if (V)
        free_orders(&orders);
    dae_matching_free(&m);
    free(V);
    return found;
}
