/* trajectory.h - rows of a solution against time, collected while a solver runs */
#ifndef DAELAB_TRAJECTORY_H
#define DAELAB_TRAJECTORY_H

#include "progress.h"

#include "daelab/daelab.h"

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    const dae_method *method;
    int n, nl;                  /* unknowns; recovered multipliers of mechanical systems */
    int width;                  /* values in a row: t, u[n], recovered[nl] */
    int count, room;
    double *rows;               /* [count x width] */
    double t0, t_end, every;    /* rows wanted at t0 + k every */
    long next;                  /* the next k */
    int failed;                 /* memory */
    double *u, *qva;            /* scratch */
    progress *progress;
} trajectory;

/* 0 where memory is short. */
int trajectory_begin(trajectory *t, dae_system *sys, double t0, double t_end, double every);
void trajectory_free(trajectory *t);

/* Append the row of (t, u). */
int trajectory_add(trajectory *tr, double t, const double *u);

/* A dae_observer: rows at the times wanted, from dense output where the method has it, else at the
 * first step that reaches each. */
int trajectory_observe(void *context, double t, const double *u);

#endif
