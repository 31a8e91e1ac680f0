/* run_hybrid.h - one run of a problem with events, measured */
#ifndef DAELAB_RUN_HYBRID_H
#define DAELAB_RUN_HYBRID_H

#include "run/run.h"

#include <daelab/hybrid.h>

/* study_run of such a problem: r, which is empty but for its level. Once for time and errors, at events and at the
 * end; with a monitor once more for the drift; with fixed steps, where the study samples its runs, once more for
 * what rounding is. */
void run_hybrid(const study *s, const dae_formulation *form, const dae_method *method, double level,
                monitor *m, run_result *r);

#endif
