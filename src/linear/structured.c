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
 * n - nq equations, solved with scaled partial pivoting; where the velocities' block is diagonal they are
 * eliminated too, and the multipliers are left (structured_diagonal.h). The pivots of the first
 * elimination are ones: the residual stays within a few eps of
 * |M - gamma J| |k| + |gamma J_q| |r_q|.
 *
 * That F_q = v is known of the formulation, not read from J. Two pencils are left to the other
 * solvers: that of the form ggl, F_q = v - G^T mu, where I - gamma dF_q/dq would have to be
 * factored and nothing is gained; and one of differences, whose rows of q' = v are rounded.
 */
#include "backend.h"

#include "dense_lu.h"
#include "multiply.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int nq, m;                  /* positions, the unknowns behind them */
    double gamma_re, gamma_im;
    double inverse_re, inverse_im, over_Q;      /* -1/gamma, 1/|Q|^2 where diagonal */
    double *re, *im;            /* [m x m] column-major */
    double *J_q;                /* [m x nq] column-major: dF_z/dq, of when it was factored */
    double *row;                /* [m] scratch of the pivoting */
    int *pivot;                 /* [m] */
    int diagonal;               /* factored by factor_diagonal */
} structured;

static void structured_free(void *self)
{
    structured *s = self;
    free(s->re);
    free(s->pivot);
    free(s);
}

static void *structured_create(dae_jacobian *jac)
{
    structured *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->nq = jac->sys->nq;
    s->m = jac->sys->n - s->nq;
    const size_t m = (size_t)s->m;
    s->re = calloc(2 * m * m + m * (size_t)s->nq + m, sizeof *s->re);
    s->pivot = calloc(m, sizeof *s->pivot);
    if (!s->re || !s->pivot) {
        structured_free(s);
        return NULL;
    }
    s->im = s->re + m * m;
    s->J_q = s->im + m * m;
    s->row = s->J_q + m * (size_t)s->nq;
    return s;
}

/* The unknown of a column of S; -1 remains. */
static int unknown(const structured *s, int column)
{
    return column < 0 ? -1 : s->nq + column;
}

#include "structured_diagonal.h"

static int factor_structured(void *self, const dae_jacobian *jac, double a, double b);
static int solve_structured(void *self, double *re, double *im);

#define KERNEL "structured_kernel.h"
#include "sizes.h"

typedef int factor_kernel(void *, const dae_jacobian *, double, double);
typedef int solve_kernel(void *, double *, double *);
static factor_kernel *const factors[SIZES] = BY_SIZE(structured_factor);
static solve_kernel *const solves[SIZES] = BY_SIZE(structured_solve);

/* The loops of a single body under one constraint, in the plane or in space, are written out by the
 * compiler. */
static int factor_structured(void *self, const dae_jacobian *jac, double a, double b)
{
    structured *s = self;
    const double *J = jac->J + s->nq, *M = jac->M + s->nq;
    const int nq = s->nq, nl = s->m - nq;
    s->gamma_re = a;
    s->gamma_im = b;
    const double *size = jac->size + nq;
    s->diagonal = nl == 1 && nq == 2   ? factor_diagonal(s, 2, 1, J, M, size)
                  : nl == 1 && nq == 3 ? factor_diagonal(s, 3, 1, J, M, size)
                                       : factor_diagonal(s, nq, nl, J, M, size);
    if (s->diagonal)
        return -1;
    return (s->m < SIZES ? factors[s->m] : structured_factor_n)(s, jac, a, b);
}

static int solve_structured(void *self, double *re, double *im)
{
    const structured *s = self;
    const int nq = s->nq, nl = s->m - nq;
    if (!s->diagonal)
        return (s->m < SIZES ? solves[s->m] : structured_solve_n)(self, re, im);
    if (nl == 1 && nq == 2)
        solve_diagonal(s, 2, 1, re, im);
    else if (nl == 1 && nq == 3)
        solve_diagonal(s, 3, 1, re, im);
    else
        solve_diagonal(s, nq, nl, re, im);
    return 1;
}

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
