/* jacobian.h - dF/du on a sparsity pattern and dF/dt, from dual numbers, differences or formulas;
 * the mass matrix stands on the same pattern */
#ifndef DAE_JACOBIAN_H
#define DAE_JACOBIAN_H

#include "base/sparsity.h"
#include "entry_plan.h"
#include "linear/matrix_pair.h"
#include "system/system.h"

/* Data of the run that a Jacobian belongs to; all NULL where there is none. */
typedef struct {
    const double *atol;         /* [n] tolerances; NULL: fixed steps */
    double rtol;
    const double *t, *t_new;    /* the present step */
} dae_run;

typedef struct dae_jacobian {
    dae_system *sys;
    dae_jacobian_kind kind;     /* never BEST */
    /* of the kind, and where dual numbers differentiate a mechanical F, of its functions */
    void (*provider)(struct dae_jacobian *jac, double t, const double *u, double *F, double *F_t);
    dae_run run;
    dae_matrix_pair pair;       /* M and J */
    dae_groups groups;
    dae_entry_plan *plan;       /* of an analytic J entry by entry, or NULL */
    double *floor;              /* [n] pair.size_j = |u_j| + floor_j, where floor_j = atol_j/rtol is a
                                   negligible value of u_j; initially 1 */
    double *work;               /* [4 n], and [n x n] where an analytic J is gathered; with a plan [3 n] */
    dae_dual *dual;             /* NULL with a plan, or [2 n]; [4 n] where dual numbers differentiate function
                                   by function: then */
    double *seeds;              /* [2 nq] a random direction of (q, v), or NULL, */
    unsigned force_sees;        /* and which of them the force has turned out to see */
    double *kept;               /* [nnz] the J saved by dae_jacobian_put_aside, or NULL */
    double *own;                /* NULL with a plan, or [4 n] magnitudes of the unknowns, their largest possible
                                   values, and a work array; for differences, and for the check of the pattern */
    double *direction;          /* [n] if sparse: a random d; J d must be the derivative of F along d */
    double *rounding;           /* [n] allowed difference in each row, relative to sum_j |J_ij d_j| */
    dae_statistics own_count;   /* pair.count points here unless it is set to the counts of a solver */
} dae_jacobian;

/* Sparse systems above this size do not use analytic derivatives that are dense blocks. */
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
 * start is noticed. Then the pattern is extended by the entries near (t, u), and J is computed again: nnz, M
 * and J change, and jac->pair.generation is increased. */
void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);

/* A Jacobian that only looks at F has counts of its own, as it must not set nonzeros and fill: add its work to
 * the counts of a solver, and set it to 0. */
void dae_jacobian_add_work(dae_jacobian *jac, dae_statistics *count);

/* Save J, and restore it, also if the pattern has changed since. make_room: allocate for it, to be called
 * first; 0 where there is no memory. */
int dae_jacobian_make_room(dae_jacobian *jac);
void dae_jacobian_put_aside(dae_jacobian *jac);
void dae_jacobian_take_back(dae_jacobian *jac);

#endif
