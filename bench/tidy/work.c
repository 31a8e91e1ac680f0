/* work.c - runs that were timed, and the time that a method takes to reach an error */
#include "tidy/tidy_run.h"

#include <math.h>

void tidy_work(const tidy_item *item, const tidy_run *run)
{
    const study_specification *o = &item->item->spec;
    const work_point *p = run->work;
    char name[TIDY_NAME];
    table *t = tidy_row(item, run, "work");
    tidy_end_cells(t, run);
    tidy_class_cells(t, item, "error", run->run->error, 0);
    table_number(t, "scd", "", p->scd);
    table_number(t, "mescd", "", p->mescd);
    if (o->digits && o->of < DAE_CLASSES)               /* of that class alone */
        table_number(t, tidy_class_column("mescd", (int)o->of, name), "", work_digits(o, p));
    tidy_count_cells(t, &run->run->count);
    table_number(t, "wall", "s", work_seconds(o, p));
    tidy_spread_cells(t, "wall_median", "wall", &p->wall);
    table_number(t, "cpu", "s", p->cpu);
    table_count(t, "repeats", p->runs);
    table_count(t, "rounds", p->timed.rounds);      /* quartiles are those of rounds, where there were such */
    table_text(t, "repeatable", p->runs ? p->repeatable ? "yes" : "no" : "");
}

/* One row for each round of a run of `work`: those of one problem that have the same number are of the same round. */
void tidy_rounds(const tidy_item *item, const tidy_run *run)
{
    const work_point *p = run->work;
    table *t = item->item->spec.digits ? NULL : dataset_add(item->data, "rounds");
    for (int r = 0; t && r < p->timed.rounds; r++) {
        const timed_round *round = &p->timed.round[r];
        table_row(t);
        table_count(t, "run", run->number);
        table_count(t, "round", r + 1);
        table_number(t, "wall", "s", item->item->spec.smallest ? round->smallest : round->median);
        table_number(t, "wall_median", "s", round->median);
        table_number(t, "wall_smallest", "s", round->smallest);
        table_count(t, "repeats", round->runs);
    }
}

static void add_target(const tidy_item *item, int i, double target)
{
    const work_result *r = &item->item->result.work;
    const work_curve *c = &r->curves[i];
    const ratio_spread x = work_curve_ratio(&r->spec, r->curves, r->count, i, target);
    tidy_run run = tidy_no_run(item->item);
    run.form = c->form;
    run.method = c->method;
    if (c->levels) {
        run.jacobian = c->point[0].run.jacobian;
        run.linear = c->point[0].run.linear;
    }
    table *t = tidy_row(item, &run, "targets");
    table_text(t, "class", order_class_name(work_class(&r->spec)));
    table_number(t, "error", item->unit[r->spec.of], target);
    table_number(t, "seconds", "s", work_curve_at(&r->spec, c, target));
    table_text(t, "baseline", r->spec.baseline ? dae_method_describe(r->spec.baseline).name : "");
    table_number(t, "ratio", "", x.ratio);
    table_number(t, "ratio_lower", "", x.low);
    table_number(t, "ratio_upper", "", x.high);
    table_text(t, "ratio_differs", isfinite(x.ratio) ? x.differs ? "yes" : "no" : "");
}

void tidy_targets(const tidy_item *item)
{
    const work_result *r = &item->item->result.work;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->spec.targets; k++)
            add_target(item, i, r->spec.target[k]);
}
