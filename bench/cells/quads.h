/* quads.h - quad numbers, and references, as JSON: decimals in text that read back the same */
#ifndef DAELAB_QUADS_H
#define DAELAB_QUADS_H

#include <daelab/quad_reference.h>
#include <jansson.h>

/* A list of them; NULL where memory is short. x may be NULL: null. */
json_t *quads_json(const dae_quad *x, size_t count);

/* To be freed; NULL where it is no list of so many numbers, or memory is short. */
dae_quad *quads_from(const json_t *list, size_t count);

/* Count rows of a reference; 0 where it is none, or memory is short: then nothing is to be freed. */
json_t *reference_json(const dae_reference *reference, int count);
int reference_from(const json_t *tree, dae_reference *reference, int count);

#endif
