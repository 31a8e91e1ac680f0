/* fail_lanes.c - a model that lanes.c has to object to */
#ifndef DAE_PASS
#include <daelab/model.h>
const dae_problem dae_plain = {.name = "plain", .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}};
#else
static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = 0;                                           /* legal, but not for a vector */
}
#endif
