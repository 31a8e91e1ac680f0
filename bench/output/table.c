#include "output/table.h"

#include "output/json_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *text;                         /* NULL: a number */
    double x;                           /* not finite: missing */
    int whole;                          /* a count */
} cell;

typedef struct {
    char *name, *unit;
    column_role role;
    int mixed;                          /* its numbers have several units */
    int known;                          /* there is a number, whose unit is that of the column */
    int texts;                          /* some of its cells are texts */
    cell *cells;                        /* [room of the table] */
} column;

struct table {
    column *columns;
    int width, wide;                    /* wide: room for columns */
    int rows, room;                     /* room for rows, of each column */
    column_role role;                   /* of what is filled now */
    int failed;
};

static const cell MISSING = {NULL, NAN, 0};

static const char *const role_names[ROLES] = {"", "setting", "level", "choice", "outcome", "accuracy", "order", "count",
                                              "value", "time", "lower", "upper", "samples"};

table *table_new(void)
{
    return calloc(1, sizeof(table));
}

static void free_column(const table *t, column *c)
{
    for (int i = 0; c->cells && i < t->rows; i++)
        free(c->cells[i].text);
    free(c->cells);
    free(c->name);
    free(c->unit);
}

void table_free(table *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->width; i++)
        free_column(t, &t->columns[i]);
    free(t->columns);
    free(t);
}

int table_failed(const table *t)
{
    return !t || t->failed;
}

void table_fail(table *t)
{
    if (t)
        t->failed = 1;
}

int table_rows(const table *t) { return t->rows; }
int table_columns(const table *t) { return t->width; }
const char *table_name_of(const table *t, int i) { return t->columns[i].name; }

const char *table_unit_of(const table *t, int i)
{
    return t->columns[i].mixed ? "" : t->columns[i].unit;
}

int table_find(const table *t, const char *name)
{
    for (int i = 0; i < t->width; i++)
        if (strcmp(t->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- rows and columns grow ---- */

/* So much room for rows in a column, the new ones missing. */
static int lengthen(column *c, int from, int room)
{
    cell *cells = realloc(c->cells, (size_t)room * sizeof *cells);
    if (!cells)
        return 0;
    c->cells = cells;
    for (int i = from; i < room; i++)
        cells[i] = MISSING;
    return 1;
}

static int add_room(table *t)
{
    enum { FIRST = 16, MOST = 1 << 28 };
    const int room = t->room ? 2 * t->room : FIRST;
    int good = room <= MOST;
    for (int i = 0; good && i < t->width; i++)
        good = lengthen(&t->columns[i], t->room, room);
    t->room = good ? room : t->room;
    return good;
}

void table_row(table *t)
{
    if (table_failed(t))
        return;
    if (t->rows == t->room && !add_room(t))
        t->failed = 1;
    else
        t->rows++;
}

static int widen(table *t)
{
    const int wide = t->wide ? 2 * t->wide : 32;
    column *columns = realloc(t->columns, (size_t)wide * sizeof *columns);
    if (!columns)
        return 0;
    t->columns = columns;
    t->wide = wide;
    return 1;
}

static column *new_column(table *t, const char *name, const char *unit)
{
    if (t->width == t->wide && !widen(t))
        return NULL;
    column *c = &t->columns[t->width];
    *c = (column){.name = strdup(name), .unit = strdup(unit)};
    if (c->name && c->unit && (!t->room || lengthen(c, 0, t->room))) {
        t->width++;
        return c;
    }
    free_column(t, c);
    return NULL;
}

static column *column_named(table *t, const char *name, const char *unit)
{
    if (table_failed(t))
        return NULL;
    const int i = table_find(t, name);
    column *c = i >= 0 ? &t->columns[i] : new_column(t, name, unit);
    t->failed = !c;
    if (c && t->role)
        c->role = t->role;
    return c;
}

void table_column(table *t, const char *name, const char *unit)
{
    column_named(t, name, unit);
}

void table_as(table *t, column_role role)
{
    if (t)
        t->role = role;
}

/* Its first number decides the unit of a column, another one takes it away. */
static int set_unit(column *c, const char *unit)
{
    if (c->known) {
        c->mixed = c->mixed || strcmp(c->unit, unit) != 0;
        return 1;
    }
    char *copy = strdup(unit);
    if (!copy)
        return 0;
    free(c->unit);
    c->unit = copy;
    c->known = 1;
    return 1;
}

static void set(table *t, column *c, cell value)
{
    if (!c || t->rows == 0) {
        free(value.text);
        t->failed = 1;
        return;
    }
    cell *to = &c->cells[t->rows - 1];
    free(to->text);
    *to = value;
    c->texts = c->texts || value.text;
}

void table_text(table *t, const char *name, const char *text)
{
    column *c = column_named(t, name, "");
    char *copy = c && text && *text ? strdup(text) : NULL;
    if (c && text && *text && !copy)
        t->failed = 1;
    else if (c && copy)
        set(t, c, (cell){copy, NAN, 0});
}

void table_number(table *t, const char *name, const char *unit, double x)
{
    column *c = column_named(t, name, unit);
    if (!c || !isfinite(x))
        return;
    if (set_unit(c, unit))
        set(t, c, (cell){NULL, x, 0});
    else
        t->failed = 1;
}

void table_count(table *t, const char *name, long n)
{
    column *c = column_named(t, name, "");
    if (c && set_unit(c, ""))
        set(t, c, (cell){NULL, (double)n, 1});
    else if (c)
        t->failed = 1;
}

/* ---- what is read of it ---- */

static cell cell_at(const table *t, int row, int i)
{
    const int there = i >= 0 && i < t->width && row >= 0 && row < t->rows;
    return there ? t->columns[i].cells[row] : MISSING;
}

const char *table_text_at(const table *t, int row, int i)
{
    return cell_at(t, row, i).text;
}

double table_number_at(const table *t, int row, int i)
{
    return cell_at(t, row, i).x;
}

/* ---- grids ---- */

static void head_column(grid *g, const table *t, int i)
{
    const column *c = &t->columns[i];
    char title[256];
    const char *unit = table_unit_of(t, i);
    snprintf(title, sizeof title, *unit ? "%s [%s]" : "%s", c->name, unit);
    grid_column(g, c->name, title, c->texts ? NULL : "%.6g");
}

grid *table_grid(const table *t)
{
    grid *g = table_failed(t) ? NULL : grid_new();
    if (!g)
        return NULL;
    for (int i = 0; i < t->width; i++)
        head_column(g, t, i);
    for (int row = 0; row < t->rows; row++)
        for (int i = 0; i < t->width; i++) {
            const cell c = cell_at(t, row, i);
            if (c.text)
                grid_text(g, c.text);
            else
                grid_number(g, c.x);
        }
    if (!grid_failed(g))
        return g;
    grid_free(g);
    return NULL;
}

/* ---- JSON ---- */

static json_t *cell_json(cell c)
{
    return c.text ? json_text(c.text) : !isfinite(c.x) ? json_null()
           : c.whole ? json_integer((json_int_t)c.x) : json_real(c.x);
}

static json_t *row_json(const table *t, int row)
{
    json_t *line = json_array();
    for (int i = 0; line && i < t->width; i++)
        if (json_array_append_new(line, cell_json(cell_at(t, row, i)))) {
            json_decref(line);
            line = NULL;
        }
    return line;
}

/* 0 where memory is short or a text is no UTF-8. */
static int fill_json(const table *t, json_t *names, json_t *units, json_t *roles, json_t *rows)
{
    for (int i = 0; i < t->width; i++)
        if (json_array_append_new(names, json_string(t->columns[i].name))
            || json_array_append_new(units, json_string(table_unit_of(t, i)))
            || json_array_append_new(roles, json_string(role_names[t->columns[i].role])))
            return 0;
    for (int row = 0; row < t->rows; row++)
        if (json_array_append_new(rows, row_json(t, row)))
            return 0;
    return 1;
}

json_t *table_json(const table *t)
{
    json_t *names = json_array(), *units = json_array(), *roles = json_array(), *rows = json_array();
    if (!table_failed(t) && names && units && roles && rows && fill_json(t, names, units, roles, rows))
        return json_pack("{s:o, s:o, s:o, s:o}", "columns", names, "units", units, "roles", roles, "rows", rows);
    json_decref(names);
    json_decref(units);
    json_decref(roles);
    json_decref(rows);
    return NULL;
}

static const char *string_at(const json_t *array, size_t i)
{
    return json_string_value(json_array_get(array, i));
}

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

static dae_status read_columns(table *t, const json_t *json, dae_report *report)
{
    const json_t *names = json_object_get(json, "columns"), *units = json_object_get(json, "units");
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = string_at(names, i), *unit = string_at(units, i);
        if (!name || table_find(t, name) >= 0)
            return dae_fail(report, DAE_BAD_ARGUMENT, "column %zu has %s", i + 1,
                            name ? "the name of another one" : "no name");
        table_as(t, role_named(string_at(json_object_get(json, "roles"), i)));
        table_column(t, name, unit ? unit : "");
    }
    return DAE_OK;
}

static dae_status read_rows(table *t, const json_t *rows, dae_report *report)
{
    dae_status status = DAE_OK;
    for (size_t i = 0; !status && !t->failed && i < json_array_size(rows); i++) {
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
    const json_t *names = json_object_get(json, "columns"), *rows = json_object_get(json, "rows");
    *read = NULL;
    if (!json_is_array(names) || !json_is_array(rows))
        return dae_fail(report, DAE_BAD_ARGUMENT, "it has no columns and rows");
    table *t = table_new();
    dae_status status = t ? read_columns(t, json, report) : DAE_NO_MEMORY;
    table_as(t, ROLE_NONE);
    if (!status)
        status = read_rows(t, rows, report);
    if (!status && t->failed)
        status = DAE_NO_MEMORY;
    if (status == DAE_NO_MEMORY)
        dae_fail(report, status, "out of memory");
    if (status)
        table_free(t);
    else
        *read = t;
    return status;
}
