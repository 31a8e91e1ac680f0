/* left_at_begin.h - what the state at the begin of a piece leaves of the algebraic equations
 *
 * In index 2 and 3 a solution that begins at a state u_0, and satisfies the algebraic equations exactly soon after, has
 * unknowns of the size of the residual r_0 over that time. So dense output keeps
 *
 *     left(t) = r_0,    in constraints g of mechanics in index 3    g_0 + (t - t_0) dg/dt_0,
 *
 * which asks for no force.
 */
#ifndef DAE_LEFT_AT_BEGIN_H
#define DAE_LEFT_AT_BEGIN_H

#include "solver.h"

typedef struct {
    double t;                   /* the begin */
    double *residual, *rate;    /* [n], and [nl] of constraints in index 3; heads the block */
} dae_left;

dae_status dae_left_create(dae_solver *solver, dae_left *left);
void dae_left_free(dae_left *left);

/* At t, u. */
void dae_left_measure(dae_solver *solver, dae_left *left, double t, const double *u);

/* F[n] -= left(t) */
void dae_left_keep(const dae_solver *solver, const dae_left *left, double t, double *F);

#endif
