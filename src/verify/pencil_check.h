/* pencil_check.h - do the equations of a first-order problem determine its unknowns? */
#ifndef DAE_PENCIL_CHECK_H
#define DAE_PENCIL_CHECK_H

#include "subject.h"

/* M - gamma dF/du is regular for some gamma at the start, made consistent; else the equations that depend on
 * each other. Up to 200 unknowns. DAE_NO_MEMORY. */
dae_status dae_check_pencil(dae_subject *s, dae_report *report);

#endif
