/* plain_ida.h - programs that use SUNDIALS IDA as its manual says, for one problem each
 *
 * Residual and Newton matrix are written out by hand, the matrix in the form that the linear solver takes: dense
 * columns, or compressed columns for KLU. Nothing is scaled, checked or observed. Options are those that this
 * library gives IDA (error test of positions and velocities only, first step, stop at t_end), so that
 * both take the same steps.
 */
#ifndef DAELAB_SPEED_PLAIN_IDA_H
#define DAELAB_SPEED_PLAIN_IDA_H

#include <ida/ida.h>

typedef struct plain_ida plain_ida;

/* 0 = M u' - F(t, u), index 1: (q, v, T) with M = (1, m, 0). data, handed to the functions, is the record. */
typedef struct {
    int positions, multipliers;
    int nonzeros;                       /* of the Newton matrix in compressed columns, for KLU; 0: dense */
    double mass, length, gravity;
    double *work;                       /* [5 (multipliers + 3)], zeroed; from plain_ida_create */
    IDAResFn residual;
    IDALsJacFn matrix;
} plain_ida_problem;

typedef struct {
    long steps, rejected, residuals, matrices, factorisations, iterations, newton_failures;
} plain_ida_counts;

plain_ida_problem plain_ida_pendulum(void);
plain_ida_problem plain_ida_chain(int links);

/* From u0[n] at t = 0 to t_end, with rtol = atol. NULL: SUNDIALS has failed. */
plain_ida *plain_ida_create(const plain_ida_problem *problem, const double *u0, double t_end, double rtol);
void plain_ida_free(plain_ida *p);

/* The whole run, u[n] := the state at t_end; 0: IDA has failed. What it took. */
int plain_ida_run(plain_ida *p, double *u);
plain_ida_counts plain_ida_counted(const plain_ida *p);

#endif
