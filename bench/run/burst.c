#include "run/burst.h"

#include "host/timing.h"
#include "numbers/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 100000 };

/* A first run that lasts longer counts, where nothing observed it: what is cold in it is a small part. */
static const double LONG_SECONDS = 0.5;

const field_place timed_round_fields[] = {
    FIELD_AT(timed_round, median, FIELD_DOUBLE), FIELD_AT(timed_round, smallest, FIELD_DOUBLE),
    FIELD_AT(timed_round, largest, FIELD_DOUBLE), FIELD_AT(timed_round, cpu, FIELD_DOUBLE),
    FIELD_AT(timed_round, runs, FIELD_INT), FIELD_AT(timed_round, repeatable, FIELD_INT), {NULL, FIELD_END, 0, 0}};

timed_round timed_round_none(void)
{
    return (timed_round){.median = NAN, .smallest = NAN, .largest = NAN, .cpu = NAN, .repeatable = 1};
}

typedef struct {
    const study *s;
    double least;               /* [s] of all repeats */
    double *sample;             /* [room] */
    int room;
    timed_round *round;
} burst;

/* A run that was made, to be made again, with its end beside that of the first. */
typedef struct {
    dae_solver *solver;         /* from u0, or else */
    dae_hybrid *hybrid;
    const double *u0, *u_end;
    double *u;                  /* [n] */
    size_t bytes;
} repeated;

static dae_status run_again_now(const repeated *run, const study *s, double *seconds, int *same)
{
    const dae_status status = run->solver ? timed_run(run->solver, s->t0, run->u0, s->t_end, run->u, seconds)
                                          : timed_hybrid(run->hybrid, s->setting->as_given, s->t_end, seconds);
    const double *u = run->solver ? run->u : dae_hybrid_unknowns(run->hybrid);
    *same = *same && !status && memcmp(u, run->u_end, run->bytes) == 0;
    return status;
}

static int make_room(burst *b, int runs)
{
    if (runs < b->room)
        return 1;
    const int room = b->room ? 2 * b->room : 64;
    double *longer = realloc(b->sample, (size_t)room * sizeof *longer);
    if (!longer)
        return 0;
    b->sample = longer;
    b->room = room;
    return 1;
}

static void take_quantiles(burst *b, int runs)
{
    timed_round *round = b->round;
    quantile_sort(b->sample, runs);
    round->runs = runs;
    round->median = quantile(b->sample, runs, 0.5);
    round->smallest = b->sample[0];
    round->largest = b->sample[runs - 1];
}

/* One repeat that something else interrupted says nothing: there are some where that is not long. */
static int goes_on(const burst *b, int runs, double total)
{
    return runs < 1 || (runs < MOST_RUNS && (total < b->least || (runs < BURST_FEW && total < 10 * b->least)));
}

static dae_status repeat_all(burst *b, const repeated *run, run_result *r)
{
    double total = 0;
    dae_status status = DAE_OK;
    int runs = 0;
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (!status && goes_on(b, runs, total)) {
        if (!make_room(b, runs))
            return DAE_NO_MEMORY;
        status = run_again_now(run, b->s, &b->sample[runs], &b->round->repeatable);
        total += b->sample[runs++];
    }
    b->round->cpu = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / runs;
    if (status)
        snprintf(r->message, sizeof r->message, "%s", run->solver ? dae_solver_report(run->solver)->message
                                                                  : dae_hybrid_report(run->hybrid)->message);
    else
        take_quantiles(b, runs);
    return status;
}

/* The first run is the sample. */
static int counts_itself(const burst *b, const run_result *r)
{
    if (b->s->limit > 0 || !(r->seconds >= LONG_SECONDS && r->seconds >= b->least))
        return 0;
    *b->round = (timed_round){.median = r->seconds, .smallest = r->seconds, .largest = r->seconds, .cpu = r->seconds,
                              .runs = 1, .repeatable = 1};
    return 1;
}

static dae_status repeat(void *context, dae_solver *solver, int n, const double *u0,
                         const double *u_end, run_result *r)
{
    const size_t bytes = (size_t)n * sizeof(double);
    if (counts_itself(context, r))
        return DAE_OK;
    double *u = malloc(bytes);
    const repeated run = {.solver = solver, .u0 = u0, .u_end = u_end, .u = u, .bytes = bytes};
    const dae_status status = u ? repeat_all(context, &run, r) : DAE_NO_MEMORY;
    free(u);
    return status;
}

static dae_status repeat_events(void *context, dae_hybrid *hybrid, run_result *r)
{
    const size_t bytes = (size_t)dae_hybrid_size(hybrid, dae_hybrid_mode(hybrid)) * sizeof(double);
    if (counts_itself(context, r))
        return DAE_OK;
    double *end = malloc(bytes);
    const repeated run = {.hybrid = hybrid, .u_end = end, .bytes = bytes};
    if (!end)
        return DAE_NO_MEMORY;
    memcpy(end, dae_hybrid_unknowns(hybrid), bytes);
    const dae_status status = repeat_all(context, &run, r);
    free(end);
    return status;
}

/* The errors are known, and not measured once more. */
dae_status burst_run(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     double seconds, timed_round *round, char *why, size_t length)
{
    study bare = *s;
    burst b = {.s = &bare, .least = seconds, .round = round};
    *round = timed_round_none();
    bare.referenced = bare.sampled = 0;
    bare.again = repeat;
    bare.again_events = repeat_events;
    bare.again_context = &b;
    run_result r = study_run(&bare, form, method, level, NULL);
    const dae_status status = r.status;
    if (status)
        *round = timed_round_none();
    snprintf(why, length, "%.*s", (int)length - 1, r.message);
    run_free(&r);
    free(b.sample);
    return status;
}
