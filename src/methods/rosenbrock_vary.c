/* rosenbrock_vary.c - the derivative of a Rosenbrock-Wanner step
 *
 *     (M - h gamma J) dU_i = h gamma (dF(t_i, Y_i) along dY_i + the slope of dF(t, u) along (d_i h, U_i))
 *                            + gamma (M sum_j C_ij dU_j + dM sum_j C_ij U_j) - dM U_i
 *
 * where dF is F_u du + F_p dp, and the slope is that of J U_i + d_i h F_t (dae_vary_slope).
 */
#include "rosenbrock.h"

#include "daelab/tableau.h"
#include "variation/variation.h"

#include <string.h>

/* y += sum_j x_j U_j, j < count, with U_j so many numbers apart */
static void add(int n, int count, const double *x, const double *U, int apart, double *y)
{
    for (int j = 0; j < count; j++)
        for (int k = 0; x[j] != 0 && k < n; k++)
            y[k] += x[j] * U[j * apart + k];
}

/* out := u, and what the stages before stage i add to its argument */
static void argument(const dae_rosenbrock_tableau *T, int i, int n, const double *u, const double *U, int apart,
                     double *out)
{
    memcpy(out, u, (size_t)n * sizeof *out);
    add(n, i < T->rows ? i : T->rows - 1, T->A[i < T->rows ? i : T->rows - 1], U, apart, out);
    for (int j = T->rows - 1; j < i; j++)
        for (int k = 0; k < n; k++)
            out[k] += U[j * apart + k];
}

typedef struct {
    const dae_rosenbrock_stages *last;
    double h, *dU;              /* [stages x count x n] */
    double *Y, *dY, *w, *b;     /* [n] */
} step;

/* b := gamma (M w' + dM w) - dM U_i of direction c, w = sum_j C_ij U_j */
static dae_status from_before(dae_variation *v, const step *p, int c, int i)
{
    const dae_rosenbrock_tableau *T = p->last->T;
    const int n = v->n;
    memset(p->w, 0, (size_t)n * sizeof *p->w);
    add(n, i, T->C[i], p->dU + c * n, v->count * n, p->w);
    dae_system_mass(v->sys, p->w, p->b);
    for (int k = 0; k < n; k++) {
        p->b[k] *= T->gamma;
        p->w[k] = -p->last->U[i * n + k] / T->gamma;
    }
    add(n, i, T->C[i], p->last->U, n, p->w);
    const dae_status status = dae_vary_mass(v, c, p->w, v->x);
    for (int k = 0; !status && k < n; k++)
        p->b[k] += T->gamma * v->x[k];
    return status;
}

/* dU_i of direction c */
static dae_status vary_stage(dae_solver *s, dae_variation *v, const step *p, int c, int i)
{
    const dae_rosenbrock_tableau *T = p->last->T;
    const int n = v->n;
    const double g = p->h * T->gamma, t = T->c[i] == 1 ? s->t : s->t_old + T->c[i] * p->h;
    double *dU = p->dU + (i * v->count + c) * n;
    dae_status status = from_before(v, p, c, i);
    if (!status)
        status = dae_vary_slope(v, c, s->t_old, s->u_old, T->d[i] * p->h, p->last->U + i * n, dae_du(v, c), dU);
    argument(T, i, n, dae_du(v, c), p->dU + c * n, v->count * n, p->dY);
    if (!status)
        status = dae_vary_rhs(v, c, t, p->Y, p->dY, v->y);
    for (int k = 0; k < n; k++)
        dU[k] = g * (dU[k] + v->y[k]) + p->b[k];
    s->count.solves++;
    return status || !dae_pencil_solve_real(p->last->pencil, dU)
               ? status : dae_fail(&v->report, DAE_SINGULAR, "t = %.9g: M - h gamma J is singular", s->t_old);
}

dae_status dae_rosenbrock_vary(dae_solver *s, dae_variation *v)
{
    const dae_rosenbrock_stages last = dae_rosenbrock_last(s);
    const dae_rosenbrock_tableau *T = last.T;
    const int n = v->n, all = v->count * n;
    double *dU = dae_variation_room(v, (size_t)(T->stages * v->count + 4) * (size_t)n);
    dae_status status = dU ? DAE_OK : DAE_NO_MEMORY;
    if (status)
        return status;
    double *Y = dU + T->stages * all;
    const step p = {.last = &last, .h = s->t - s->t_old, .dU = dU, .Y = Y, .dY = Y + n, .w = Y + 2 * n, .b = Y + 3 * n};
    for (int i = 0; i < T->stages; i++) {
        argument(T, i, n, s->u_old, last.U, n, Y);
        for (int c = 0; !status && c < v->count; c++)
            status = vary_stage(s, v, &p, c, i);
    }
    v->has_error = v->error != NULL;
    for (int c = 0; !status && c < v->count; c++) {
        double *du = dae_du(v, c), *error = v->error ? v->error + c * n : NULL;
        if (v->error && T->combines)
            add(n, T->stages, T->e, dU + c * n, all, memset(error, 0, (size_t)n * sizeof *error));
        else if (v->error)
            memcpy(error, dU + (T->stages - 1) * all + c * n, (size_t)n * sizeof *error);
        if (T->combines)
            add(n, T->stages, T->m, dU + c * n, all, du);
        else
            argument(T, T->stages, n, memcpy(p.w, du, (size_t)n * sizeof *du), dU + c * n, all, du);
    }
    return status;
}
