/* nearest.h - the way to the state on C(x) = 0 that is nearest to a given one
 *
 * Rows of C that share no unknown, and no entry of W, are parts: each is as near or far, as large
 * or small as it is by itself, and goes its own way.
 */
#ifndef DAE_NEAREST_H
#define DAE_NEAREST_H

#include "system/system.h"

typedef struct dae_parts dae_parts;

/* C(x) = 0, x[n], C[rows], and the norm x^T W x. What comes after factor is at its x. */
typedef struct {
    void *context;
    int n, rows;
    int joined;                 /* W is not diagonal: all is one part */
    const double *unit;         /* [n] 1/sqrt(W_ii); 0: an unknown without weight */
    void (*residual)(void *context, const double *x, double *C);
    int (*factor)(void *context, const double *x);      /* G = C_x, S = G W^-1 G^T; 0: S is
                                                           singular */
    void (*solve)(void *context, double *c);            /* c := S^-1 c */
    void (*correct)(void *context, const double *c, double *x);         /* x -= W^-1 G^T c */
    void (*multiply)(void *context, const double *x, int absolute, double *c);  /* G x, |G| |x| */
    void (*touch)(void *context, dae_parts *parts);     /* dae_parts_touch for each entry of G */
    void (*weigh)(void *context, const double *x, double *Wx);
    dae_status (*project)(void *context, double *x);    /* Gauss-Newton from near, to rounding */
} dae_surface;

struct dae_parts {
    int rows, n;
    int *row, *unknown;         /* [rows], [n] the part of each, 0 ... rows - 1; -1: of a free
                                   unknown */
    double *work;               /* [2 n] */
};

/* As G has them at two places near x: an entry that is zero at x by chance is not there. */
dae_status dae_parts_create(dae_parts *parts, const dae_surface *surface, const double *x);
void dae_parts_free(dae_parts *parts);

/* Join what G joins; row k acts on unknown i. */
void dae_parts_join(dae_parts *parts, const dae_surface *surface);
void dae_parts_touch(dae_parts *parts, int k, int i);

/* square[rows] := (x - x0)^T W (x - x0) in each part */
void dae_parts_measure(dae_parts *parts, const dae_surface *surface, const double *x0,
                       const double *x, double *square);

/* x takes the parts of other whose squared distance to x0 is below so many times its own. Their
 * number. square: [2 rows] */
int dae_parts_take_nearer(dae_parts *parts, const dae_surface *surface, const double *x0,
                          double factor, double *x, const double *other, double *square);

/* x[n] := a point with C = 0 to which x leads, and from there down to one where the distance to x0
 * is least among its neighbours, or stationary, to 1e-9. shaken: not a saddle, as far as a second
 * descent from beside it tells. DAE_SINGULAR or DAE_NO_CONVERGENCE where there is no way,
 * DAE_NO_MEMORY; x is then anywhere. */
dae_status dae_approach(const dae_surface *surface, dae_parts *parts, const double *x0, int shaken,
                        double *x);

#endif
