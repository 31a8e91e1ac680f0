#include "table/cells.h"

#include "output/json_file.h"

#include <math.h>
#include <string.h>

static const char *const role_names[ROLES] = {"", "setting", "level", "choice", "outcome", "accuracy", "order", "count",
                                              "value", "time", "lower", "upper", "samples"};

/* ---- written ---- */

static json_t *cell_json(cell c)
{
    return c.text ? json_text(c.text) : !isfinite(c.x) ? json_null()
           : c.whole ? json_integer((json_int_t)c.x) : json_real(c.x);
}

json_t *table_json(const table *t)
{
    json_t *names = json_array(), *units = json_array(), *roles = json_array(), *rows = json_array();
    for (int i = 0; i < t->width; i++) {
        json_array_append_new(names, json_string(t->columns[i].name));
        json_array_append_new(units, json_string(table_unit_of(t, i)));
        json_array_append_new(roles, json_string(role_names[t->columns[i].role]));
    }
    for (int row = 0; row < t->rows; row++) {
        json_t *line = json_array();
        for (int i = 0; i < t->width; i++)
            json_array_append_new(line, cell_json(table_cell(t, row, i)));
        json_array_append_new(rows, line);
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "columns", names, "units", units, "roles", roles, "rows", rows);
}

/* ---- read again ---- */

static dae_status read_cell(table *t, int i, const json_t *value, dae_report *report)
{
    const char *name = t->columns[i].name, *unit = t->columns[i].unit;
    if (json_is_string(value))
        table_text(t, name, json_string_value(value));
    else if (json_is_integer(value))
        table_count(t, name, (long)json_integer_value(value));
    else if (json_is_real(value))
        table_number(t, name, unit, json_real_value(value));
    else if (json_is_boolean(value))
        table_count(t, name, json_is_true(value));
    else if (!json_is_null(value))
        return dae_fail(report, DAE_BAD_ARGUMENT, "row %d: its %s is neither a number nor a text", t->rows, name);
    return DAE_OK;
}

static column_role role_named(const char *name)
{
    column_role role = ROLES;
    while (name && --role > ROLE_NONE && strcmp(role_names[role], name) != 0)
        ;
    return name ? role : ROLE_NONE;
}

static const char *string_at(const json_t *json, const char *key, size_t i)
{
    return json_string_value(json_array_get(json_object_get(json, key), i));
}

static dae_status read_columns(table *t, const json_t *json, dae_report *report)
{
    for (size_t i = 0; i < json_array_size(json_object_get(json, "columns")); i++) {
        const char *name = string_at(json, "columns", i), *unit = string_at(json, "units", i);
        if (!name || table_find(t, name) >= 0)
            return dae_fail(report, DAE_BAD_ARGUMENT, "column %zu has %s", i + 1,
                            name ? "the name of another one" : "no name");
        table_column(t, name, unit ? unit : "");
        table_role(t, (int)i, role_named(string_at(json, "roles", i)));
    }
    return DAE_OK;
}

static dae_status read_rows(table *t, const json_t *rows, dae_report *report)
{
    dae_status status = DAE_OK;
    for (size_t i = 0; !status && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if ((int)json_array_size(row) != t->width)
            return dae_fail(report, DAE_BAD_ARGUMENT, "row %zu has %zu cells under %d columns", i + 1,
                            json_array_size(row), t->width);
        table_row(t);
        for (int k = 0; !status && k < t->width; k++)
            status = read_cell(t, k, json_array_get(row, (size_t)k), report);
    }
    return status;
}

dae_status table_read(table **read, const json_t *json, dae_report *report)
{
    const json_t *rows = json_object_get(json, "rows");
    *read = NULL;
    if (!json_is_array(json_object_get(json, "columns")) || !json_is_array(rows))
        return dae_fail(report, DAE_BAD_ARGUMENT, "it has no columns and rows");
    table *t = table_new();
    dae_status status = read_columns(t, json, report);
    if (!status)
        status = read_rows(t, rows, report);
    if (status)
        table_free(t);
    else
        *read = t;
    return status;
}
