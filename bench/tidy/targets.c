/* targets.c - the time that a method takes to reach an error */
#include "tidy/tidy_run.h"

#include <math.h>

static void add(const tidy_item *item, int i, double target)
{
    const work_result *r = &item->item->result.work;
    const work_curve *c = &r->curves[i];
    const double seconds = work_curve_at(&r->spec, c, target);
    const ratio_spread x = work_curve_ratio(&r->spec, r->curves, r->count, i, target);
    table *t = dataset_add(item->data, "targets");
    tidy_run run = tidy_no_run(item->item);
    run.form = c->form;
    run.method = c->method;
    if (c->levels) {
        run.jacobian = c->point[0].run.jacobian;
        run.linear = c->point[0].run.linear;
    }
    tidy_begin_row(t, item, &run);
    if (!t)
        return;
    table_text(t, "class", dae_class_name(r->spec.of));
    table_number(t, "error", item->unit[r->spec.of], target);
    table_number(t, "seconds", "s", seconds);
    table_text(t, "baseline", r->spec.baseline ? dae_method_describe(r->spec.baseline).name : "");
    table_number(t, "ratio", "", x.ratio);
    table_number(t, "ratio_lower", "", x.low);
    table_number(t, "ratio_upper", "", x.high);
    table_text(t, "ratio_differs", isfinite(x.ratio) ? x.differs ? "yes" : "no" : "");
}

void tidy_targets(const tidy_item *item)
{
    if (item->item->kind != STUDY_WORK || !tidy_has_run(item->item))
        return;
    const work_result *r = &item->item->result.work;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->spec.targets; k++)
            add(item, i, r->spec.target[k]);
}
