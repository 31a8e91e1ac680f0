/* linear.h - the linear solvers of SUNDIALS, dense and KLU, on the M and J of a system
 *
 * They solve with A = a M - b J, as the integrators ask for it: c_j M - J for IDA, M - gamma J for those
 * of y' = f.
 */
#ifndef DAE_SUNDIALS_LINEAR_H
#define DAE_SUNDIALS_LINEAR_H

#include "sundials.h"

#include "jacobian/jacobian.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

typedef struct {
    dae_jacobian *jac;
    SUNMatrix A;
    SUNLinearSolver inner;      /* dense or KLU */
    SUNLinearSolver scaled;     /* inner as integrators see it: linear.c */
    double *row_scale, *column_scale;   /* [n] each, one block */
    N_Vector right, left;       /* [n] for integrators of y' = f; else NULL */
    int sparse;                 /* inner is KLU */
    int generation;             /* of the pattern that A has */
    int unordered;              /* KLU's ordering is still to be chosen */
} dae_sundials_linear;

/* DAE_UNSUPPORTED where the options ask for a band. */
dae_status dae_sundials_linear_offers(dae_solver *solver);

/* For jac, which it does not own. of_ode: what is to be solved is A (x, z) = M (b, 0), for the leading
 * unknowns x of a state. 0: no memory; what there is is freed by free. */
int dae_sundials_linear_create(dae_sundials_linear *l, dae_jacobian *jac, dae_linear_kind kind,
                               int of_ode, SUNContext context);
void dae_sundials_linear_free(dae_sundials_linear *l);

/* Before a run: KLU's ordering with less fill for M - gamma J, chosen once; and pivots of earlier runs
 * are forgotten. A code of SUNDIALS. */
int dae_sundials_linear_order(dae_sundials_linear *l, double gamma);
int dae_sundials_linear_restart(dae_sundials_linear *l);

/* A := R (a M - b J) C, as inner takes it (linear.c); 0 where there is no memory for a pattern that has grown. */
int dae_sundials_linear_assemble(dae_sundials_linear *l, double a, double b, SUNMatrix A);

/* 1 where KLU's last matrix was singular; entries in the factors. */
int dae_sundials_linear_singular(const dae_sundials_linear *l);
long dae_sundials_linear_fill(const dae_sundials_linear *l);

#endif
