/* jacobian.h - dF/du on a sparsity pattern and dF/dt, from dual numbers, differences or formulas
 *
 * One layout serves dense and sparse: compressed columns. Where the pattern is full the values are
 * a dense column-major matrix. The mass matrix stands on the same pattern, so that a pencil is
 * M_k - gamma J_k for k = 0 .. nnz-1.
 */
#ifndef DAE_JACOBIAN_H
#define DAE_JACOBIAN_H

#include "sparsity.h"
#include "system.h"

/* Columns without a common row are differentiated together: the c-th group are
 * column[start[c]] ... column[start[c + 1] - 1]. */
typedef struct {
    int count;                  /* 0 where the pattern is full */
    int *start;                 /* [count + 1] */
    int *column;                /* [n] */
} dae_groups;

typedef struct {
    dae_system *sys;
    dae_jacobian_kind kind;     /* never BEST */
    dae_pattern pattern;        /* of M and J together */
    dae_groups groups;
    double *M;                  /* [nnz] */
    double *J;                  /* [nnz] */
    double *size;               /* [n] of each unknown where J is: |u_j| + floor_j, ... */
    double *floor;              /* [n] ... below which it does not matter: atol_j/rtol; 1 at first */
    double *work;               /* [4 n], and [n x n] where an analytic J is gathered */
    dae_dual *dual;             /* [2 n] */
    double *direction;          /* [n] where sparse: J is tried in it, ... */
    int tried;                  /* ... if pencils take it as it is, which Newton's iteration need not */
    int incomplete;             /* F has a derivative that the pattern does not hold: 1 + its row */
    dae_statistics *count;      /* where rhs and jacobians are counted; never NULL */
    dae_statistics own_count;
    long fill;                  /* entries in the factors of a pencil, as counted */
    void *shared;               /* what the pencils of this Jacobian keep in common, or NULL, */
    void (*release)(void *shared);      /* and how it is given back */
} dae_jacobian;

/* Analytic derivatives come as dense blocks: sparse systems above this size do without. */
enum { DAE_MOST_GATHERED = 256 };

/* sparse: find the pattern by probing; otherwise it is full. Probing evaluates the dual Jacobian
 * at several random points around the problem's start; an entry that is not zero at any is kept. A
 * sparse Jacobian from dual numbers or differences takes one F for each group of columns. */
dae_status dae_jacobian_create(dae_jacobian **jac, dae_system *sys, dae_jacobian_kind kind,
                               int sparse, dae_report *report);
void dae_jacobian_free(dae_jacobian *jac);
int dae_jacobian_kind_exists(dae_jacobian_kind kind);

/* F[n] := F(t, u), jac->J := dF/du, F_t[n] := dF/dt (F_t may be NULL). A sparse J of which
 * pencils are made is compared with the dual derivative of F in a random direction, so that an entry
 * which begins to be away from the start is noticed: jac->incomplete. */
void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);

#endif
