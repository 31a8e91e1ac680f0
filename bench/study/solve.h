/* solve.h - one run, as daelab solve reports it */
#ifndef DAELAB_SOLVE_H
#define DAELAB_SOLVE_H

#include "output/document.h"
#include "measure/run.h"
#include "measure/stops.h"
#include "measure/trajectory.h"

typedef struct solve_run solve_run;
struct solve_run {
    const study *study;
    dae_options options;
    dae_hybrid *hybrid;
    stop_list stops;
    trajectory tr;
    dae_start_change change;    /* of the start */
    dae_status status;          /* how the run ended */
    const solve_run *finer;     /* a second run at rtol/10 or half the step, or NULL */
    const char *no_finer;       /* why there is none, where one was asked for */
};

/* The result in words and tables; NULL where memory is short. */
document *solve_report(const solve_run *run);

/* Add the events: their table, members of the JSON, and notes on them and on how the run ended. */
void solve_report_events(document *doc, const solve_run *run);

/* Add what --estimate asks for: by how much each column differs from that of the finer run. */
void solve_report_estimate(document *doc, const solve_run *run);

/* Draw --plot: the classes of variables against time, and the path where the problem is drawn. */
dae_status solve_plot(const solve_run *run, dae_report *report);

#endif
