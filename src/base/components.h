/* components.h - combinations of unknowns that have an index of their own, y = T u
 *
 * Where M sees combinations of unknowns, each unknown has a part in its kernel, and all are of the index of that. What
 * has an index is a combination, y_i = u_i + sum_j T_ij u_j, of which u_i has the largest tolerance: so y_i has that
 * of u_i.
 */
#ifndef DAE_COMPONENTS_H
#define DAE_COMPONENTS_H

typedef struct dae_components {
    int n;
    int *index;                 /* [n] of y_i, at least 1 */
    int *algebraic;             /* [n] 1: y_i has no derivative in M u' */
    double *T, *V;              /* [n x n] by rows, V = T^-1 */
    double *y;                  /* [n] work array */
} dae_components;

/* T = V = I, each of index 1; NULL: no memory. */
dae_components *dae_components_create(int n);
void dae_components_free(dae_components *c);

/* y := T u; u := V y. Different arrays. */
void dae_components_of(const dae_components *c, const double *u, double *y);
void dae_components_back(const dae_components *c, const double *y, double *u);

/* T (u - v), in the work array; u NULL: -T v */
const double *dae_components_apart(const dae_components *c, const double *u, const double *v);

/* u[n] := from[n], 0 where that is NULL, in components of index 2 and above */
void dae_components_take(const dae_components *c, const double *from, double *u);

#endif
