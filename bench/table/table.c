#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/cells.h"

static const cell MISSING = {NULL, NAN, 0};

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
    free(c->title);
    free(c->format);
}

void table_free(table *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->width; i++)
        free_column(t, &t->columns[i]);
    free(t->columns);
    free(t->ruled);
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
    char *ruled = room <= MOST ? realloc(t->ruled, (size_t)room) : NULL;
    int good = ruled != NULL;
    t->ruled = good ? ruled : t->ruled;
    for (int i = 0; good && i < t->width; i++)
        good = lengthen(&t->columns[i], t->room, room);
    t->room = good ? room : t->room;
    return good;
}

void table_row(table *t)
{
    if (table_failed(t))
        return;
    if (t->rows == t->room && !add_room(t)) {
        t->failed = 1;
        return;
    }
    t->ruled[t->rows++] = (char)t->rule;
    t->rule = 0;
}

void table_rule(table *t)
{
    if (t)
        t->rule = 1;
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

/* "name [unit]"; 0 where memory is short. */
static int entitle(column *c)
{
    const char *unit = c->mixed ? "" : c->unit;
    free(c->title);
    if (asprintf(&c->title, *unit ? "%s [%s]" : "%s", c->name, unit) < 0)
        c->title = NULL;
    return c->title != NULL;
}

static column *new_column(table *t, const char *name, const char *unit)
{
    if (t->width == t->wide && !widen(t))
        return NULL;
    column *c = &t->columns[t->width];
    *c = (column){.name = strdup(name), .unit = strdup(unit)};
    if (c->name && c->unit && entitle(c) && (!t->room || lengthen(c, 0, t->room))) {
        t->width++;
        return c;
    }
    free_column(t, c);
    return NULL;
}

int table_find(const table *t, const char *name)
{
    for (int i = 0; i < t->width; i++)
        if (strcmp(t->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* Rows are filled in the order of the columns, mostly: the one behind the last is looked at first. */
static column *column_named(table *t, const char *name, const char *unit)
{
    if (table_failed(t))
        return NULL;
    const int behind = t->last + 1 < t->width && strcmp(t->columns[t->last + 1].name, name) == 0;
    const int i = behind ? t->last + 1 : table_find(t, name);
    column *c = i >= 0 ? &t->columns[i] : new_column(t, name, unit);
    t->last = i >= 0 ? i : t->width - 1;
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

/* ---- cells by name ---- */

/* Its first number decides the unit of a column, another one takes it away. */
static int set_unit(column *c, const char *unit)
{
    const int same = strcmp(c->unit, unit) == 0;
    if (c->known && (same || c->mixed))
        return 1;
    c->mixed = c->known;
    char *copy = c->known || same ? c->unit : strdup(unit);
    c->known = 1;
    if (copy && copy != c->unit) {
        free(c->unit);
        c->unit = copy;
    }
    return copy && entitle(c);
}

/* The text of the value is the table's from here on. */
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

static void set_number(table *t, column *c, const char *unit, cell value)
{
    if (c && set_unit(c, unit))
        set(t, c, value);
    else if (c)
        t->failed = 1;
}

void table_number(table *t, const char *name, const char *unit, double x)
{
    column *c = column_named(t, name, unit);
    if (isfinite(x))
        set_number(t, c, unit, (cell){NULL, x, 0});
}

void table_count(table *t, const char *name, long n)
{
    set_number(t, column_named(t, name, ""), "", (cell){NULL, (double)n, 1});
}

/* ---- cells in their order ---- */

column *table_add_head(table *t, const char *name, const char *title, const char *format)
{
    column *c = table_failed(t) ? NULL : new_column(t, name, "");
    if (c) {
        free(c->title);
        c->title = strdup(title);
        c->format = format ? strdup(format) : NULL;
        c->headed = 1;
    }
    if (t && (!c || !c->title || (format && !c->format)))
        t->failed = 1;
    return table_failed(t) ? NULL : c;
}

void table_head(table *t, const char *name, const char *title, const char *format)
{
    if (t && t->rows)
        t->failed = 1;
    table_add_head(t, name, title, format);
}

static void put(table *t, cell value)
{
    if (t->next == 0)
        table_row(t);
    set(t, t->width && !t->failed ? &t->columns[t->next] : NULL, value);
    t->next = t->next + 1 < t->width ? t->next + 1 : 0;
}

void table_put_text(table *t, const char *text)
{
    char *copy = text && !table_failed(t) ? strdup(text) : NULL;
    if (!table_failed(t) && text && !copy)
        t->failed = 1;
    else if (!table_failed(t))
        put(t, (cell){copy, NAN, 0});
}

void table_put(table *t, double x)
{
    if (!table_failed(t))
        put(t, (cell){NULL, x, 0});
}

/* ---- what is read of it ---- */

int table_rows(const table *t) { return t->rows; }
int table_columns(const table *t) { return t->width; }
const char *table_name_of(const table *t, int i) { return t->columns[i].name; }
const char *table_unit_of(const table *t, int i) { return t->columns[i].mixed ? "" : t->columns[i].unit; }
const char *table_title_of(const table *t, int i) { return t->columns[i].title; }
int table_ruled(const table *t, int row) { return row > 0 && t->ruled[row]; }

/* To people numbers that were measured have six digits. */
const char *table_format_of(const table *t, int i)
{
    const column *c = &t->columns[i];
    return c->headed ? c->format : c->texts ? NULL : "%.6g";
}

cell table_cell(const table *t, int row, int i)
{
    const int there = i >= 0 && i < t->width && row >= 0 && row < t->rows;
    return there ? t->columns[i].cells[row] : MISSING;
}

const char *table_text_at(const table *t, int row, int i) { return table_cell(t, row, i).text; }
double table_number_at(const table *t, int row, int i) { return table_cell(t, row, i).x; }

int table_same(const table *t, int row, int other, int i)
{
    const cell a = table_cell(t, row, i), b = table_cell(t, other, i);
    return a.text && b.text ? strcmp(a.text, b.text) == 0 : !a.text && !b.text && a.x == b.x;
}
