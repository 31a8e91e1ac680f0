/* linear.h - the pencils of this library as linear solvers of SUNDIALS
 *
 * The integrators ask for A x = b with A = a M - b J: c_j M - J for IDA, M - gamma J for those of y' = f. What is
 * factored is the pencil M - (b/a) J, as in the methods of this library: in a mechanical system q is eliminated, and
 * pivots depend on no unit.
 */
#ifndef DAE_SUNDIALS_LINEAR_H
#define DAE_SUNDIALS_LINEAR_H

#include "sundials.h"

#include "base/components.h"
#include "stepper/implicit.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

typedef struct {
    dae_linearised of;          /* of.jac NULL: there is none */
    SUNMatrix A;                /* has no entries: it stands for the pencil */
    SUNLinearSolver solver;
    double over;                /* 1/a */
    int flag;                   /* of the last factorization, a code of SUNDIALS */
    const dae_components *components;   /* the integrator's unknowns, if they are not those of the pencil */
    double *left;               /* [n] for integrators of y' = f, and [n] behind it; else NULL */
} dae_sundials_linear;

/* Jacobian and pencil by the solver's options; of_ode: what is to be solved is A (x, z) = M (b, 0), for the leading
 * unknowns x of a state. What there is after a failure is freed by free. */
dae_status dae_sundials_linear_create(dae_sundials_linear *l, dae_solver *solver, int of_ode, SUNContext context);
void dae_sundials_linear_free(dae_sundials_linear *l);

/* What a matrix function answers after it has factored a M - b J: 0 also where that is singular, which the solver
 * tells when it is set up; 1: J is not finite; below 0: there is no memory. */
int dae_sundials_linear_factor(dae_sundials_linear *l, double a, double b);

#endif
