/* jacobian.h - dF/du on a sparsity pattern and dF/dt, from dual numbers, differences or formulas
 *
 * One layout serves dense and sparse: compressed columns. Where the pattern is full the values are a
 * dense column-major matrix. The mass matrix stands on the same pattern, so that a pencil is
 * M_k - gamma J_k for k = 0 .. nnz-1.
 */
#ifndef DAE_JACOBIAN_H
#define DAE_JACOBIAN_H

#include "system.h"

typedef struct {
    int n, nnz;
    int full;                   /* every entry is stored: values are dense column-major */
    int *column;                /* [n + 1] starts of the columns */
    int *row;                   /* [nnz] row of each entry, increasing in a column */
} dae_pattern;

typedef struct {
    dae_system *sys;
    dae_jacobian_kind kind;     /* never BEST */
    dae_pattern pattern;        /* of M and J together */
    double *M;                  /* [nnz] */
    double *J;                  /* [nnz] */
    double *work;               /* [4 n], and [n x n] where an analytic J is gathered */
    dae_dual *dual;             /* [2 n] */
    dae_statistics *count;      /* where rhs and jacobians are counted; never NULL */
    dae_statistics own_count;
} dae_jacobian;

/* sparse: find the pattern by probing; otherwise it is full. Probing evaluates the dual Jacobian at
 * several random points around the problem's start; an entry that is not zero at any is kept. */
dae_status dae_jacobian_create(dae_jacobian **jac, dae_system *sys, dae_jacobian_kind kind,
                               int sparse, dae_report *report);
void dae_jacobian_free(dae_jacobian *jac);

/* F[n] := F(t, u), jac->J := dF/du, F_t[n] := dF/dt (F_t may be NULL). */
void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);

#endif
