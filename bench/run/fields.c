#include "run/fields.h"

#include "output/json_file.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------ */

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

json_t *field_number(double x)
{
    char text[32];
    if (isfinite(x))
        return json_real(x);
    if (isinf(x))
        return json_string(x > 0 ? "inf" : "-inf");
    if (bits_of(x) == bits_of(NAN))
        return json_null();
    snprintf(text, sizeof text, "nan 0x%016" PRIx64, bits_of(x));
    return json_string(text);
}

/* "inf", "-inf", "nan 0x..." */
static int number_in_words(const char *text, double *x)
{
    uint64_t bits;
    char rest;
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *x = *text == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    if (sscanf(text, "nan 0x%16" SCNx64 "%c", &bits, &rest) != 1)
        return 0;
    memcpy(x, &bits, sizeof *x);
    return isnan(*x);
}

int field_number_at(const json_t *value, double *x)
{
    if (json_is_null(value))
        *x = NAN;
    else if (json_is_number(value))
        *x = json_number_value(value);
    else
        return json_is_string(value) && number_in_words(json_string_value(value), x);
    return 1;
}

json_t *field_numbers(const double *x, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        if (json_array_append_new(list, field_number(x[i]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

int field_numbers_at(const json_t *value, double *x, int count)
{
    int good = json_is_array(value) && json_array_size(value) == (size_t)count;
    for (int i = 0; good && i < count; i++)
        good = field_number_at(json_array_get(value, (size_t)i), &x[i]);
    return good;
}

/* ---- fields ------------------------------------------------------------------------------- */

static size_t size_of(field_kind kind)
{
    return kind == FIELD_INT ? sizeof(int) : kind == FIELD_LONG ? sizeof(long) : sizeof(double);
}

static json_t *write_one(field_kind kind, const char *at)
{
    switch (kind) {
    case FIELD_INT: return json_integer(*(const int *)(const void *)at);
    case FIELD_LONG: return json_integer(*(const long *)(const void *)at);
    default: return field_number(*(const double *)(const void *)at);
    }
}

static json_t *write_field(const field_place *f, const char *at)
{
    if (f->kind == FIELD_TEXT)
        return json_text(at);
    if (!f->count)
        return write_one(f->kind, at);
    json_t *list = json_array();
    for (int i = 0; i < f->count; i++)
        if (json_array_append_new(list, write_one(f->kind, at + (size_t)i * size_of(f->kind)))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

int field_write(const field_place *fields, const void *base, json_t *object)
{
    for (const field_place *f = fields; f->kind; f++)
        if (json_object_set_new(object, f->name, write_field(f, (const char *)base + f->offset)))
            return 0;
    return 1;
}

static int read_one(field_kind kind, const json_t *value, char *at)
{
    const json_int_t whole = json_integer_value(value);
    if (kind == FIELD_DOUBLE)
        return field_number_at(value, (double *)(void *)at);
    if (!json_is_integer(value) || (kind == FIELD_INT && (whole < INT_MIN || whole > INT_MAX)))
        return 0;
    if (kind == FIELD_INT)
        *(int *)(void *)at = (int)whole;
    else
        *(long *)(void *)at = (long)whole;
    return 1;
}

static int read_text(const field_place *f, const json_t *value, char *at)
{
    if (!json_is_string(value) || json_string_length(value) >= (size_t)f->count)
        return 0;
    strcpy(at, json_string_value(value));
    return 1;
}

static int read_field(const field_place *f, const json_t *value, char *at)
{
    if (f->kind == FIELD_TEXT)
        return read_text(f, value, at);
    if (!f->count)
        return read_one(f->kind, value, at);
    int good = json_is_array(value) && json_array_size(value) == (size_t)f->count;
    for (int i = 0; good && i < f->count; i++)
        good = read_one(f->kind, json_array_get(value, (size_t)i), at + (size_t)i * size_of(f->kind));
    return good;
}

int field_read(const field_place *fields, const json_t *object, void *base)
{
    int good = 1;
    for (const field_place *f = fields; good && f->kind; f++)
        good = read_field(f, json_object_get(object, f->name), (char *)base + f->offset);
    return good;
}

json_t *field_pieces(char *text)
{
    enum { PIECE = 48 };
    json_t *list = text ? json_array() : NULL;
    for (size_t at = 0, length = text ? strlen(text) : 0; list && at < length; at += PIECE)
        if (json_array_append_new(list, json_stringn(text + at, length - at < PIECE ? length - at : PIECE))) {
            json_decref(list);
            list = NULL;
        }
    free(text);
    return list;
}

char *field_joined(const json_t *pieces)
{
    const json_t *one;
    size_t i, length = 0;
    json_array_foreach((json_t *)(uintptr_t)pieces, i, one)
        length += json_string_length(one);
    char *text = json_is_array(pieces) ? malloc(length + 1) : NULL, *end = text;
    json_array_foreach((json_t *)(uintptr_t)pieces, i, one)
        if (text && json_is_string(one))
            end = mempcpy(end, json_string_value(one), json_string_length(one));
    if (text)
        *end = 0;
    return text;
}
