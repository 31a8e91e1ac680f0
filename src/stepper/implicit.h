/* implicit.h - what implicit methods share: the Jacobian as the options ask, and singular
 * pencils */
#ifndef DAE_IMPLICIT_H
#define DAE_IMPLICIT_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

/* jac of the kind that the options name, dense or sparse as they ask or as size and pattern
 * suggest. It counts into the solver; solver->jacobian and solver->linear say what is in use. */
dae_status dae_implicit_jacobian(dae_solver *solver, dae_jacobian **jac);

/* Why there are no factors of M - gamma h J: DAE_SINGULAR, with the unknown where no pivot was left, or
 * DAE_NO_MEMORY. And why there is no solution with them. */
dae_status dae_implicit_singular(dae_solver *solver, double h, dae_factored factored);
dae_status dae_implicit_unsolved(dae_solver *solver, double h);

#endif
