/* nearest.h - the state with C(x) = 0 that is nearest to a given one
 *
 * Rows of C that share no unknown, and no entry of W, form independent parts. Each part has step sizes and
 * convergence tests of its own.
 */
#ifndef DAE_NEAREST_H
#define DAE_NEAREST_H

#include "system/system.h"

typedef struct dae_parts dae_parts;

/* C(x) = 0, x[n], C[rows], and the norm x^T W x. solve, correct, multiply and touch use G and S at the x of
 * the last call of factor. */
typedef struct {
    void *context;
    int n, rows;
    int joined;                 /* 1: W is not diagonal, and all rows are one part */
    const double *unit;         /* [n] 1/sqrt(W_ii); 0: an unknown without weight */
    void (*residual)(void *context, const double *x, double *C);
    int (*factor)(void *context, const double *x);      /* G = C_x, S = G W^-1 G^T; 0: S is
                                                           singular */
    void (*solve)(void *context, double *c);            /* c := S^-1 c */
    void (*correct)(void *context, const double *c, double *x);         /* x -= W^-1 G^T c */
    void (*multiply)(void *context, const double *x, int absolute, double *c);  /* G x, |G| |x| */
    void (*touch)(void *context, dae_parts *parts);     /* dae_parts_touch for each entry of G */
    void (*weigh)(void *context, const double *x, double *Wx);
    dae_status (*project)(void *context, double *x);    /* Gauss-Newton from a near x, to rounding */
} dae_surface;

struct dae_parts {
    int rows, n;
    int *row, *unknown;         /* [rows], [n] the part of each, 0 ... rows - 1; -1: unknown of no row */
    double *work;               /* [2 n] */
};

/* From the entries of G at two random points near x, as an entry may be zero at x itself. */
dae_status dae_parts_create(dae_parts *parts, const dae_surface *surface, const double *x);
void dae_parts_free(dae_parts *parts);

/* join: join the parts that G couples. touch: G_ki is an entry. */
void dae_parts_join(dae_parts *parts, const dae_surface *surface);
void dae_parts_touch(dae_parts *parts, int k, int i);

/* square[rows] := (x - x0)^T W (x - x0) in each part */
void dae_parts_measure(dae_parts *parts, const dae_surface *surface, const double *x0,
                       const double *x, double *square);

/* Replace each part of x by that of other if the squared distance of other to x0 is below factor times that
 * of x. Returns the number of parts replaced. square: work array [2 rows] */
int dae_parts_take_nearer(dae_parts *parts, const dae_surface *surface, const double *x0,
                          double factor, double *x, const double *other, double *square);

/* From x[n] find a point with C = 0; from there minimise the distance to x0 on C = 0. x := a stationary
 * point, usually a local minimum, to 1e-9. shaken = 1: minimise once more from a perturbed x, to exclude a
 * saddle point. DAE_SINGULAR, DAE_NO_CONVERGENCE, DAE_NO_MEMORY; x is then undefined. */
dae_status dae_approach(const dae_surface *surface, dae_parts *parts, const double *x0, int shaken,
                        double *x);

/* ---- the algebraic equations C(t, u) = 0 of M u' = F, and the norm of the nearest state ---------- */

typedef struct {
    dae_system *sys;
    double t;
    int n;                      /* unknowns of the problem; m >= n are those of the system */
    const double *given;        /* [n] u0 */
    int rows;                   /* of C */
    double *z;                  /* [2 n x m] equation k of C is z_k^T F = 0 */
    /* Where w = P u' is carried, z_k^T F is that of F - M(t, u) E w with the w that these equations give for
     * each of both right-hand sides, and z_k goes with u. */
    int *equation;              /* [2 n] which of those that elimination leaves */
    int *order;                 /* [n] its choice of rows, which stays; order[0] < 0: there is none yet */
    double *w, *y;              /* [2 nx + n], [n x n] */
    int joined;                 /* 1: directions without a derivative are more than single unknowns */
    int *reduced;               /* [2 n] 1: equation k has the reduced right-hand side in place of F */
    double *unit;               /* [n] of the unknowns; 1 where they are not joined */
    double *W;                  /* [n x n] in these units, a symmetric projection */
    double *C, *C_u;            /* [2 n], [2 n x n] by columns */
    double *terms;              /* [2 n] sum_i |z_i F_i| of each equation */
    dae_dual *u, *F, *F_reduced;        /* [m] */
    dae_quad *exact;            /* [3 m] the same in quad */
} dae_nearest_state;

/* C, its terms and C_u at u. */
void dae_nearest_state_evaluate(dae_nearest_state *c, const double *u);

/* first_order_surface.c. u[n] := the nearest state to u0 by dae_approach, kappa[rows] := its Lagrange
 * multipliers. DAE_UNSUPPORTED for more than 200 unknowns; other failures as dae_approach. */
dae_status dae_nearest_state_approach(dae_nearest_state *c, double *u, double *kappa);

#endif
