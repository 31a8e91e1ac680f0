/* work.c - runs that were timed */
#include "tidy/tidy_run.h"

static void add(const tidy_item *item, const tidy_run *run)
{
    const work_point *p = run->work;
    const work_spread *w = &p->wall;
    table *t = dataset_add(item->data, "work");
    tidy_begin_row(t, item, run);
    if (!t)
        return;
    tidy_end_cells(t, run);
    tidy_error_cells(t, item, run->run);
    table_number(t, "scd", "", p->scd);
    table_number(t, "mescd", "", p->mescd);
    tidy_count_cells(t, &run->run->count);
    table_number(t, "wall", "s", work_seconds(&item->item->spec, p));
    table_number(t, "wall_median", "s", w->median);
    table_number(t, "wall_lower", "s", w->lower);
    table_number(t, "wall_upper", "s", w->upper);
    table_number(t, "wall_smallest", "s", w->smallest);
    table_number(t, "wall_largest", "s", w->largest);
    table_number(t, "cpu", "s", p->cpu);
    table_count(t, "repeats", p->runs);
    table_text(t, "repeatable", p->runs ? p->repeatable ? "yes" : "no" : "");
}

void tidy_work(const tidy_item *item)
{
    if (item->item->kind == STUDY_WORK)
        tidy_each_run(item, add);
}
