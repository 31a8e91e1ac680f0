/* state.h - a runner, as its parts see it
 *
 * keep.c: what is known, and its journal. pool.c: processes that compute. inside.c: one of them.
 */
#ifndef DAELAB_RUNNER_STATE_H
#define DAELAB_RUNNER_STATE_H

#include "runner/answers.h"
#include "runner/child.h"
#include "runner/crew.h"
#include "runner/jobs.h"
#include "runner/journal.h"

struct runner {
    runner_options options;
    /* keep.c */
    char *path;                 /* of the journal */
    journal *journal;           /* NULL: none */
    answers known;
    int written, computed;      /* lines of the journal; answers that came today */
    int without;                /* the journal, one of the cache, cannot be had */
    dae_report failure;         /* of the journal, which stopped the study */
    /* pool.c */
    jobs jobs;
    child *children;            /* [processes] */
    int processes, running;
    int stopped, left;          /* nothing new is begun; questions were left without an answer */
    void (*news)(void *context, const runner_news *news);
    void *news_context;
    crew crew;                  /* the other ranks */
    /* inside.c */
    int inside, alone, computing;       /* this process computes: one question; now */
    int pipe;
};

/* ---- keep.c */

dae_status keep_begin(runner *r, dae_report *report);
void keep(runner *r, record *one);              /* takes it over */
known_cell *keep_find(const runner *r, const char *cell, runner_limits limits);
dae_status keep_finish(runner *r, int complete, dae_report *report);

/* ---- pool.c */

/* Begin what can be begun, wait for what comes, a tenth of a second at most; a signal stops all. */
void pool_go_on(runner *r);

/* One question in a process of its own, while no other runs. 0: there is no answer, nor will there be. */
int pool_ask_alone(runner *r, const runner_question *q, const char *cell);

/* Another rank than the first: do what it says, a message or some milliseconds. */
void pool_follow(runner *r);

void pool_listen(runner *r);
void pool_kill(runner *r, const void *owner);   /* the processes of its jobs; NULL: all */
void pool_stop(runner *r);

/* ---- inside.c */

runner_reply inside_ask(runner *r, const runner_question *q, const char *cell);

/* ---- runner.c */

runner_limits runner_limits_of(const runner *r, const runner_question *q);
runner_reply runner_reply_of(const record *one);
runner_reply runner_no_memory(void);

#endif
