/* quad_pencil.c - F, dF/du and dF/dt of a quad run, and its pencil M - gamma J, factored in quad
 *
 * Derivatives are central differences of order 4, (8 (F+ - F-) - (F++ - F--))/(12 delta), with steps
 * of 2^-24 of an unknown: 2^-113/2^-24 of rounding and 2^-96 of higher terms leave 26 digits. A
 * Rosenbrock method with an error E of J is off by h E u' more in each step (the order conditions in
 * which gamma_ij stands apart from alpha_ij hold no longer), as one with coefficients off by |E|/|J|:
 * a J in doubles would add to their rounding as much again.
 */
#include "quad_run.h"

#include "base/parts.h"

#include <string.h>

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define MAGNITUDE(x) dae_quad_fabs(x)
#include "base/lu.h"

dae_status dae_quad_pencil_create(dae_quad_run *r, int rows)
{
    dae_quad_pencil *p = &r->pencil;
    const size_t n = (size_t)r->n, size = (size_t)rows * n;
    if (size > DAE_QUAD_ROWS)
        return DAE_UNSUPPORTED;
    p->size = (int)size;
    return DAE_PARTS(p,
                     DAE_PART(dae_quad_pencil, F, n), DAE_PART(dae_quad_pencil, F_t, n),
                     DAE_PART(dae_quad_pencil, J, n * n), DAE_PART(dae_quad_pencil, M, n * n),
                     DAE_PART(dae_quad_pencil, largest, n), DAE_PART(dae_quad_pencil, x, n),
                     DAE_PART(dae_quad_pencil, at, 4 * n), DAE_PART(dae_quad_pencil, A, size * size),
                     DAE_PART(dae_quad_pencil, b, size), DAE_PART(dae_quad_pencil, factor, size),
                     DAE_PART(dae_quad_pencil, pivot, size))
               ? DAE_OK : DAE_NO_MEMORY;
}

void dae_quad_pencil_free(dae_quad_pencil *p)
{
    free(p->F);
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* out := dF along t where j < 0, else along u_j */
static void differentiate(dae_quad_run *r, dae_quad t, const dae_quad *u, int j, dae_quad delta, dae_quad *out)
{
    static const int step[4] = {1, -1, 2, -2};
    dae_quad_pencil *p = &r->pencil;
    const int n = r->n;
    const dae_quad before = j < 0 ? t : u[j], unit = before + delta - before;
    dae_quad *const at = p->at;
    for (int k = 0; k < 4; k++) {
        const dae_quad to = before + step[k] * unit;
        memcpy(p->x, u, (size_t)n * sizeof *u);
        if (j >= 0)
            p->x[j] = to;
        dae_quad_run_rhs(r, j < 0 ? to : t, p->x, at + k * n);
    }
    for (int i = 0; i < n; i++)
        out[i] = (8 * (at[i] - at[n + i]) - (at[2 * n + i] - at[3 * n + i])) / (12 * unit);
}

void dae_quad_linearise(dae_quad_run *r, dae_quad t, const dae_quad *u)
{
    const dae_problem *problem = r->sys->problem;
    dae_quad_pencil *p = &r->pencil;
    const int n = r->n;
    const dae_quad span = (dae_quad)problem->t_end - problem->t0;
    dae_quad all = 0;
    for (int j = 0; j < n; j++) {
        p->largest[j] = dae_quad_fmax(p->largest[j], dae_quad_fabs(u[j]));
        all = dae_quad_fmax(all, p->largest[j]);
    }
    dae_quad_run_rhs(r, t, u, p->F);
    differentiate(r, t, u, -1, 0x1p-24 * span, p->F_t);
    for (int j = 0; j < n; j++) {
        const dae_quad size = dae_quad_fmax(p->largest[j], 0x1p-20 * all);
        differentiate(r, t, u, j, 0x1p-24 * (size > 0 ? size : 1), p->J + j * n);
    }
}

/* ---- linear equations --------------------------------------------------------------------- */

/* M is constant. */
static void set_mass(dae_quad_run *r)
{
    dae_quad_pencil *p = &r->pencil;
    memset(p->x, 0, (size_t)r->n * sizeof *p->x);
    for (int j = 0; j < r->n; j++) {
        p->x[j] = 1;
        dae_quad_run_mass(r, r->t, p->x, p->M + j * r->n);
        p->x[j] = 0;
    }
}

/* A := M - re J, or for re + i im the blocks of (M - re J, im J; -im J, M - re J) */
static void fill(dae_quad_pencil *p, int n, dae_quad re, dae_quad im)
{
    const int size = p->size;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const dae_quad J = p->J[j * n + i], x = p->M[j * n + i] - re * J;
            p->A[i * size + j] = x;
            if (size > n) {
                p->A[i * size + n + j] = im * J;
                p->A[(n + i) * size + j] = -im * J;
                p->A[(n + i) * size + n + j] = x;
            }
        }
}

dae_status dae_quad_pencil_factor(dae_quad_run *r, dae_quad re, dae_quad im)
{
    dae_quad_pencil *p = &r->pencil;
    if (!p->weighed)
        set_mass(r);
    p->weighed = 1;
    fill(p, r->n, re, im);
    const dae_status status = lu_scale_rows_quad(p->size, p->A, p->factor);
    return status ? status : lu_factor_quad(p->size, p->A, p->pivot, 0) ? DAE_OK : DAE_SINGULAR;
}

void dae_quad_pencil_solve(dae_quad_run *r, dae_quad *re, dae_quad *im)
{
    const dae_quad_pencil *p = &r->pencil;
    const int n = r->n, size = p->size;
    for (int i = 0; i < size; i++)
        p->b[i] = (i < n ? re[i] : im[i - n]) * p->factor[i];
    lu_solve_quad(size, p->A, p->pivot, p->b);
    for (int i = 0; i < size; i++)
        *(i < n ? re + i : im + i - n) = p->b[i];
}
