#include "host/allocate.h"

#include "host/exit_status.h"
#include "host/interrupt.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int last_file = STDERR_FILENO;
static const char *last_words =
    "daelab: out of memory; what was computed is kept, and the same command goes on from it\n";

void allocate_end(void)
{
    interrupt_clean();
    if (write(last_file, last_words, strlen(last_words)) < 0)
        abort();
    _exit(EXIT_SYSTEM);
}

void *allocate_held(void *p)
{
    if (!p)
        allocate_end();
    return p;
}

void *allocate(size_t count, size_t size) { return allocate_held(calloc(count ? count : 1, size)); }

void *allocate_again(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        allocate_end();
    const size_t bytes = count * size;
    return allocate_held(realloc(old, bytes > 0 ? bytes : 1));
}

void *allocate_more(void *list, size_t count, size_t size)
{
    const int full = (count & (count - 1)) == 0;        /* 0, 1, 2, 4, 8, ... */
    return full ? allocate_again(list, count ? 2 * count : 1, size) : list;
}

char *allocate_text(const char *text) { return text ? allocate_held(strdup(text)) : NULL; }

char *allocate_print(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return allocate_held(length < 0 ? NULL : text);
}

FILE *allocate_stream(char **text, size_t *length) { return allocate_held(open_memstream(text, length)); }

void allocate_stream_end(FILE *stream)
{
    const int bad = ferror(stream);
    if (fclose(stream) || bad)
        allocate_end();
}

static void *allocate_bytes(size_t bytes) { return allocate_held(malloc(bytes ? bytes : 1)); }

void allocate_last_words(int file, const char *words)
{
    last_file = file;
    last_words = words;
}

void allocate_json(void) { json_set_alloc_funcs(allocate_bytes, free); }
