/* sparsity.h - where a linear map has entries, found by asking it, and columns that may share a
 * probe
 *
 * A pattern is stored by compressed columns. It is found by bisection: columns are taken together
 * in blocks, and of every block is known in which rows any of its columns may have an entry.
 * Blocks without a common row have one colour; one probe with a random direction in a quarter of
 * each block of a colour tells for all their rows at once whether that quarter is present. So
 * blocks shrink by four until they are columns,
 *
 *     probes = 4 * sum over log4(columns) levels of the colours of that level's blocks,
 *
 * the colours of a level being about those of the columns where couplings are local. Work beside
 * the probes is O(rows + columns + entries) for each probe at most, memory O(rows + columns +
 * entries). A row with d entries needs d colours, since each of them must be told from the others:
 * a full row makes the search, and a compressed Jacobian, as long as one probe for each column.
 */
#ifndef DAE_SPARSITY_H
#define DAE_SPARSITY_H

#include "daelab/status.h"
#include "no_fast_math.h"

typedef struct {
    int rows, n, nnz;           /* n columns */
    int full;                   /* every entry is stored: values are dense column-major */
    int *column;                /* [n + 1] starts of the columns */
    int *row;                   /* [nnz] row of each entry, increasing in a column */
} dae_pattern;

/* x, as many entries as the map has columns, and the columns where it is not 0: so that a probe of a large map
 * need not look for them. */
typedef struct {
    const double *x;
    int count;
    const int *column;          /* [count] increasing */
} dae_probe_vector;

/* hit[i] := 1 in each row i where the map does not answer x with zero; hit arrives zeroed. A row that cannot be
 * evaluated counts as hit. */
typedef void dae_probe(void *context, const dae_probe_vector *direction, unsigned char *hit);

/* The pattern of rows x columns; to be freed by dae_pattern_free, after a failure too. Entries of
 * one row cancel in a random direction with a probability of about eps: none is missed. */
dae_status dae_pattern_detect(dae_pattern *pattern, int rows, int columns, dae_probe *probe,
                              void *context);
dae_status dae_pattern_full(dae_pattern *pattern, int n);
void dae_pattern_free(dae_pattern *pattern);

/* The entries of a pattern row by row: of row i entry[k] in column[k], start[i] <= k < start[i + 1]. One block that
 * heads at start; 0: no memory. */
typedef struct { int *start, *entry, *column; } dae_by_rows;
int dae_pattern_rows(const dae_pattern *pattern, dae_by_rows *rows);

/* colour[n] := 0 ... c - 1 so that no two columns of a colour have a row in common; answers c,
 * which is no smaller than the longest row and seldom larger; -1: no memory. Greedy in natural
 * order, largest first and smallest last, the best of the three: Curtis, Powell, Reid (1974), J.
 * Inst. Maths Applics 13, 117-119; Gebremedhin, Manne, Pothen (2005), SIAM Review 47, 629-705. */
int dae_colour_columns(const dae_pattern *pattern, int *colour);

/* The same in natural order alone: for a pattern that is used once. */
int dae_colour_blocks(const dae_pattern *pattern, int *colour);

/* Groups of structurally orthogonal columns, which can share one difference of F: columns without a common row. The
 * c-th group are column[start[c]] ... column[start[c + 1] - 1]. */
typedef struct {
    int count;                  /* 0 where the pattern is full */
    int *start;                 /* [count + 1] */
    int *column;                /* [n] */
} dae_groups;

dae_status dae_group_columns(const dae_pattern *pattern, dae_groups *groups);
void dae_groups_free(dae_groups *groups);

#endif
