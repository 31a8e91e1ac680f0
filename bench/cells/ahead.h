/* ahead.h - runs that a study will surely ask for, done ahead by the runner where it has processes to spare */
#ifndef DAELAB_AHEAD_H
#define DAELAB_AHEAD_H

#include "cells/run_asked.h"

typedef struct {
    const study *s;
    const dae_formulation *form;
    const dae_method *method;
    double level;
    int watched;
} ahead_run;

/* run_asked with these arguments will be called. *job, and the study, a quiet copy, stay where they are until the
 * runner has settled the owner. */
void ahead_expect(ahead_run *job, const study *s, const dae_formulation *form, const dae_method *method,
                  double level, int watched, const void *owner, int group);

/* Is there such a run? Tried on a solver that is not run. */
int ahead_exists(const study *s, const dae_formulation *form, const dae_method *method, double level);

#endif
