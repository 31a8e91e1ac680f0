/* growth.h - the power of 1/h with which rows of (M - h J)^-1 grow as h -> 0 */
#ifndef DAE_INDEX_GROWTH_H
#define DAE_INDEX_GROWTH_H

/* k[n]: row i of the inverse grows as h^-k_i, and is bounded where k_i <= 0. M and J are [n x n],
 * column-major. 1; 0 where the pencil is singular, or no answer is found; -1 without memory. */
int dae_growth_of_values(int n, const double *M, const double *J, int *k);

/* The structural version: from the pattern in compressed columns, for generic values of the entries.
 * M_k = 0: the entry belongs to J only. */
int dae_growth_of_pattern(int n, const int *column, const int *row, const double *M, int *k);

#endif
