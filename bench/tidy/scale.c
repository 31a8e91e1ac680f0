/* scale.c - cost against size */
#include "tidy/tidy_run.h"

#include <math.h>

static double positive(long n) { return n > 0 ? (double)n : NAN; }

static void time_cells(table *t, const scale_point *p)
{
    static const char *const step[] = {"seconds_step", "step_lower", "step_upper"},
        *const solve[] = {"seconds_solve", "solve_lower", "solve_upper"};
    tidy_spread_cells(t, step, &p->step);
    table_number(t, "step_smallest", "s", p->step.smallest);
    table_number(t, "step_largest", "s", p->step.largest);
    table_as(t, ROLE_SAMPLES);
    table_number(t, "step_runs", "", positive(p->step_runs));
    tidy_spread_cells(t, solve, &p->solve);
    table_number(t, "solve_smallest", "s", p->solve.smallest);
    table_number(t, "solve_largest", "s", p->solve.largest);
    table_as(t, ROLE_SAMPLES);
    table_number(t, "solve_runs", "", positive(p->solve_runs));
    table_as(t, ROLE_NONE);
    table_number(t, "seconds_setup", "s", p->setup);
}

static void add(const tidy_item *item, const tidy_run *run)
{
    const scale_point *p = run->size;
    const scale_result *r = &item->item->result.scale;
    char name[STUDY_NAME];
    table *t = dataset_add(item->data, "scale");
    tidy_begin_row(t, item, run);
    if (!t)
        return;
    table_as(t, ROLE_SETTING);
    table_text(t, "parameter", study_varied_name(&r->spec, name));
    table_number(t, "value", "", p->value);
    table_as(t, ROLE_NONE);
    table_number(t, "unknowns", "", positive(p->n));
    table_as(t, ROLE_OUTCOME);
    tidy_end_cells(t, run);
    time_cells(t, p);
    if (p->solve_runs > 0)
        tidy_count_cells(t, &p->count);
    table_number(t, "bytes_memory", "B", p->held);
    table_number(t, "bytes_peak", "B", p->peak);
}

void tidy_scale(const tidy_item *item)
{
    if (item->item->kind == STUDY_SCALE)
        tidy_each_run(item, add);
}
