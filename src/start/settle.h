/* settle.h - a start that is on the constraints but for its tolerance */
#ifndef DAE_SETTLE_H
#define DAE_SETTLE_H

#include "stepper/solver.h"

/* Where steps are chosen, in index 2 and 3, such a start is moved onto its constraints. */
void dae_settle_start(dae_solver *solver);

#endif
