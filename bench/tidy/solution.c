/* solution.c - a solution against time: a row for each time, a column for each variable; and how far it is from one
 * that is more accurate: a row for each of these columns */
#include "tidy/tidy_run.h"

#include <stdio.h>
#include <string.h>

/* The columns that are there without any variable. */
static table *other_columns(const tidy_item *item, const tidy_run *run)
{
    table *others = table_new();
    tidy_begin_row(others, item, run);
    table_column(others, "t", item->time);
    table_column(others, "mode", "");
    return others;
}

/* A variable has a column of its name, or "variable_NAME" where that says something else. */
static const char *column_of(const table *others, const column_label *label, char name[TIDY_NAME])
{
    snprintf(name, TIDY_NAME, "%s%s", table_find(others, label->name) >= 0 ? "variable_" : "", label->name);
    return name;
}

static void add_row(table *t, const table *others, const tidy_item *item, const tidy_run *run, size_t r)
{
    const trajectory *tr = &run->solution->tr;
    const double *row = tr->rows + r * (size_t)tr->width;
    char name[TIDY_NAME];
    tidy_begin_row(t, item, run);
    table_number(t, "t", item->time, row[0]);
    if (tr->columns.modes > 1)
        table_text(t, "mode", dae_hybrid_mode_name(tr->hybrid, tr->mark[r].mode));
    for (int i = 0; i < tr->columns.count; i++)
        table_number(t, column_of(others, &tr->columns.label[i], name), tidy_unit(&tr->columns.label[i]), row[i + 1]);
}

/* Time and variables stand before what is the same in all rows. */
static void begin_columns(table *t, const table *others, const tidy_item *item, const trajectory *tr)
{
    char name[TIDY_NAME];
    table_column(t, "t", item->time);
    if (tr->columns.modes > 1)
        table_column(t, "mode", "");
    for (int i = 0; i < tr->columns.count; i++)
        table_column(t, column_of(others, &tr->columns.label[i], name), tidy_unit(&tr->columns.label[i]));
}

void tidy_solution(const tidy_item *item, const tidy_run *run)
{
    const trajectory *tr = &run->solution->tr;
    table *t = dataset_add(item->data, "solution"), *others = other_columns(item, run);
    begin_columns(t, others, item, tr);
    for (size_t r = 0; r < tr->count; r++)
        if (tr->mark[r].listed)
            add_row(t, others, item, run, r);
    table_free(others);
}

void tidy_estimates(const tidy_item *item, const tidy_run *run)
{
    const solve_result *r = &item->item->result.solve;
    const int count = item->item->spec.estimated && r->finer ? r->run.tr.columns.count : 0;
    for (int i = 0; i < count; i++) {
        const column_label *label = &r->run.tr.columns.label[i];
        const solve_difference d = solve_differs(r, i);
        table *t = tidy_row(item, run, "estimates");
        table_text(t, "unknown", label->name);
        table_number(t, "difference", "", d.largest);
        table_number(t, "t", item->time, d.at);
        table_number(t, "size", "", d.size);
        table_text(t, "unit", tidy_unit(label));
    }
}
