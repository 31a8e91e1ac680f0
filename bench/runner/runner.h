/* runner.h - cells of a study, answered from the journal or computed in processes of their own
 *
 * A study is a function of the answers to its cells: runs, steps in quad precision, timed repeats. It asks
 * for them one by one and in the same order always. What was answered before, in this process or by one
 * that was killed, stands in the journal and is not computed again; so a study that goes on where it stopped,
 * by whatever number of processes, ends with the same numbers.
 *
 * A cell is a JSON object that holds all that its answer depends on; two cells are the same where these
 * are equal. An answer is a JSON object.
 */
#ifndef DAELAB_RUNNER_H
#define DAELAB_RUNNER_H

#include <daelab/status.h>
#include <jansson.h>

typedef struct runner runner;

/* How the computation of a cell ended. What the library says of a run that failed is an answer like
 * others (RUNNER_ANSWERED). */
typedef enum {
    RUNNER_ANSWERED,
    RUNNER_TIME,                /* at the limit of time */
    RUNNER_MEMORY,              /* at the limit of memory */
    RUNNER_KILLED,              /* by a signal that nobody here sent: it crashed, or was killed */
    RUNNER_NOT_RUN              /* the study was interrupted before it was its turn */
} runner_end;

typedef struct {
    json_t *answer;             /* NULL where end is not RUNNER_ANSWERED; owned by the caller */
    runner_end end;
    char reason[256];           /* "killed by SIGFPE after 0.3 s"; "" where it was answered */
} runner_reply;

/* Limits of one cell; 0: none. */
typedef struct {
    double seconds;             /* [s] CPU time */
    double bytes;               /* of memory beyond what the program holds already */
} runner_limits;

typedef struct {
    json_t *cell;               /* the caller's */
    runner_limits limits;       /* not part of the cell: an answer stands at any limit, an end at a limit at
                                   no larger one */
    int timed;                  /* alone, on a core of its own, unless the user has chosen jobs */
    json_t *(*compute)(void *context);  /* the answer, new; NULL: no memory */
    void *context;
} runner_question;

/* The answer, kept or computed. r NULL: computed here and now, in this process. Inside compute and inside the
 * work of a job (which are in a process of their own already) questions are computed there, and kept. */
runner_reply runner_ask(runner *r, const runner_question *question);

/* Work that asks questions which will be asked later: the runner does it ahead, in another process, as soon as
 * it has one free; groups are done in their order, of one group the last that was expected after all others
 * of it. What the work returns is not looked at, and it changes nothing but what it asks. Context stays
 * until runner_settle. r NULL: nothing. */
void runner_expect(runner *r, int group, void (*work)(void *context), void *context);

/* All jobs that were expected are over, or dropped: contexts may go. */
void runner_settle(runner *r);

#endif
