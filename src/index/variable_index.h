/* variable_index.h - the differential index of each unknown */
#ifndef DAE_VARIABLE_INDEX_H
#define DAE_VARIABLE_INDEX_H

#include "stepper/solver.h"

/* s->variable_index[n], at least 1, and driver(s)->components where they are of combinations. DAE_BAD_ARGUMENT, with
 * both, where a first-order problem declares another index than it has. */
dae_status dae_index_variables(dae_solver *solver);

/* After a failed run of a first-order problem: if the index at its last state differs from the declared one,
 * add that to the report. */
void dae_index_explain(dae_solver *solver);

#endif
