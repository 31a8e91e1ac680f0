/* arena.h - memory that is given back all at once
 *
 * What a page is made of lives as long as the page. A request that is refused is noted; who writes the page
 * asks once whether all is there.
 */
#ifndef DAELAB_ARENA_H
#define DAELAB_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena_chunk arena_chunk;

typedef struct {
    arena_chunk *last;
    int failed;                 /* memory was short */
} arena;

/* count elements of size bytes, zero; NULL where memory is short. */
void *arena_get(arena *a, size_t count, size_t size);

/* The array with room for one more than its count elements, which are copied where it grows: at powers of two.
 * NULL where memory is short. */
void *arena_grown(arena *a, void *array, int count, size_t size);

/* printf into text of the arena; "" where memory is short. */
const char *arena_print(arena *a, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
const char *arena_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

void arena_free(arena *a);

#endif
