/* pool.c - processes that compute: begun, listened to, ended. Each has one question. */
#include "pool/state.h"

#include "host/allocate.h"
#include "host/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_MS = 100, LOOK_AT_RANKS_MS = 2 };

static void tell_news(const runner *r, const runner_news *what)
{
    runner_news news = *what;
    news.running = r->running;
    if (r->news)
        r->news(r->news_context, &news);
}

/* ---- what has come ------------------------------------------------------------------------------ */

/* Another rank than the first keeps only what the first one tells. */
static void take(runner *r, record *one)
{
    if (!crew_follows(&r->crew)) {
        keep(r, one);
        return;
    }
    crew_send_record(&r->crew, one);
    record_free(one);
}

static void listen_to(runner *r, child *c)
{
    const double work = c->work;
    record came;
    if (child_listen(c, &came)) {
        child_supervise(c);
        return;
    }
    const runner_news news = {.work = work, .seconds = came.seconds};
    r->running--;
    take(r, &came);
    tell_news(r, &news);
}

static void take_told(void *context, record *one)
{
    runner *r = context;
    if (crew_follows(&r->crew))
        answers_put(&r->known, one, r->quiet ? r->round - 1 : r->round);
    else
        keep(r, one);
}

static void wait_for_news(const runner *r)
{
    struct pollfd pipes[MOST_PROCESSES];
    nfds_t count = 0;
    for (int i = 0; i < r->processes; i++)
        if (r->children[i].process)
            pipes[count++] = (struct pollfd){.fd = r->children[i].pipe, .events = POLLIN};
    if (count || r->crew.link)
        poll(pipes, count, r->crew.link ? LOOK_AT_RANKS_MS : LOOK_MS);
}

/* Waits for what comes, a tenth of a second at most; a signal stops all. */
static void go_on(runner *r)
{
    tell_news(r, &(runner_news){.work = 0});
    wait_for_news(r);
    for (int i = 0; i < r->processes; i++)
        if (r->children[i].process)
            listen_to(r, &r->children[i]);
    while (crew_listen(&r->crew, take_told, r))
        continue;
    if (r->stopped || r->crew.stopped || (interrupt_noted() && !crew_follows(&r->crew)))
        pool_stop(r);
}

void pool_stop(runner *r)
{
    if (!r->stopped && !crew_follows(&r->crew))
        crew_stop(&r->crew);
    r->stopped = 1;
    for (int i = 0; r->children && i < r->processes; i++)
        if (r->children[i].process)
            child_kill(&r->children[i]);
    r->running = 0;
}

void pool_finish_round(runner *r)
{
    if (r->running && !r->stopped)
        tell_news(r, &(runner_news){.waits = 1});
    while (r->running && !r->stopped)
        go_on(r);
    if (crew_follows(&r->crew))
        crew_send_done(&r->crew);
    while (!crew_is_through(&r->crew) && !r->stopped)
        go_on(r);
    if (r->crew.link && !crew_follows(&r->crew) && !r->stopped)
        crew_go(&r->crew);
}

/* ---- what is to be done ------------------------------------------------------------------------- */

static child *free_child(runner *r)
{
    for (int i = 0; i < r->processes; i++)
        if (!r->children[i].process)
            return &r->children[i];
    return NULL;
}

static int start(runner *r, const runner_question *q, const char *cell, runner_limits limits)
{
    child *c = free_child(r);
    const int computing = r->computing;
    r->computing = 1;                                   /* in the new process */
    const int started = c && child_start(c, q, cell, limits);
    r->computing = computing;
    r->running += started;
    if (started)
        tell_news(r, &(runner_news){.begun = q->what});
    return started;
}

/* It has an end, without having begun. */
static void put_end(runner *r, const char *cell, int error)
{
    record end = {.cell = allocate_text(cell), .end = RUNNER_KILLED, .passing = 1};
    snprintf(end.reason, sizeof end.reason, "no process for it: %s", strerror(error));
    take(r, &end);
}

void pool_begin(runner *r, const runner_question *q, const char *cell, runner_limits limits)
{
    while (!r->stopped && (r->running == r->processes || !start(r, q, cell, limits))) {
        const int error = errno;
        if (!r->running) {
            put_end(r, cell, error);
            return;
        }
        go_on(r);
    }
}

void pool_time(runner *r, const runner_question *q, const char *cell, runner_limits limits)
{
    if (!crew_follows(&r->crew)) {
        tell_news(r, &(runner_news){.waits = 1});
        pool_begin(r, q, cell, limits);
        while (r->running && !r->stopped)
            go_on(r);
        return;
    }
    while (!r->stopped && !keep_find(r, cell, limits))
        go_on(r);
}
