#include "table/cells.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cell MISSING = {NULL, NAN, 0};

table *table_new(void) { return allocate(1, sizeof(table)); }

static void free_column(const table *t, column *c)
{
    for (int i = 0; i < t->rows; i++)
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

/* ---- rows and columns grow ---- */

/* So much room for rows in a column, the new ones missing. */
static void lengthen(column *c, int from, int room)
{
    c->cells = allocate_again(c->cells, (size_t)room, sizeof *c->cells);
    for (int i = from; i < room; i++)
        c->cells[i] = MISSING;
}

void table_row(table *t)
{
    enum { FIRST = 16 };
    const int room = t->rows < t->room ? t->room : t->room ? 2 * t->room : FIRST;
    for (int i = 0; room > t->room && i < t->width; i++)
        lengthen(&t->columns[i], t->room, room);
    if (room > t->room)
        t->ruled = allocate_again(t->ruled, (size_t)room, 1);
    t->room = room;
    t->ruled[t->rows++] = (char)t->rule;
    t->rule = 0;
}

void table_rule(table *t) { t->rule = 1; }

/* "name [unit]" */
static void entitle(column *c)
{
    const char *unit = c->mixed ? "" : c->unit;
    free(c->title);
    c->title = *unit ? allocate_print("%s [%s]", c->name, unit) : allocate_text(c->name);
}

/* The number of a new column. */
static int new_column(table *t, const char *name, const char *unit)
{
    t->columns = allocate_again(t->columns, (size_t)t->width + 1, sizeof *t->columns);
    column *c = &t->columns[t->width];
    *c = (column){.name = allocate_text(name), .unit = allocate_text(unit)};
    entitle(c);
    lengthen(c, 0, t->room);
    return t->width++;
}

int table_find(const table *t, const char *name)
{
    for (int i = 0; i < t->width; i++)
        if (strcmp(t->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* Rows are filled in the order of the columns, mostly: the one behind the last is looked at first. */
static int column_named(table *t, const char *name, const char *unit)
{
    const int behind = t->last + 1 < t->width && strcmp(t->columns[t->last + 1].name, name) == 0;
    const int i = behind ? t->last + 1 : table_find(t, name);
    t->last = i >= 0 ? i : new_column(t, name, unit);
    return t->last;
}

void table_column(table *t, const char *name, const char *unit) { column_named(t, name, unit); }

void table_role(table *t, int i, column_role role) { t->columns[i].role = role; }

void table_aside(table *t, int i, int aside) { t->columns[i].aside = aside; }

int table_aside_of(const table *t, int i) { return t->columns[i].aside; }

/* ---- cells by name ---- */

/* Its first number decides the unit of a column, another one takes it away. */
static void set_unit(column *c, const char *unit)
{
    const int same = strcmp(c->unit, unit) == 0;
    if (c->known && (same || c->mixed))
        return;
    c->mixed = c->known;
    if (!c->known && !same) {
        free(c->unit);
        c->unit = allocate_text(unit);
    }
    c->known = 1;
    entitle(c);
}

void table_set(table *t, int row, int i, cell value)
{
    cell *to = &t->columns[i].cells[row];
    free(to->text);
    *to = value;
    t->columns[i].texts |= value.text != NULL;
}

void table_text(table *t, const char *name, const char *text)
{
    const int i = column_named(t, name, "");
    if (text && *text)
        table_set(t, t->rows - 1, i, (cell){allocate_text(text), NAN, 0});
}

static void set_number(table *t, const char *name, const char *unit, cell value)
{
    const int i = column_named(t, name, unit);
    if (!isfinite(value.x))
        return;
    set_unit(&t->columns[i], unit);
    table_set(t, t->rows - 1, i, value);
}

void table_number(table *t, const char *name, const char *unit, double x) { set_number(t, name, unit, (cell){.x = x}); }
void table_count(table *t, const char *name, long n) { set_number(t, name, "", (cell){.x = (double)n, .whole = 1}); }

/* ---- cells in their order ---- */

void table_head(table *t, const char *name, const char *title, const char *format)
{
    const int i = new_column(t, name, "");
    column *c = &t->columns[i];
    free(c->title);
    c->title = allocate_text(title);
    c->format = allocate_text(format);
    c->headed = 1;
}

static void put(table *t, cell value)
{
    if (t->next == 0)
        table_row(t);
    table_set(t, t->rows - 1, t->next, value);
    t->next = (t->next + 1) % t->width;
}

void table_put_text(table *t, const char *text) { put(t, (cell){allocate_text(text), NAN, 0}); }
void table_put(table *t, double x) { put(t, (cell){.x = x}); }

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
