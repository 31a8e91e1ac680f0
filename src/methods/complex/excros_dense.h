/* excros_dense.h - dense output of extrapolated CROS */
#ifndef DAE_EXCROS_DENSE_H
#define DAE_EXCROS_DENSE_H

#include "excros.h"
#include "stepper/solver.h"

enum { DAE_EXCROS_POINTS = DAE_EXCROS_COLUMNS * (DAE_EXCROS_COLUMNS + 1) / 2,   /* n_j = 1 .. 10 */
       DAE_EXCROS_TERMS = DAE_EXCROS_COLUMNS * (DAE_EXCROS_COLUMNS - 1) / 2,
       DAE_EXCROS_SCRATCH = DAE_EXCROS_TERMS * (DAE_EXCROS_POINTS + DAE_EXCROS_TERMS) };

/* Where the data of a step with k columns stand. From columns: after each step of each, at x = m/n
 * with h = 1/n. At nodes: x_i = (1 - cos((i + 1) pi/k))/2, i = 0 .. k - 2, with h = 0. Returns how
 * many there are. */
int dae_excros_dense_points(int at_nodes, int k, double *x, double *h);

/* w[k - 1][points]: the coefficients c_i of R from d - x d_1 at these points;
 * scratch[DAE_EXCROS_SCRATCH]. */
void dae_excros_dense_weights(int at_nodes, int k, double *scratch, double *w);

typedef struct {
    int at_nodes;
    int columns;                /* of the last step, 0 where overwritten; once ready, of c */
    int ready;                  /* c belongs to the last step */
    int known[DAE_EXCROS_COLUMNS + 1];      /* the weights of as many columns are computed */
    double *memory, *weight[DAE_EXCROS_COLUMNS + 1];
    double *nodes;              /* [DAE_EXCROS_COLUMNS - 1 x n] changes at the nodes */
    double *c;                  /* [DAE_EXCROS_COLUMNS - 1 x n] coefficients of R */
} dae_excros_dense;

dae_status dae_excros_dense_create(dae_solver *solver, dae_excros_dense *dense, int at_nodes);
void dae_excros_dense_free(dae_excros_dense *dense);

/* R of the last step, from u_old to u, with changes[points x n], or those at the nodes; then u at
 * t. */
void dae_excros_dense_fit(const dae_solver *solver, dae_excros_dense *dense,
                          const double *changes);
void dae_excros_dense_at(const dae_solver *solver, const dae_excros_dense *dense, double t,
                         double *u);

#endif
