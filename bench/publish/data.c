/* data.c - the section of tables: rows as they were measured, without columns that say nothing */
#include "numbers/decimal.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 2000 };

/* Tables whose rows are read one by one; the others are curves. */
static const struct { const char *name, *title; } tables[] = {
    {"runs", "Runs"}, {"orders", "Orders"}, {"growth", "Growth of drift"}, {"work", "Timed runs"}, {"scale", "Sizes"},
    {"events", "Events"}};
enum { TABLES = sizeof tables / sizeof *tables };

static int is_empty(const table *t, int row, int column)
{
    return !table_text_at(t, row, column) && isnan(table_number_at(t, row, column));
}

static int same(const table *t, int row, int column)
{
    const char *a = table_text_at(t, 0, column), *b = table_text_at(t, row, column);
    const double x = table_number_at(t, 0, column), y = table_number_at(t, row, column);
    return (a ? b && strcmp(a, b) == 0 : !b) && (x == y || (isnan(x) && isnan(y)));
}

static int is_constant(const table *t, int column)
{
    for (int row = 1; row < table_rows(t); row++)
        if (!same(t, row, column))
            return 0;
    return 1;
}

static int is_text(const table *t, int column)
{
    for (int row = 0; row < table_rows(t); row++)
        if (table_text_at(t, row, column))
            return 1;
    return 0;
}

/* "t_start = 0, start = consistent": what is the same in all rows. */
static const char *common_text(const study_view *v, const table *t)
{
    char number[DECIMAL];
    const char *all = "";
    for (int i = 0; table_rows(t) > 1 && i < table_columns(t); i++) {
        if (!is_constant(t, i) || is_empty(t, 0, i))
            continue;
        const char *text = table_text_at(t, 0, i), *unit = table_unit_of(t, i);
        all = arena_format(&v->page->memory, "%s%s%s = %s%s%s", all, *all ? ", " : "", table_name_of(t, i),
                           text ? text : decimal(table_number_at(t, 0, i), number), *unit && !text ? " " : "", text ? "" : unit);
    }
    return all;
}

static const char *caption(const study_view *v, const char *title, const table *t)
{
    arena *memory = &v->page->memory;
    const char *common = common_text(v, t), *text = title;
    if (table_rows(t) > MOST_ROWS)
        text = arena_format(memory, "%s: the first %d of %d rows", text, MOST_ROWS, table_rows(t));
    return *common ? arena_format(memory, "%s. In all rows: %s", text, common) : text;
}

static void add_table(const study_view *v, const char *title, const table *t)
{
    const int rows = table_rows(t) < MOST_ROWS ? table_rows(t) : MOST_ROWS;
    int *shown = arena_get(&v->page->memory, (size_t)table_columns(t), sizeof *shown), columns = 0;
    page_table *to = page_table_add(v->page, caption(v, title, t));
    if (!shown || !to)
        return;
    to->data = 1;
    for (int i = 0; i < table_columns(t); i++)
        if (table_rows(t) == 1 ? !is_empty(t, 0, i) : !is_constant(t, i)) {
            shown[columns++] = i;
            page_table_column(to, table_name_of(t, i), table_unit_of(t, i), is_text(t, i) ? NULL : "%.6g");
        }
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < columns; i++)
            if (table_text_at(t, row, shown[i]) || is_text(t, shown[i]))
                page_table_text(to, TONE_PLAIN, table_text_at(t, row, shown[i]));
            else
                page_table_number(to, TONE_PLAIN, table_number_at(t, row, shown[i]));
}

void publish_data(const study_view *v)
{
    int first = 1;
    for (int i = 0; i < TABLES; i++) {
        const table *t = dataset_find(v->data, tables[i].name);
        if (!t)
            continue;
        if (first)
            page_section(v->page, arena_format(&v->page->memory, "%sdata", v->name), "All rows");
        first = 0;
        add_table(v, tables[i].title, t);
    }
}
