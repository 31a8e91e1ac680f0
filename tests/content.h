/* content.h - all of a file, for tests, behind cmocka.h */
#ifndef CONTENT_H
#define CONTENT_H

#include <stdio.h>
#include <stdlib.h>

/* 0-ended, to be freed; *size without that 0 */
static inline char *content(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(*size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *size, f), *size);
    fclose(f);
    return text;
}

#endif
