/* rounding.h - is it the tolerance that a failed run asks too much with? */
#ifndef DAE_ROUNDING_H
#define DAE_ROUNDING_H

#include "stepper/solver.h"

/* DAE_BAD_ARGUMENT where a tolerance is below the spacing of numbers at the start. */
dae_status dae_rounding_check_start(dae_solver *solver);

/* A run with chosen steps has failed: where rounding alone moves an unknown by more than its
 * tolerance, the report says so, too. */
void dae_rounding_explain(dae_solver *solver);

#endif
