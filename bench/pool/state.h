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
    int round, quiet;           /* its number; are only timed questions computed in it? */
    long open;                  /* questions that were answered RUNNER_LATER */
    int untimed, timed;         /* of this round */
    json_t *asked_now;          /* {text of a cell: true}: begun in this round, on whatever rank */
    int shared;                 /* so many are these */
    int computing;              /* this process is one that computes */
    /* keep.c */
    char *path;                 /* of the file */
    struct store *store;        /* NULL: none */
    answers known;
    int without;                /* the file, one of the cache, cannot be had */
    dae_report failure;         /* of the file, which stopped the study */
    /* pool.c */
    child *children;            /* [processes] */
    int processes, running;
    int stopped, left;          /* nothing new is begun; questions were left without an answer */
    void (*news)(void *context, const runner_news *news);
    void *news_context;
    crew crew;                  /* the other ranks */
};

/* ---- keep.c */

dae_status keep_begin(runner *r, dae_report *report);
void keep(runner *r, record *one);              /* takes it over */
known_cell *keep_find(const runner *r, const char *cell, runner_limits limits);
long keep_count(const runner *r);               /* of the file */
dae_status keep_finish(runner *r, int complete, dae_report *report);

/* ---- pool.c */

/* A process for the question, as soon as one is free. Where none can be had the cell has that as its end. */
void pool_begin(runner *r, const runner_question *q, const char *cell, runner_limits limits);

/* The same while no other computes, until it has an end or the study is stopped. */
void pool_time(runner *r, const runner_question *q, const char *cell, runner_limits limits);

void pool_finish_round(runner *r);      /* all processes of all ranks are over */
void pool_stop(runner *r);              /* all are ended, and nothing is begun any more */

#endif
