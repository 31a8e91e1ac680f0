/* rows.h - a run as rows of numbers: at given times, at its steps, or dense enough to be interpolated
 *
 * For programs that want a solution as an array, in C and C++.
 *
 *     dae_hybrid_create(&hybrid, problem, form, NULL, NULL, method, &options, &why);
 *     dae_hybrid_start(hybrid, 0, NULL);
 *     dae_rows *rows;
 *     dae_hybrid_rows(hybrid, t_end, &(dae_row_places){.times = times, .count = 101}, &rows);
 *     ... rows->u[k * rows->width + i] is unknown i at rows->t[k] ...
 *     dae_rows_free(rows);
 */
#ifndef DAELAB_ROWS_H
#define DAELAB_ROWS_H

#include "api.h"
#include "hybrid.h"
#include "sensitivity.h"

DAE_API_BEGIN

enum { DAE_MOST_INSIDE = 64 };

typedef struct {
    const double *times;        /* [count] not decreasing, from the time of the run to t_end: rows there, by
                                   the dense output, and of a method without one by steps that end there.
                                   NULL: the start, the end of each step, and at an event before and after */
    long count;
    int inside;                 /* without times: so many rows inside each step, too, 0 to DAE_MOST_INSIDE, at
                                   the extrema of the Chebyshev polynomial of degree inside + 1, which has the
                                   ends of the step for its outermost: through them goes the polynomial of
                                   this degree that is near the best. Where the method has no dense output
                                   DAE_UNSUPPORTED */
    const volatile int *stop;   /* looked at after each step: not 0 ends the run with DAE_STOPPED; or NULL */
    int recovered;              /* 1: behind the n unknowns of a mode stand its multipliers, recovered from the
                                   acceleration level; NaN where that does not determine them */
    dae_hybrid_sensitivity *sensitivity;        /* rows have these derivatives, too, and a step ends at each of the
                                   times. Not with rows inside steps: DAE_UNSUPPORTED. NULL: none */
    dae_hybrid_observer *observer;      /* called at the start and whenever rows are kept, before them; or NULL */
    void *context;              /* of observer */
} dae_row_places;

typedef enum { DAE_ROW_INSIDE, DAE_ROW_STEP, DAE_ROW_AFTER } dae_row_kind;

typedef struct {
    long count;                 /* rows; with times those up to where the run ended */
    int width;                  /* dae_hybrid_most_unknowns; of recovered rows the most of n + nl of any mode */
    double *t;                  /* [count] */
    double *u;                  /* [count x width], row by row, in the unknowns of the formulation; NaN where
                                   a mode has no so many, and where there is no state (between the last of
                                   accumulating events and their limit, and where the method refuses a row) */
    double *du;                 /* [count x directions x width] derivatives of these numbers, NaN where there are none;
                                   NULL where none were asked for */
    int *mode;                  /* [count] */
    int *kind;                  /* [count] DAE_ROW_INSIDE a step, or at a time; DAE_ROW_STEP at the end of one;
                                   DAE_ROW_AFTER an event, and at the start */
} dae_rows;

/* Advance a run that was started from where it is to t_end, as dae_hybrid_advance does, whose status it has,
 * and keep its rows. Of a time at which an event happens the row is the state after it. *rows are those that
 * there are after a failure, too; NULL where there was nothing to run: DAE_BAD_ARGUMENT for times that
 * decrease, are not numbers, or lie outside, DAE_NO_MEMORY. Where the method refuses a row inside a step the run
 * goes on, and ends with the status and the sentence of the first such row; where derivatives are asked for and a
 * row has none it ends there. dae_hybrid_report has the sentence. The observer of dae_hybrid_observe is taken away.
 * Of several calls for one run the first row of each, without times, is where it goes on. */
dae_status dae_hybrid_rows(dae_hybrid *hybrid, double t_end, const dae_row_places *where, dae_rows **rows);
void dae_rows_free(dae_rows *rows);

DAE_API_END

#endif
