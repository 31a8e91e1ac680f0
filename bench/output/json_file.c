#include "output/json_file.h"

#include "numbers/decimal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int refused;

/* jansson aborts where a word that it reads has no room, as it takes its last letter back: while it reads, short pieces
 * of memory that are refused come from here, and that they were is noted. */
enum { PIECES = 16, PIECE = 512 };
static struct { max_align_t align; char piece[PIECES][PIECE]; } reserve;
static char taken[PIECES];
static int reading;

static void *take_piece(size_t size)
{
    for (int i = 0; reading && size <= PIECE && i < PIECES; i++)
        if (!taken[i]) {
            taken[i] = 1;
            return reserve.piece[i];
        }
    return NULL;
}

static void *give(size_t size)
{
    void *memory = malloc(size);
    refused |= !memory;
    return memory ? memory : take_piece(size);
}

static void take_back(void *memory)
{
    const char *piece = memory, *first = reserve.piece[0];
    if (piece >= first && piece < first + sizeof reserve.piece)
        taken[(piece - first) / PIECE] = 0;
    else
        free(memory);
}

void json_file_begin(void)
{
    refused = 0;
    json_set_alloc_funcs(give, take_back);
}

json_t *json_file_read(const char *text, size_t length)
{
    const int before = refused;
    refused = 0;
    reading = 1;
    json_t *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    reading = 0;
    if (refused) {
        json_decref(tree);
        tree = NULL;
    }
    refused |= before;
    return tree;
}

int json_file_whole(void) { return !refused; }

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    char *plain = string ? NULL : strdup(text);
    if (!plain)
        return string;
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
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

static int put(const json_t *tree, int depth, FILE *out);

/* A row of a table: numbers, texts and what is missing. */
static int is_row(const json_t *tree)
{
    for (size_t i = 0; i < json_array_size(tree); i++)
        if (json_is_array(json_array_get(tree, i)) || json_is_object(json_array_get(tree, i)))
            return 0;
    return 1;
}

static int put_row(const json_t *tree, FILE *out)
{
    int good = 1;
    fputc('[', out);
    for (size_t i = 0; good && i < json_array_size(tree); i++) {
        fputs(i ? ", " : "", out);
        good = put(json_array_get(tree, i), 0, out);
    }
    fputc(']', out);
    return good;
}

static int put_array(const json_t *tree, int depth, FILE *out)
{
    const size_t count = json_array_size(tree);
    int good = 1;
    if (is_row(tree))
        return put_row(tree, out);
    fputc('[', out);
    for (size_t i = 0; good && i < count; i++) {
        put_indent(depth + 1, out);
        good = put(json_array_get(tree, i), depth + 1, out);
        fputs(i + 1 < count ? "," : "", out);
    }
    if (count)
        put_indent(depth, out);
    fputc(']', out);
    return good;
}

/* jansson knows how to quote. */
static int put_text(const json_t *text, FILE *out)
{
    return json_dumpf(text, out, JSON_ENCODE_ANY) == 0;
}

static int put_key(const char *key, FILE *out)
{
    json_t *text = json_string(key);
    const int good = text && put_text(text, out);
    json_decref(text);
    fputs(": ", out);
    return good;
}

static int put_object(const json_t *tree, int depth, FILE *out)
{
    const char *key;
    json_t *value;
    int good = 1, first = 1;
    fputc('{', out);
    json_object_foreach((json_t *)tree, key, value) {
        fputs(first ? "" : ",", out);
        put_indent(depth + 1, out);
        good = good && put_key(key, out) && put(value, depth + 1, out);
        first = 0;
    }
    if (!first)
        put_indent(depth, out);
    fputc('}', out);
    return good;
}

static int put(const json_t *tree, int depth, FILE *out)
{
    switch (json_typeof(tree)) {
    case JSON_OBJECT: return put_object(tree, depth, out);
    case JSON_ARRAY: return put_array(tree, depth, out);
    case JSON_REAL: put_real(json_real_value(tree), out); return 1;
    default: return put_text(tree, out);
    }
}

int json_file_write(const json_t *tree, FILE *out)
{
    const int good = tree && !refused && put(tree, 0, out);
    fputc('\n', out);
    return good && !refused;
}
