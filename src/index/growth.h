/* growth.h - the power of 1/h with which rows of (M - h J)^-1 grow as h -> 0 */
#ifndef DAE_INDEX_GROWTH_H
#define DAE_INDEX_GROWTH_H

#include "base/components.h"
#include "base/sparsity.h"
#include "system/system.h"

/* k[n]: row i of (M - h J)^-1 grows as h^-k_i, and is bounded where k_i <= 0. M and J are [n x n], column-major. 1; 0
 * where the pencil is singular, an entry is not finite, or no answer is found, as where a row may grow faster
 * than h^-DAE_GROWTHS; -1 without memory.
 *
 * leading[DAE_GROWTHS x n x n], zeroed by the caller, or NULL: entry ((g - 1) n + j) n + i is the coefficient of h^-g
 * in row j (unknown j) and column i of (M - h J)^-1 U^-1, 0 where it vanishes to rounding. U(h) and its inverse are
 * polynomial matrices: column i belongs to row i of U (M - h J), in any unit, and not to equation i. So only this has a
 * meaning: for which c do the c^T times the coefficients vanish (find_components.c)? */
enum { DAE_GROWTHS = 8 };
int dae_growth_with_terms(int n, const double *M, const double *J, int *k, double *leading);

/* The structural version: from the pattern, for generic values of the entries.
 * M_k = 0: the entry belongs to J only. */
int dae_growth_of_pattern(const dae_pattern *pattern, const double *M, int *k);

/* ---- find_components.c ---------------------------------------------------------------------- */

/* *components: NULL where each unknown has an index of its own. From what grows in (M - h J)^-1 at so many states,
 * leading[states][DAE_GROWTHS x n x n] as above; most: the largest index; size[n]: a tolerance of each unknown.
 * 0: no memory. */
int dae_find_components(const dae_system *sys, int most, int states, const double *leading, const double *size,
                        dae_components **components);

/* ---- matching.c: one entry in each row and column of a matrix of powers of h, with the least sum of exponents ---- */

/* Entry k of row i, row[i] <= k < row[i + 1], stands in column[k] and is of order h^order[k]. */
typedef struct {
    int n;
    int *row;                   /* [n + 1] */
    int *column, *order;        /* [row[n]] */
} dae_orders;

/* The leading terms of the determinant, with dual variables p, q: p_i + q_j <= order_ij for all entries, with
 * equality for the matched ones, whose sum of orders is the least. */
typedef struct {
    int *p, *q;                 /* [n] of rows, of columns */
    int *row_of, *column_of;    /* [n] what a column, a row is matched with */
    int *memory;
} dae_matching;

/* 1; 0 where every product of n entries vanishes, -1 without memory. */
int dae_match(const dae_orders *orders, dae_matching *matching);
void dae_matching_free(dae_matching *matching);

#endif
