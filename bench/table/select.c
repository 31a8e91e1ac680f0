#include "table/select.h"

#include "table/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

selection select_rows(const table *from, int (*is_row)(const table *from, int row))
{
    selection s = {.from = from, .to = table_failed(from) ? NULL : table_new()};
    s.row = s.to ? malloc(((size_t)from->rows + 1) * sizeof *s.row) : NULL;
    if (!s.row)
        table_fail(s.to);
    for (int row = 0; s.row && row < from->rows; row++) {
        if (from->ruled[row])
            table_rule(s.to);
        if (is_row && !is_row(from, row))
            continue;
        s.row[s.to->rows] = row;
        table_row(s.to);
        if (table_failed(s.to))
            break;
    }
    return s;
}

/* A number without a value is what stands for it; 0 where memory was short. */
static int copy_cell(cell *to, cell value, show_missing missing, double unit)
{
    const int nothing = !value.text && !isfinite(value.x) && missing == SHOW_NOTHING;
    *to = (cell){.x = !isfinite(value.x) && missing == SHOW_ZERO ? 0 : value.x / unit, .whole = value.whole};
    if (value.text || nothing)
        to->text = strdup(value.text ? value.text : "");
    return to->text || !(value.text || nothing);
}

void select_column(selection *s, const shown_column *shown, double unit)
{
    column *c = table_add_head(s->to, shown->name, shown->title, shown->format);
    const int i = c ? table_find(s->from, shown->name) : -1;
    for (int k = 0; c && k < s->to->rows; k++) {
        const int has = !shown->has || shown->has(s->from, s->row[k]);
        if (!copy_cell(&c->cells[k], table_cell(s->from, has ? s->row[k] : -1, i), shown->missing, unit))
            table_fail(s->to);
    }
}

void select_columns(selection *s, const shown_column *columns)
{
    for (; columns->name; columns++)
        select_column(s, columns, 1);
}

void select_words(selection *s, const char *title, row_words *words)
{
    char text[ROW_WORDS];
    column *c = table_add_head(s->to, title, title, NULL);
    for (int k = 0; c && k < s->to->rows; k++) {
        const char *own = words(s->from, s->row[k], text);
        c->cells[k].text = own ? strdup(own) : NULL;
        if (own && !c->cells[k].text)
            table_fail(s->to);
    }
}

table *select_end(selection *s)
{
    table *to = s->to;
    free(s->row);
    if (!table_failed(to))
        return to;
    table_free(to);
    return NULL;
}

/* ---- for people ---- */

static int is_missing(const table *t, int row, int i)
{
    const cell c = table_cell(t, row, i);
    return !c.text && !isfinite(c.x);
}

typedef enum { EMPTY, SHARED, OWN } holds;

static holds what_holds(const table *t, int i)
{
    int missing = 0, same = t->rows > 1;
    for (int row = 0; row < t->rows; row++) {
        missing += is_missing(t, row, i);
        same = same && table_same(t, row, 0, i);
    }
    return missing == t->rows ? EMPTY : same ? SHARED : OWN;
}

static void tell_shared(FILE *out, const table *t, int i, int first)
{
    const cell c = table_cell(t, 0, i);
    const char *unit = table_unit_of(t, i);
    fprintf(out, "%s%s ", first ? "" : ", ", table_name_of(t, i));
    if (c.text)
        fputs(c.text, out);
    else
        fprintf(out, "%.6g%s%s", c.x, *unit ? " " : "", unit);
}

table *select_people(const table *t, char **shared)
{
    size_t length;
    int told = 0;
    *shared = NULL;
    selection s = select_rows(t, NULL);
    FILE *out = open_memstream(shared, &length);
    for (int i = 0; out && s.to && i < t->width; i++) {
        const holds what = what_holds(t, i);
        if (what == SHARED)
            tell_shared(out, t, i, !told++);
        else if (what == OWN)
            select_column(&s, &(shown_column){.name = t->columns[i].name, .title = t->columns[i].title,
                                              .format = table_format_of(t, i)}, 1);
    }
    if (!out || fclose(out) || !*shared)
        table_fail(s.to);
    table *own = select_end(&s);
    if (!own) {
        free(*shared);
        *shared = NULL;
    }
    return own;
}
