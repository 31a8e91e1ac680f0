/* growth.h - with which power of 1/h the rows of (M - h J)^-1 grow as h -> 0 */
#ifndef DAE_INDEX_GROWTH_H
#define DAE_INDEX_GROWTH_H

/* k[n]: row i of the inverse grows as h^-k_i, and is bounded where k_i <= 0. M and J are [n x n],
 * column-major. 1; 0 where the pencil is singular, or no answer is found; -1 without memory. */
int dae_growth_of_values(int n, const double *M, const double *J, int *k);

/* The same where all that is known is which entries there are, in compressed columns: for entries
 * that do not cancel by chance. M_k = 0: the entry is one of J alone. */
int dae_growth_of_pattern(int n, const int *column, const int *row, const double *M, int *k);

#endif
