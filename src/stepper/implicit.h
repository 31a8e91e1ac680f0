/* implicit.h - what implicit methods share: the Jacobian as the options ask, and singular
 * pencils */
#ifndef DAE_IMPLICIT_H
#define DAE_IMPLICIT_H

#include "linear/pencil.h"
#include "solver.h"

/* jac of the kind that the options name, dense or sparse as they ask or as size and pattern
 * suggest. It counts into the solver; solver->jacobian and solver->linear say what is in use. */
dae_status dae_implicit_jacobian(dae_solver *solver, dae_jacobian **jac);

/* DAE_SINGULAR, with the unknown where no pivot was left; or DAE_NO_MEMORY, as column says. */
dae_status dae_implicit_singular(dae_solver *solver, double h, int column);

#endif
