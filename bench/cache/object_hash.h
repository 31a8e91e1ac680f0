/* object_hash.h - the content of the object code that holds a model */
#ifndef DAELAB_OBJECT_HASH_H
#define DAELAB_OBJECT_HASH_H

#include <daelab/problem.h>

#include "host/platform.h"

#include <stdint.h>

/* The hash of what does not change, code and constants, of each program or shared object that holds a
 * function of the problem's record. 0 where one of them lies in none: then nothing is known of it. */
int model_object_hash(const dae_problem *problem, uint64_t *hash);

/* *hash := the same of one object, behind what is in it already. */
void object_hash(const platform_object *object, uint64_t *hash);

#endif
