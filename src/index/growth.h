/* growth.h - the power of 1/h with which rows of (M - h J)^-1 grow as h -> 0 */
#ifndef DAE_INDEX_GROWTH_H
#define DAE_INDEX_GROWTH_H

/* k[n]: row i of the inverse grows as h^-k_i, and is bounded where k_i <= 0. M and J are [n x n],
 * column-major. 1; 0 where the pencil is singular, or no answer is found; -1 without memory.
 *
 * leading, which may be NULL: what grows. leading[DAE_GROWTHS x n x n], zeroed before, gets the coefficient of h^-g in
 * row j and column i of the inverse at ((g - 1) n + j) n + i; zero where it vanishes to rounding. The coefficients are
 * those of combinations of the equations, polynomials in h that have an inverse among these, in any units. */
enum { DAE_GROWTHS = 8 };
int dae_growth_with_terms(int n, const double *M, const double *J, int *k, double *leading);

/* The structural version: from the pattern in compressed columns, for generic values of the entries.
 * M_k = 0: the entry belongs to J only. */
int dae_growth_of_pattern(int n, const int *column, const int *row, const double *M, int *k);

#endif
