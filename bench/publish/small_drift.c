/* small_drift.c - runs without orders: an error that the drift says nothing of */
#include "publish/sentences.h"

#include <math.h>
#include <string.h>

enum { MOST_CLASS = 64, MOST_SENTENCES = 8 };

/* The error of a class by its size, of column `column`, "error_CLASS"; NaN: not known. */
static double relative_error(const table *t, int row, int column)
{
    char scale[MOST_CLASS];
    snprintf(scale, sizeof scale, "scale_%s", table_name_of(t, column) + strlen("error_"));
    return table_number_at(t, row, column) / row_number(t, row, scale);
}

/* A hundredth of the size, and a thousand times what the constraint is off by. */
static int looks_right(const table *t, int row, double error)
{
    return error >= 0.01 && isfinite(error)
           && row_number(t, row, "drift_position") / row_number(t, row, "scale_position") <= 1e-3 * error;
}

/* The column of the first class whose error the drift says nothing of; -1: none. */
static int wrong_column(const table *t, int row)
{
    for (int i = 0; row >= 0 && i < table_columns(t); i++)
        if (strncmp(table_name_of(t, i), "error_", strlen("error_")) == 0
            && looks_right(t, row, relative_error(t, row, i)))
            return i;
    return -1;
}

static void say_wrong(const study_view *v, const row_group *g, int row, int column)
{
    const table *t = v->runs.table;
    page_finding(v->page, TONE_BAD,
                 "%s: %s is wrong by %s of its size at the end, though the drift off the constraint is "
                 "%.2g: a small drift does not make it right.", view_pair(v, g),
                 table_name_of(t, column) + strlen("error_"),
                 view_percent(v, relative_error(t, row, column)), row_number(t, row, "drift_position"));
}

void say_small_drifts(const study_view *v)
{
    int found = 0;
    for (int i = 0; i < v->runs.count; i++) {
        const row_group *g = &v->runs.group[i];
        const int row = view_finest(v->runs.table, g), column = wrong_column(v->runs.table, row);
        if (column >= 0 && !groups_match(&v->orders, g) && found++ < MOST_SENTENCES)
            say_wrong(v, g, row, column);
    }
    if (found > MOST_SENTENCES)
        page_finding(v->page, TONE_BAD, "So it is in %d runs.", found);
}
