/* guards.h - guards of a run: each follows its steps, and says at its end whether the result can be trusted
 *
 * A guard is one file and one record here. What it keeps in a solver is driver(s)->guard[its place], NULL where a run
 * has no need of it. A solver that makes a part of another one's run, or makes that run again, is unguarded.
 */
#ifndef DAE_GUARDS_H
#define DAE_GUARDS_H

#include "stepper/solver.h"

typedef struct {
    dae_status (*create)(dae_solver *solver);
    void (*free)(void *own);                    /* NULL is fine */
    dae_status (*start)(dae_solver *solver);    /* the run begins at solver->t, solver->u */
    void (*kept)(dae_solver *solver);           /* after an accepted step */
    dae_status (*check)(dae_solver *solver);    /* at the end of dae_solver_advance: DAE_ERROR_TEST, DAE_NO_MEMORY */
} dae_guard;

/* repeat.c: a run whose solution has grown by a factor of 10^6 is repeated with higher accuracy. other.c: a run whose
 * steps are far shorter than its solution asks for is compared with one of another method. noise.c: is the effect of
 * rounding errors in F within the tolerance? */
extern const dae_guard dae_repeat_guard, dae_other_guard, dae_noise_guard;

/* guards.c: those of a solver; what all of them do. */
dae_status dae_guards_create(dae_solver *solver);
void dae_guards_free(dae_solver *solver);
dae_status dae_guards_start(dae_solver *solver);

/* status of a run that has ended, or that of the first guard that fails it; what may have caused a failure is added
 * to the report. */
dae_status dae_guards_check(dae_solver *solver, dae_status status);

/* noise.c: if rounding errors in F alone change an unknown by more than its tolerance, the report of a failure says so,
 * too. */
void dae_noise_explain(dae_solver *solver);

/* other.c: the method for single runs, which the runs of others are compared with. */
const dae_method *dae_other_judge(void);

/* A second, unguarded solver that makes the run of another one again. */
typedef struct {
    dae_solver *solver;         /* NULL: there was none yet */
    double t, *start;           /* where it begins; [n] */
    int begun;
} dae_rerun;

/* It begins at the solver's (t, u). to: it goes on to t; u[n] := its state. Its work is counted in the solver's. */
void dae_rerun_begin(dae_rerun *again, const dae_solver *solver);
dae_status dae_rerun_to(dae_solver *solver, dae_rerun *again, double t, double *u);

#endif
