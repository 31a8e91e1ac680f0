/* work.c - runs that were timed */
#include "tidy/tidy_run.h"

/* mescd of one class, where the study is of that. */
static void digits_cell(table *t, const tidy_item *item, const work_point *p)
{
    const study_specification *o = &item->item->spec;
    char name[TIDY_NAME];
    if (o->digits && o->of < DAE_CLASSES)
        table_number(t, tidy_class_column("mescd", o->of, name), "", work_digits(o, p));
}

static void add(const tidy_item *item, const tidy_run *run)
{
    static const char *const wall[] = {"wall_median", "wall_lower", "wall_upper"};
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
    digits_cell(t, item, p);
    tidy_count_cells(t, &run->run->count);
    table_number(t, "wall", "s", work_seconds(&item->item->spec, p));
    tidy_spread_cells(t, wall, w);
    table_number(t, "wall_smallest", "s", w->smallest);
    table_number(t, "wall_largest", "s", w->largest);
    table_number(t, "cpu", "s", p->cpu);
    table_as(t, ROLE_SAMPLES);
    table_count(t, "repeats", p->runs);
    table_count(t, "rounds", p->rounds);            /* quartiles are those of rounds, where there were such */
    table_as(t, ROLE_NONE);
    table_text(t, "repeatable", p->runs ? p->repeatable ? "yes" : "no" : "");
}

/* One row for each round of a run of `work`: those of one problem that have the same number are of the same round. */
static void add_rounds(const tidy_item *item, const tidy_run *run)
{
    const work_point *p = run->work;
    table *t = dataset_add(item->data, "rounds");
    for (int r = 0; t && r < p->rounds; r++) {
        const timed_round *round = &p->round[r];
        table_row(t);
        table_count(t, "run", run->number);
        table_count(t, "round", r + 1);
        table_number(t, "wall", "s", item->item->spec.smallest ? round->smallest : round->median);
        table_number(t, "wall_median", "s", round->median);
        table_number(t, "wall_smallest", "s", round->smallest);
        table_count(t, "repeats", round->runs);
    }
}

void tidy_work(const tidy_item *item)
{
    if (item->item->kind == STUDY_WORK)
        tidy_each_run(item, add);
    if (item->item->kind == STUDY_WORK && !item->item->spec.digits)
        tidy_each_run(item, add_rounds);
}
