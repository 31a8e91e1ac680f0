/* child.h - a process that computes one cell and says in a pipe what came of it */
#ifndef DAELAB_RUNNER_CHILD_H
#define DAELAB_RUNNER_CHILD_H

#include "pool/record.h"
#include "pool/supervise.h"

#include <stddef.h>

typedef struct {
    pid_t process;              /* 0: none */
    int pipe;
    char *text;                 /* what it has said */
    size_t have, room;
    char *cell;                 /* that it computes */
    runner_limits limits;
    double work;                /* of the question */
    double begun;               /* when, on the monotonic clock */
    supervision clock;
    int late;                   /* it was ended from here, at the limit of time */
} child;

/* In a new process: compute the question, say what came of it, and end. It is killed if this process ends; it has its
 * own signals, and the files of this process are closed by this one only. 0 with errno. */
int child_start(child *c, const runner_question *q, const char *cell, runner_limits limits);

/* 1: it goes on. 0: it is over, and reaped: *came, to be freed, is what came of its cell. */
int child_listen(child *c, record *came);

/* End it where its cell takes longer than it may. */
void child_supervise(child *c);

/* End it, whatever it does. */
void child_kill(child *c);

#endif
