/* state_mass.h - M(t, u) u' = F(t, u) as a larger DAE with a constant mass matrix
 *
 * The kernel of M is constant. With the rows of P [nx x n] in reduced echelon form, which have this kernel, and E
 * [n x nx], which puts w_k into the unknown of the pivot of row k, M = M E P, and
 *
 *     P u' = w,    0 = F(t, u) - M(t, u) E w.
 *
 * The unknowns are (u, w). Row k of the first equation has the place of its pivot, which makes the mass matrix
 * diagonal where that of the problem is; the n rows of the second follow in the places that are left.
 *
 * Rosenbrock methods on the larger system are those of Lubich, Roche (1990), Computing 43, 325-342, with their
 * additional terms, which are the derivatives of M(t, u) E w.
 */
#ifndef DAE_STATE_MASS_H
#define DAE_STATE_MASS_H

#include "daelab/problem.h"
#include "daelab/status.h"

typedef struct dae_state_mass {
    const dae_map2 *mass;       /* of the problem */
    int n, nx;                  /* unknowns of the problem; n + nx of the system */
    int diagonal;               /* 1: of more than DAE_SMALL_MASS unknowns M is, wherever it was looked at; P is
                                   rows of I then, and NULL */
    double *P;                  /* [nx x n] */
    dae_quad *P_quad;           /* the same in quad, NULL where the model has no such pass */
    int *column;                /* [nx] the pivot of each row of P, ascending */
    int *row;                   /* [nx] rows of M in which these pivots were found */
    int *place;                 /* [n] the row of the system that F_i - (M E w)_i has */
    double *sign;               /* [n] of M_ii at the start where M is diagonal; else sign[0] that of det M,
                                   0 where M is singular */
    double *M;                  /* [n x n], and at least [2 n]: work arrays of these functions */
    double *work;               /* [4 n] */
    int *order;                 /* [2 n] */
    dae_quad *quad;             /* as M, NULL as P_quad */
} dae_state_mass;

/* From M at the start (t, u). DAE_UNSUPPORTED where M has entries off its diagonal and more than
 * DAE_MANY_POSITIONS rows. */
dae_status dae_state_mass_create(dae_state_mass **m, const dae_problem *problem, const double *p,
                                 const dae_quad *p_quad, const double *u, dae_report *report);
void dae_state_mass_free(dae_state_mass *m);

/* out[n + nx] := the mass matrix of the system times x[n + nx] */
void dae_state_mass_multiply(const dae_state_mass *m, const double *x, double *out);
void dae_state_mass_multiply_quad(const dae_state_mass *m, const dae_quad *x, dae_quad *out);

/* w[nx] := the solution of M(t, u) E w = F in nx of the equations, which elimination chooses. F[n] := what it
 * leaves of the others, y_i^T F with y_i^T M = 0 and y_ii = 1, and 0. y, where not NULL: [n x n] := these rows
 * y_i, and zeros. order, where not NULL: [n] the equations chosen, then the others; order[0] < 0: none are yet;
 * else they are chosen again. 0 where M has lost its rank. */
int dae_state_mass_solve(dae_state_mass *m, const double *p, double t, const double *u, double *F, double *w,
                         double *y, int *order);
int dae_state_mass_solve_quad(dae_state_mass *m, const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F,
                              dae_quad *w);

/* After solve: out[n - nx] := F of the equations that it did not choose, in their order; their number */
int dae_state_mass_rest(const dae_state_mass *m, const double *F, double *out);

/* out[n + nx] := the mass matrix of the system times y, with the derivative of P along the direction of the
 * parameters p, which solves M_R dP = dM_R - (dM E)_R P in the rows R with pivots; at (t, u), the start. */
dae_status dae_state_mass_along(dae_state_mass *m, const dae_dual *p, double t, const double *u,
                                const dae_dual *y, dae_dual *out, dae_report *report);

/* What has become of M at (t, u). Where M has an inverse, or is diagonal, a determinant, or an entry, of
 * another sign than at the start has been zero on the way. */
typedef enum {
    DAE_MASS_AS_IT_WAS,
    DAE_MASS_HAS_MORE,          /* row *at sees what was in the kernel */
    DAE_MASS_LEAVES_DIAGONAL,   /* row *at has an entry off the diagonal of an M that had none */
    DAE_MASS_HAS_LESS           /* its rank is less, or was on the way; *at: the row, or -1 */
} dae_mass_change;
dae_mass_change dae_state_mass_look(dae_state_mass *m, const double *p, double t, const double *u, int *at);

#endif
