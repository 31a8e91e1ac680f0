/* parts.h - one block of quad numbers in several parts */
#ifndef DAE_PARTS_H
#define DAE_PARTS_H

#include "daelab/quad.h"

#include <stdlib.h>

typedef struct {
    dae_quad **place;
    size_t size;
} dae_quad_part;

/* *place := each part of a zeroed block, one behind the other; returns the block, to be freed, or NULL. */
static inline dae_quad *dae_quad_parts(const dae_quad_part *part, size_t count)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        size += part[i].size;
    dae_quad *const block = calloc(size, sizeof *block);
    for (size_t i = 0, at = 0; block && i < count; at += part[i++].size)
        *part[i].place = block + at;
    return block;
}
#define DAE_QUAD_PARTS(part) dae_quad_parts(part, sizeof(part) / sizeof *(part))

#endif
