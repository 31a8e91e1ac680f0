/* supervise.h - the clock of a process that computes: what it has used, and how long it has slept */
#ifndef DAELAB_RUNNER_SUPERVISE_H
#define DAELAB_RUNNER_SUPERVISE_H

#include <sys/types.h>

typedef struct {
    double cpu;                 /* [s] of the process when the cell began */
    double asleep;              /* [s] since then */
    double seen;                /* when it was last looked at, on the monotonic clock */
} supervision;

void supervise_begin(supervision *s, pid_t process);

/* CPU time and time asleep since then: a process that waits for a processor, or was stopped, uses neither. */
double supervise_look(supervision *s, pid_t process);

#endif
