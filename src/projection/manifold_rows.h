/* manifold_rows.h - the equations I(t, u) = c of constraints and invariants, with P = dI/du */
#ifndef DAE_MANIFOLD_ROWS_H
#define DAE_MANIFOLD_ROWS_H

#include "manifold.h"

enum { DAE_PROJECT_CONSTRAINTS = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY };

struct dae_manifold {
    dae_system *sys;
    unsigned levels;            /* DAE_PROJECT_* */
    int n, rows, invariants;    /* number of unknowns that are corrected, of equations, of invariants */
    double *c;                  /* [invariants] their values at the start */
    dae_quad *c_exact;          /* [invariants] the same in quad */
    dae_quad *u_exact, *r_exact;        /* [n], [rows + 2 nq] u, and I(t, u) in quad */
    int has_quad;               /* 1: the model has functions in quad */
    double *P, *WP;             /* [rows x n] dI/du; P W */
    double *S, *diagonal;       /* [rows x rows] P W P^T of the active rows, factored; [rows] */
    double *r, *kappa;          /* [rows] */
    double *size, *before;      /* [rows] sum_j |P_kj u_j| + |c_k|; r_k before the last iteration */
    double *seen;               /* [rows] size when rounding errors inside of I were last estimated */
    double *d;                  /* [n] the correction of an iteration */
    double *largest;            /* [n] largest |u_i| since the start; not for mechanical systems */
    const double *atol;         /* [n] where largest_i is 0, atol_i/rtol takes its place */
    double rtol;
    double *x;                  /* [2 nq] (q, v) of minimal coordinates */
    dae_dual *seeded, *out;     /* [n], [rows + 2 nq] u and I in dual numbers, for P */
    int *usable, usables;       /* [rows] equations that are independent at the start; their number */
    int *active, actives;       /* [rows] those of them that are independent at the present state */
};

static inline int dae_manifold_is_minimal(const dae_manifold *c)
{
    return c->sys->compose->kind == DAE_FORM_MINIMAL;
}

/* The invariants at (t, u) into out[invariants]; all rows in quad into r_exact. */
void dae_manifold_invariants(dae_manifold *c, double t, const double *u, double *out);
void dae_manifold_evaluate_exactly(dae_manifold *c, double t, const double *u);

/* r := c - I(t, u) for all rows; exact = 1: evaluated in quad. */
void dae_manifold_residual(dae_manifold *c, double t, const double *u, int exact);

/* P, P W and the factors of S at (t, u). The active rows are those usable rows whose angle to the rows before
 * them has a sine above the root of least. 0 where P is not finite, or M not positive definite. */
int dae_manifold_linearise(dae_manifold *c, double t, const double *u, double least);

#endif
