/* model_check.h - do the functions of a model agree with each other, and a reference with them?
 *
 * A model states more than its motion needs: dg/dt and d2g/dt2 beside g, G^T lambda beside g, minimal
 * coordinates, an energy, invariants, analytic derivatives. A slip in one of them makes a reference
 * that two runs agree on and that is wrong. Here what must be equal is compared in quad precision, at
 * the start and where the reference has rows, each row of a function in its own scale: that of its
 * change as the state moves by as much as it does in the run.
 */
#ifndef DAE_MODEL_CHECK_H
#define DAE_MODEL_CHECK_H

#include "findings.h"

#include "system/quad_mechanics.h"

typedef struct {
    dae_system *sys;
    dae_quad_mechanics *mechanics;      /* of a mechanical problem */
    double t0;
    const double *times;        /* [count] */
    int count;
    double span;                /* of the run, > 0; or 0 */
    int m;                      /* numbers of a row */
    const dae_quad *z;          /* [(1 + count) x m] (q, v, lambda) or u, at t0 and at the times */
    int solved;                 /* first order: the algebraic equations hold at t0, too */
    int approximate;            /* rows are those of a run in doubles: what stays is not compared, but its derivative */
    /* One row that any state is, with sizes [n] of (q, v, lambda, a) or u, and its accelerations [nq]; NULL: rows of a
     * run, which say what sizes are, and have those of the motion. */
    const double *sizes, *a;
    int moves;                  /* 1: that row is consistent, with these accelerations */
    int rough;                  /* 1: a few evaluations of each function; slopes are differences over one distance, and
                                   what differs by less than 1e-9 is the same */
    dae_findings *list;         /* all that is found; NULL: the report says the first of it */
    const char *name;           /* of the model in sentences; NULL: its own */
} dae_quad_rows;

/* digits := -log10 of the largest difference where that is less than it was. DAE_BAD_ARGUMENT, with
 * the function, its row and the time, where one is more than a number rounded to double makes. */
dae_status dae_check_functions(const dae_quad_rows *rows, double *digits, dae_report *report);

/* Of a mechanical problem: by how much positions and velocities [2 nq] and accelerations [nq] change in the run, or
 * may. DAE_NO_MEMORY. */
dae_status dae_motion_sizes(const dae_quad_rows *rows, double *size_q, double *size_a);

#endif
