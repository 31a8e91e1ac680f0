/* child.h - a process that computes cells and says in a pipe which one it begins, and what came of it */
#ifndef DAELAB_RUNNER_CHILD_H
#define DAELAB_RUNNER_CHILD_H

#include "runner/record.h"
#include "runner/supervise.h"

#include <stddef.h>

typedef struct {
    pid_t process;              /* 0: none */
    int pipe;
    int job;                    /* what it does; < 0: one question */
    char *text;                 /* of a line that has not ended yet */
    size_t have, room;
    char *cell;                 /* on which it is; NULL: between two */
    runner_limits limits;       /* of that one */
    double begun;               /* when, on the monotonic clock */
    supervision clock;
    runner_end limit;           /* where it ended itself at one */
    int over, late;             /* it has done all; it was ended from here, at the limit of time */
} child;

/* In a new process work(context, pipe) is done, and nothing else. It is killed if this process ends; it has its
 * own signals, and the files of this process are closed by this one only. 0 with errno. */
int child_start(child *c, void (*work)(void *context, int pipe), void *context);

/* What a process says to the one that started it: that a cell is begun; 0: nobody listens. */
int child_say(int pipe, const char *line);
int child_say_begin(int pipe, const char *cell, runner_limits limits);

/* All that it has said by now; take gets each record, and owns it then. 0: it is over, and reaped: then *end, if
 * it was on a cell, is what came of that (end->cell NULL: it was on none). */
int child_listen(child *c, void (*take)(void *context, record *r), void *context, record *end);

/* End it where its cell takes longer than it may. */
void child_supervise(child *c);

/* End it, whatever it does; what it was on is not known. */
void child_kill(child *c);

#endif
