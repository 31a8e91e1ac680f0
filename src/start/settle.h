/* settle.h - initial values that satisfy the constraints within the tolerance are projected onto them */
#ifndef DAE_SETTLE_H
#define DAE_SETTLE_H

#include "stepper/solver.h"

/* For mechanical systems of index 2 and 3 with error control. solver->u is changed by less than its
 * tolerance. */
void dae_settle_start(dae_solver *solver);

#endif
