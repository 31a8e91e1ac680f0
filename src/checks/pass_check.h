/* pass_check.h - is a function of a model one and the same for each kind of number? */
#ifndef DAE_PASS_CHECK_H
#define DAE_PASS_CHECK_H

#include "comparison.h"
#include "model_maps.h"

/* A state, and by how much it changes in a run. */
typedef struct {
    const dae_problem *problem;
    const double *p;            /* with the data of a user before them */
    double t, span;             /* span > 0 of a run */
    const double *state, *size; /* [places.count] */
} dae_model_point;

/* For each row of the map at the point and at points next to it:
 *
 *     f in doubles      = f in quad, as far as rounding of f shows in its arguments and from point to point
 *     f(s) - f(-s)      = 2 s f' in quad for s so small that doubles do not see it
 *     f' of dual        = f' by differences in quad, along a random direction of t and the state
 *     f' of tangent     = the same, and along a random direction of the parameters
 *
 * where what is beside a kink counts as rounding, and what has no number shows nothing. Failures name the
 * column of the argument, or the parameter. DAE_NO_MEMORY; else DAE_OK. */
dae_status dae_check_passes(const dae_model_point *at, const dae_model_map *map, dae_comparison *found);

#endif
