/* limits.h - in the process of a cell: it ends itself at a limit, and says so in its pipe */
#ifndef DAELAB_RUNNER_LIMITS_H
#define DAELAB_RUNNER_LIMITS_H

#include "pool/runner.h"

/* What the process writes, as its last words. */
#define LIMITS_OF_TIME "{\"limit\":\"time\"}\n"
#define LIMITS_OF_MEMORY "{\"limit\":\"memory\"}\n"

/* From now on, until limits_end. CPU time is that of all threads; memory is what is resident, looked at a
 * hundred times a second: a request is not refused, as libraries do not always survive that. */
void limits_begin(runner_limits limits, int pipe);
void limits_end(void);

#endif
