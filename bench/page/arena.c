#include "page/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    arena_chunk *before;
    max_align_t bytes[];
};

void *arena_get(arena *a, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - sizeof(arena_chunk)) / size) {
        a->failed = 1;
        return NULL;
    }
    arena_chunk *chunk = calloc(1, sizeof *chunk + count * size);
    if (!chunk) {
        a->failed = 1;
        return NULL;
    }
    chunk->before = a->last;
    a->last = chunk;
    return chunk->bytes;
}

void *arena_grown(arena *a, void *array, int count, size_t size)
{
    const size_t used = (size_t)count;
    if (used & (used - 1))
        return array;
    void *larger = arena_get(a, used ? 2 * used : 1, size);
    if (larger && used)
        memcpy(larger, array, used * size);
    return larger;
}

const char *arena_print(arena *a, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : arena_get(a, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text ? text : "";
}

const char *arena_format(arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_print(a, format, arguments);
    va_end(arguments);
    return text;
}

void arena_free(arena *a)
{
    while (a->last) {
        arena_chunk *chunk = a->last;
        a->last = chunk->before;
        free(chunk);
    }
}
