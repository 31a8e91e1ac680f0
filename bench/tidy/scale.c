/* scale.c - cost against size, and the powers of the size with which it grows */
#include "tidy/tidy_run.h"

#include <math.h>

static double positive(long n) { return n > 0 ? (double)n : NAN; }

void tidy_scale(const tidy_item *item, const tidy_run *run)
{
    const scale_point *p = run->size;
    char name[STUDY_NAME];
    table *t = tidy_row(item, run, "scale");
    table_text(t, "parameter", study_varied_name(&item->item->result.scale.spec, name));
    table_number(t, "value", "", p->value);
    table_number(t, "unknowns", "", positive(p->n));
    tidy_end_cells(t, run);
    tidy_spread_cells(t, "seconds_step", "step", &p->step);
    table_number(t, "step_runs", "", positive(p->step_runs));
    tidy_spread_cells(t, "seconds_solve", "solve", &p->solve);
    table_number(t, "solve_runs", "", positive(p->solve_runs));
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
