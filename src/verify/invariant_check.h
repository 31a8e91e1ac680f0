/* invariant_check.h - do invariants stay along the motion? */
#ifndef DAE_INVARIANT_CHECK_H
#define DAE_INVARIANT_CHECK_H

#include "states.h"

/* dI/dt = 0 along (v, a), or along F where M = I, at every row in quad; in other problems the values at
 * rows of one run are the same, as far as its tolerance lets them be. DAE_NO_MEMORY. */
dae_status dae_check_stays(dae_subject *s, const dae_state_rows *rows, dae_report *report);

#endif
