/* rounding.h - are the tolerances too small for double precision? */
#ifndef DAE_ROUNDING_H
#define DAE_ROUNDING_H

#include "stepper/solver.h"

/* DAE_BAD_ARGUMENT where a tolerance is below the spacing of double numbers at the initial values. */
dae_status dae_rounding_check_start(dae_solver *solver);

/* After a failed run with error control: if rounding errors alone change an unknown by more than its
 * tolerance, add that to the report. */
void dae_rounding_explain(dae_solver *solver);

#endif
