/* matching.h - weighted bipartite matching: one entry in each row and column of a matrix of powers of h, with
 * the least sum of exponents */
#ifndef DAE_INDEX_MATCHING_H
#define DAE_INDEX_MATCHING_H

#include "base/no_fast_math.h"

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
