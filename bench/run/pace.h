/* pace.h - how many steps a problem asks for, against the pendulum */
#ifndef DAELAB_PACE_H
#define DAELAB_PACE_H

#include "run/run.h"

/* Interval over the shortest step that Radau IIA of order 5 takes, in units of the pendulum's and
 * at least 1; 1 where it does not solve the problem. Ladders of fixed steps are made finer by
 * it. */
double study_pace(const study *s);

#endif
