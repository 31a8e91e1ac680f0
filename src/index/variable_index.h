/* variable_index.h - the differential index of each unknown */
#ifndef DAE_VARIABLE_INDEX_H
#define DAE_VARIABLE_INDEX_H

#include "stepper/solver.h"

/* s->variable_index[n], at least 1. DAE_BAD_ARGUMENT, with both, where a first-order problem
 * declares another index than it has. */
dae_status dae_index_variables(dae_solver *solver);

/* A first-order run has failed: where the index at its last state is another than is declared, the
 * report says so, too. */
void dae_index_explain(dae_solver *solver);

#endif
