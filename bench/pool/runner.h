/* runner.h - runs of a study, answered from a file or computed in processes of their own
 *
 * A study is a function of the answers to its questions: runs, steps in quad precision, repeats that are timed. It is
 * evaluated in rounds. A question that was answered before, in an earlier round or by a process that was killed, has
 * its answer at once; any other is given to a process, and answered RUNNER_LATER. Whoever evaluates the study waits
 * for the end of the round and evaluates it again, until no question is open:
 *
 *     do {
 *         const long before = runner_open(r);
 *         evaluate the study, which calls runner_ask
 *         complete = runner_open(r) == before;
 *     } while (!complete && (runner_next_round(r), 1));
 *
 * An answer is known from the round that follows the one in which it was computed. So what a study asks does not
 * depend on the number of processes, nor on how fast they are, and its numbers neither.
 *
 * A question is a JSON object that holds all that its answer depends on; two are the same where these are equal. An
 * answer is a JSON object.
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
    RUNNER_MEMORY,              /* at the limit of memory, or there was none left */
    RUNNER_KILLED,              /* by a signal that nobody here sent: it crashed, or was killed */
    RUNNER_NOT_RUN,             /* the study was interrupted before it was its turn */
    RUNNER_LATER,               /* not yet: ask again in the next round */
    RUNNER_ENDS
} runner_end;

/* "answered", "time", "memory", "killed", "not_run", "later" */
extern const char *const runner_end_names[RUNNER_ENDS];

/* The reason of RUNNER_MEMORY where no limit was there, but nothing left either. */
#define RUNNER_NO_MEMORY "out of memory"

typedef struct {
    json_t *answer;             /* NULL where end is not RUNNER_ANSWERED; a reference, which the caller gives back by
                                   json_decref; to be read only, as others have it, too */
    runner_end end;
    char reason[256];           /* "killed by SIGFPE"; "" where it was answered */
} runner_reply;

/* Limits of one cell; 0: none. */
typedef struct {
    double seconds;             /* [s] CPU time, and time asleep */
    double bytes;               /* of memory that is touched, beyond what the program holds already */
} runner_limits;

typedef struct {
    json_t *cell;               /* the caller's */
    runner_limits limits;       /* not part of the cell: an answer stands at any limit, an end at a limit at
                                   no larger one; 0: those of the runner */
    int timed;                  /* alone: in a round in which nothing else is computed, and answered in that */
    json_t *(*compute)(void *context);  /* the answer, new */
    void *context;
    const char *what;           /* for whoever shows how far the study is: "index3 cros 0.005"; NULL: nothing */
    double work;                /* how much work that is, by the unit of the study; 0: no run, and not counted */
} runner_question;

/* The answer, kept or computed. r NULL, or inside of compute: computed here and now, in this process. */
runner_reply runner_ask(runner *r, const runner_question *question);

/* So many times a question was answered RUNNER_LATER until now; r NULL: 0. */
long runner_open(const runner *r);

/* Waits for all that the round has begun. r NULL: nothing. */
void runner_next_round(runner *r);

/* ---- where a command begins and ends ------------------------------------------------------- */

enum { MOST_PROCESSES = 1024 };

typedef struct {
    const char *file;           /* that keeps the runs (store.h); NULL: none */
    int cached;                 /* the file is one of the cache: whatever is wrong with it, the study goes on
                                   without, and once the study is complete it is removed */
    int fresh;                  /* what stands in the file is forgotten */
    int jobs;                   /* processes at once; 0: as many as there are cores */
    runner_limits limits;       /* of cells that have none of their own */
    void (*say)(void *context, const char *sentence);   /* what the user is to know; NULL: nobody hears */
    void *context;
} runner_options;

/* Under mpirun all ranks create one, and evaluate the same study; the first one has the file.
 * DAE_UNSUPPORTED, DAE_FILE with a sentence: ranks without MPI; the file is none of daelab's, is another version's,
 * belongs to another process, cannot be read or written. */
dae_status runner_create(runner **r, const runner_options *options, dae_report *report);

/* What the runner tells whoever shows how far it is: each time a process begins or ends, and ten times a second
 * while it waits. */
typedef struct {
    int running;                /* processes now */
    const char *begun;          /* what one is to compute that has just begun; NULL: none has */
    double work, seconds;       /* of a run that is known from now on; 0: none; seconds 0: it was known before */
    int waits;                  /* 1: all that the file knows of this round was told; the rest is computed now */
} runner_news;

/* news NULL, r NULL: nothing is told. */
void runner_watch(runner *r, void (*news)(void *context, const runner_news *news), void *context);

/* Is this another rank than the first, under mpirun? It only helps, and writes nothing. */
int runner_follows(const runner *r);

/* Are runs that are timed computed beside others, as the user has chosen several jobs or ranks? */
int runner_times_together(const runner *r);

/* Was a question left without an answer because the study was stopped, by a signal or a file that could not
 * be written? */
int runner_interrupted(const runner *r);

/* So many processes may compute at once, those of other ranks among them. */
int runner_processes(const runner *r);

/* How many cells stand in the file. */
long runner_kept(const runner *r);

/* Nothing more is asked: a file without runs is removed, and where the study is complete (and nothing was interrupted)
 * one of the cache. Frees the runner; NULL is allowed. DAE_FILE where the file could not be written before. */
dae_status runner_finish(runner *r, int complete, dae_report *report);

#endif
