/* runner.c - questions answered from the journal, or by processes that compute
 *
 * This process asks, listens and writes the journal; others, forked from it when they are needed, compute.
 * Whatever one of them asks on its way is computed there, and told: an answer is kept as soon as it has come.
 */
#include "runner/runner.h"

#include "host/interrupt.h"
#include "host/platform.h"
#include "output/json_file.h"
#include "runner/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- replies ----------------------------------------------------------------------------------- */

runner_reply runner_no_memory(void)
{
    return (runner_reply){.end = RUNNER_MEMORY, .reason = RUNNER_NO_MEMORY};
}

runner_reply runner_reply_of(const record *one)
{
    runner_reply reply = {.end = one->end};
    if (one->end == RUNNER_ANSWERED)
        reply.answer = json_file_read(one->result, strlen(one->result));
    if (one->end == RUNNER_ANSWERED && !reply.answer)
        return runner_no_memory();
    snprintf(reply.reason, sizeof reply.reason, "%s", one->reason);
    return reply;
}

runner_limits runner_limits_of(const runner *r, const runner_question *q)
{
    const runner_limits *own = &q->limits, *usual = &r->options.limits;
    return (runner_limits){own->seconds > 0 ? own->seconds : usual->seconds,
                           own->bytes > 0 ? own->bytes : usual->bytes};
}

static runner_reply not_run(runner *r)
{
    runner_reply reply = {.end = RUNNER_NOT_RUN};
    snprintf(reply.reason, sizeof reply.reason, "%.*s", (int)sizeof reply.reason - 1,
             r->failure.status ? r->failure.message : "the study was interrupted before");
    r->left = 1;
    return reply;
}

/* ---- questions --------------------------------------------------------------------------------- */

static runner_reply compute_here(const runner_question *q)
{
    json_t *answer = q->compute(q->context);
    return answer ? (runner_reply){.answer = answer} : runner_no_memory();
}

static runner_reply ask_outside(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = runner_limits_of(r, q);
    known_cell *known;
    const int follows = crew_follows(&r->crew);
    interrupt_defer(1);
    if (interrupt_noted() && !r->stopped && !follows)
        pool_stop(r);
    while (!(known = keep_find(r, cell, limits)) && !r->stopped) {
        if (follows)
            pool_follow(r);
        else if (jobs_left(&r->jobs))
            pool_go_on(r);
        else if (!pool_ask_alone(r, q, cell))
            return runner_no_memory();
    }
    if (!known)
        return not_run(r);
    answers_ask(&r->known, known);
    return runner_reply_of(&known->record);
}

runner_reply runner_ask(runner *r, const runner_question *q)
{
    if (!r || r->computing)
        return compute_here(q);
    char *cell = record_text(q->cell);
    if (!cell)
        return runner_no_memory();
    const runner_reply reply = r->inside ? inside_ask(r, q, cell) : ask_outside(r, q, cell);
    free(cell);
    return reply;
}

void runner_expect(runner *r, const void *owner, int group, void (*work)(void *context), void *context)
{
    if (r && !r->inside && !r->stopped)
        jobs_add(&r->jobs, owner, group, work, context);        /* no memory: then it is done when it is asked */
}

void runner_settle(runner *r, const void *owner)
{
    if (!r || r->inside)
        return;
    pool_listen(r);
    pool_kill(r, owner);
    jobs_drop(&r->jobs, owner);
}

/* ---- begin and end ------------------------------------------------------------------------------- */

static int cores(void)
{
    platform_cores set;
    const int count = platform_cores_here(&set);
    return count < 1 ? 1 : count > MOST_PROCESSES ? MOST_PROCESSES : count;
}

static dae_status begin(runner *r, const runner_options *options, dae_report *report)
{
    r->options = *options;
    r->options.journal = r->path = options->journal ? strdup(options->journal) : NULL;
    if (!options->journal == !r->path && answers_begin(&r->known))
        return DAE_OK;
    return dae_fail(report, DAE_NO_MEMORY, "no memory for the runs of a study");
}

static dae_status begin_processes(runner *r, dae_report *report)
{
    const dae_status status = crew_join(&r->crew, report);
    const int asked = r->options.jobs, own = r->crew.link ? r->crew.place.cores : cores();
    if (status)
        return status;
    r->processes = asked <= 0 ? own : asked < MOST_PROCESSES ? asked : MOST_PROCESSES;
    r->children = calloc((size_t)r->processes, sizeof *r->children);
    return r->children ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for %d processes", r->processes);
}

/* Another rank than the first says nothing but to that one, and has no journal. */
static dae_status follow(runner *r)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    crew_send_slots(&r->crew, r->processes);
    return DAE_OK;
}

static dae_status lead(runner *r, dae_report *report)
{
    const dae_status status = keep_begin(r, report);
    for (int i = 0; !status && i < r->known.count; i++)
        crew_tell(&r->crew, &r->known.list[i].record);
    return status;
}

dae_status runner_create(runner **created, const runner_options *options, dae_report *report)
{
    runner *r = calloc(1, sizeof *r);
    *created = NULL;
    dae_status status = r ? begin(r, options, report)
                          : dae_fail(report, DAE_NO_MEMORY, "no memory for the runs of a study");
    if (!status)
        status = begin_processes(r, report);
    if (!status)
        status = crew_follows(&r->crew) ? follow(r) : lead(r, report);
    if (status)
        runner_finish(r, 0, NULL);
    else
        *created = r;
    return status;
}

void runner_watch(runner *r, void (*news)(void *context, const runner_news *news), void *context)
{
    if (!r)
        return;
    r->news = news;
    r->news_context = context;
}

int runner_follows(const runner *r) { return r && crew_follows(&r->crew); }
int runner_times_together(const runner *r)
{
    return r && r->options.jobs_chosen && (r->options.jobs > 1 || r->crew.link);
}
int runner_interrupted(const runner *r) { return r && r->left; }
int runner_processes(const runner *r)
{
    int count = r ? r->processes : 1;
    for (int k = 1; r && r->crew.slots && k < r->crew.place.size; k++)
        count += r->crew.slots[k];
    return count;
}

long runner_kept(const runner *r) { return r && r->journal ? journal_records(r->journal) : 0; }

dae_status runner_finish(runner *r, int complete, dae_report *report)
{
    if (!r)
        return DAE_OK;
    if (r->children)
        pool_kill(r, NULL);
    while (crew_follows(&r->crew) && !r->crew.over)
        pool_follow(r);
    const dae_status status = keep_finish(r, complete, report);
    crew_leave(&r->crew);
    jobs_free(&r->jobs);
    answers_free(&r->known);
    free(r->children);
    free(r->path);
    free(r);
    return status;
}
