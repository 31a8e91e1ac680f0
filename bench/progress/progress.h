/* progress.h - one line on standard error while studies run; only on a terminal
 *
 *     [12/40] pendulum index3 cros 0.005  37 %, 2 at once, about 5 min left
 *
 * counts the runs of all studies of a command. What is still to come is guessed from the studies that have begun, so
 * that the total may grow; neither number ever falls.
 */
#ifndef DAELAB_PROGRESS_H
#define DAELAB_PROGRESS_H

#include "progress/time_left.h"

#include <stdint.h>

typedef struct {
    int shown;                  /* standard error is a terminal and not --quiet */
    int process;                /* that draws the line: not those that it forks */
    int drawn;                  /* something stands on the line */
    double share;               /* of all studies, with the one under way; 0: there is one */
    char name[32];              /* what tells it from the others */
    int aside, counted;         /* are runs not counted now? is the one under way counted? */
    int done, known, total;     /* runs: with the one under way, of the studies that have begun, of all */
    double work_done, work_known, work_next;    /* the same of work; of the run under way */
    int at_once;                /* processes that compute now; below 2: not said */
    int ahead, not_runs;        /* runs that were computed, also before their turn; cells that are no runs */
    double fraction;            /* of the run under way */
    volatile double *told;      /* the same, by a process that was forked to make it; NULL: none can tell */
    char what[64];
    time_left times;
    int64_t begun, last;        /* when the run began, when the line was drawn [ms] */
} progress;

void progress_start(progress *p, int quiet);            /* a command begins */
void progress_item(progress *p, double share, const char *name);
void progress_begin(progress *p, int runs);             /* so many runs follow; 0: one that is not counted */
void progress_work(progress *p, double work);           /* so much work, together with what was said before */
void progress_next(progress *p, double work);           /* so much of it is the next run */
void progress_run(progress *p, const char *form, const char *method, double level);
void progress_skip(progress *p, int runs);              /* that will not be made; below 0: are added */
void progress_at_once(progress *p, int processes, int computed);
void progress_now(progress *p);                         /* draw it without waiting */
void progress_part(progress *p, double fraction);       /* of the run under way; a fork tells its parent */
void progress_hear(progress *p);                        /* what the one process that computes has told */
void progress_end(progress *p);

/* What stands on the line, at most so many characters. */
enum { PROGRESS_LINE = 73 };
const char *progress_line(const progress *p, char line[PROGRESS_LINE]);

#endif
