/* structured.c - dense pencils with identities, q eliminated
 *
 * In u = (q, z), z = (v, w), the first rows are q' = v. Of (M - gamma J) k = r they say
 *
 *     k_q = r_q + gamma k_v
 *
 * exactly, and with it the other rows, -gamma J_q k_q + (M_z - gamma J_z) k_z = r_z, become
 *
 *     (M_z - gamma J_z - gamma^2 [J_q 0]) k_z = r_z + gamma J_q r_q
 *
 * n - nq equations, solved with scaled partial pivoting; where the velocities' block is diagonal
 * they are eliminated too, and the multipliers are left (structured_diagonal.h). The pivots of the
 * first elimination are ones: the residual stays within a few eps of
 * |M - gamma J| |k| + |gamma J_q| |r_q|.
 *
 * That q' = v is told (matrix_pair.h), not read from J.
 */
#include "backend.h"

#include "dense_lu.h"
#include "pivoting.h"
#include "base/parts.h"

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

static void structured_free(void *self) { free(self); }

static void *structured_create(dae_matrix_pair *pair)
{
    const size_t nq = (size_t)pair->identities, m = (size_t)pair->pattern.n - nq;
    structured *s = DAE_RECORD(structured,
        DAE_PART(structured, re, m * m), DAE_PART(structured, im, m * m), DAE_PART(structured, J_q, m * nq),
        DAE_PART(structured, row, m), DAE_PART(structured, pivot, m));
    if (s) {
        s->nq = (int)nq;
        s->m = (int)m;
    }
    return s;
}

#include "structured_diagonal.h"
#include "structured_step.h"

typedef dae_factored factor_kernel(void *, const dae_matrix_pair *, double, double);
typedef int solve_kernel(void *, double *, double *);
static factor_kernel factor_structured;
static solve_kernel solve_structured, solve_transposed;

#define BACKEND(factor_, solve_, step_, factor_real_, solve_real_)                                \
    {.create = structured_create, .free = structured_free,                                        \
     .factor = factor_, .solve = solve_, .step = step_, .factor_real = factor_real_, .solve_real = solve_real_, \
     .solve_transposed = solve_transposed}

#define KERNEL "linear/structured_kernel.h"
#include "base/sizes.h"

static factor_kernel *const factors[SIZES] = BY_SIZE(structured_factor);
static solve_kernel *const solves[SIZES] = BY_SIZE(structured_solve);

static inline dae_factored factor_any(structured *s, int nq, int nl, const dae_matrix_pair *pair,
                                      double a, double b)
{
    s->gamma_re = a;
    s->gamma_im = b;
    s->diagonal = !pair->transposes && factor_diagonal(s, nq, nl, pair->J + nq, pair->M + nq, pair->size + nq);
    if (s->diagonal)
        return dae_factored_well();
    return (nq + nl < SIZES ? factors[nq + nl] : structured_factor_n)(s, pair, a, b);
}

static inline int solve_any(structured *s, int nq, int nl, double *re, double *im)
{
    if (!s->diagonal)
        return (nq + nl < SIZES ? solves[nq + nl] : structured_solve_n)(s, re, im);
    solve_diagonal(s, nq, nl, re, im);
    return 1;
}

static dae_factored factor_structured(void *self, const dae_matrix_pair *pair, double a, double b)
{
    structured *s = self;
    return factor_any(s, s->nq, s->m - s->nq, pair, a, b);
}

static int solve_structured(void *self, double *re, double *im)
{
    structured *s = self;
    return solve_any(s, s->nq, s->m - s->nq, re, im);
}

/* With the transpose, S^T k_z = r_z + gamma (r_q, 0) and k_q = r_q + gamma J_q^T k_z; im is NULL where gamma is real.
 * 0 behind factor_diagonal */
static int solve_transposed(void *self, double *re, double *im)
{
    const structured *s = self;
    const int nq = s->nq;
    double *z_re = re + nq, *z_im = im ? im + nq : NULL;
    if (s->diagonal)
        return 0;
    for (int j = 0; j < nq; j++)
        add_product(s->gamma_re, s->gamma_im, re[j], im ? im[j] : 0, z_re + j, im ? z_im + j : NULL);
    dae_dense_solve_transposed(s->m, s->re, s->im, s->pivot, z_re, z_im);
    for (int j = 0; j < nq; j++) {
        double x = 0, y = 0;
        for (int i = 0; i < s->m; i++) {
            x += s->J_q[j * s->m + i] * z_re[i];
            y += im ? s->J_q[j * s->m + i] * z_im[i] : 0;
        }
        add_product(s->gamma_re, s->gamma_im, x, y, re + j, im ? im + j : NULL);
    }
    return 1;
}

/* A single body under one constraint: the compiler writes the loops out. */
#define BODY(name, nq)                                                                            \
    static dae_factored factor_##name(void *self, const dae_matrix_pair *pair, double a, double b) \
    {                                                                                             \
        return factor_any(self, nq, 1, pair, a, b);                                               \
    }                                                                                             \
    static int solve_##name(void *self, double *re, double *im)                                   \
    {                                                                                             \
        return solve_any(self, nq, 1, re, im);                                                    \
    }                                                                                             \
    static int step_##name(const dae_matrix_pair *pair, double a, double b, double h, const double *F, \
                           const double *F_t, const double *u, double *u_new)                     \
    {                                                                                             \
        return step_diagonal(nq, a, b, h, pair->J + nq, pair->M + nq, pair->size + nq, F, F_t, u, u_new); \
    }
DAE_FOR_EACH_BODY(BODY)
#undef BODY

static const dae_linear_backend plane = BACKEND(factor_plane, solve_plane, step_plane,
                                                structured_factor_real_3,
                                                structured_solve_real_3);
static const dae_linear_backend space = BACKEND(factor_space, solve_space, step_space,
                                                structured_factor_real_4,
                                                structured_solve_real_4);
static const dae_linear_backend *const bodies[DAE_BODIES] = {NULL, &plane, &space};
static const dae_linear_backend *const backends[SIZES] = {
    &structured_n, &structured_n, &structured_2, &structured_3, &structured_4, &structured_5,
    &structured_6};

const dae_linear_backend *dae_linear_structured(const dae_matrix_pair *pair)
{
    const int nq = pair->identities, m = pair->pattern.n - nq;
    if (nq == 0 || !pair->pattern.full)
        return NULL;
    const dae_linear_backend *const body = bodies[dae_body_of(nq, m - nq)];
    if (body)
        return body;
    return m > DAE_SMALL ? NULL : m < SIZES ? backends[m] : &structured_n;
}
