#include "table/select.h"

#include "host/allocate.h"
#include "table/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

selection select_rows(const table *from, int (*is_row)(const table *from, int row))
{
    selection s = {from, table_new(), allocate((size_t)from->rows, sizeof *s.row)};
    for (int row = 0; row < from->rows; row++) {
        if (from->ruled[row])
            table_rule(s.to);
        if (is_row && !is_row(from, row))
            continue;
        s.row[s.to->rows] = row;
        table_row(s.to);
    }
    return s;
}

/* The value in the unit; of a missing one what `missing` says. */
static cell shown_cell(cell value, show_missing missing, double unit)
{
    if (value.text)
        return (cell){allocate_text(value.text), NAN, 0};
    if (isfinite(value.x))
        return (cell){NULL, value.x / unit, value.whole};
    return (cell){missing == SHOW_NOTHING ? allocate_text("") : NULL, missing == SHOW_ZERO ? 0 : value.x, 0};
}

void select_column(selection *s, const shown_column *shown, double unit)
{
    const int i = table_find(s->from, shown->name);
    const char *words = shown->title ? shown->title : shown->name;
    const char *of = shown->measured && i >= 0 ? table_unit_of(s->from, i) : "";
    char *title = *of ? allocate_print("%s [%s]", words, of) : allocate_text(words);
    table_head(s->to, shown->name, title, shown->format);
    free(title);
    table_aside(s->to, s->to->width - 1, shown->aside);
    for (int k = 0; k < s->to->rows; k++) {
        const int has = !shown->has || shown->has(s->from, s->row[k]);
        const cell value = table_cell(s->from, has ? s->row[k] : -1, i);
        table_set(s->to, k, s->to->width - 1, shown_cell(value, shown->missing, unit));
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
    table_head(s->to, title, title, NULL);
    for (int k = 0; k < s->to->rows; k++) {
        const char *own = words(s->from, s->row[k], text);
        table_set(s->to, k, s->to->width - 1, (cell){allocate_text(own), NAN, 0});
    }
}

table *select_end(selection *s)
{
    free(s->row);
    return s->to;
}

/* ---- for people ---- */

typedef enum { EMPTY, SHARED, OWN } holds;

static holds what_holds(const table *t, int i)
{
    int missing = 0, same = t->rows > 1;
    for (int row = 0; row < t->rows; row++) {
        const cell c = table_cell(t, row, i);
        missing += !c.text && !isfinite(c.x);
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
    int told = 0;
    size_t length;
    selection s = select_rows(t, NULL);
    FILE *out = allocate_stream(shared, &length);
    for (int i = 0; i < t->width; i++) {
        const holds what = what_holds(t, i);
        if (what == SHARED)
            tell_shared(out, t, i, !told++);
        else if (what == OWN)
            select_column(&s, &(shown_column){.name = t->columns[i].name, .title = t->columns[i].title,
                                              .format = table_format_of(t, i)}, 1);
    }
    allocate_stream_end(out);
    return select_end(&s);
}
