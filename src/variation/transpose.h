/* transpose.h - transposes of the derivative of a step
 *
 * Where a step takes du and dp to du+ = A du + B dp, a method's function dae_method.transpose takes u, the
 * derivative of a number by u+, to A^T u, and adds B^T u to p.
 */
#ifndef DAE_TRANSPOSE_H
#define DAE_TRANSPOSE_H

#include "linear/matrix_pair.h"
#include "variation.h"

typedef struct dae_transpose {
    dae_variation v;            /* direction c is that of parameter c alone */
    double *u;                  /* [n] */
    double *p;                  /* [v.count] */
    double *F;                  /* [n] scratch */
} dae_transpose;

dae_status dae_transpose_create(dae_transpose *a, dae_system *sys, int parameters);
void dae_transpose_free(dae_transpose *a);

/* p += x F_p^T w, at (t, u);  p -= (M_p y)^T w */
dae_status dae_transpose_parameters(dae_transpose *a, double t, const double *u, double x, const double *w);
dae_status dae_transpose_mass_parameters(dae_transpose *a, const double *y, const double *w);

/* y[n] += x A^T w, for A on the pattern of the pair */
void dae_transpose_multiply(const dae_matrix_pair *pair, const double *A, double x, const double *w, double *y);

/* Of mechanical systems without nonholonomic constraints: u, p := from a state (t, q, v) on its constraints to the one
 * whose nearest it is; of u what stands behind (q, v) becomes 0. DAE_SINGULAR. */
dae_status dae_transpose_projection(dae_transpose *a, double t, const double *q, const double *v);

#endif
