#include "compare/match.h"

#include "compare/rules.h"
#include "numbers/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "problem\x1fpendulum\x1e..."; a column that only one of the tables has does not tell two empty cells apart. */
char *match_key(const char *name, const table *t, int row, int (*without)(const char *column))
{
    char *text = NULL, number[DECIMAL];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int i = 0; out && i < table_columns(t); i++) {
        const char *column = table_name_of(t, i), *word = table_text_at(t, row, i);
        const double x = table_number_at(t, row, i);
        if (rule_is_key(name, column) && !(without && without(column)) && (word || isfinite(x)))
            fprintf(out, "%s\x1f%s\x1e", column, word ? word : decimal(x, number));
    }
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* {key: [rows]} of the rows that wait. */
static json_t *places(const char *name, const table *t, const char *waits, int (*without)(const char *column))
{
    json_t *map = json_object();
    for (int row = 0; map && row < table_rows(t); row++) {
        if (!waits[row])
            continue;
        char *key = match_key(name, t, row, without);
        json_t *rows = key ? json_object_get(map, key) : NULL;
        if (key && !rows && (rows = json_array()) && json_object_set_new(map, key, rows))
            rows = NULL;
        if (!rows || json_array_append_new(rows, json_integer(row))) {
            json_decref(map);
            map = NULL;
        }
        free(key);
    }
    return map;
}

/* The first row of this key that is left, or -1. */
static int take(json_t *map, const char *key)
{
    json_t *rows = json_object_get(map, key);
    const json_t *first = json_array_get(rows, 0);
    const int row = first ? (int)json_integer_value(first) : -1;
    if (first)
        json_array_remove(rows, 0);
    return row;
}

/* Partners for the rows that have none, of those that are left. */
static int match(const char *name, const table *before, const table *after, int (*without)(const char *column),
                 int *partner, char *left)
{
    json_t *map = places(name, before, left, without);
    int good = map != NULL;
    for (int row = 0; good && row < table_rows(after); row++) {
        if (partner[row] >= 0)
            continue;
        char *key = match_key(name, after, row, without);
        good = key != NULL;
        partner[row] = good ? take(map, key) : -1;
        if (partner[row] >= 0)
            left[partner[row]] = 0;
        free(key);
    }
    json_decref(map);
    return good;
}

int match_rows(const char *name, const table *before, const table *after, int **partner, char **left)
{
    *partner = malloc(((size_t)table_rows(after) + 1) * sizeof **partner);
    *left = malloc((size_t)table_rows(before) + 1);
    if (!*partner || !*left)
        return 0;
    memset(*left, 1, (size_t)table_rows(before) + 1);
    for (int row = 0; row < table_rows(after); row++)
        (*partner)[row] = -1;
    return match(name, before, after, NULL, *partner, *left)
           && match(name, before, after, rule_is_choice, *partner, *left);
}
