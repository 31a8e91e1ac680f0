/* excros.h - extrapolated CROS: weights, and projection of its states in mechanical systems */
#ifndef DAE_EXCROS_H
#define DAE_EXCROS_H

#include "daelab/scalar.h"
#include "stepper/solver.h"

enum { DAE_EXCROS_COLUMNS = 10 };       /* most columns of the tableau, ... */
enum { DAE_EXCROS_FIXED = 4 };          /* ... and those of a fixed step */

/* How a system is extrapolated. */
typedef struct {
    int n0;                     /* n_j = n0 + j, j = 0, 1, ... */
    int recovers;               /* lambda comes from the acceleration level */
    int raw;                    /* algebraic unknowns of index 2 expand from h on */
} dae_excros_plan;
dae_excros_plan dae_excros_choose(const dae_system *sys);

/* w[0 .. k-1] for n_j = n_0 + j: sum w_j = 1 and sum w_j n_j^-m = 0 for m = p .. p + k - 2, where
 * the expansion begins with h^p, p = 1 or 2. */
void dae_excros_weights(int p, int n0, int k, double *w);
void dae_excros_weights_quad(int p, int n0, int k, dae_quad *w);

/* (q, v) onto g = 0, dg/dt = 0; then the multipliers. */
dae_status dae_excros_project(dae_solver *solver, double t, double *u);

/* After a CROS step: what its form asks of (q, v), g = 0 in ggl and dg/dt = 0 in all of index 2;
 * then the multipliers. The change d of u is moved as much; before[n] is scratch. */
dae_status dae_excros_recover(dae_solver *solver, double t, double *u, double *d, double *before);

#endif
