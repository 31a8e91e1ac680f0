/* event_check.h - do events lead to modes that there are? */
#ifndef DAE_EVENT_CHECK_H
#define DAE_EVENT_CHECK_H

#include "subject.h"

/* The names of modes are different; what an event enters, and what its accumulation enters, is one of them. */
void dae_check_events(dae_subject *modes, int count);

#endif
