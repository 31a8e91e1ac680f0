/* start_check.h - is the start of a mode one that a run can begin at? */
#ifndef DAE_START_CHECK_H
#define DAE_START_CHECK_H

#include "subject.h"

/* Consistent, or moved by how much; F is finite there; the declared index is that of the equations. */
dae_status dae_check_start(dae_subject *s, dae_report *report);

#endif
