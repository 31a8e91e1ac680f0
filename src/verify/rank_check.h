/* rank_check.h - do mass and constraints determine accelerations and multipliers? */
#ifndef DAE_RANK_CHECK_H
#define DAE_RANK_CHECK_H

#include "subject.h"

/* M is positive definite at the start; where it is not, whether it is at least on the velocities that the
 * constraints allow. Needs no system. DAE_NO_MEMORY. */
dae_status dae_check_definite(dae_subject *s, dae_report *report);

/* The rows of G = dg/dq are independent at the start; else those that depend on each other. */
dae_status dae_check_independent(dae_subject *s, dae_report *report);

#endif
