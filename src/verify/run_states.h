/* run_states.h - states along a run of the library's own solver */
#ifndef DAE_RUN_STATES_H
#define DAE_RUN_STATES_H

#include "states.h"

/* Rows of each of the modes, rows[modes], spread over the steps of one run of the problem, as far as a bounded
 * number of steps leads it; of each mode those with the parameters that it had last, which its subject then
 * has, too. Mechanical rows are on their constraints to all digits of quad. A run that fails is a remark.
 * DAE_NO_MEMORY; free the rows in any case. */
dae_status dae_run_states(dae_subject *modes, int count, dae_state_rows *rows, dae_report *report);
void dae_state_rows_free(dae_state_rows *rows);

#endif
