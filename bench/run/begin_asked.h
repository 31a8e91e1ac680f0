/* begin_asked.h - the begin of a study by way of its runner: model, start and reference in another process */
#ifndef DAELAB_BEGIN_ASKED_H
#define DAELAB_BEGIN_ASKED_H

#include "run/run_asked.h"

/* As study_begin; where the setting has a runner, all that calls the model for the first time does so in another
 * process. Should that crash, there is no reference, and study.why_not says why; or where it does without one, too,
 * the study has not begun: DAE_BACKEND, DAE_NO_MEMORY. limit: [s] of CPU time that a run may take, which lasts ten
 * times as long, and a minute, for a reference; 0: none. */
dae_status study_begin_asked(study *s, const run_setting *setting, reference_kind wanted, double limit,
                             dae_report *report);

#endif
