/* outcome.h - how a run of a study ended: what the library says of it, or who ended it from outside */
#ifndef DAELAB_OUTCOME_H
#define DAELAB_OUTCOME_H

#include <daelab/status.h>

typedef enum {
    RUN_BY_ITSELF,              /* the status of the library says it all */
#define RUN_OUTCOME(code, name, status, sentence) code,
#include "run/outcome.def"
#undef RUN_OUTCOME
    RUN_OUTCOMES
} run_outcome;

/* "ok", the name of the library's status ("DAE_SINGULAR"), or that of the outcome ("limit_time"). */
const char *outcome_name(run_outcome outcome, dae_status status);

/* Its sentence; of a run that ended by itself that of its status. */
const char *outcome_sentence(run_outcome outcome, dae_status status);

/* The status that stands for an outcome other than RUN_BY_ITSELF. */
dae_status outcome_status(run_outcome outcome);

#endif
