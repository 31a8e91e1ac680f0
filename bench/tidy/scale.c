/* scale.c - cost against size, and the powers of the size with which it grows */
#include "tidy/tidy_run.h"

#include <math.h>

static double positive(long n) { return n > 0 ? (double)n : NAN; }

/* The times of a step, or of a solve. */
static void time_cells(table *t, const char *const name[6], const work_spread *spread, int runs)
{
    tidy_spread_cells(t, name, spread);
    table_number(t, name[3], "s", spread->smallest);
    table_number(t, name[4], "s", spread->largest);
    table_number(t, name[5], "", positive(runs));
}

void tidy_scale(const tidy_item *item, const tidy_run *run)
{
    const scale_point *p = run->size;
    char name[STUDY_NAME];
    table *t = tidy_row(item, run, "scale");
    table_text(t, "parameter", study_varied_name(&item->item->result.scale.spec, name));
    table_number(t, "value", "", p->value);
    table_number(t, "unknowns", "", positive(p->n));
    tidy_end_cells(t, run);
    time_cells(t, (const char *const[]){"seconds_step", "step_lower", "step_upper", "step_smallest", "step_largest",
                                        "step_runs"}, &p->step, p->step_runs);
    time_cells(t, (const char *const[]){"seconds_solve", "solve_lower", "solve_upper", "solve_smallest",
                                        "solve_largest", "solve_runs"}, &p->solve, p->solve_runs);
    table_number(t, "seconds_setup", "s", p->setup);
    if (p->solve_runs > 0)
        tidy_count_cells(t, &p->count);
    table_number(t, "bytes_memory", "B", p->held);
    table_number(t, "bytes_peak", "B", p->peak);
}

static void add_exponent(const tidy_item *item, const scale_pair *pair, scale_quantity q, tidy_run run)
{
    const scale_result *r = &item->item->result.scale;
    const scale_fit fit = scale_pair_fit(&r->spec, pair, q);
    char name[STUDY_NAME];
    run.number = 0;
    run.varied = -1;
    table *t = tidy_row(item, &run, "exponents");
    table_text(t, "parameter", study_varied_name(&r->spec, name));
    table_text(t, "quantity", scale_names[q]);
    table_number(t, "exponent", "", fit.exponent);
    table_number(t, "last", "", fit.last);
    table_count(t, "points", fit.points);
}

/* Once for each pair: at its first point. */
void tidy_exponents(const tidy_item *item, const tidy_run *run)
{
    const scale_result *r = &item->item->result.scale;
    for (int i = 0; i < r->count; i++)
        for (scale_quantity q = 0; run->size == &r->pairs[i].point[0] && q < SCALE_QUANTITIES; q++)
            add_exponent(item, &r->pairs[i], q, *run);
}
