/* radau_transpose.c - the transpose of the derivative of a step of Radau IIA (radau_vary.c)
 *
 *     sum_j a'_ji M^T w_j - h J_i^T w_i = e_i,   e_s = u+, else 0
 *     u = u+ + h sum_i J_i^T w_i,   p += sum_i (h F_p^T w_i - (M_p sum_j a'_ij z_j)^T w_i)
 *
 * Solved by the factors of the whole system where that is small, else by iteration with one J for all stages, that of
 * the middle one:
 *
 *     A'^T x M^T - h I x J^T = (T^-T x I)(D^T x M^T - h I x J^T)(T^T x I),   A' = T D T^-1
 */
#include "radau.h"

#include "variation/transpose.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 200 };
static const double ROUNDING = 8 * DBL_EPSILON;
static const double FALLS = 0.9;
static const double NEAR = 1e-9;        /* corrections that no longer fall are rounding below this part of the whole */

typedef struct {
    dae_solver *s;
    dae_transpose *a;
    double t, h;                /* the begin of the step, and its size */
    double *w, *rest, *dw, *x;  /* [n s] each */
    double *J;                  /* [nnz s] of the stages, where they are iterated */
} step;

/* ---- iteration ------------------------------------------------------------------------------- */

/* J of all stages, and the pencils of that in the middle */
static dae_status linearise(const step *p)
{
    const radau *r = p->s->stepper;
    const radau_tableau *tab = r->tab;
    const dae_matrix_pair *pair = &r->real.jac->pair;
    const size_t nnz = (size_t)pair->pattern.nnz;
    dae_status status = DAE_OK;
    for (int k = 0; k < tab->s; k++) {
        const int i = (k + tab->s / 2 + 1) % tab->s;    /* the middle one comes last, and stays */
        dae_linearise(r->real.jac, p->t + tab->c[i] * p->h, r->at + i * p->s->n, p->a->F, NULL);
        if ((size_t)pair->pattern.nnz != nnz)
            return DAE_OK;                              /* the pattern has grown: to be begun again */
        memcpy(p->J + (size_t)i * nnz, pair->J, nnz * sizeof *p->J);
    }
    status = dae_transpose_pair(p->a, pair, p->h / tab->mu);
    for (int k = 0; !status && k <= tab->s / 2; k++) {
        dae_pencil *pencil = dae_transpose_pencil(p->a, k);
        if (!pencil)
            return DAE_NO_MEMORY;
        const double a = k ? tab->alpha[k - 1] : 0, b = k ? tab->beta[k - 1] : 0, d = p->h / (a * a + b * b);
        const dae_factored factored = k ? dae_pencil_factor(pencil, d * a, d * b)
                                        : dae_pencil_factor_real(pencil, p->h / tab->mu);
        status = factored.status;
    }
    return status;
}

/* rest := e - (A'^T x M^T) w + h (J_i^T w_i) */
static void find_rest(const step *p)
{
    const radau *r = p->s->stepper;
    const dae_matrix_pair *pair = &r->real.jac->pair;
    const int n = p->s->n, stages = r->tab->s;
    double a[RADAU_STAGES * RADAU_STAGES];
    dae_radau_inverse(r->tab, 1, a);
    dae_radau_combine(stages, stages, n, a, p->w, p->x);
    for (int i = 0; i < stages; i++) {
        double *rest = p->rest + i * n;
        memset(rest, 0, (size_t)n * sizeof *rest);
        if (i == stages - 1)
            memcpy(rest, p->a->u, (size_t)n * sizeof *rest);
        dae_transpose_multiply(pair, pair->M, -1, p->x + i * n, rest);
        dae_transpose_multiply(pair, p->J + (size_t)i * (size_t)pair->pattern.nnz, p->h, p->w + i * n, rest);
    }
}

/* dw := the correction that rest asks for */
static dae_status correct(const step *p)
{
    const radau *r = p->s->stepper;
    const radau_tableau *tab = r->tab;
    const int n = p->s->n, s = tab->s;
    double transposed[RADAU_STAGES * RADAU_STAGES], back[RADAU_STAGES * RADAU_STAGES];
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            transposed[i * s + j] = tab->T[j * s + i];
            back[i * s + j] = tab->T_inverse[j * s + i];
        }
    dae_radau_combine(s, s, n, transposed, p->rest, p->x);
    for (int i = 0; i < n; i++) {
        p->x[i] /= tab->mu;
        for (int k = 0; k < s / 2; k++) {               /* over alpha - i beta */
            double *re = p->x + (2 * k + 1) * n + i, *im = re + n;
            const double a = tab->alpha[k], b = tab->beta[k], d = a * a + b * b, x = *re, y = *im;
            *re = (a * x - b * y) / d;
            *im = (a * y + b * x) / d;
        }
    }
    dae_status status = dae_pencil_solve_real(p->a->pencil[0], p->x);
    for (int k = 0; !status && k < s / 2; k++)
        status = dae_pencil_solve(p->a->pencil[k + 1], p->x + (2 * k + 1) * n, p->x + (2 * k + 2) * n);
    dae_radau_combine(s, s, n, back, p->x, p->dw);
    return status;
}

/* The largest of x[n s], in sizes of the unknowns of the transpose */
static double size_of(const step *p, const double *x)
{
    double largest = 0;
    const radau *r = p->s->stepper;
    for (int k = 0; k < r->tab->s; k++)
        for (int i = 0; i < p->s->n; i++)
            largest = fmax(largest, fabs(x[k * p->s->n + i]) / p->a->pair.size[i]);
    return largest;
}

static dae_status iterate(const step *p)
{
    const radau *r = p->s->stepper;
    const int rows = p->s->n * r->tab->s;
    double before = INFINITY;
    dae_status status = DAE_OK;
    memset(p->w, 0, (size_t)rows * sizeof *p->w);
    for (int k = 0; !status && k < MOST_ITERATIONS; k++) {
        find_rest(p);
        status = correct(p);
        for (int i = 0; i < rows; i++)
            p->w[i] += p->dw[i];
        const double size = size_of(p, p->dw), whole = size_of(p, p->w);
        if (size <= ROUNDING * whole || (size > FALLS * before && size <= NEAR * whole))
            return status;
        before = size;
    }
    return dae_fail(&p->a->v.report, status ? status : DAE_NO_CONVERGENCE, "t = %.9g: the iteration for the transpose "
                    "of the stages %s", p->t, status ? "has singular matrices" : "does not converge");
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* w, by the factors of the whole system */
static dae_status solve_whole(const step *p)
{
    const radau *r = p->s->stepper;
    const int n = p->s->n, rows = n * r->tab->s;
    if (!dae_radau_full_factor(p->s, p->t, p->h))
        return dae_fail(&p->a->v.report, DAE_SINGULAR, "t = %.9g: the stages of a step of %g do not determine each "
                        "other", p->t, p->h);
    memset(p->w, 0, (size_t)rows * sizeof *p->w);
    memcpy(p->w + rows - n, p->a->u, (size_t)n * sizeof *p->w);
    dae_radau_full_solve_transposed(p->s, p->w);
    return DAE_OK;
}

/* u+ knows nothing of where unknowns without a derivative began. */
static void leave_algebraic(const step *p)
{
    const dae_matrix_pair *pair = &((const radau *)p->s->stepper)->real.jac->pair;
    for (int c = 0; c < p->s->n; c++) {
        int derived = 0;
        for (int e = pair->pattern.column[c]; e < pair->pattern.column[c + 1]; e++)
            derived |= pair->M[e] != 0;
        if (!derived)
            p->a->u[c] = 0;
    }
}

/* u += h J_i^T w_i;  p += ... */
static dae_status add_stages(const step *p, int whole)
{
    const radau *r = p->s->stepper;
    const dae_matrix_pair *pair = &r->real.jac->pair;
    const int n = p->s->n, stages = r->tab->s;
    double a[RADAU_STAGES * RADAU_STAGES];
    dae_status status = DAE_OK;
    dae_radau_inverse(r->tab, 0, a);
    dae_radau_combine(stages, stages, n, a, r->z, p->x);
    for (int i = 0; !status && i < stages; i++) {
        const double *w = p->w + i * n;
        if (whole)
            dae_radau_multiply_transposed(r, i, p->h, w, p->a->u);
        else
            dae_transpose_multiply(pair, p->J + (size_t)i * (size_t)pair->pattern.nnz, p->h, w, p->a->u);
        status = dae_transpose_parameters(p->a, p->t + r->tab->c[i] * p->h, r->at + i * n, p->h, w);
        if (!status)
            status = dae_transpose_mass_parameters(p->a, p->x + i * n, w);
    }
    leave_algebraic(p);
    return status;
}

/* p->w; whole: by the factors of the whole system, or 0: by iteration */
static dae_status solve(step *p, int whole)
{
    const radau *r = p->s->stepper;
    const size_t rows = (size_t)(p->s->n * r->tab->s);
    for (size_t nnz = 0;;) {
        const size_t now = whole ? 0 : (size_t)r->real.jac->pair.pattern.nnz;
        if (!whole && now == nnz)
            return iterate(p);
        nnz = now;
        p->w = dae_variation_room(&p->a->v, 4 * rows + (size_t)r->tab->s * nnz);
        if (!p->w)
            return DAE_NO_MEMORY;
        p->rest = p->w + rows;
        p->dw = p->rest + rows;
        p->x = p->dw + rows;
        p->J = p->x + rows;
        const dae_status status = whole ? solve_whole(p) : linearise(p);
        if (status || whole)
            return status;
    }
}

dae_status dae_radau_transpose(dae_solver *s, dae_transpose *a)
{
    radau *r = s->stepper;
    const int whole = dae_radau_full_room(s);
    step p = {.s = s, .a = a, .t = s->t_old, .h = s->t - s->t_old};
    for (int k = 0; k < s->n * r->tab->s; k++)
        r->at[k] = s->u_old[k % s->n] + r->z[k];
    const dae_status status = solve(&p, whole);
    return status ? status : add_stages(&p, whole);
}
