/* jacobian.h - dF/du on a sparsity pattern and dF/dt, from dual numbers, differences or formulas;
 * the mass matrix stands on the same pattern */
#ifndef DAE_JACOBIAN_H
#define DAE_JACOBIAN_H

#include "base/groups.h"
#include "linear/matrix_pair.h"
#include "system/system.h"

/* What a Jacobian may know of the run it is made for; all NULL where it is made for none. */
typedef struct {
    const double *atol;         /* [n] or NULL where no tolerance holds, and rtol */
    double rtol;
    const double *t, *t_new;    /* the present step */
} dae_run;

typedef struct {
    dae_system *sys;
    dae_jacobian_kind kind;     /* never BEST */
    dae_run run;
    dae_matrix_pair pair;       /* M and J */
    dae_groups groups;
    double *floor;              /* [n] pair.size_j = |u_j| + floor_j where J is, below which u_j does
                                   not matter: atol_j/rtol; 1 at first */
    double *work;               /* [4 n], and [n x n] where an analytic J is gathered */
    dae_dual *dual;             /* [2 n] */
    double *kept;               /* [nnz] the J put aside, or NULL */
    double *own;                /* [4 n] sizes of the unknowns by themselves, what they may grow to,
                                   and scratch: for differences, and for where J is tried */
    double *direction;          /* [n] where sparse: J is tried in it, ... */
    double *rounding;           /* [n] ... to so much of sum_j |J_ij d_j| in each row */
    dae_statistics own_count;   /* what pair.count is at first: there are rhs and jacobians, too */
} dae_jacobian;

/* Analytic derivatives come as dense blocks: sparse systems above this size do without. */
enum { DAE_MOST_GATHERED = 256 };

/* sparse: find the pattern by probing; otherwise it is full. Probing evaluates the dual Jacobian
 * at several random points around the problem's start; an entry that is not zero at any is kept. A
 * sparse Jacobian from dual numbers or differences takes one F for each group of columns. */
dae_status dae_jacobian_create(dae_jacobian **jac, dae_system *sys, dae_jacobian_kind kind,
                               int sparse, dae_report *report);
dae_status dae_jacobian_create_for(dae_jacobian **jac, dae_system *sys, dae_jacobian_kind kind,
                                   int sparse, const dae_run *run, dae_report *report);
void dae_jacobian_free(dae_jacobian *jac);
int dae_jacobian_kind_exists(dae_jacobian_kind kind);

/* F[n] := F(t, u), jac->pair.J := dF/du, F_t[n] := dF/dt (F_t may be NULL). A sparse J is compared with
 * the dual derivative of F in a random direction, so that an entry which begins to be away from the
 * start is noticed. Then the pattern is found again near (t, u), with all that it had, and J on it:
 * nnz, M and J are others afterwards, which jac->pair.generation tells. */
void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);

/* Put J aside, and take it back, whatever became of the pattern meanwhile. Room for it, at first; 0
 * where there is none. */
int dae_jacobian_make_room(dae_jacobian *jac);
void dae_jacobian_put_aside(dae_jacobian *jac);
void dae_jacobian_take_back(dae_jacobian *jac);

#endif
