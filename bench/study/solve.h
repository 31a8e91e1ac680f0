/* solve.h - one solution against time, with its events, and how far a finer run is from it */
#ifndef DAELAB_SOLVE_H
#define DAELAB_SOLVE_H

#include "run/run.h"
#include "run/stops.h"
#include "run/trajectory.h"
#include "study/specification.h"

typedef struct {
    dae_options options;
    dae_atol atols[MAX_ATOLS];  /* options.atol_of */
    dae_hybrid *hybrid;
    stop_list stops;
    trajectory tr;
    dae_start_change change;    /* of the start */
    dae_status status;          /* how the run ended */
    dae_rank_run *ranks;        /* while it goes on */
    dae_rank_loss lost;         /* where its constraints lost rank */
} solve_run;

/* All that was measured. It must stay where it is until it is freed. */
typedef struct {
    study_specification spec;   /* as it was run */
    study s;
    int begun;
    double every;               /* between rows */
    solve_run run, second;      /* second: at rtol/10 or half the step */
    int finer;                  /* there is a second run */
    const char *no_finer;       /* why there is none, where one was wanted; or NULL */
} solve_result;

/* By how much a column differs from that of the second run, where there is one, over the rows that both have at one
 * time in one mode: the largest difference, when, and the size of the column; NaN where there is none. */
typedef struct { double largest, at, size; } solve_difference;
solve_difference solve_differs(const solve_result *r, int column);

/* Do people see a column of this name? */
int solve_shows(const study_specification *o, const char *name);

/* The formulation and the method of one run where none are given, and steps that are chosen where none is given
 * and the method can. DAE_BAD_ARGUMENT where it is more than one run, or rows are given twice. Before study_prepare. */
dae_status solve_fill_in(study_specification *spec, dae_report *report);

/* Run a specification that solve_fill_in and study_prepare have passed. How the run ends is
 * part of the result (run.status); failures are a run that cannot begin, a method of which no order is
 * known. The result has to be freed in any case. */
dae_status solve_study(solve_result *r, const study_specification *spec, dae_report *report);
void solve_result_free(solve_result *r);

#endif
