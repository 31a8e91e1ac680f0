/* fields.h - a struct as a JSON object, by a table of its fields, and back to the same bits
 *
 * Doubles stand as the decimals that read back; a NaN as null, one with other bits than the constant NAN and
 * what is infinite as text ("-inf", "nan 0xfff8000000000000"). What is read was written here, by the same program:
 * what is missing reads as 0, NaN or "".
 */
#ifndef DAELAB_FIELDS_H
#define DAELAB_FIELDS_H

#include <jansson.h>
#include <stddef.h>

typedef enum { FIELD_END, FIELD_DOUBLE, FIELD_INT, FIELD_LONG, FIELD_TEXT } field_kind;

/* One field; an array is a JSON array. */
typedef struct {
    const char *name;           /* "count.steps" of a struct within the struct */
    field_kind kind;
    size_t offset;
    int count;                  /* 0: no array; of a text the bytes that it has room for */
} field_place;

#define FIELD_AT(type, member, kind) {#member, kind, offsetof(type, member), 0}
/* The counts of a run, member count of the type: a row for each line of statistics.def. */
#define FIELD_COUNT(type, member, kind) {"count." #member, FIELD_OF_##kind, offsetof(type, count.member), 0},
#define FIELD_OF_long FIELD_LONG
#define FIELD_OF_double FIELD_DOUBLE
#define FIELD_ARRAY(type, member, kind) {#member, kind, offsetof(type, member), \
                                          (int)(sizeof ((type *)0)->member / sizeof ((type *)0)->member[0])}

/* The fields of base as a new object. Bytes of a text that are no UTF-8 become "?". */
json_t *field_write(const field_place *fields, const void *base);

/* One field into an object. */
void field_write_into(json_t *object, const field_place *field, const void *base);

/* And back. */
void field_read(const field_place *fields, const json_t *object, void *base);

/* One number; a list of them. What is no number is NaN. */
json_t *field_number(double x);
json_t *field_numbers(const double *x, int count);
double field_number_at(const json_t *value);
void field_numbers_at(const json_t *list, double *x, int count);

/* A text, which is freed. */
json_t *field_text(char *text);

#endif
