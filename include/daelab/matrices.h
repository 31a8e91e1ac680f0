/* matrices.h - M and J = dF/du for methods with a linear algebra of their own
 *
 * For authors of methods, who wrap an integrator that there is already: one in Fortran or C, say, that calls
 * back for F, M and J. It is asked for one step, or to go to t_stop, in dae_method.step, with own_control.
 *
 *     what it wants           what there is
 *     F(t, u)                 dae_system_rhs (study.h); y' = f(t, y) is dae_system_explicit_rhs (method.h)
 *     M                       dae_system_mass for M x; the matrix, here
 *     J, dF/dt                here: full, in bands, or in compressed columns, by the Jacobian of the options
 *     rtol, atol[n]           solver->options.rtol, solver->atol; fixed steps: solver->adaptive is 0
 *     index of the unknowns   solver->variable_index[n]
 *     the first step          0: its own; or dae_initial_step; options.max_step and first_step are in t_stop
 *     where to stop           t_stop; fixed steps: solver->t_new
 *     a pointer of its own    solver->stepper; callbacks that get none find it in a _Thread_local variable
 *
 * and, after each step: solver->t_new, u_new[n], and the counts that are its own: steps, rejected, rhs,
 * factorizations, solves, newton_failures (Jacobians are counted here). What it accepted is shown between
 * t_old and t by dae_method.interpolate, if it has that. A failure is dae_fail(&solver->report, ...).
 */
#ifndef DAELAB_MATRICES_H
#define DAELAB_MATRICES_H

#include "method.h"

DAE_API_BEGIN

typedef struct dae_matrices dae_matrices;

/* In dae_method.create; sets solver->jacobian and solver->linear, which tells full (DAE_LINEAR_DENSE)
 * from sparse (any other), as the options and the size of the system say. NULL may be freed. */
dae_status dae_matrices_create(dae_matrices **matrices, dae_solver *solver);
void dae_matrices_free(dae_matrices *matrices);

/* F[n] := F(t, u), J := dF/du, F_t[n] := dF/dt; both vectors may be NULL. Counted in solver->count. Where an
 * entry begins to be, away from the start, the pattern grows. DAE_NO_MEMORY, or DAE_NOT_FINITE where J is
 * not finite, with a report in the solver's. */
dae_status dae_matrices_evaluate(dae_matrices *matrices, double t, const double *u, double *F, double *F_t);

/* M and the last J on one pattern in compressed columns, valid until the next evaluation, or until the
 * matrices are freed. */
typedef struct {
    int n, entries;
    const int *column, *row;    /* [n + 1], [entries]: the rows of column j are row[column[j]] ... */
    const double *M, *J;        /* [entries] */
    int lower, upper;           /* bandwidths: i - j <= lower and j - i <= upper for all entries */
} dae_matrix_view;
dae_matrix_view dae_matrices_view(const dae_matrices *matrices);

/* The same as full matrices [n x n], column by column; and in bands, [lower + upper + 1 x n], where row
 * upper + i - j of column j holds (i, j), with the bandwidths of the view. Either may be NULL. */
void dae_matrices_full(const dae_matrices *matrices, double *M, double *J);
void dae_matrices_band(const dae_matrices *matrices, double *M, double *J);

DAE_API_END

#endif
