/* cli_json.h - run the program and read the JSON that it answers */
#ifndef DAELAB_TEST_CLI_JSON_H
#define DAELAB_TEST_CLI_JSON_H

#include "cli.h"

#include <jansson.h>

/* Run `daelab ARGUMENTS`, which must end with this exit status and print JSON. */
static inline json_t *parsed(int status, const char *arguments)
{
    json_error_t error;
    if (cli_run("", arguments) != status)
        fail_msg("daelab %s: exit status %d, expected %d\n%s", arguments, cli_said.status, status,
                 cli_said.err);
    json_t *tree = json_loads(cli_said.out, 0, &error);
    if (!tree)
        fail_msg("daelab %s: not JSON, line %d: %s", arguments, error.line, error.text);
    return tree;
}

/* tree -> "a" -> "b" ...; digits index an array. */
static inline const json_t *at(const json_t *tree, const char *path)
{
    char copy[256], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    while (tree && (key = strsep(&rest, "/")))
        tree = json_is_array(tree) ? json_array_get(tree, (size_t)atoi(key))
                                   : json_object_get(tree, key);
    if (!tree)
        fail_msg("the result has no %s", path);
    return tree;
}

static inline double number_at(const json_t *tree, const char *path)
{
    const json_t *x = at(tree, path);
    return json_is_null(x) ? NAN : json_number_value(x);
}

static inline const char *text_at(const json_t *tree, const char *path)
{
    return json_string_value(at(tree, path));
}

/* ---- tables of a result ---- */

/* Is the cell what the text says? */
static inline int is_cell(const json_t *cell, const char *text)
{
    return json_is_string(cell) ? strcmp(json_string_value(cell), text) == 0
                                : json_is_number(cell) && json_number_value(cell) == strtod(text, NULL);
}

/* The place of a column, or -1. */
static inline int column_at(const json_t *tree, const char *table, const char *column)
{
    const json_t *names = at(at(at(tree, "tables"), table), "columns");
    for (int c = 0; c < (int)json_array_size(names); c++)
        if (strcmp(json_string_value(json_array_get(names, (size_t)c)), column) == 0)
            return c;
    return -1;
}

static inline const char *unit_of(const json_t *tree, const char *table, const char *column)
{
    const int c = column_at(tree, table, column);
    if (c < 0)
        fail_msg("%s has no column %s", table, column);
    return json_string_value(json_array_get(at(at(at(tree, "tables"), table), "units"), (size_t)c));
}

/* Does the row agree with all of "form=index1 step=0.1"? "#2" takes the third one that does: *number counts down. */
static inline int is_row(const json_t *tree, const char *table, const json_t *row, const char *where, int *number)
{
    char copy[256], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", where);
    while ((word = strsep(&rest, " "))) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = 0;
        if (!is_cell(json_array_get(row, (size_t)column_at(tree, table, word)), value))
            return 0;
    }
    word = strchr(where, '#');
    return !word || (*number)++ == atoi(word + 1);
}

/* How many rows of a table agree. */
static inline int count_rows(const json_t *tree, const char *table, const char *where)
{
    const json_t *rows = json_object_get(json_object_get(at(tree, "tables"), table), "rows");
    int count = 0, number = 0;
    for (size_t i = 0; i < json_array_size(rows); i++)
        count += is_row(tree, table, json_array_get(rows, i), where, &number);
    return count;
}

/* The first row that agrees. */
static inline const json_t *row_at(const json_t *tree, const char *table, const char *where)
{
    const json_t *rows = at(at(at(tree, "tables"), table), "rows");
    int number = 0;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (is_row(tree, table, json_array_get(rows, i), where, &number))
            return json_array_get(rows, i);
    fail_msg("%s has no row where %s", table, where);
    return NULL;
}

/* Its cell. */
static inline const json_t *cell_at(const json_t *tree, const char *table, const char *where, const char *column)
{
    const int c = column_at(tree, table, column);
    if (c < 0)
        fail_msg("%s has no column %s", table, column);
    return json_array_get(row_at(tree, table, where), (size_t)c);
}

static inline double number_in(const json_t *tree, const char *table, const char *where, const char *column)
{
    const json_t *x = cell_at(tree, table, where, column);
    return json_is_null(x) ? NAN : json_number_value(x);
}

static inline const char *text_in(const json_t *tree, const char *table, const char *where, const char *column)
{
    return json_string_value(cell_at(tree, table, where, column));
}

/* Run a `converge ... --format json`: every order that has a verdict agrees, or has no run. How many agree. */
static inline int agreeing_orders(const char *arguments)
{
    json_t *tree = parsed(0, arguments);
    const json_t *rows = at(tree, "tables/orders/rows");
    const int c = column_at(tree, "orders", "verdict");
    int count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *verdict = json_string_value(json_array_get(json_array_get(rows, i), (size_t)c));
        if (verdict && strcmp(verdict, "agrees") != 0 && strcmp(verdict, "no run") != 0)
            fail_msg("%s: %s", arguments, verdict);
        count += verdict && strcmp(verdict, "agrees") == 0;
    }
    json_decref(tree);
    return count;
}

#endif
