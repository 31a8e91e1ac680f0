/* explicit_vary.c - the derivative of an explicit Runge-Kutta step
 *
 *     dk_i = df(t + c_i h, Y_i) along dY_i = du + h sum_j a_ij dk_j,     du+ = du + h sum_i b_i dk_i
 *
 * then of the projection, and of the multipliers at the end.
 */
#include "explicit_rk.h"

#include "variation/variation.h"

#include <string.h>

/* M(t, y) has an inverse: M dy' = dF - dM y' at (y, y'), which stand one behind the other in x. */
static dae_status vary_slopes(dae_variation *v, int c, double t, const double *x, const double *dy, double *slope)
{
    const dae_state_mass *m = v->sys->carried;
    const int n = m->n;
    double *dx = v->x, *dF = v->y, *rows = v->z;
    memset(dx, 0, (size_t)v->n * sizeof *dx);
    memcpy(dx, dy, (size_t)n * sizeof *dx);
    const dae_status status = dae_vary_rhs(v, c, t, x, dx, dF);
    for (int i = 0; i < n; i++)
        rows[i] = dF[m->place[i]];
    if (status || dae_state_mass_solve(v->sys->carried, v->sys->p, t, x, rows, slope, NULL, NULL))
        return status;
    return dae_fail(&v->report, DAE_SINGULAR, "t = %.9g: M(t, u) has lost its rank", t);
}

/* dk along dy at (t, Y), whose multipliers, or slopes, stand behind it in Y[n] */
static dae_status vary_stage(dae_variation *v, int c, double t, const double *Y, const double *dy, double *dk)
{
    const dae_system *s = v->sys;
    const int nq = s->nq;
    if (s->carried)
        return vary_slopes(v, c, t, Y, dy, dk);
    if (s->compose->kind != DAE_FORM_MECHANICAL)
        return dae_vary_rhs(v, c, t, Y, dy, dk);
    memcpy(dk, dy + nq, (size_t)nq * sizeof *dk);
    return dae_vary_acceleration(v, c, t, Y, Y + nq, dy, dy + nq, dk + nq, NULL);
}

/* What all directions share at a stage. */
static dae_status stand_at(const dae_explicit_rk *e, dae_variation *v, double t, const double *k, double *Y)
{
    if (v->sys->compose->kind == DAE_FORM_MECHANICAL)
        return dae_vary_at(v, t, Y, Y + v->sys->nq);
    if (v->sys->carried)
        memcpy(Y + e->ny, k, (size_t)e->ny * sizeof *Y);
    return DAE_OK;
}

/* out := du + h sum_j a_j dk_j, j < stages, of direction c */
static void add_slopes(const dae_explicit_rk *e, const dae_variation *v, int c, const double *a, int stages, double h,
                       const double *dk, double *out)
{
    memcpy(out, dae_du(v, c), (size_t)e->ny * sizeof *out);
    for (int j = 0; j < stages; j++)
        for (int i = 0; a[j] != 0 && i < e->ny; i++)
            out[i] += h * a[j] * dk[(j * v->count + c) * e->ny + i];
}

/* All dk, [stages x count x ny]; dY[ny] and Y[n] are scratch. */
static dae_status vary_stages(dae_solver *s, dae_variation *v, double h, double *dk, double *dY, double *Y)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < T->stages; i++) {
        const double t = s->t_old + T->c[i] * h;
        memcpy(Y, s->u_old, (size_t)e->ny * sizeof *Y);
        if (i > 0)
            dae_rk_combine(e, i, s->u_old, h, Y);
        status = stand_at(e, v, t, e->k + i * e->ny, Y);
        for (int c = 0; !status && c < v->count; c++) {
            add_slopes(e, v, c, T->A[i], i, h, dk, dY);
            status = vary_stage(v, c, t, Y, dY, dk + (i * v->count + c) * e->ny);
        }
    }
    return status;
}

/* The rest of all du at the end: multipliers, or slopes */
static dae_status vary_rest(dae_solver *s, dae_variation *v, double *Y)
{
    const dae_explicit_rk *e = s->stepper;
    dae_status status = DAE_OK;
    if (v->sys->compose->kind == DAE_FORM_MECHANICAL)
        return dae_vary_multipliers(v, s->t, v->end);
    for (int c = 0; !status && v->sys->carried && c < v->count; c++) {
        memcpy(Y, v->end, (size_t)v->n * sizeof *Y);
        status = vary_slopes(v, c, s->t, Y, dae_du(v, c), dae_du(v, c) + e->ny);
    }
    return status;
}

/* v->error := h sum_j e_j dk_j, with the slope at the end where that counts */
static dae_status estimate(dae_solver *s, dae_variation *v, double h, double *dk, double *Y)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int S = T->stages, n = v->n;
    dae_status status = DAE_OK;
    memcpy(Y, v->end, (size_t)n * sizeof *Y);
    if (T->E[0][S] != 0)
        status = stand_at(e, v, s->t, e->k + S * e->ny, Y);
    for (int c = 0; !status && c < v->count; c++) {
        double *fine = v->error + c * n, *coarse = v->coarse + c * n;
        if (T->E[0][S] != 0)
            status = vary_stage(v, c, s->t, Y, dae_du(v, c), dk + (S * v->count + c) * e->ny);
        memset(fine, 0, (size_t)n * sizeof *fine);
        memset(coarse, 0, (size_t)n * sizeof *coarse);
        for (int j = 0; j <= S; j++)
            for (int i = 0; i < e->ny; i++) {
                const double k = T->E[0][j] != 0 || T->E[1][j] != 0 ? h * dk[(j * v->count + c) * e->ny + i] : 0;
                fine[i] += T->E[0][j] * k;
                coarse[i] += T->E[1][j] * k;
            }
    }
    v->has_error = T->quotient ? 2 : 1;
    return status;
}

dae_status dae_explicit_vary(dae_solver *s, dae_variation *v)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const double h = s->t - s->t_old;
    const int slopes = (T->stages + 1) * v->count;
    double *dk = dae_variation_room(v, (size_t)(slopes + 1) * (size_t)e->ny + (size_t)v->n);
    if (!dk)
        return DAE_NO_MEMORY;
    double *dY = dk + slopes * e->ny, *Y = dY + e->ny;
    dae_status status = vary_stages(s, v, h, dk, dY, Y);
    for (int c = 0; !status && c < v->count; c++) {
        add_slopes(e, v, c, T->A[T->stages], T->stages, h, dk, dY);
        memcpy(dae_du(v, c), dY, (size_t)e->ny * sizeof *dY);
    }
    if (!status && e->projects) {
        dae_rk_combine(e, T->stages, s->u_old, h, Y);
        status = dae_vary_projection(v, DAE_VARY_POSITIONS | DAE_VARY_VELOCITIES, s->t, Y, v->end);
    }
    if (!status && v->error && s->adaptive)
        status = estimate(s, v, h, dk, Y);
    return status ? status : vary_rest(s, v, Y);
}
