/* screen.h - a look at a model in doubles and dual numbers: is there anything to be checked in quad? */
#ifndef DAE_SCREEN_H
#define DAE_SCREEN_H

#include "subject.h"

/* *suspect := 1 where functions differ from each other, by more than about 1e-9, at the subject's state or at a
 * consistent one with random velocities; rounding may be the reason, so nothing is said of it. Each
 * function is looked at in all passes. A few evaluations of each. DAE_NO_MEMORY. */
dae_status dae_screen(dae_subject *s, int *suspect, dae_report *report);

#endif
