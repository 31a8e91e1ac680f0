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
    RUNNER_MEMORY,              /* at the limit of memory, or there was none left */
    RUNNER_KILLED,              /* by a signal that nobody here sent: it crashed, or was killed */
    RUNNER_NOT_RUN,             /* the study was interrupted before it was its turn */
    RUNNER_ENDS
} runner_end;

/* "answered", "time", "memory", "killed", "not_run" */
extern const char *const runner_end_names[RUNNER_ENDS];

/* The reason of RUNNER_MEMORY where no limit was there, but nothing left either. */
#define RUNNER_NO_MEMORY "out of memory"

typedef struct {
    json_t *answer;             /* NULL where end is not RUNNER_ANSWERED; a new one, owned by the caller */
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
    int timed;                  /* alone, on a core of its own, unless the user has chosen jobs */
    json_t *(*compute)(void *context);  /* the answer, new; NULL: no memory */
    void *context;
} runner_question;

/* The answer, kept or computed. r NULL: computed here and now, in this process. Inside the work of a job, which
 * is in a process of its own already, questions are computed there and kept; timed ones are left to whoever
 * asks them outside, RUNNER_NOT_RUN, unless the user has chosen jobs. Questions that compute asks are computed
 * there, as parts of its own. */
runner_reply runner_ask(runner *r, const runner_question *question);

/* Work that asks questions which will be asked later: the runner does it ahead, in another process, as soon as
 * it has one free. Jobs of the owner who came last go first; his groups are done in their order, of one group
 * the last that was expected after all others of it. What the work returns is not looked at, and it changes
 * nothing but what it asks. Context stays until runner_settle of the owner, any address. r NULL: nothing. */
void runner_expect(runner *r, const void *owner, int group, void (*work)(void *context), void *context);

/* All jobs of the owner are over, or dropped: contexts may go. */
void runner_settle(runner *r, const void *owner);

/* ---- where a command begins and ends ------------------------------------------------------- */

enum { MOST_PROCESSES = 1024 };

typedef struct {
    const char *journal;        /* path, NULL: none */
    int cached;                 /* the journal is one of the cache: whatever is wrong with it, the study goes on
                                   without, and once the study is complete it is removed */
    int fresh;                  /* what stands in the journal is forgotten */
    int jobs;                   /* processes at once; 0: as many as there are cores */
    int jobs_chosen;            /* timed cells, too */
    runner_limits limits;       /* of cells that have none of their own */
    void (*say)(void *context, const char *sentence);   /* what the user is to know; NULL: nobody hears */
    void *context;
} runner_options;

/* Under mpirun all ranks create one, and ask and expect the same; the first one has the journal.
 * DAE_UNSUPPORTED, DAE_FILE with a sentence: ranks without MPI; the journal is none, is another version's, belongs to
 * another process, cannot be read or written. */
dae_status runner_create(runner **r, const runner_options *options, dae_report *report);

/* What the runner tells whoever shows how far it is: each time something begins or ends, and ten times a second
 * while it waits. */
typedef struct {
    int running;                /* processes now */
    int computed;               /* cells that were computed, not found, until now */
} runner_news;

/* news NULL, r NULL: nothing is told. */
void runner_watch(runner *r, void (*news)(void *context, const runner_news *news), void *context);

/* Is this another rank than the first, under mpirun? It only helps, and writes nothing. */
int runner_follows(const runner *r);

/* Are timed cells computed beside others, as the user has chosen several jobs? */
int runner_times_together(const runner *r);

/* Was a question left without an answer because the study was stopped, by a signal or a journal that could
 * not be written? */
int runner_interrupted(const runner *r);

/* So many processes may compute at once, those of other ranks among them. */
int runner_processes(const runner *r);

/* How many cells stand in the journal. */
long runner_kept(const runner *r);

/* Nothing more is asked: where complete (and nothing was interrupted) the journal is brought into the order of
 * asking, or, of the cache, removed. Frees the runner; NULL is allowed. DAE_FILE where the journal could not be
 * written, now or before. */
dae_status runner_finish(runner *r, int complete, dae_report *report);

#endif
