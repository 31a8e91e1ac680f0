/* parts.h - several arrays in one block of memory, alone or behind the record that knows them */
#ifndef DAE_PARTS_H
#define DAE_PARTS_H

#include "zeroed.h"

#include <stddef.h>

/* An array: where its pointer is, in bytes from the begin of a record; its elements; the bytes of each. */
typedef struct {
    size_t pointer, count, size;
} dae_part;

/* Where a part may begin from `at` on: at a multiple of the size of its elements, or of what any needs. */
static inline size_t dae_part_at(const dae_part *part, size_t at)
{
    enum { MOST = 16 };
    const size_t step = part->size < MOST && (part->size & (part->size - 1)) == 0 ? part->size : MOST;
    return (at + step - 1) / step * step;
}

/* A zeroed block of `own` bytes and the arrays, one behind the other and without gaps where their elements are alike.
 * Their pointers are set in record, or where that is NULL in the block itself. NULL where there is no memory: then none
 * is set. */
static inline void *dae_place_parts(void *record, size_t own, const dae_part *part, size_t count)
{
    size_t bytes = own;
    for (size_t i = 0; i < count; i++)
        bytes = dae_part_at(part + i, bytes) + part[i].count * part[i].size;
    char *const block = dae_zeroed(bytes + (bytes == 0), 1), *const of = record ? record : block;
    for (size_t i = 0, at = own; block && i < count; at += part[i].count * part[i].size, i++) {
        at = dae_part_at(part + i, at);
        void *const array = block + at;
        memcpy(of + part[i].pointer, &array, sizeof array);     /* a pointer to elements of any kind */
    }
    return block;
}

/* The arrays of *record, each as DAE_PART(type, member, count): the block, which is freed by free. The first array
 * begins with it. */
#define DAE_PART(type, member, count) {offsetof(type, member), (size_t)(count), sizeof *((type *)NULL)->member}
#define DAE_PARTS(record, ...)                                                                    \
    dae_place_parts(record, 0, (const dae_part[]){__VA_ARGS__},                                         \
              sizeof((const dae_part[]){__VA_ARGS__}) / sizeof(dae_part))

/* A zeroed record of this type with its arrays in one block, which is freed by free. */
#define DAE_RECORD(type, ...)                                                                     \
    dae_place_parts(NULL, sizeof(type), (const dae_part[]){__VA_ARGS__},                                \
              sizeof((const dae_part[]){__VA_ARGS__}) / sizeof(dae_part))

#endif
