/* contacts.h - what a motion in quad precision does behind the events of one instant */
#ifndef DAE_CONTACTS_H
#define DAE_CONTACTS_H

#include "motion.h"

/* DAE_NO_CONVERGENCE where the motion from its present state drives a contact, a function at zero whose action would
 * turn it, on across zero. Stiff motions, which are collocated, are not looked at. */
dae_status dae_contacts_check(dae_motion *motion);

#endif
