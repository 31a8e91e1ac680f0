/* structured.c - dense pencils of mechanical systems, the positions eliminated
 *
 * In u = (q, z), z = (v, lambda), the first rows of F are v. Of (M - gamma J) k = r they say
 *
 *     k_q = r_q + gamma k_v
 *
 * exactly, and with it the other rows, -gamma J_q k_q + (M_z - gamma J_z) k_z = r_z, become
 *
 *     (M_z - gamma J_z - gamma^2 [J_q 0]) k_z = r_z + gamma J_q r_q
 *
 * n - nq equations, solved with partial pivoting. The pivots of the elimination are ones: the
 * residual stays within a few eps of |M - gamma J| |k| + |gamma J_q| |r_q|.
 *
 * That F_q = v is known of the formulation, not read from J. Two pencils are left to the other
 * solvers: that of the form ggl, F_q = v - G^T mu, where I - gamma dF_q/dq would have to be
 * factored and nothing is gained; and one of differences, whose rows of q' = v are rounded.
 */
#include "backend.h"

#include "dense_lu.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    int nq, m;                  /* positions, the unknowns behind them */
    double gamma_re, gamma_im;
    double *re, *im;            /* [m x m] column-major */
    double *J_q;                /* [m x nq] column-major: dF_z/dq, of when it was factored */
    int *pivot;                 /* [m] */
} structured;

static void structured_free(void *self)
{
    structured *s = self;
    free(s->re);
    free(s->pivot);
    free(s);
}

static void *structured_create(const dae_jacobian *jac)
{
    structured *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->nq = jac->sys->nq;
    s->m = jac->sys->n - s->nq;
    const size_t m = (size_t)s->m;
    s->re = calloc(2 * m * m + m * (size_t)s->nq, sizeof *s->re);
    s->pivot = calloc(m, sizeof *s->pivot);
    if (!s->re || !s->pivot) {
        structured_free(s);
        return NULL;
    }
    s->im = s->re + m * m;
    s->J_q = s->im + m * m;
    return s;
}

/* The unknown of a column of S; -1 remains. */
static int unknown(const structured *s, int column)
{
    return column < 0 ? -1 : s->nq + column;
}

#define KERNEL "structured_kernel.h"
#include "sizes.h"

static const dae_linear_backend *const backends[SIZES] = {
    &structured_n, &structured_n, &structured_2, &structured_3, &structured_4, &structured_5,
    &structured_6};

const dae_linear_backend *dae_linear_structured(const dae_jacobian *jac)
{
    const dae_system *sys = jac->sys;
    if (!sys || !jac->pattern.full || jac->kind == DAE_JACOBIAN_FD
        || sys->compose->kind != DAE_FORM_MECHANICAL || sys->compose->auxiliary > 0)
        return NULL;
    const int m = sys->n - sys->nq;
    return m > DAE_SMALL ? NULL : m < SIZES ? backends[m] : &structured_n;
}
