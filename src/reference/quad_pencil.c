/* quad_pencil.c - F, dF/du and dF/dt of a quad run, and its pencil M - gamma J, factored in quad
 *
 * Derivatives are central differences of order 4, (8 (F+ - F-) - (F++ - F--))/(12 delta), with steps
 * of 2^-24 of an unknown: 2^-113/2^-24 of rounding and 2^-96 of higher terms leave 26 digits. A
 * Rosenbrock method with an error E of J is off by h E u' more in each step (the order conditions in
 * which gamma_ij stands apart from alpha_ij hold no longer), as one with coefficients off by |E|/|J|:
 * a J in doubles would add to their rounding as much again.
 */
#include "quad_pencil.h"

#include <stdlib.h>
#include <string.h>

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define MAGNITUDE(x) dae_quad_fabs(x)
#include "base/lu.h"

enum { MOST_ROWS = 64 };                /* of a matrix that is factored at every step */

dae_status dae_quad_pencil_create(dae_quad_pencil **out, const dae_quad_run *run, int complex)
{
    const size_t n = (size_t)run->n, size = complex ? 2 * n : n;
    dae_quad_pencil *p = *out = NULL;
    if (size > MOST_ROWS)
        return DAE_UNSUPPORTED;
    *out = p = calloc(1, sizeof *p);
    if (!p)
        return DAE_NO_MEMORY;
    p->run = run;
    p->n = (int)n;
    p->size = (int)size;
    p->F = calloc(8 * n + 2 * n * n + size * size + 2 * size, sizeof *p->F);
    p->pivot = calloc(size, sizeof *p->pivot);
    if (!p->F || !p->pivot)
        return DAE_NO_MEMORY;
    p->F_t = p->F + n;
    p->largest = p->F_t + n;
    p->x = p->largest + n;
    p->at = p->x + n;
    p->J = p->at + 4 * n;
    p->M = p->J + n * n;
    p->A = p->M + n * n;
    p->b = p->A + size * size;
    p->factor = p->b + size;
    return DAE_OK;
}

void dae_quad_pencil_free(dae_quad_pencil *p)
{
    if (!p)
        return;
    free(p->F);
    free(p->pivot);
    free(p);
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* out := dF along t where j < 0, else along u_j */
static void differentiate(dae_quad_pencil *p, dae_quad t, const dae_quad *u, int j, dae_quad delta,
                          dae_quad *out)
{
    static const int step[4] = {1, -1, 2, -2};
    const int n = p->n;
    const dae_quad before = j < 0 ? t : u[j], unit = before + delta - before;
    dae_quad *const at = p->at;
    for (int k = 0; k < 4; k++) {
        const dae_quad to = before + step[k] * unit;
        memcpy(p->x, u, (size_t)n * sizeof *u);
        if (j >= 0)
            p->x[j] = to;
        dae_quad_run_rhs(p->run, j < 0 ? to : t, p->x, at + k * n);
    }
    for (int i = 0; i < n; i++)
        out[i] = (8 * (at[i] - at[n + i]) - (at[2 * n + i] - at[3 * n + i])) / (12 * unit);
}

void dae_quad_linearise(dae_quad_pencil *p, dae_quad t, const dae_quad *u)
{
    const dae_problem *problem = p->run->sys->problem;
    const int n = p->n;
    const dae_quad span = (dae_quad)problem->t_end - problem->t0;
    dae_quad all = 0;
    for (int j = 0; j < n; j++) {
        p->largest[j] = dae_quad_fmax(p->largest[j], dae_quad_fabs(u[j]));
        all = dae_quad_fmax(all, p->largest[j]);
    }
    dae_quad_run_rhs(p->run, t, u, p->F);
    differentiate(p, t, u, -1, 0x1p-24 * span, p->F_t);
    for (int j = 0; j < n; j++) {
        const dae_quad size = dae_quad_fmax(p->largest[j], 0x1p-20 * all);
        differentiate(p, t, u, j, 0x1p-24 * (size > 0 ? size : 1), p->J + j * n);
    }
}

/* ---- linear equations --------------------------------------------------------------------- */

/* M is constant. */
static void set_mass(dae_quad_pencil *p)
{
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
    for (int j = 0; j < p->n; j++) {
        p->x[j] = 1;
        dae_quad_run_mass(p->run, p->run->t, p->x, p->M + j * p->n);
        p->x[j] = 0;
    }
}

/* A := M - re J, or for re + i im the blocks of (M - re J, im J; -im J, M - re J) */
static void fill(dae_quad_pencil *p, dae_quad re, dae_quad im)
{
    const int n = p->n, size = p->size;
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

dae_status dae_quad_pencil_factor(dae_quad_pencil *p, dae_quad re, dae_quad im)
{
    if (!p->weighed)
        set_mass(p);
    p->weighed = 1;
    fill(p, re, im);
    const dae_status status = lu_scale_rows_quad(p->size, p->A, p->factor);
    return status ? status : lu_factor_quad(p->size, p->A, p->pivot, 0) ? DAE_OK : DAE_SINGULAR;
}

void dae_quad_pencil_solve(dae_quad_pencil *p, dae_quad *re, dae_quad *im)
{
    const int n = p->n, size = p->size;
    for (int i = 0; i < size; i++)
        p->b[i] = (i < n ? re[i] : im[i - n]) * p->factor[i];
    lu_solve_quad(size, p->A, p->pivot, p->b);
    for (int i = 0; i < size; i++)
        *(i < n ? re + i : im + i - n) = p->b[i];
}
