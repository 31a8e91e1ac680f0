#include "run/fields.h"

#include "output/json_file.h"

#include <inttypes.h>
#include <math.h>
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

double field_number_at(const json_t *value)
{
    const char *text = json_string_value(value);
    double x = NAN;
    uint64_t bits;
    if (json_is_number(value))
        return json_number_value(value);
    if (text && sscanf(text, "nan 0x%16" SCNx64, &bits) == 1)
        memcpy(&x, &bits, sizeof x);
    else if (text)
        x = *text == '-' ? -INFINITY : INFINITY;
    return x;
}

json_t *field_numbers(const double *x, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, field_number(x[i]));
    return list;
}

void field_numbers_at(const json_t *list, double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = field_number_at(json_array_get(list, (size_t)i));
}

json_t *field_text(char *text)
{
    json_t *value = json_string(text);
    free(text);
    return value;
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
    case FIELD_TEXT: return json_text(at);
    default: return field_number(*(const double *)(const void *)at);
    }
}

void field_write_into(json_t *object, const field_place *f, const void *base)
{
    const char *at = (const char *)base + f->offset;
    const int is_list = f->count && f->kind != FIELD_TEXT;
    json_t *value = is_list ? json_array() : write_one(f->kind, at);
    for (int i = 0; is_list && i < f->count; i++)
        json_array_append_new(value, write_one(f->kind, at + (size_t)i * size_of(f->kind)));
    json_object_set_new(object, f->name, value);
}

json_t *field_write(const field_place *fields, const void *base)
{
    json_t *object = json_object();
    for (const field_place *f = fields; f->kind; f++)
        field_write_into(object, f, base);
    return object;
}

static void read_one(const field_place *f, const json_t *value, char *at)
{
    const char *text = json_string_value(value);
    switch (f->kind) {
    case FIELD_INT: *(int *)(void *)at = (int)json_integer_value(value); break;
    case FIELD_LONG: *(long *)(void *)at = (long)json_integer_value(value); break;
    case FIELD_TEXT: snprintf(at, (size_t)f->count, "%s", text ? text : ""); break;
    default: *(double *)(void *)at = field_number_at(value);
    }
}

void field_read(const field_place *fields, const json_t *object, void *base)
{
    for (const field_place *f = fields; f->kind; f++) {
        const json_t *value = json_object_get(object, f->name);
        char *at = (char *)base + f->offset;
        if (!f->count || f->kind == FIELD_TEXT)
            read_one(f, value, at);
        else
            for (int i = 0; i < f->count; i++)
                read_one(f, json_array_get(value, (size_t)i), at + (size_t)i * size_of(f->kind));
    }
}
