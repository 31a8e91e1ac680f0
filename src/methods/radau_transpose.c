/* radau_transpose.c - the transpose of the derivative of a step of Radau IIA (radau_vary.c)
 *
 *     sum_j a'_ji M^T w_j - h J_i^T w_i = e_i,   e_s = u+, else 0
 *     u = u+ + h sum_i J_i^T w_i,   p += sum_i (h F_p^T w_i - (M_p sum_j a'_ij z_j)^T w_i)
 *
 * Solved by the factors of the whole system where that is small, else by iteration with one J for all stages, that of
 * the middle one, and the transposes of its factors:
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
    double *w, *rest, *dw, *x;  /* [n s] each: arrays of the stepper, which begins its next step anew */
    double *size;               /* [n] of the equations */
    double *J;                  /* [nnz s] of the stages, where they are iterated */
} step;

/* x[n s] := e */
static void set_end(const step *p, double *x)
{
    const radau *r = p->s->stepper;
    const int n = p->s->n, rows = n * r->tab->s;
    memset(x, 0, (size_t)rows * sizeof *x);
    memcpy(x + rows - n, p->a->u, (size_t)n * sizeof *x);
}

/* ---- iteration ------------------------------------------------------------------------------- */

/* What w of an equation is counted in: 1/max_j |m_ij - g j_ij| size_j */
static void find_sizes(const step *p, const dae_matrix_pair *pair, double g)
{
    const dae_pattern *pattern = &pair->pattern;
    memset(p->size, 0, (size_t)pattern->n * sizeof *p->size);
    for (int c = 0; c < pattern->n; c++)
        for (int e = pattern->column[c]; e < pattern->column[c + 1]; e++) {
            const double x = (fabs(pair->M[e]) + fabs(g * pair->J[e])) * pair->size[c];
            p->size[pattern->row[e]] = fmax(p->size[pattern->row[e]], x);
        }
    for (int i = 0; i < pattern->n; i++)
        p->size[i] = p->size[i] > 0 ? 1 / p->size[i] : 1;
}

/* J of all stages, and the pencils of that in the middle */
static dae_status linearise(const step *p)
{
    radau *r = p->s->stepper;
    const radau_tableau *tab = r->tab;
    dae_matrix_pair *pair = &r->real.jac->pair;
    const size_t nnz = (size_t)pair->pattern.nnz;
    for (int k = 0; k < tab->s; k++) {
        const int i = (k + tab->s / 2 + 1) % tab->s;    /* the middle one comes last, and stays */
        dae_linearise(r->real.jac, p->t + tab->c[i] * p->h, r->at + i * p->s->n, p->a->F, NULL);
        if ((size_t)pair->pattern.nnz != nnz)
            return DAE_OK;                              /* the pattern has grown: to be begun again */
        memcpy(p->J + (size_t)i * nnz, pair->J, nnz * sizeof *p->J);
    }
    find_sizes(p, pair, p->h / tab->mu);
    pair->transposes = 1;
    const dae_status status = dae_radau_factor(p->s, p->h);
    if (status)
        p->a->v.report = p->s->report;
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
    set_end(p, p->rest);
    for (int i = 0; i < stages; i++) {
        dae_transpose_multiply(pair, pair->M, -1, p->x + i * n, p->rest + i * n);
        dae_transpose_multiply(pair, p->J + (size_t)i * (size_t)pair->pattern.nnz, p->h, p->w + i * n, p->rest + i * n);
    }
}

/* T^T and T^-T by columns, with the conjugates of pairs: so their pencils are those of the step. */
static void find_transformations(const radau_tableau *tab, double *forth, double *back)
{
    for (int i = 0; i < tab->s; i++)
        for (int j = 0; j < tab->s; j++) {
            forth[i * tab->s + j] = (j > 0 && j % 2 == 0 ? -1 : 1) * tab->T[j * tab->s + i];
            back[i * tab->s + j] = (i > 0 && i % 2 == 0 ? -1 : 1) * tab->T_inverse[j * tab->s + i];
        }
}

/* dw := the correction that rest asks for */
static dae_status correct(const step *p)
{
    const radau *r = p->s->stepper;
    const radau_tableau *tab = r->tab;
    const int n = p->s->n, s = tab->s;
    double forth[RADAU_STAGES * RADAU_STAGES], back[RADAU_STAGES * RADAU_STAGES];
    find_transformations(tab, forth, back);
    dae_radau_combine(s, s, n, forth, p->rest, p->x);
    for (int i = 0; i < n; i++)
        p->x[i] /= tab->mu;
    dae_status status = dae_pencil_solve_transposed(r->real.pencil, p->x, NULL);
    for (int k = 0; !status && k < s / 2; k++) {
        double *re = p->x + (2 * k + 1) * n, *im = re + n;
        const double a = tab->alpha[k], b = tab->beta[k], d = a * a + b * b;
        for (int i = 0; i < n; i++) {                   /* over alpha + i beta */
            const double x = re[i], y = im[i];
            re[i] = (a * x + b * y) / d;
            im[i] = (a * y - b * x) / d;
        }
        status = dae_pencil_solve_transposed(r->pair[k], re, im);
    }
    dae_radau_combine(s, s, n, back, p->x, p->dw);
    return status;
}

static dae_status iterate(const step *p)
{
    const radau *r = p->s->stepper;
    const int rows = p->s->n * r->tab->s;
    double before = INFINITY, ratio = 1;                /* of a correction over the one before */
    dae_status status = DAE_OK;
    memset(p->w, 0, (size_t)rows * sizeof *p->w);
    set_end(p, p->rest);
    for (int k = 0; !status && k < MOST_ITERATIONS; k++) {
        status = correct(p);
        for (int i = 0; !status && i < rows; i++)
            p->w[i] += p->dw[i];
        const double size = dae_radau_largest(p->s, p->size, p->dw), whole = dae_radau_largest(p->s, p->size, p->w);
        const double now = size / before, next = k > 1 ? size * fmax(now, ratio) : size;
        if (!status && (next <= ROUNDING * whole || (now > FALLS && size <= NEAR * whole)))
            return DAE_OK;
        before = size;
        ratio = now;
        find_rest(p);
    }
    return dae_fail(&p->a->v.report, status ? status : DAE_NO_CONVERGENCE, "t = %.9g: the iteration for the transpose "
                    "of the stages %s", p->t, status ? "has singular matrices" : "does not converge");
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* w, by the factors of the whole system */
static dae_status solve_whole(const step *p)
{
    if (!dae_radau_full_factor(p->s, p->t, p->h))
        return dae_fail(&p->a->v.report, DAE_SINGULAR, "t = %.9g: the stages of a step of %g do not determine each "
                        "other", p->t, p->h);
    set_end(p, p->w);
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
    const dae_matrix_pair *pair = whole ? &r->stages->jac->pair : &r->real.jac->pair;
    const int n = p->s->n, stages = r->tab->s;
    const double *J = whole ? dae_radau_J(r, 0) : p->J;
    double a[RADAU_STAGES * RADAU_STAGES];
    dae_status status = DAE_OK;
    dae_radau_inverse(r->tab, 0, a);
    dae_radau_combine(stages, stages, n, a, r->z, p->x);
    for (int i = 0; !status && i < stages; i++) {
        const double *w = p->w + i * n;
        dae_transpose_multiply(pair, J + (size_t)i * (size_t)pair->pattern.nnz, p->h, w, p->a->u);
        status = dae_transpose_parameters(p->a, p->t + r->tab->c[i] * p->h, r->at + i * n, p->h, w);
        if (!status)
            status = dae_transpose_mass_parameters(p->a, p->x + i * n, w);
    }
    leave_algebraic(p);
    return status;
}

/* p->w by iteration */
static dae_status solve(step *p)
{
    const radau *r = p->s->stepper;
    for (size_t nnz = 0;;) {
        const size_t now = (size_t)r->real.jac->pair.pattern.nnz;
        if (now == nnz)
            return iterate(p);
        nnz = now;
        p->J = dae_variation_room(&p->a->v, (size_t)r->tab->s * nnz);
        if (!p->J)
            return DAE_NO_MEMORY;
        const dae_status status = linearise(p);
        if (status)
            return status;
    }
}

dae_status dae_radau_transpose(dae_solver *s, dae_transpose *a)
{
    radau *r = s->stepper;
    const int whole = dae_radau_full_room(s);
    step p = {.s = s, .a = a, .t = s->t_old, .h = s->t - s->t_old, .w = r->w, .rest = r->F, .dw = r->dw, .x = r->z_far,
              .size = r->weight};
    r->far_h = r->factored_h = 0;
    r->jacobian_at_t = r->jacobian_useful = 0;
    for (int k = 0; k < s->n * r->tab->s; k++)
        r->at[k] = s->u_old[k % s->n] + r->z[k];
    const dae_status status = whole ? solve_whole(&p) : solve(&p);
    return status ? status : add_stages(&p, whole);
}
