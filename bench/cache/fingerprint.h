/* fingerprint.h - a number that changes when the equations of a model do */
#ifndef DAELAB_FINGERPRINT_H
#define DAELAB_FINGERPRINT_H

#include <daelab/daelab.h>
#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a of size bytes behind those already in hash. */
uint64_t fnv_1a(uint64_t hash, const void *bytes, size_t size);

/* *hash := FNV-1a of what the quad functions of the problem answer, with the system's parameters,
 * at two fixed pseudo-random points; the second lies near the problem's start. */
dae_status model_fingerprint(dae_system *sys, uint64_t *hash);

#endif
