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

enum { LOOK_MS = 100 };

/* ---- what has come ------------------------------------------------------------------------------ */

static void tell_news(const runner *r)
{
    const runner_news news = {.running = r->running, .computed = r->computed};
    if (r->news)
        r->news(r->news_context, &news);
}

static void take(void *context, record *one) { keep(context, one); }

/* A process is over: what it was on has an end, and a job that was not done waits again. */
static void settle(runner *r, int place, record *ended)
{
    const int died = ended->cell != NULL;
    r->running--;
    if (place >= 0)
        jobs_set(&r->jobs, place, died ? JOB_WAITS : JOB_OVER);
    if (died)
        keep(r, ended);
}

void pool_listen(runner *r)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        const int place = c->job;
        record ended;
        if (!c->process)
            continue;
        child_supervise(c);
        if (!child_listen(c, take, r, &ended))
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

static void start_jobs(runner *r)
{
    for (int place; r->running < r->processes && (place = jobs_next(&r->jobs)) >= 0;)
        if (!start_job(r, place))
            return;
}

static void wait_for_news(const runner *r)
{
    struct pollfd pipes[MOST_PROCESSES];
    nfds_t count = 0;
    for (int i = 0; i < r->processes; i++)
        if (r->children[i].process)
            pipes[count++] = (struct pollfd){.fd = r->children[i].pipe, .events = POLLIN};
    if (count)
        poll(pipes, count, LOOK_MS);
}

void pool_kill(runner *r, const void *owner)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        if (c->process && (!owner || (c->job >= 0 && jobs_belongs(&r->jobs, c->job, owner)))) {
            child_kill(c);
            r->running--;
        }
    }
}

void pool_stop(runner *r)
{
    r->stopped = 1;
    pool_kill(r, NULL);
    jobs_drop(&r->jobs, NULL);
}

void pool_go_on(runner *r)
{
    start_jobs(r);
    tell_news(r);
    wait_for_news(r);
    pool_listen(r);
    tell_news(r);
    if (interrupt_noted() || r->stopped)
        pool_stop(r);
}

/* ---- one question ------------------------------------------------------------------------------- */

static void put_end(runner *r, const char *cell, const char *reason)
{
    record end = {.cell = strdup(cell), .end = RUNNER_KILLED, .passing = 1};
    snprintf(end.reason, sizeof end.reason, "%s", reason);
    if (end.cell)
        answers_put(&r->known, &end);
}

int pool_ask_alone(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = runner_limits_of(r, q);
    char reason[128];
    task t = {.r = r, .question = q};
    child *c = free_child(r);
    if (!c || !child_start(c, do_task, &t)) {
        snprintf(reason, sizeof reason, "no process for it: %s", strerror(errno));
        put_end(r, cell, reason);
    } else {
        r->running++;
        while (r->running && !r->stopped)
            pool_go_on(r);
        if (!r->stopped && !keep_find(r, cell, limits))
            put_end(r, cell, "its process ended without a word");
    }
    return r->stopped || keep_find(r, cell, limits);
}
