/* runner.c - questions answered from a file, or by processes that compute
 *
 * This process asks, listens and writes the file; others, forked from it at a question, compute. Whatever one of
 * them asks on its way is a part of its own answer.
 */
#include "pool/runner.h"

#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/platform.h"
#include "pool/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- replies ----------------------------------------------------------------------------------- */

static runner_reply reply_of(const record *one)
{
    runner_reply reply = {.end = one->end, .answer = json_incref(one->result)};
    snprintf(reply.reason, sizeof reply.reason, "%s", one->reason);
    return reply;
}

static runner_limits limits_of(const runner *r, const runner_question *q)
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

/* What is known; one that stood in the file is news when it is asked for the first time. */
static runner_reply answer(runner *r, known_cell *known, const runner_question *q)
{
    const runner_news news = {.running = r->running, .work = q->work};
    if (known->read && !known->asked && r->news)
        r->news(r->news_context, &news);
    known->asked = 1;
    return reply_of(&known->record);
}

static runner_reply later(runner *r)
{
    r->open++;
    return (runner_reply){.end = RUNNER_LATER, .reason = "it is not known yet"};
}

/* Begin it, where it has not begun in this round, and the round is one of its kind. */
static runner_reply compute_apart(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = limits_of(r, q);
    if (q->timed && r->quiet) {
        pool_time(r, q, cell, limits);
        known_cell *known = keep_find(r, cell, limits);
        return known ? answer(r, known, q) : not_run(r);
    }
    r->timed += q->timed;
    r->untimed += !q->timed;
    if (q->timed || r->quiet || json_object_get(r->asked_now, cell))
        return later(r);
    json_object_set_new(r->asked_now, cell, json_true());
    if (crew_takes(&r->crew, r->shared++))
        pool_begin(r, q, cell, limits);
    return r->stopped ? not_run(r) : later(r);
}

static runner_reply ask(runner *r, const runner_question *q, const char *cell)
{
    known_cell *known = keep_find(r, cell, limits_of(r, q));
    interrupt_defer(1);
    if (interrupt_noted() && !r->stopped && !crew_follows(&r->crew))
        pool_stop(r);
    return known ? answer(r, known, q) : r->stopped ? not_run(r) : compute_apart(r, q, cell);
}

runner_reply runner_ask(runner *r, const runner_question *q)
{
    if (!r || r->computing)
        return (runner_reply){.answer = q->compute(q->context)};
    char *cell = record_text(q->cell);
    const runner_reply reply = ask(r, q, cell);
    free(cell);
    return reply;
}

long runner_open(const runner *r) { return r ? r->open : 0; }

void runner_next_round(runner *r)
{
    if (!r)
        return;
    pool_finish_round(r);
    r->quiet = r->timed && !r->untimed;
    r->round++;
    r->timed = r->untimed = r->shared = 0;
    json_object_clear(r->asked_now);
}

/* ---- begin and end ------------------------------------------------------------------------------- */

static int cores(void)
{
    platform_cores set;
    const int count = platform_cores_here(&set);
    return count < 1 ? 1 : count > MOST_PROCESSES ? MOST_PROCESSES : count;
}

static runner *begin(const runner_options *options)
{
    runner *r = allocate(1, sizeof *r);
    r->options = *options;
    r->options.file = r->path = allocate_text(options->file);
    r->round = 1;
    r->asked_now = json_object();
    answers_begin(&r->known);
    return r;
}

static dae_status begin_processes(runner *r, dae_report *report)
{
    const dae_status status = crew_join(&r->crew, report);
    const int asked = r->options.jobs, own = r->crew.link ? r->crew.place.cores : cores();
    if (status)
        return status;
    r->processes = asked <= 0 ? own : asked < MOST_PROCESSES ? asked : MOST_PROCESSES;
    r->children = allocate((size_t)r->processes, sizeof *r->children);
    return DAE_OK;
}

static void learn(void *context, record *one)
{
    runner *r = context;
    answers_put(&r->known, one, 0);
}

/* Another rank than the first says nothing but to that one, and has no file: what stands in it comes first. */
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
    while (!r->crew.go && !r->crew.stopped)
        crew_listen(&r->crew, learn, r);
    return DAE_OK;
}

static dae_status lead(runner *r, dae_report *report)
{
    const dae_status status = keep_begin(r, report);
    for (int i = 0; !status && i < r->known.count; i++)
        crew_tell(&r->crew, &r->known.list[i].record);
    if (!status)
        crew_go(&r->crew);
    return status;
}

dae_status runner_create(runner **created, const runner_options *options, dae_report *report)
{
    runner *r = begin(options);
    *created = NULL;
    dae_status status = begin_processes(r, report);
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
    return r && r->options.jobs > 0 && (r->options.jobs > 1 || r->crew.link);
}
int runner_interrupted(const runner *r) { return r && r->left; }
int runner_processes(const runner *r)
{
    return r ? r->processes + r->crew.slots : 1;
}

long runner_kept(const runner *r) { return r ? keep_count(r) : 0; }

dae_status runner_finish(runner *r, int complete, dae_report *report)
{
    if (!r)
        return DAE_OK;
    if (r->children)
        pool_stop(r);
    while (crew_follows(&r->crew) && !r->crew.over)
        crew_listen(&r->crew, learn, r);
    const dae_status status = keep_finish(r, complete, report);
    crew_leave(&r->crew);
    json_decref(r->asked_now);
    answers_free(&r->known);
    free(r->children);
    free(r->path);
    free(r);
    return status;
}
