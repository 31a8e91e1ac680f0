/* failures.c - the section on runs that failed, each with its reason */
#include "numbers/decimal.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

static const char *levels_text(const study_view *v, const char *before, int row)
{
    char text[DECIMAL];
    const double step = row_number(v->runs.table, row, "step"), rtol = row_number(v->runs.table, row, "rtol");
    if (!isfinite(step) && !isfinite(rtol))
        return before;
    return arena_format(&v->page->memory, "%s%s%s", before, *before ? ", " : isfinite(rtol) ? "rtol " : "step ",
                        decimal(isfinite(rtol) ? rtol : step, text));
}

static int same_end(const table *t, int a, int b)
{
    return strcmp(row_text_or_empty(t, a, "status"), row_text_or_empty(t, b, "status")) == 0
           && strcmp(row_text_or_empty(t, a, "reason"), row_text_or_empty(t, b, "reason")) == 0;
}

/* Levels that failed for the same reason are one row. */
static void add_group(const study_view *v, page_table *t, const row_group *g)
{
    const table *runs = v->runs.table;
    for (int k = 0; k < g->count; k++) {
        const char *levels = "";
        int end = k;
        if (!row_failed(runs, g->row[k]))
            continue;
        for (; end < g->count && same_end(runs, g->row[k], g->row[end]); end++)
            levels = levels_text(v, levels, g->row[end]);
        page_table_text(t, TONE_PLAIN, view_subject(v, g));
        page_table_text(t, TONE_PLAIN, g->form);
        page_table_text(t, TONE_PLAIN, g->label);
        page_table_text(t, TONE_PLAIN, levels);
        page_table_text(t, TONE_NOTE, row_text_or_empty(runs, g->row[k], "status"));
        page_table_text(t, TONE_PLAIN, row_text_or_empty(runs, g->row[k], "reason"));
        k = end - 1;
    }
}

static int fails(const row_groups *runs)
{
    for (int row = 0; runs->table && row < table_rows(runs->table); row++)
        if (row_failed(runs->table, row))
            return 1;
    return 0;
}

void publish_failures(const study_view *v)
{
    static const char *const titles[] = {"problem", "form", "method", "levels", "status", "reason"};
    if (!fails(&v->runs))
        return;
    view_section(v, "failures", "Failures");
    page_table *t = page_table_add(v->page, "Runs that failed, or were not made, and why");
    for (int i = 0; i < 6; i++)
        page_table_column(t, titles[i], "", NULL);
    for (int i = 0; i < v->runs.count; i++)
        add_group(v, t, &v->runs.group[i]);
}
