/* matrix_pair.h - the matrices M and J of a pencil M - gamma J, on one sparsity pattern
 *
 * The only data of a system that linear algebra uses. Storage is by compressed columns; where the pattern is
 * full, values are dense column-major matrices.
 */
#ifndef DAE_MATRIX_PAIR_H
#define DAE_MATRIX_PAIR_H

#include "base/sparsity.h"
#include "daelab/study.h"

#include <stddef.h>

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
    int generation;             /* counts changes of the pattern */
    int transposes;             /* 1: its pencils solve with their transposes, too, for which structured_diagonal.h has
                                   no way */
    const long *runs;           /* counts the runs of a solver: what one has chosen, another chooses anew; or NULL */
    int strayed;                /* 1: J is NaN, as the model's entries have gone elsewhere */
    int lost;                   /* 1: J lacks an entry, as there was no memory for a larger pattern */
    long fill;                  /* entries of the factors of a pencil */
    dae_statistics *count;      /* fill is counted here, too; never NULL */
    dae_linear_kind *linear;    /* what its pencils are factored by is told here; or NULL */
    void *shared;               /* data common to the pencils of this pair, or NULL; freed by release */
    void (*release)(void *shared);
} dae_matrix_pair;

/* Free what the pencils share, unless one of them still uses it. */
static inline void dae_pair_forget(dae_matrix_pair *pair)
{
    if (pair->shared)
        pair->release(pair->shared);
    pair->shared = NULL;
}

#endif
