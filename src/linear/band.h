/* band.h - sparse pencils as bands: what an order of the unknowns makes of their pattern */
#ifndef DAE_BAND_H
#define DAE_BAND_H

#include "backend.h"

/* The matrix that is factored: its rows and entries, and its bandwidth to both sides of the diagonal. */
typedef struct {
    int rows, entries, K;
} dae_band_size;

/* Make the order, and keep it with the pair (pair->shared is NULL). 0: no memory, or the band is too wide to be
 * counted. */
int dae_band_analyse(dae_matrix_pair *pair, dae_band_size *size);

/* Is what the pencils of a pair share the order of a band? */
int dae_band_is_shared(const dae_matrix_pair *pair);

#endif
