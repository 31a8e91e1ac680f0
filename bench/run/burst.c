#include "run/burst.h"

#include "host/allocate.h"
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
    double *sample;             /* [MOST_RUNS] */
    timed_round *round;
} burst;

/* u := where it ends; is that where the first has ended, to the bit? */
static dae_status run_again_now(const made_run *made, const study *s, const double *end, double *u, double *seconds,
                                int *same)
{
    const dae_status status = made->solver ? timed_run(made->solver, made->along->of, made->along->from, s->t0,
                                                       made->u0, s->t_end, u, seconds)
                                           : timed_hybrid(made->hybrid, s->setting->as_given, s->t_end, seconds);
    const double *now = made->solver ? u : dae_hybrid_unknowns(made->hybrid);
    *same = *same && !status && memcmp(now, end, (size_t)made->n * sizeof *end) == 0;
    return status;
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

/* The first run is the sample. */
static int counts_itself(const burst *b, const run_result *r)
{
    if (b->s->limit > 0 || !(r->seconds >= LONG_SECONDS && r->seconds >= b->least))
        return 0;
    *b->round = (timed_round){.median = r->seconds, .smallest = r->seconds, .largest = r->seconds, .cpu = r->seconds,
                              .runs = 1, .repeatable = 1};
    return 1;
}

static dae_status repeat(void *context, const made_run *made, run_result *r)
{
    burst *b = context;
    double total = 0;
    dae_status status = DAE_OK;
    int runs = 0;
    if (counts_itself(b, r))
        return DAE_OK;
    double *end = allocate(2 * (size_t)made->n, sizeof *end), *u = end + made->n;
    memcpy(end, made->u_end, (size_t)made->n * sizeof *end);
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (!status && goes_on(b, runs, total)) {
        status = run_again_now(made, b->s, end, u, &b->sample[runs], &b->round->repeatable);
        total += b->sample[runs++];
    }
    b->round->cpu = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / runs;
    if (status)
        snprintf(r->message, sizeof r->message, "%s", made->solver ? dae_solver_report(made->solver)->message
                                                                   : dae_hybrid_report(made->hybrid)->message);
    else
        take_quantiles(b, runs);
    free(end);
    return status;
}

/* The errors are known, and not measured once more; nobody hears of each run. */
dae_status burst_run(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     double seconds, timed_round *round, char *why, size_t length)
{
    run_setting quiet = *s->setting;
    study bare = *s;
    burst b = {.s = &bare, .least = seconds, .sample = allocate(MOST_RUNS, sizeof *b.sample), .round = round};
    *round = timed_round_none();
    quiet.front = (run_front){.run = NULL};
    bare.setting = &quiet;
    bare.referenced = bare.sampled = 0;
    bare.again = repeat;
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
