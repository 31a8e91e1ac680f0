/* data.c - the section of tables: rows as they were measured, without columns that say nothing */
#include "numbers/decimal.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

enum { MOST_CELLS = 36000 };            /* of a page, which is to open fast */

/* Tables whose rows are read one by one; the others are curves. */
static const struct { const char *name, *title; } tables[] = {
    {"runs", "runs"}, {"orders", "orders"}, {"growth", "growth of drift"}, {"work", "runs that were timed"},
    {"scale", "sizes"},
    {"events", "events"}};
enum { TABLES = sizeof tables / sizeof *tables };

/* Columns that a reader of a page does not miss: names, or how they begin. The files have them. */
static const char *const left_out[] = {
    "path_", "rounding_", "scale_", "slope_", "estimated_", "atol", "newton_failures", "explicit_steps", "switches",
    "projections", "too_far", "correction", "wall_", "step_", "solve_", "kind", "part", "problem"};
enum { LEFT_OUT = sizeof left_out / sizeof *left_out };

static int is_left_out(const char *name)
{
    for (int i = 0; i < LEFT_OUT; i++)
        if (strncmp(name, left_out[i], strlen(left_out[i])) == 0)
            return 1;
    return 0;
}

/* The rows of one part and problem. */
typedef struct { const table *t; const int *row; int count, shown; } row_list;

static int is_empty(const row_list *l, int k, int column)
{
    return !table_text_at(l->t, l->row[k], column) && isnan(table_number_at(l->t, l->row[k], column));
}

static int is_constant(const row_list *l, int column)
{
    for (int k = 1; k < l->count; k++) {
        const char *a = table_text_at(l->t, l->row[0], column), *b = table_text_at(l->t, l->row[k], column);
        const double x = table_number_at(l->t, l->row[0], column), y = table_number_at(l->t, l->row[k], column);
        if (!(a ? b && strcmp(a, b) == 0 : !b) || !(x == y || (isnan(x) && isnan(y))))
            return 0;
    }
    return 1;
}

static int is_text(const row_list *l, int column)
{
    for (int k = 0; k < l->count; k++)
        if (table_text_at(l->t, l->row[k], column))
            return 1;
    return 0;
}

/* "t_start = 0 s, start = consistent": what is the same in all rows. */
static const char *common_text(const row_list *l, arena *memory)
{
    char number[DECIMAL];
    const char *all = "";
    for (int i = 0; l->count > 1 && i < table_columns(l->t); i++) {
        if (!is_constant(l, i) || is_empty(l, 0, i) || is_left_out(table_name_of(l->t, i)))
            continue;
        const char *text = table_text_at(l->t, l->row[0], i), *unit = table_unit_of(l->t, i);
        all = arena_format(memory, "%s%s%s = %s%s%s", all, *all ? ", " : "", table_name_of(l->t, i),
                           text ? text : decimal(table_number_at(l->t, l->row[0], i), number),
                           *unit && !text ? " " : "", text ? "" : unit);
    }
    return all;
}

static const char *caption(const char *title, const row_list *l, arena *memory)
{
    const char *common = common_text(l, memory);
    if (l->count > l->shown)
        title = arena_format(memory, "%s: the first %d of %d rows, as the page would be too long", title, l->shown,
                             l->count);
    return *common ? arena_format(memory, "%s. In all rows: %s", title, common) : title;
}

static void add_cells(page_table *to, const row_list *l, int k, const int *shown, int columns)
{
    for (int i = 0; i < columns; i++)
        if (is_text(l, shown[i]))
            page_table_text(to, TONE_PLAIN, table_text_at(l->t, l->row[k], shown[i]));
        else
            page_table_number(to, TONE_PLAIN, table_number_at(l->t, l->row[k], shown[i]));
}

/* The columns that say something; their number. */
static int columns_of(const row_list *l, int *shown)
{
    int columns = 0;
    for (int i = 0; i < table_columns(l->t); i++)
        if (!is_left_out(table_name_of(l->t, i)) && (l->count == 1 ? !is_empty(l, 0, i) : !is_constant(l, i)))
            shown[columns++] = i;
    return columns;
}

/* budget: cells that the page has room for. */
static void add_table(page *p, const char *title, row_list *l, int *budget)
{
    int *shown = arena_get(&p->memory, (size_t)table_columns(l->t), sizeof *shown);
    const int columns = shown ? columns_of(l, shown) : 0, room = columns ? *budget / columns : 0;
    l->shown = l->count < room ? l->count : room;
    page_table *to = page_table_add(p, caption(title, l, &p->memory));
    if (!shown || !to)
        return;
    to->data = 1;
    for (int i = 0; i < columns; i++)
        page_table_column(to, table_name_of(l->t, shown[i]), table_unit_of(l->t, shown[i]),
                          is_text(l, shown[i]) ? NULL : "%.4g");
    for (int k = 0; k < l->shown; k++)
        add_cells(to, l, k, shown, columns);
    *budget -= columns * l->shown;
}

/* Rows of the part and problem of row `first`; their number. */
static int rows_beside(const table *t, int first, int *rows)
{
    const int part = table_find(t, "part"), problem = table_find(t, "problem");
    int count = 0;
    for (int row = first; row < table_rows(t); row++)
        if (same_text(table_text_at(t, row, part), table_text_at(t, first, part))
            && same_text(table_text_at(t, row, problem), table_text_at(t, first, problem)))
            rows[count++] = row;
    return count;
}

static const char *title_of(const study_view *v, const char *title, const table *t, int row)
{
    const row_group g = {.part = row_text_or_empty(t, row, "part"), .problem = row_text_or_empty(t, row, "problem")};
    return arena_format(&v->page->memory, "%s: %s", view_subject(v, &g), title);
}

static void add_tables(const study_view *v, const char *title, const table *t, int *budget)
{
    char *done = arena_get(&v->page->memory, (size_t)table_rows(t), 1);
    int *rows = arena_get(&v->page->memory, (size_t)table_rows(t), sizeof *rows);
    for (int first = 0; done && rows && first < table_rows(t); first++) {
        if (done[first])
            continue;
        row_list l = {t, rows, rows_beside(t, first, rows), 0};
        for (int k = 0; k < l.count; k++)
            done[rows[k]] = 1;
        add_table(v->page, title_of(v, title, t, first), &l, budget);
    }
}

void publish_data(const study_view *v)
{
    int first = 1, budget = MOST_CELLS;
    for (int i = 0; i < TABLES; i++) {
        const table *t = dataset_find(v->data, tables[i].name);
        if (!t)
            continue;
        if (first)
            view_section(v, "data", "All rows, with four digits");
        first = 0;
        add_tables(v, tables[i].title, t, &budget);
    }
}
