/* other.h - a run whose steps are far shorter than its solution asks for is compared with one of another method */
#ifndef DAE_OTHER_H
#define DAE_OTHER_H

#include "stepper/solver.h"

typedef struct dae_other dae_other;

/* With error control only, in index 0 and 1, of all methods but the one that others are compared with. */
dae_status dae_other_create(dae_solver *solver);
/* The method for single runs, which the runs of others are compared with. */
const dae_method *dae_other_judge(void);

void dae_other_free(dae_other *other);                  /* NULL is fine */
void dae_other_start(dae_solver *solver);               /* the run begins at solver->t, solver->u */
void dae_other_kept(dae_solver *solver);                /* after an accepted step */

/* At the end of dae_solver_advance. DAE_ERROR_TEST where the two are many tolerances apart; DAE_NO_MEMORY. */
dae_status dae_other_check(dae_solver *solver);

#endif
