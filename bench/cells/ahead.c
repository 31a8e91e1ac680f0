#include "cells/ahead.h"

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
