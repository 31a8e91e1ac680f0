/* estimates.c - how far a solution is from one that is more accurate: a row for each column of it */
#include "tidy/tidy_run.h"

#include <string.h>

static void add(const tidy_item *item, const tidy_run *run)
{
    const solve_result *r = &item->item->result.solve;
    for (int i = 0; i < r->run.tr.columns.count; i++) {
        const column_label *label = &r->run.tr.columns.label[i];
        const solve_difference d = solve_differs(r, i);
        table *t = dataset_add(item->data, "estimates");
        tidy_begin_row(t, item, run);
        if (!t)
            return;
        table_as(t, ROLE_SETTING);
        table_text(t, "unknown", label->name);
        table_as(t, ROLE_NONE);
        table_number(t, "difference", "", d.largest);
        table_number(t, "t", item->time, d.at);
        table_number(t, "size", "", d.size);
        table_text(t, "unit", strcmp(label->unit, "-") ? label->unit : "");
    }
}

void tidy_estimates(const tidy_item *item)
{
    const study_item *of = item->item;
    if (of->kind == STUDY_SOLVE && tidy_has_run(of) && of->spec.estimated && of->result.solve.finer)
        tidy_each_run(item, add);
}
