/* sensitivity.h - what follows the steps of a solver, and the derivative of its start */
#ifndef DAE_SENSITIVITY_H
#define DAE_SENSITIVITY_H

#include "stepper/solver.h"
#include "variation/variation.h"

struct dae_sensitivity {
    dae_solver *solver;
    dae_variation v;            /* du at t */
    dae_status status;          /* of the start and all steps so far */
    int parameters, unknowns;   /* directions in p come first, then those of the start, then others */
    int *parameter, *unknown;
    int *held;                  /* [n] 1: its start is a number, also where the start of the problem is the same */
    long run;                   /* number of the solver's run that is followed */
    double t, t_before, t_undone;
    double *before, *undone;    /* [count x n]: du at t_before, where the last step began, and at t_undone */
    double *end, *own;          /* [n] the end of the last step: before options.project, as the method goes on */
    int tested;                 /* 1: steps are chosen by errors of du, too */
    double *tried, t_tried[2];  /* [count x n] du behind a step that was tried, from and to these times */
    double *memory;             /* of tried, v.error, v.coarse */
};

/* du := the derivatives of the start (t, u[n]) along all directions; of the consistent state nearest to from[n],
 * unless it is NULL. */
dae_status dae_sensitivity_of_start(dae_sensitivity *s, double t, const double *from, const double *u);

/* The same of the start as it is given, before it is made consistent. */
dae_status dae_sensitivity_given(dae_sensitivity *s, const double *from);

/* First-order problems of index 1, at (t, u[n]): the part of du of direction c that M does not see, by the algebraic
 * equations, with v.dt. c may be that behind the last, of time alone. */
dae_status dae_sensitivity_complete(dae_sensitivity *s, int c, double t, const double *u);

/* du at t, where an event has ended the last step: by a step of the method that ends there, as the state is found. */
dae_status dae_sensitivity_to_event(dae_sensitivity *s, double t);

/* Can the steps of a solver be differentiated, and are these directions of its system, count in all? */
dae_status dae_sensitivity_check_solver(const dae_solver *solver, dae_report *report);
dae_status dae_directions_check(const dae_solver *solver, const dae_directions *directions, int count,
                                dae_report *report);

/* v.du of the begin of the step that stands in solver := those of its end. moved: the part of it that options.project
 * has, and the end [n] before that. shown: v.du := as the solver shows its state, in index 3 with the velocities, in
 * index 2 and 3 with the multipliers that are recovered; s->own is the state as the method goes on. */
dae_status dae_sensitivity_step(dae_sensitivity *s, dae_solver *solver);
dae_status dae_sensitivity_moved(dae_sensitivity *s, dae_solver *solver);
const double *dae_sensitivity_end(dae_sensitivity *s, const dae_solver *solver);
dae_status dae_sensitivity_shown(dae_sensitivity *s, dae_solver *solver);

/* As dae_sensitivity_create, with room for so many directions. */
dae_status dae_sensitivity_create_for(dae_sensitivity **out, dae_solver *solver, const dae_directions *directions,
                                      int count, dae_report *report);

/* Where held[i] is not 0 the start of unknown i is a number that no parameter moves, for later starts. */
void dae_sensitivity_hold(dae_sensitivity *s, const int *held);

/* The solver goes on from where it was started, with the du that stand. */
void dae_sensitivity_go_on(dae_sensitivity *s);

#endif
