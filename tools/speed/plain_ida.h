/* plain_ida.h - a program that uses SUNDIALS IDA as its manual says, for the pendulum of index 1
 *
 * Residual and Newton matrix are written out by hand. Nothing is scaled, checked or observed. Options are those that
 * this library gives IDA (error test of positions and velocities only, first step, stop at t_end), so that both take
 * the same steps.
 */
#ifndef DAELAB_SPEED_PLAIN_IDA_H
#define DAELAB_SPEED_PLAIN_IDA_H

typedef struct plain_ida plain_ida;

enum { PENDULUM = 5 };          /* unknowns (x, y, vx, vy, T) */

typedef struct {
    long steps, rejected, residuals, matrices, factorisations, iterations, newton_failures;
} plain_ida_counts;

/* From u0 at t = 0 to t_end, with rtol = atol. NULL: SUNDIALS has failed. */
plain_ida *plain_ida_create(const double u0[PENDULUM], double t_end, double rtol);
void plain_ida_free(plain_ida *p);

/* The whole run, u := the state at t_end; 0: IDA has failed. What it took. */
int plain_ida_run(plain_ida *p, double u[PENDULUM]);
plain_ida_counts plain_ida_counted(const plain_ida *p);

#endif
