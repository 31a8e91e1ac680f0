/* repeat.h - a run whose solution has grown by a factor of 10^6 is repeated with higher accuracy */
#ifndef DAE_REPEAT_H
#define DAE_REPEAT_H

#include "stepper/solver.h"

typedef struct dae_repeat dae_repeat;

dae_status dae_repeat_create(dae_solver *solver);
void dae_repeat_free(dae_repeat *repeat);               /* NULL is fine */
void dae_repeat_start(dae_solver *solver);              /* the run begins at solver->t, solver->u */

void dae_repeat_kept(dae_solver *solver);               /* after an accepted step */

/* At the end of a run. DAE_ERROR_TEST where the two solutions differ by more than half of an unknown. */
dae_status dae_repeat_check(dae_solver *solver);

#endif
