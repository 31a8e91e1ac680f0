/* fingerprint.h - a number that changes when the equations of a model do */
#ifndef DAELAB_FINGERPRINT_H
#define DAELAB_FINGERPRINT_H

#include "host/fnv.h"

#include <daelab/daelab.h>

/* FNV-1a of what the quad functions of the problem answer, with the system's parameters,
 * at two fixed pseudo-random points; the second lies near the problem's start. */
uint64_t model_fingerprint(dae_system *sys);

#endif
