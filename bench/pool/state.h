/* state.h - a runner, as its parts see it
 *
 * runner.c: questions and rounds. keep.c: what is known, and the file that keeps it. pool.c: processes that compute.
 */
#ifndef DAELAB_RUNNER_STATE_H
#define DAELAB_RUNNER_STATE_H

#include "pool/answers.h"
#include "pool/child.h"
#include "pool/crew.h"

struct runner {
    runner_options options;
    /* runner.c */
    int round, quiet;           /* number of the round; 1: only timed questions are computed in it */
    long open;                  /* how often RUNNER_LATER was answered */
    int untimed, timed;         /* questions of each kind that were asked in this round without an answer */
    json_t *asked_now;          /* {text of a cell: true}: begun in this round, on whatever rank */
    int shared;                 /* how many asked_now has: the number of the next one */
    int computing;              /* 1 in a process that was forked to compute a question */
    /* keep.c */
    char *path;                 /* of the file that keeps the answers; NULL: none */
    struct store *store;        /* NULL: none */
    answers known;
    int without;                /* 1: the file is one of the cache and was lost: the study goes on without it */
    dae_report failure;         /* of a file that is not of the cache: it has stopped the study */
    /* pool.c */
    child *children;            /* [processes] */
    int processes, running;
    int stopped, left;          /* 1: nothing more is begun; 1: a question was answered RUNNER_NOT_RUN */
    void (*news)(void *context, const runner_news *news);
    void *news_context;
    crew crew;                  /* the other ranks */
};

/* ---- keep.c */

dae_status keep_begin(runner *r, dae_report *report);
void keep(runner *r, record *one);              /* the runner owns *one from now on */
known_cell *keep_find(const runner *r, const char *cell, runner_limits limits);
long keep_count(const runner *r);               /* of the cells in the file */
dae_status keep_finish(runner *r, int complete, dae_report *report);

/* ---- pool.c */

/* Begin a process that computes the question, as soon as one is free. Where none can be started, and none runs, the
 * cell ends as RUNNER_KILLED. */
void pool_begin(runner *r, const runner_question *q, const char *cell, runner_limits limits);

/* Compute a timed question in a process of the first rank, alone, and wait for its end. The other ranks wait for its
 * answer. */
void pool_time(runner *r, const runner_question *q, const char *cell, runner_limits limits);

void pool_finish_round(runner *r);      /* all processes of all ranks are over */
void pool_stop(runner *r);              /* all are ended, and nothing is begun any more */

#endif
