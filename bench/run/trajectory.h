/* trajectory.h - rows of a solution against time, collected while a hybrid run goes on
 *
 * Listed rows are those of the table: at t0 + k every on the dense output, and where the run ends.
 * At the time of an event they hold the state after it. For a picture of what is drawn or has
 * events there are more, which are not listed: between them, and at each event before and after it.
 */
#ifndef DAELAB_TRAJECTORY_H
#define DAELAB_TRAJECTORY_H

#include "run/columns.h"

enum { FINE = 2000, STEP_ROWS = 12 };   /* rows of a picture at least: of all of it; of one step,
                                           while there are not four times as many */
enum { MAX_PATHS = 8 };         /* bodies whose paths are kept: the last, and not mere dots */

typedef struct {
    int mode, listed;
} row_mark;

typedef struct {
    dae_hybrid *hybrid;
    column_set columns;         /* without t */
    int width;                  /* values in a row: t, the columns */
    size_t count, room;
    double *rows;               /* [count x width]; NaN where a mode has no such variable */
    row_mark *mark;             /* [count] */
    double t0, t_end, every;    /* rows listed at t0 + k every */
    int places;                 /* of these as decimals; < 0: they are none */
    double t_row;               /* the time of the last row as the run has it, which may be off by
                                   rounding */
    long parts;                 /* a picture has so many rows in that time */
    long next;                  /* the next row */
    int eventful;               /* each step is looked at, as an event may follow at its end */
    int picture;                /* keep the states around events, and paths */
    int within;                 /* next of STEP_ROWS inside the last step; t_last: its begin */
    double t_last;
    int passing;                /* the last row goes if no event follows at its time */
    dae_report refused;         /* why the first row that the method refuses has no state */
    const run_front *front;     /* hears how far the run is */
    double *u, *x;              /* scratch */
    /* what is drawn: the j-th of the bodies with a path, of row r, at path[2 (r paths + j)], and
     * the pictures of two rows */
    int paths, body[MAX_PATHS];
    double *path;               /* [room x 2 paths] */
    dae_picture *first, *last;
} trajectory;

/* How the rows lie: at t0 + k every, and for a picture more. */
typedef struct {
    double t0, t_end, every;
    int picture;
} trajectory_rows;

/* After dae_hybrid_start in this formulation, which the trajectory has not observed: the start is the
 * first row. */
dae_status trajectory_begin(trajectory *tr, dae_hybrid *hybrid, const dae_formulation *form,
                            const run_setting *setting, const trajectory_rows *rows,
                            dae_report *report);
void trajectory_free(trajectory *tr);

/* A dae_hybrid_observer; context is the trajectory. */
int trajectory_observe(void *context, dae_hybrid *hybrid);

/* Where the run has ended is a row, too. */
void trajectory_end(trajectory *tr);

/* The next listed row from r on, or count. */
size_t trajectory_listed(const trajectory *tr, size_t r);

#endif
