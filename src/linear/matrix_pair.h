/* matrix_pair.h - the matrices M and J of a pencil M - gamma J, on one sparsity pattern
 *
 * All that linear algebra sees of a system of equations. Compressed columns serve dense and sparse;
 * where the pattern is full, values are dense column-major matrices.
 */
#ifndef DAE_MATRIX_PAIR_H
#define DAE_MATRIX_PAIR_H

#include "base/sparsity.h"
#include "daelab/study.h"

typedef struct {
    dae_pattern pattern;        /* of M and J together */
    double *M;                  /* [nnz] */
    double *J;                  /* [nnz] */
    double *size;               /* [n] > 0 of each unknown: pivots are compared in these units */
    /* With k > 0 unknowns are (q, v, w), q and v of length k, the first k rows say q' = v,
     *
     *     M = diag(1, m, 0),    rows i < k of J = (0, I, 0),
     *
     * and this is exact: k_q = r_q + gamma k_v may be used instead of factoring those rows. */
    int identities;
    int generation;             /* how often the pattern has been replaced */
    int lost;                   /* J lacks an entry, as there was no memory for a larger pattern */
    long fill;                  /* entries of the factors of a pencil, as counted */
    dae_statistics *count;      /* where they are counted, too; never NULL */
    void *shared;               /* what the pencils of this pair keep in common, or NULL, */
    void (*release)(void *shared);      /* and how it is given back */
} dae_matrix_pair;

#endif
