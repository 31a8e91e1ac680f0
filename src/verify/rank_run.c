/* rank_run.c - the rank of the constraints along a run with events and modes: a watch for each mode */
#include "base/no_fast_math.h"
#include "daelab/hybrid.h"

#include <stdlib.h>

struct dae_rank_run {
    const dae_options *options;
    int modes, mode;            /* mode: that of the last look */
    double t;                   /* its time */
    int failed;                 /* memory */
    dae_rank_watch *watch[];    /* [modes] NULL where none has been */
};

static void look_anew(dae_rank_run *r, dae_hybrid *hybrid)
{
    const int mode = dae_hybrid_mode(hybrid);
    if (!r->watch[mode])
        r->failed |= dae_rank_watch_create(&r->watch[mode], dae_hybrid_system(hybrid), r->options, NULL)
                     == DAE_NO_MEMORY;
    r->mode = mode;
    r->t = dae_hybrid_time(hybrid);
    dae_rank_watch_begin(r->watch[mode], r->t, dae_hybrid_unknowns(hybrid));
}

dae_status dae_rank_run_create(dae_rank_run **run, dae_hybrid *hybrid, const dae_options *options, dae_report *report)
{
    if (!run || !hybrid || !options)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a watch of the rank needs a place, a run and its options");
    const int modes = dae_hybrid_modes(hybrid);
    dae_rank_run *r = calloc(1, sizeof *r + (size_t)modes * sizeof *r->watch);
    *run = r;
    if (!r)
        return dae_fail(report, DAE_NO_MEMORY, "no memory to watch the rank in %d modes", modes);
    r->options = options;
    r->modes = modes;
    look_anew(r, hybrid);
    return DAE_OK;
}

int dae_rank_run_observe(void *context, dae_hybrid *hybrid)
{
    dae_rank_run *r = context;
    const double t = dae_hybrid_time(hybrid);
    if (dae_hybrid_mode(hybrid) != r->mode || t == r->t) {
        look_anew(r, hybrid);                           /* the state behind an event */
        return r->failed;
    }
    r->t = t;
    dae_rank_watch_step(r->watch[r->mode], t, dae_hybrid_unknowns(hybrid), dae_hybrid_solver(hybrid));
    return r->failed;
}

dae_status dae_rank_run_end(dae_rank_run *r, dae_rank_loss *lost, dae_report *report)
{
    dae_rank_loss none, *first = lost ? lost : &none;
    *first = (dae_rank_loss){.found = 0};
    if (!r)
        return DAE_OK;
    int failed = r->failed;
    for (int m = 0; m < r->modes; m++) {
        failed |= dae_rank_watch_end(r->watch[m], first, NULL) == DAE_NO_MEMORY;
        dae_rank_watch_free(r->watch[m]);
    }
    free(r);
    return failed ? dae_fail(report, DAE_NO_MEMORY, "no memory to look at the rank of constraints") : DAE_OK;
}
