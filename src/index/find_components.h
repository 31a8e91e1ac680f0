/* find_components.h - combinations of the unknowns, by their index */
#ifndef DAE_FIND_COMPONENTS_H
#define DAE_FIND_COMPONENTS_H

#include "base/components.h"
#include "system/system.h"

/* *components: NULL where each unknown has an index of its own. From what grows in (M - h J)^-1 at so many states,
 * leading[states][DAE_GROWTHS x n x n] of growth.h; most: the largest index; size[n]: a tolerance of each unknown.
 * 0: no memory. */
int dae_find_components(const dae_system *sys, int most, int states, const double *leading, const double *size,
                        dae_components **components);

#endif
