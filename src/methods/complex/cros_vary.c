/* cros_vary.c - the derivative of a step of CROS and CROS4
 *
 *     (M - a h J) dk = dF + a h (the slope of dF along (1, k)) - dM k
 *
 * where dF is F_u du + F_p dp at the point of F, along du as it was moved there, and the slope, of J k + F_t, is
 * taken at the point of J (dae_vary_slope). */
#include "complex_stage.h"
#include "cros_tableau.h"

#include "variation/variation.h"

#include <string.h>

/* A stage: a point with the J that stands in the pencil, that of F, and k. */
typedef struct {
    double _Complex a;
    double h, t, t_F;
    const double *u, *u_F, *re, *im;
} stage;

/* out := u + h Re(a k) */
static void move(int n, double h, double _Complex a, const double *u, const double *re, const double *im, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = u[i] + h * (creal(a) * re[i] - cimag(a) * im[i]);
}

/* dk = re + i im of direction c, from du at the point of J and du_F at that of F; work[n] */
static dae_status vary_stage(dae_solver *s, dae_variation *v, dae_linearised *l, const stage *k, int c,
                             const double *du, const double *du_F, double *re, double *im, double *work)
{
    const int n = v->n;
    const double a_re = creal(k->a), a_im = cimag(k->a), h = k->h;
    for (int i = 0; i < n; i++)
        work[i] = h * k->re[i];
    dae_status status = dae_vary_slope(v, c, k->t, k->u, h, work, du, re);
    for (int i = 0; i < n; i++)
        work[i] = h * k->im[i];
    if (!status)
        status = dae_vary_slope(v, c, k->t, k->u, 0, work, du, im);
    for (int i = 0; i < n; i++) {
        const double x = re[i], y = im[i];
        re[i] = a_re * x - a_im * y;
        im[i] = a_re * y + a_im * x;
    }
    if (!status)
        status = dae_vary_rhs(v, c, k->t_F, k->u_F, du_F, work);
    for (int i = 0; i < n; i++)
        re[i] += work[i];
    if (!status)
        status = dae_vary_mass(v, c, k->re, work);
    for (int i = 0; i < n; i++)
        re[i] -= work[i];
    if (!status)
        status = dae_vary_mass(v, c, k->im, work);
    for (int i = 0; i < n; i++)
        im[i] -= work[i];
    return status ? status : dae_implicit_solve(s, l->pencil, h, re, im);
}

/* Arrays [n], and dk1[count x 2 n]. */
typedef struct { double *F, *F_t, *re, *im, *re2, *im2, *at_J, *at_F, *du_J, *du_F, *dk, *dk1; } arrays;

static dae_status first_stage(dae_solver *s, dae_variation *v, dae_linearised *l, const dae_cros_tableau *T, double t,
                              double h, const double *u, const arrays *w)
{
    const stage k = {.a = T->a1, .h = h, .t = t, .t_F = t, .u = u, .u_F = u, .re = w->re, .im = w->im};
    dae_linearise(l->jac, t, u, w->F, w->F_t);
    dae_status status = dae_stage_solve(s, l, h, creal(T->a1), cimag(T->a1), w->F, w->F_t, w->re, w->im);
    for (int c = 0; !status && c < v->count; c++) {
        double *dk = w->dk1 + 2 * c * v->n;
        status = vary_stage(s, v, l, &k, c, dae_du(v, c), dae_du(v, c), dk, dk + v->n, w->du_F);
    }
    return status;
}

/* k2, and its part of all du; dk1 is that of the first stage. */
static dae_status second_stage(dae_solver *s, dae_variation *v, dae_linearised *l, const dae_cros_tableau *T, double t,
                               double h, const double *u, const arrays *w)
{
    const int n = v->n;
    const stage k = {.a = T->a2, .h = h, .t = t + h * creal(T->a21), .t_F = t + h * creal(T->c21), .u = w->at_J,
                     .u_F = w->at_F, .re = w->re2, .im = w->im2};
    move(n, h, T->a21, u, w->re, w->im, w->at_J);
    move(n, h, T->c21, u, w->re, w->im, w->at_F);
    dae_linearise(l->jac, k.t, k.u, w->F, w->F_t);
    dae_system_rhs(s->sys, k.t_F, k.u_F, w->F);
    dae_status status = dae_stage_solve(s, l, h, creal(T->a2), cimag(T->a2), w->F, w->F_t, w->re2, w->im2);
    for (int c = 0; !status && c < v->count; c++) {
        double *du = dae_du(v, c), *dk1 = w->dk1 + 2 * c * n, *dk = w->dk;
        move(n, h, T->a21, du, dk1, dk1 + n, w->du_J);
        move(n, h, T->c21, du, dk1, dk1 + n, w->du_F);
        status = vary_stage(s, v, l, &k, c, w->du_J, w->du_F, dk, dk + n, w->F);
        move(n, h, T->b2, du, dk, dk + n, du);
    }
    return status;
}

dae_status dae_cros_vary_step(dae_solver *s, dae_variation *v, dae_linearised *l, const dae_cros_tableau *T, double t,
                              double h, const double *u, double *end)
{
    const int n = v->n;
    double *x = dae_variation_room(v, (size_t)(12 + 2 * v->count) * (size_t)n);
    if (!x)
        return DAE_NO_MEMORY;
    const arrays w = {x, x + n, x + 2 * n, x + 3 * n, x + 4 * n, x + 5 * n, x + 6 * n, x + 7 * n, x + 8 * n, x + 9 * n,
                      x + 10 * n, x + 12 * n};
    dae_status status = first_stage(s, v, l, T, t, h, u, &w);
    if (!status && T->stages > 1)
        status = second_stage(s, v, l, T, t, h, u, &w);
    for (int c = 0; !status && c < v->count; c++)
        move(n, h, T->b1, dae_du(v, c), w.dk1 + 2 * c * n, w.dk1 + 2 * c * n + n, dae_du(v, c));
    if (end)
        move(n, h, T->b1, u, w.re, w.im, end);
    if (end && T->stages > 1)
        move(n, h, T->b2, end, w.re2, w.im2, end);
    return status;
}

dae_status dae_cros_vary(dae_solver *s, dae_variation *v)
{
    dae_cros_stepper *c = s->stepper;
    return dae_cros_vary_step(s, v, &c->stage, s->method->tableau, s->t_old, s->t - s->t_old, s->u_old, NULL);
}
