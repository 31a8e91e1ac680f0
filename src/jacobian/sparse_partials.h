/* sparse_partials.h - a mechanical model's own derivatives, entry by entry and as dense blocks */
#ifndef DAE_SPARSE_PARTIALS_H
#define DAE_SPARSE_PARTIALS_H

#include "base/no_fast_math.h"
#include "daelab/problem.h"
#include "daelab/status.h"

/* The blocks of nq positions and nl constraints, without room for entries yet; and to free them, after a failure
 * too. 0: no memory. */
int dae_sparse_partials_create(dae_sparse_partials *d, int nq, int nl);
void dae_sparse_partials_free(dae_sparse_partials *d);

/* Where derivatives are asked for. */
typedef struct {
    const double *p;
    double t;
    const double *q, *v, *a, *lambda;
} dae_partials_point;

/* The model's entries for d->level, with room made for them; 0: no memory. */
int dae_sparse_partials_at(const dae_mechanical *m, const dae_partials_point *at, dae_sparse_partials *d);

/* 1 where every entry lies in its block, and stands where it stood in the call before. */
int dae_sparse_partials_fit(const dae_sparse_partials *d, int nq, int nl);
int dae_sparse_partials_stayed(const dae_sparse_partials *d);

/* d, whose blocks are zeroed, := the model's derivatives in the form that it gives, partials or sparse_partials.
 * DAE_BAD_MODEL where an entry lies outside of its block. */
dae_status dae_dense_partials(const dae_mechanical *m, const dae_partials_point *at, int nq, int nl,
                              dae_partials *d);

/* 1 where it gives one. */
static inline int dae_gives_partials(const dae_mechanical *m)
{
    return m->partials || m->sparse_partials;
}

#endif
