/* left_out.c - the oscillation that a slow solution leaves out
 *
 * With J v_k = lambda_k M v_k and d = sum_k c_k v_k at the start, d(t) = sum_k c_k v_k exp(lambda_k t), so that
 *
 *     |d_i(t)| <= sum_k |c_k v_ki| exp(Re lambda_k t)
 *
 * over finite lambda_k: those that are infinite belong to algebraic equations, which hold. Unknowns are taken in
 * their sizes. What does not decay beyond rounding of lambda_k counts as lasting, and growth does not count: it is
 * that of the slow solution.
 */
#include "radau_step.h"
#include "base/parts.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

void dggevx_(const char *balance, const char *left, const char *right, const char *sense, const int *n, double *a,
             const int *lda, double *b, const int *ldb, double *alpha_re, double *alpha_im, double *beta, double *vl,
             const int *ldvl, double *vr, const int *ldvr, int *ilo, int *ihi, double *lscale, double *rscale,
             double *anorm, double *bnorm, double *rconde, double *rcondv, double *work, const int *lwork, int *iwork,
             int *bwork, int *info, size_t, size_t, size_t, size_t);
void zgesv_(const int *n, const int *columns, double complex *a, const int *lda, int *pivot, double complex *b,
            const int *ldb, int *info);

typedef struct {
    int n;
    double *J, *M, *V;          /* [n x n] by columns */
    double *re, *im, *beta;     /* [n] lambda = (re + i im)/beta */
    double *scale;              /* [4 n] work */
    double *work;               /* [most n] */
    double complex *vectors, *c;        /* [n x n], [n] */
    int *pivot;                 /* [n + 6] as DGGEVX asks */
} modes;

enum { WORK = 16 };             /* work has 16 n + 16 numbers: DGGEVX asks for 2 n or 6 n */

static int create(modes *m, int n)
{
    const size_t k = (size_t)n;
    *m = (modes){.n = n};
    return DAE_PARTS(m,
                     DAE_PART(modes, J, k * k), DAE_PART(modes, M, k * k), DAE_PART(modes, V, k * k),
                     DAE_PART(modes, re, k), DAE_PART(modes, im, k), DAE_PART(modes, beta, k),
                     DAE_PART(modes, scale, 4 * k), DAE_PART(modes, work, WORK * (k + 1)),
                     DAE_PART(modes, vectors, k * k), DAE_PART(modes, c, k), DAE_PART(modes, pivot, k + 6))
           != NULL;
}

/* J and M at slow, of unknowns in units of their sizes; c := d in these units */
static int linearise(modes *m, const dae_quad_dae *dae, dae_quad t0, const dae_quad *u0, const dae_quad *slow,
                     const dae_quad *size)
{
    const int n = m->n;
    dae_quad_stepper r;
    const int made = dae_quad_stepper_create(&r, dae, DAE_RADAU_FEWEST);
    if (made) {
        dae_quad_stepper_start(&r, t0, slow);
        dae_quad_stepper_linearise(&r);
    }
    for (int j = 0; made && j < n; j++) {
        const dae_quad of = size[j] > 0 ? size[j] : 1;
        m->c[j] = (double)((u0[j] - slow[j]) / of);
        for (int i = 0; i < n; i++) {
            m->J[j * n + i] = (double)(r.J[j * n + i] * of);
            m->M[j * n + i] = (double)(r.M[j * n + i] * of);
        }
    }
    dae_quad_stepper_free(&r);
    return made;
}

/* Eigenvectors as complex columns; a pair stands as its real and its imaginary part. */
static void set_vectors(modes *m)
{
    const int n = m->n;
    for (int k = 0; k < n; k++) {
        const int pair = m->im[k] > 0 && k + 1 < n;
        for (int i = 0; i < n; i++) {
            const double complex v = m->V[k * n + i] + (pair ? m->V[(k + 1) * n + i] * I : 0);
            m->vectors[k * n + i] = v;
            if (pair)
                m->vectors[(k + 1) * n + i] = conj(v);
        }
        k += pair;
    }
}

/* c := the parts of d in the modes; 0 where they do not span it */
static int decompose(modes *m)
{
    const int n = m->n, one = 1, lwork = WORK * n + 16;
    double unused[2], anorm, bnorm, *rconde = m->scale + 2 * n, *rcondv = m->scale + 3 * n;
    int ilo, ihi, info;
    dggevx_("B", "N", "V", "N", &n, m->J, &n, m->M, &n, m->re, m->im, m->beta, unused, &one, m->V, &n, &ilo, &ihi,
            m->scale, m->scale + n, &anorm, &bnorm, rconde, rcondv, m->work, &lwork, m->pivot, m->pivot, &info, 1, 1,
            1, 1);
    if (info)
        return 0;
    set_vectors(m);
    double complex *const copy = m->vectors;
    for (int i = 0; i < n * n; i++)                     /* V keeps |v|, which the factorisation destroys */
        m->V[i] = cabs(copy[i]);
    zgesv_(&n, &one, copy, &n, m->pivot, m->c, &n, &info);
    return info == 0;
}

/* exp(Re lambda_k t) of what decays; 0 of what is infinite */
static double lasting(const modes *m, int k, double t)
{
    const double rounding = 1e-10, re = m->re[k], beta = m->beta[k];
    const double size = hypot(re, m->im[k]);
    if (fabs(beta) <= rounding * rounding * size)
        return 0;
    return re / beta < 0 && fabs(re) > rounding * size ? exp(re / beta * t) : 1;
}

double dae_left_out(const dae_quad_dae *dae, dae_quad t0, const dae_quad *u0, const dae_quad *slow,
                    const dae_quad *size, double later)
{
    const int n = dae->equations->n;
    double most = 1;
    modes m;
    if (create(&m, n) && linearise(&m, dae, t0, u0, slow, size) && decompose(&m)) {
        most = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += cabs(m.c[k]) * m.V[k * n + i] * lasting(&m, k, later);
            most = fmax(most, sum);
        }
    }
    free(m.J);
    return isfinite(most) ? fmin(most, 1) : 1;
}
