/* manifold_rows.h - the rows I(t, u) = c of constraints and invariants, and what is known of them */
#ifndef DAE_MANIFOLD_ROWS_H
#define DAE_MANIFOLD_ROWS_H

#include "manifold.h"

enum { DAE_PROJECT_CONSTRAINTS = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY };

struct dae_manifold {
    dae_system *sys;
    unsigned levels;            /* DAE_PROJECT_* */
    int n, rows, invariants;    /* unknowns that move, equations, how many of those are
                                   invariants */
    double *c;                  /* [invariants] */
    dae_quad *c_exact;          /* [invariants] the same, of the start in quad, and ... */
    dae_quad *u_exact, *r_exact;        /* [n], [rows + 2 nq] ... what is evaluated in quad */
    int has_quad;               /* the model is there in quad */
    double *P, *WP;             /* [rows x n] dI/du; P W */
    double *S, *diagonal;       /* [rows x rows] P W P^T of the active rows, factored; [rows] */
    double *r, *kappa;          /* [rows] */
    double *size, *before;      /* [rows] sum_j |P_kj u_j| + |c_k|; r_k before the last step */
    double *seen;               /* [rows] size when rounding inside of I was last looked for */
    double *d;                  /* [n] */
    double *largest;            /* [n] |u_i| so far; not of mechanical systems */
    const double *atol;         /* [n] what stands for it where that is 0, ... */
    double rtol;                /* ... atol_i/rtol */
    double *x;                  /* [2 nq] (q, v) of minimal coordinates */
    dae_dual *seeded, *out;     /* [n], [rows + 2 nq] */
    int *usable, usables;       /* [rows] rows that are independent at the start, */
    int *active, actives;       /* [rows] and at the present state */
};

static inline int dae_manifold_is_minimal(const dae_manifold *c)
{
    return c->sys->compose->kind == DAE_FORM_MINIMAL;
}

/* The invariants at (t, u) into out[invariants]; all rows in quad into r_exact. */
void dae_manifold_invariants(dae_manifold *c, double t, const double *u, double *out);
void dae_manifold_evaluate_exactly(dae_manifold *c, double t, const double *u);

/* r := c - I(t, u) for all rows, exact: in quad. */
void dae_manifold_residual(dae_manifold *c, double t, const double *u, int exact);

/* P, P W and the factors of S at (t, u), of those usable rows that are independent: the sine of their
 * angle to those before them is above the root of least. 0 where P is not finite, or M not positive
 * definite. */
int dae_manifold_linearise(dae_manifold *c, double t, const double *u, double least);

#endif
