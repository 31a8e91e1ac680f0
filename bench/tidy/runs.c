/* runs.c - one row for each run */
#include "tidy/tidy_run.h"

#include <math.h>

/* Of each class: the error at the end and on the way, what rounding is of it, the size of the reference. */
static void class_cells(table *t, const tidy_item *item, const run_result *r)
{
    tidy_class_cells(t, item, "error", r->error, 0);
    tidy_class_cells(t, item, "path", r->path, 0);
    tidy_class_cells(t, item, "rounding", r->noise, 0);
    tidy_class_cells(t, item, "scale", r->scale, 0);
}

static void drift_cells(table *t, const run_result *r)
{
    table_number(t, "drift_position", "", r->drift[0]);
    table_number(t, "drift_velocity", "", r->drift[1]);
    table_number(t, "drift_acceleration", "", r->drift[2]);
    table_number(t, "drift_energy", "", r->energy);
    table_number(t, "drift_invariant", "", r->invariant);
}

/* Counts of a run that was made: of one that could not begin there are none. */
static void cost_cells(table *t, const tidy_run *run)
{
    if (run->solution) {
        const dae_statistics count = dae_hybrid_statistics(run->solution->hybrid);
        tidy_count_cells(t, &count);
    } else if (run->fit) {
        table_count(t, "trials", run->fit->trials);
        table_count(t, "trials_failed", run->fit->failed);
        table_number(t, "chi2", "", run->fit->chi2);
        table_count(t, "freedom", run->fit->freedom);
    } else if (run->size && run->size->solve_runs > 0) {
        tidy_count_cells(t, &run->size->count);
    } else if (run->run && isfinite(run->run->t_reached)) {
        tidy_count_cells(t, &run->run->count);
    }
}

static double seconds(const tidy_run *run)
{
    return run->size ? run->size->solve.median : run->run ? run->run->seconds : NAN;
}

static double t_reached(const tidy_run *run)
{
    return run->solution ? dae_hybrid_time(run->solution->hybrid) : run->run ? run->run->t_reached : NAN;
}

void tidy_runs(const tidy_item *item, const tidy_run *run)
{
    table *t = tidy_row(item, run, "runs");
    tidy_end_cells(t, run);
    table_number(t, "t_reached", item->time, t_reached(run));
    if (run->run) {
        class_cells(t, item, run->run);
        tidy_event_cells(t, item, run->run);
        drift_cells(t, run->run);
    }
    if (run->work) {
        table_number(t, "scd", "", run->work->scd);
        table_number(t, "mescd", "", run->work->mescd);
    }
    cost_cells(t, run);
    table_number(t, "seconds", "s", seconds(run));
}

/* An item that could not begin is a row without a run. */
void tidy_failed(const tidy_item *item)
{
    const tidy_run none = tidy_no_run(item->item);
    table *t = tidy_row(item, &none, "runs");
    table_text(t, "status", item->item->status < 0 ? dae_status_name(item->item->status) : "not run");
    table_text(t, "reason", item->item->why.message);
}
