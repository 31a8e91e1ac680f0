#include "cells/ahead.h"

#include <stdlib.h>
#include <string.h>

static void run(void *context)
{
    const ahead_run *job = context;
    monitor m;
    memset(&m, 0, sizeof m);
    run_result r = run_asked(job->s, job->form, job->method, job->level, job->watched ? &m : NULL);
    run_free(&r);
    monitor_free(&m);
}

void ahead_expect(ahead_run *job, const study *s, const dae_formulation *form, const dae_method *method,
                  double level, int watched, const void *owner, int group)
{
    *job = (ahead_run){.s = s, .form = form, .method = method, .level = level, .watched = watched};
    runner_expect(s->setting->runner, owner, group, run, job);
}

int ahead_exists(const study *s, const dae_formulation *form, const dae_method *method, double level)
{
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    dae_start_change change;
    dae_solver *solver = NULL;
    dae_system *sys;
    double *u;
    if (study_system(s, form, &sys, &u, &change, NULL))
        return 0;
    run_set_atols(s->setting, sys, &options, list);
    const dae_status status = dae_solver_create(&solver, sys, method, &options, NULL);
    dae_solver_free(solver);
    free(u);
    dae_system_free(sys);
    return status == DAE_OK;
}
