#include "output/json_file.h"

#include "host/allocate.h"
#include "numbers/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *plain = allocate_text(text);
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

const char *json_word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void put_indent(int depth, FILE *out)
{
    fprintf(out, "\n%*s", 2 * depth, "");
}

/* With a point or an exponent, so that it is read as a real number. */
static void put_real(double x, FILE *out)
{
    char text[DECIMAL];
    decimal(x, text);
    fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put(const json_t *tree, int depth, FILE *out);

/* A row of a table: numbers, texts and what is missing. */
static int is_row(const json_t *tree)
{
    for (size_t i = 0; i < json_array_size(tree); i++)
        if (json_is_array(json_array_get(tree, i)) || json_is_object(json_array_get(tree, i)))
            return 0;
    return 1;
}

static void put_array(const json_t *tree, int depth, FILE *out)
{
    const size_t count = json_array_size(tree);
    const int row = is_row(tree);
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputs(row ? ", " : ",", out);
        if (!row)
            put_indent(depth + 1, out);
        put(json_array_get(tree, i), depth + 1, out);
    }
    if (!row)
        put_indent(depth, out);
    fputc(']', out);
}

/* Jansson knows how to quote. */
static void put_text(const json_t *text, FILE *out) { json_dumpf(text, out, JSON_ENCODE_ANY); }

static void put_key(const char *key, FILE *out)
{
    json_t *text = json_string(key);
    put_text(text, out);
    json_decref(text);
    fputs(": ", out);
}

static void put_object(const json_t *tree, int depth, FILE *out)
{
    const char *key;
    json_t *value;
    int first = 1;
    fputc('{', out);
    json_object_foreach((json_t *)tree, key, value) {
        fputs(first ? "" : ",", out);
        put_indent(depth + 1, out);
        put_key(key, out);
        put(value, depth + 1, out);
        first = 0;
    }
    if (!first)
        put_indent(depth, out);
    fputc('}', out);
}

static void put(const json_t *tree, int depth, FILE *out)
{
    switch (json_typeof(tree)) {
    case JSON_OBJECT: put_object(tree, depth, out); break;
    case JSON_ARRAY: put_array(tree, depth, out); break;
    case JSON_REAL: put_real(json_real_value(tree), out); break;
    default: put_text(tree, out);
    }
}

void json_file_write(const json_t *tree, FILE *out)
{
    put(tree, 0, out);
    fputc('\n', out);
}
