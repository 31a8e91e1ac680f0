/* runner.c - questions answered from the journal, or by processes that compute
 *
 * This process asks, listens and writes the journal; others, forked from it when they are needed, compute. One
 * does a job that was expected, or one question. Whatever it asks on its way is computed there, and told: an
 * answer is kept as soon as it has come. A process that dies is known by the cell it was on: that one has an
 * end, and the rest of its job is begun again.
 */
#include "runner/runner.h"

#include "cache/kept_file.h"
#include "host/interrupt.h"
#include "host/timing.h"
#include "runner/answers.h"
#include "runner/child.h"
#include "runner/jobs.h"
#include "runner/journal.h"
#include "runner/limits.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 100, MAX_PROCESSES = 1024 };

struct runner {
    runner_options options;
    char *path;                 /* of the journal */
    journal *journal;           /* NULL: none */
    answers known;
    jobs jobs;
    child *children;            /* [processes] */
    int processes, running;
    int stopped, left;          /* nothing new is begun; questions were left without an answer */
    int written;                /* lines of the journal */
    int without;                /* that of the cache cannot be had */
    dae_report failure;         /* of the journal */
    /* in a process that computes */
    int inside, alone, computing;
    int pipe;
};

/* ---- replies ----------------------------------------------------------------------------------- */

static runner_reply no_memory(void)
{
    return (runner_reply){.end = RUNNER_MEMORY, .reason = "out of memory"};
}

static runner_reply reply_of(const record *r)
{
    runner_reply reply = {.end = r->end};
    if (r->end == RUNNER_ANSWERED)
        reply.answer = json_loads(r->result, 0, NULL);
    if (r->end == RUNNER_ANSWERED && !reply.answer)
        return no_memory();
    snprintf(reply.reason, sizeof reply.reason, "%s", r->reason);
    return reply;
}

static runner_reply compute_here(const runner_question *q)
{
    json_t *answer = q->compute(q->context);
    return answer ? (runner_reply){.answer = answer} : no_memory();
}

static runner_limits limits_of(const runner *r, const runner_question *q)
{
    const runner_limits *own = &q->limits, *usual = &r->options.limits;
    return (runner_limits){own->seconds > 0 ? own->seconds : usual->seconds,
                           own->bytes > 0 ? own->bytes : usual->bytes};
}

static known_cell *find(const runner *r, const char *cell, runner_limits limits)
{
    known_cell *known = answers_find(&r->known, cell);
    return known && record_serves(&known->record, limits) ? known : NULL;
}

/* ---- in a process that computes ------------------------------------------------------------------ */

/* Let the system not move it from core to core. */
static void pin(void)
{
    cpu_set_t one;
    const int core = sched_getcpu();
    CPU_ZERO(&one);
    if (core >= 0 && core < CPU_SETSIZE) {
        CPU_SET((size_t)core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
}

/* Tell it, and keep it. */
static runner_reply tell(runner *r, record *one)
{
    char *line = record_line(one);
    if (!line || !child_say(r->pipe, line)) {
        free(line);
        record_free(one);
        return no_memory();
    }
    free(line);
    const runner_reply reply = reply_of(one);
    answers_put(&r->known, one);
    return reply;
}

static runner_reply compute_inside(runner *r, const runner_question *q, const char *cell)
{
    record one = {.cell = strdup(cell), .limits = limits_of(r, q)};
    if (!one.cell || !child_say_begin(r->pipe, cell, one.limits)) {
        record_free(&one);
        return no_memory();
    }
    limits_begin(one.limits, r->pipe);
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    r->computing = 1;
    json_t *answer = q->compute(q->context);
    r->computing = 0;
    limits_end();
    one.seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
    one.result = answer ? record_text(answer) : NULL;
    json_decref(answer);
    if (!one.result) {
        one.end = RUNNER_MEMORY;
        one.limits.bytes = 0;                           /* not at a limit: there was none left */
        snprintf(one.reason, sizeof one.reason, "out of memory");
    }
    return tell(r, &one);
}

static runner_reply ask_inside(runner *r, const runner_question *q, const char *cell)
{
    const known_cell *known = find(r, cell, limits_of(r, q));
    if (known)
        return reply_of(&known->record);
    if (q->timed && !r->options.jobs_chosen && !r->alone)
        return (runner_reply){.end = RUNNER_NOT_RUN, .reason = "it is timed when nothing else runs"};
    if (q->timed && r->alone && !r->options.jobs_chosen)
        pin();
    return compute_inside(r, q, cell);
}

typedef struct {
    runner *r;
    const job *job;             /* NULL: the question */
    const runner_question *question;
} task;

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

/* ---- outside: what has come ------------------------------------------------------------------------ */

static void say(const runner *r, const char *sentence)
{
    if (r->options.say)
        r->options.say(r->options.context, sentence);
}

/* A journal that cannot be written: of the cache it is done without, else the study stops. */
static void lose_journal(runner *r, const dae_report *why)
{
    char sentence[sizeof why->message + 64];
    if (!r->options.cached) {
        r->failure = *why;
        r->stopped = 1;
        return;
    }
    snprintf(sentence, sizeof sentence, "%s: the study goes on without it", why->message);
    say(r, sentence);
    journal_close(r->journal);
    r->journal = NULL;
    r->without = 1;
}

static int take(void *context, record *one)
{
    runner *r = context;
    known_cell *known = answers_put(&r->known, one);
    if (known)
        known->read = 1;
    return known != NULL;
}

static dae_status open_journal(runner *r, dae_report *report)
{
    const runner_options *o = &r->options;
    const journal_reader reader = {take, r, o->say, o->context};
    return journal_open(&r->journal, o->journal, o->fresh, o->cached, &reader, report);
}

/* One of the cache begins with the first answer. */
static void begin_cached(runner *r)
{
    dae_report why = {0};
    if (r->journal || r->without || !r->options.journal || !r->options.cached)
        return;
    r->without = !kept_make_folders(r->options.journal);
    if (!r->without && open_journal(r, &why))
        r->without = 1;
}

static void keep(void *context, record *one)
{
    runner *r = context;
    dae_report why = {0};
    record_stamp(one);
    if (!one->passing)
        begin_cached(r);
    if (r->journal && !r->stopped && !one->passing) {
        if (journal_append(r->journal, one, &why))
            lose_journal(r, &why);
        else
            r->written++;
    }
    answers_put(&r->known, one);
}

/* A process is over: what it was on has an end, and a job that was not done waits again. */
static void settle_child(runner *r, int place, record *ended)
{
    const int died = ended->cell != NULL;
    r->running--;
    if (place >= 0)
        jobs_set(&r->jobs, place, died ? JOB_WAITS : JOB_OVER);
    if (died)
        keep(r, ended);
}

static void listen(runner *r)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        const int place = c->job;
        record ended;
        if (!c->process)
            continue;
        child_supervise(c);
        if (!child_listen(c, keep, r, &ended))
            settle_child(r, place, &ended);
    }
}

static void kill_children(runner *r, const void *owner)
{
    for (int i = 0; i < r->processes; i++) {
        child *c = &r->children[i];
        if (c->process && (c->job < 0 || jobs_belongs(&r->jobs, c->job, owner))) {
            child_kill(c);
            r->running--;
        }
    }
}

/* ---- outside: what is to be done --------------------------------------------------------------------- */

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
    struct pollfd pipes[MAX_PROCESSES];
    nfds_t count = 0;
    for (int i = 0; i < r->processes; i++)
        if (r->children[i].process)
            pipes[count++] = (struct pollfd){.fd = r->children[i].pipe, .events = POLLIN};
    if (count)
        poll(pipes, count, LOOK_MS);
}

static void stop(runner *r)
{
    r->stopped = 1;
    kill_children(r, NULL);
    jobs_drop(&r->jobs, NULL);
}

/* Begin what can be begun, wait for what comes, a tenth of a second at most. */
static void go_on(runner *r)
{
    start_jobs(r);
    wait_for_news(r);
    listen(r);
    if (interrupt_noted() || r->stopped)
        stop(r);
}

static void put_end(runner *r, const char *cell, const char *reason)
{
    record end = {.cell = strdup(cell), .end = RUNNER_KILLED, .passing = 1};
    snprintf(end.reason, sizeof end.reason, "%s", reason);
    if (end.cell)
        answers_put(&r->known, &end);
}

/* One question, in a process of its own, while no other runs. 0: there is no answer, nor will there be. */
static int ask_alone(runner *r, const runner_question *q, const char *cell)
{
    char reason[128];
    task t = {.r = r, .question = q};
    child *c = free_child(r);
    if (!c || !child_start(c, do_task, &t)) {
        snprintf(reason, sizeof reason, "no process for it: %s", strerror(errno));
        put_end(r, cell, reason);
    } else {
        r->running++;
        while (r->running && !r->stopped)
            go_on(r);
        if (!r->stopped && !find(r, cell, limits_of(r, q)))
            put_end(r, cell, "its process ended without a word");
    }
    return r->stopped || find(r, cell, limits_of(r, q));
}

static runner_reply not_run(runner *r)
{
    runner_reply reply = {.end = RUNNER_NOT_RUN};
    snprintf(reply.reason, sizeof reply.reason, "%.*s", (int)sizeof reply.reason - 1,
             r->failure.status ? r->failure.message : "the study was interrupted before");
    r->left = 1;
    return reply;
}

static runner_reply ask_outside(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = limits_of(r, q);
    known_cell *known;
    interrupt_defer(1);
    if (interrupt_noted() && !r->stopped)
        stop(r);
    while (!(known = find(r, cell, limits)) && !r->stopped) {
        if (jobs_left(&r->jobs))
            go_on(r);
        else if (!ask_alone(r, q, cell))
            return no_memory();
    }
    if (!known)
        return not_run(r);
    answers_ask(&r->known, known);
    return reply_of(&known->record);
}

/* ---- the interface --------------------------------------------------------------------------------- */

runner_reply runner_ask(runner *r, const runner_question *q)
{
    if (!r || r->computing)
        return compute_here(q);
    char *cell = record_text(q->cell);
    if (!cell)
        return no_memory();
    const runner_reply reply = r->inside ? ask_inside(r, q, cell) : ask_outside(r, q, cell);
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
    listen(r);
    kill_children(r, owner);
    jobs_drop(&r->jobs, owner);
}

static int cores(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > MAX_PROCESSES ? MAX_PROCESSES : count;
}

/* One of the cache that cannot be had is done without. */
static dae_status find_journal(runner *r, dae_report *report)
{
    const runner_options *o = &r->options;
    dae_report why = {0};
    if (!o->journal || (o->cached && access(o->journal, F_OK)))
        return DAE_OK;
    const dae_status status = open_journal(r, &why);
    if (status == DAE_FILE && o->cached)
        lose_journal(r, &why);
    else if (status)
        return dae_fail(report, status, "%s", why.message);
    return DAE_OK;
}

dae_status runner_create(runner **created, const runner_options *options, dae_report *report)
{
    runner *r = calloc(1, sizeof *r);
    *created = NULL;
    if (r) {
        r->options = *options;
        r->options.journal = r->path = options->journal ? strdup(options->journal) : NULL;
        r->processes = options->jobs > 0 ? options->jobs : cores();
        if (r->processes > MAX_PROCESSES)
            r->processes = MAX_PROCESSES;
        r->children = calloc((size_t)r->processes, sizeof *r->children);
    }
    dae_status status = r && r->children && !r->path == !options->journal && answers_begin(&r->known)
                            ? find_journal(r, report)
                            : dae_fail(report, DAE_NO_MEMORY, "no memory for the runs of a study");
    if (status)
        runner_finish(r, 0, NULL);
    else
        *created = r;
    return status;
}

int runner_interrupted(const runner *r) { return r && r->left; }
int runner_known(const runner *r) { return r ? r->known.count : 0; }

/* ---- the end of a journal ------------------------------------------------------------------------------ */

static int by_asking(const void *one, const void *other)
{
    const known_cell *const *a = one, *const *b = other;
    return ((*a)->asked > (*b)->asked) - ((*a)->asked < (*b)->asked);
}

/* What was asked, in that order, then what stood there before and was not asked. */
static int in_order(const runner *r, const record **list)
{
    int count = 0, asked = 0;
    const known_cell **sorted = malloc((size_t)r->known.count * sizeof *sorted);
    if (!sorted)
        return -1;
    for (int i = 0; i < r->known.count; i++)
        if (r->known.list[i].asked && !r->known.list[i].record.passing)
            sorted[asked++] = &r->known.list[i];
    qsort(sorted, (size_t)asked, sizeof *sorted, by_asking);
    while (count < asked) {
        list[count] = &sorted[count]->record;
        count++;
    }
    for (int i = 0; i < r->known.count; i++)
        if (!r->known.list[i].asked && r->known.list[i].read)
            list[count++] = &r->known.list[i].record;
    free(sorted);
    return count;
}

/* Nothing was written, and what was there stands in the order of asking. */
static int is_tidy(const runner *r, const record *const *list, int count)
{
    int tidy = !r->written && count == r->known.count;
    for (int i = 0; tidy && i < count; i++)
        tidy = list[i] == &r->known.list[i].record;
    return tidy;
}

static dae_status arrange(runner *r, dae_report *report)
{
    if (!r->known.count)
        return DAE_OK;
    const record **list = malloc((size_t)r->known.count * sizeof *list);
    const int count = list ? in_order(r, list) : -1;
    dae_status status = count < 0 ? dae_fail(report, DAE_NO_MEMORY, "no memory to arrange the journal %s",
                                             journal_path(r->journal))
                        : is_tidy(r, list, count) ? DAE_OK
                                                  : journal_replace(r->journal, list, count, report);
    free(list);
    return status;
}

static dae_status end_journal(runner *r, int complete, dae_report *report)
{
    const int whole = complete && !r->left && !r->failure.status;
    dae_status status = DAE_OK;
    if (r->failure.status)
        status = dae_fail(report, r->failure.status, "%s", r->failure.message);
    else if (whole && !r->options.cached)
        status = arrange(r, report);
    if (journal_is_empty(r->journal) || (whole && r->options.cached))
        journal_remove(r->journal);
    journal_close(r->journal);
    return status;
}

dae_status runner_finish(runner *r, int complete, dae_report *report)
{
    dae_status status = DAE_OK;
    if (!r)
        return DAE_OK;
    if (r->children)
        kill_children(r, NULL);
    if (r->journal)
        status = end_journal(r, complete, report);
    jobs_free(&r->jobs);
    answers_free(&r->known);
    free(r->children);
    free(r->path);
    free(r);
    return status;
}
