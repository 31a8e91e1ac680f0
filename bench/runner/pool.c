/* pool.c - processes that compute: begun, listened to, ended
 *
 * One does a job that was expected, or one question. A process that dies is known by the cell it was on: that one
 * has an end, and the rest of its job is begun again.
 */
#include "runner/state.h"

#include "host/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 100, LOOK_AT_RANKS_MS = 2 };

/* ---- what has come ------------------------------------------------------------------------------ */

static void tell_news(const runner *r)
{
    const runner_news news = {.running = r->running, .computed = r->computed};
    if (r->news)
        r->news(r->news_context, &news);
}

/* What another rank than the first learns it passes on, and hears again. */
static void take(void *context, record *one)
{
    runner *r = context;
    if (!crew_follows(&r->crew)) {
        keep(r, one);
        return;
    }
    crew_send_record(&r->crew, one);
    record_free(one);
}

/* A process is over: what it was on has an end, and a job that was not done waits again. */
static void settle(runner *r, int place, record *ended)
{
    const int died = ended->cell != NULL;
    r->running--;
    if (died)
        take(r, ended);
    if (place >= 0 && crew_follows(&r->crew))
        crew_send_done(&r->crew, r->jobs.list[place].number, died);
    if (place >= 0)
        jobs_set(&r->jobs, place, died ? JOB_WAITS : JOB_OVER);
}

void pool_listen(runner *r)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        const int place = c->job;
        record ended;
        if (!c->process)
            continue;
        if (child_listen(c, take, r, &ended))
            child_supervise(c);                         /* only now it is known on which cell it is */
        else
            settle(r, place, &ended);
    }
}

/* ---- what is to be done ------------------------------------------------------------------------- */

typedef struct {
    runner *r;
    const job *job;             /* NULL: the question */
    const runner_question *question;
} task;

/* In the new process. */
static void do_task(void *context, int pipe)
{
    const task *t = context;
    t->r->inside = 1;
    t->r->pipe = pipe;
    t->r->alone = !t->job;
    if (t->job)
        t->job->work(t->job->context);
    else
        json_decref(runner_ask(t->r, t->question).answer);
}

static child *free_child(runner *r)
{
    for (int i = 0; i < r->processes; i++)
        if (!r->children[i].process)
            return &r->children[i];
    return NULL;
}

/* Where there is no process for it and none that will end, a job is left to whoever asks. */
static int start_job(runner *r, int place)
{
    child *c = free_child(r);
    task t = {.r = r, .job = &r->jobs.list[place]};
    if (!c || !child_start(c, do_task, &t)) {
        if (!r->running)
            jobs_set(&r->jobs, place, JOB_OVER);
        return 0;
    }
    c->job = place;
    r->running++;
    jobs_set(&r->jobs, place, JOB_RUNS);
    return 1;
}

/* By a process of its own, or by another rank; 0: none is free. */
static int place_job(runner *r, int place)
{
    if (r->running < r->processes)
        return start_job(r, place);
    if (!crew_give(&r->crew, r->jobs.list[place].number))
        return 0;
    jobs_set(&r->jobs, place, JOB_RUNS);
    return 1;
}

static void start_jobs(runner *r)
{
    int place;
    while ((place = jobs_next(&r->jobs)) >= 0 && place_job(r, place))
        continue;
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

void pool_kill(runner *r, const void *owner)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        const int place = c->job;
        if (c->process && (!owner || (place >= 0 && jobs_belongs(&r->jobs, place, owner)))) {
            child_kill(c);
            settle(r, place, &(record){.cell = NULL});
        }
    }
}

void pool_stop(runner *r)
{
    if (!r->stopped && !crew_follows(&r->crew))
        crew_stop(&r->crew);
    r->stopped = 1;
    pool_kill(r, NULL);
    jobs_drop(&r->jobs, NULL);
}

/* ---- ranks ---------------------------------------------------------------------------------------- */

/* On the first one: what another one had to do is over, or is to be begun again. */
static void note_done(void *context, int number, int died)
{
    runner *r = context;
    const int place = jobs_numbered(&r->jobs, number);
    if (place >= 0 && r->jobs.list[place].state == JOB_RUNS)
        jobs_set(&r->jobs, place, died ? JOB_WAITS : JOB_OVER);
}

static void learn(void *context, record *one)
{
    runner *r = context;
    answers_put(&r->known, one);
}

/* On another one. A job that cannot be begun is left to whoever asks. */
static void do_job(void *context, int number)
{
    runner *r = context;
    const int place = jobs_numbered(&r->jobs, number);
    if (place < 0 || !start_job(r, place))
        crew_send_done(&r->crew, number, 0);
}

void pool_follow(runner *r)
{
    const crew_ear ear = {learn, do_job, NULL, r};
    if (crew_listen(&r->crew, &ear)) {
        if (r->crew.stopped)
            pool_stop(r);
        return;
    }
    wait_for_news(r);
    pool_listen(r);
}

/* ---- all of it -------------------------------------------------------------------------------------- */

void pool_go_on(runner *r)
{
    const crew_ear ear = {take, NULL, note_done, r};
    start_jobs(r);
    tell_news(r);
    wait_for_news(r);
    pool_listen(r);
    while (crew_listen(&r->crew, &ear))
        continue;
    tell_news(r);
    if (interrupt_noted() || r->stopped)
        pool_stop(r);
}

/* ---- one question ------------------------------------------------------------------------------- */

static void put_end(runner *r, const char *cell, runner_end how, const char *reason)
{
    record end = {.cell = strdup(cell), .end = how, .passing = 1};
    snprintf(end.reason, sizeof end.reason, "%s", reason);
    if (end.cell)
        keep(r, &end);
}

int pool_ask_alone(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = runner_limits_of(r, q);
    char reason[128];
    while (crew_busy(&r->crew) && !r->stopped)
        pool_go_on(r);
    task t = {.r = r, .question = q};
    child *c = free_child(r);
    if (!c || !child_start(c, do_task, &t)) {
        snprintf(reason, sizeof reason, "no process for it: %s", strerror(errno));
        put_end(r, cell, RUNNER_KILLED, reason);
    } else {
        r->running++;
        while (r->running && !r->stopped)
            pool_go_on(r);
        if (!r->stopped && !keep_find(r, cell, limits))
            put_end(r, cell, RUNNER_MEMORY, RUNNER_NO_MEMORY);        /* not even for a word */
    }
    return r->stopped || keep_find(r, cell, limits);
}
