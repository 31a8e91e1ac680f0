/* ida.h - the state of an IDA run, and the equations as IDA asks for them */
#ifndef DAE_IDA_H
#define DAE_IDA_H

#include "integration.h"
#include "stepper/dense_radau.h"

#include <sundials/sundials_nonlinearsolver.h>

typedef struct {
    dae_integration run;
    N_Vector id;                /* 1: the unknown is in the error test, else 0 */
    SUNNonlinearSolver newton;  /* NULL: IDA's own */
    double first_correction;    /* of the iteration, its norm */
    double *F, *slope;          /* [n] each: work arrays, slope for u' = V y' */
    dae_dense_radau *rows;      /* NULL until one is asked for in index 2 or 3 */
} dae_ida;

/* r := M u' - F(t, u), and the Newton matrix A := c M - J; data is the dae_solver. Positive answers mean
 * not finite: IDA shall try a smaller step. */
int dae_ida_residual(double t, N_Vector u, N_Vector du, N_Vector r, void *data);
int dae_ida_newton_matrix(double t, double c, N_Vector u, N_Vector du, N_Vector r, SUNMatrix A,
                          void *data, N_Vector a, N_Vector b, N_Vector d);

/* Newton's iteration with a test of convergence of its own; a flag of IDA. */
int dae_ida_newton(dae_ida *w, double rtol);

/* run.du := u'(t0); 0 for variables that have none in M u' and an index above 1. */
dae_status dae_ida_derivative(dae_solver *s);

#endif
