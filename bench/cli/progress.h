/* progress.h - one line on standard error while studies run; on no terminal such a line once a minute
 *
 *     [12/40] pendulum index3 cros 0.005  37 %, 2 at once, about 5 min left
 *
 * counts the runs of all studies of a command, those under way among them. Studies are evaluated in rounds, and say
 * each time how many runs they have; what is still to come is guessed from those that have been evaluated. Neither
 * number ever falls.
 */
#ifndef DAELAB_PROGRESS_H
#define DAELAB_PROGRESS_H

/* How long a study will go on.
 *
 * A run of work w takes about a + b w, with a and b by least squares of those that were made: work is a number of
 * steps, or whatever grows as the time of a long run does, and a what a short one takes. Runs below 5 ms do not count
 * before a longer one: they may be answers of a study that goes on. */
typedef struct {
    int runs;                   /* that count */
    double seconds, work, squares, products;    /* sums over them: t, w, w^2, w t */
} time_left;

/* A run of this work has taken so long. */
void time_left_add(time_left *t, double work, double seconds);

/* What so many more runs of so much work together will take [s]; NaN where that does not mean anything yet. */
double time_left_of(const time_left *t, double runs, double work);

/* "about 5 min left", or "" for what is too short to be told. */
enum { TIME_LEFT = 40 };
const char *time_left_words(double seconds, char words[TIME_LEFT]);

typedef struct {
    int shown;                  /* not --quiet */
    int drawing;                /* standard error is a terminal: the line is drawn over itself */
    double every;               /* [s] from one line to the next */
    int process;                /* that draws the line: not those that it forks */
    int drawn;                  /* something stands on the line */
    double share;               /* of all studies, the part that is evaluated, with the present one; 0: there is one */
    char name[32];              /* what tells it from the others */
    int known, left_out;        /* runs of the studies evaluated in this round; of these, those that will not be made */
    double work;                /* of the known runs without those left out */
    int before;                 /* runs that a study which was ended had made */
    int made, done, total;      /* runs that are over; with those left out and under way, of all: [done/total] */
    double work_done;           /* of the runs that are over */
    int at_once;                /* processes that compute now; below 2: not said */
    double fraction;            /* of the run under way */
    volatile double *told;      /* fraction, from the process that was forked for the run; NULL: it cannot tell */
    char what[64];
    time_left times;
    double last;                /* when the line was drawn [s] */
} progress;

void progress_start(progress *p, int quiet);            /* a command begins */

/* What a run_front hears, of a progress. A study is evaluated; share 0 or less than before: of the next round. */
void progress_item(void *shown, double share, const char *name);
void progress_plan(void *shown, int runs, double work); /* more runs of that study; < 0: these are left out */
void progress_run(void *shown, const char *what);       /* is under way in this process */
void progress_part(void *shown, double fraction);       /* of the run under way; a fork tells its parent */

/* News of the runner. at_once: processes that compute. begun: what one of them has begun, or NULL. work: of a run that
 * is over, which took so many seconds (0: it was known before); 0: none is over. */
void progress_hear(progress *p, int at_once, const char *begun, double work, double seconds);
void progress_end(void *shown);

/* How many runs the studies have, as far as they were evaluated, without those left out. */
int progress_runs(const progress *p);

/* What stands on the line, at most so many characters. */
enum { PROGRESS_LINE = 73 };
const char *progress_line(const progress *p, char line[PROGRESS_LINE]);

#endif
