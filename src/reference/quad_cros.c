/* quad_cros.c - steps of complex Rosenbrock methods in quad precision (cros.c, cros4.c) */
#include "quad_cros.h"

#include "methods/complex/cros_tableau.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_quad_pencil *pencil;
    dae_quad *re, *im;          /* [2][n] each: k1, k2 */
    dae_quad *w, *F;            /* [n] */
} stepper;

dae_status dae_quad_stage(dae_quad_pencil *p, dae_quad h, dae_quad a_re, dae_quad a_im,
                          const dae_quad *F, dae_quad *re, dae_quad *im)
{
    const dae_status status = dae_quad_pencil_factor(p, h * a_re, h * a_im);
    for (int i = 0; i < p->n; i++) {
        re[i] = F[i] + h * a_re * p->F_t[i];
        im[i] = h * a_im * p->F_t[i];
    }
    if (!status)
        dae_quad_pencil_solve(p, re, im);
    return status;
}

static dae_status create(dae_quad_run *r)
{
    const size_t n = (size_t)r->n;
    stepper *s = r->stepper = calloc(1, sizeof *s);
    if (s)
        s->re = calloc(6 * n, sizeof *s->re);
    if (!s || !s->re)
        return DAE_NO_MEMORY;
    s->im = s->re + 2 * n;
    s->w = s->im + 2 * n;
    s->F = s->w + n;
    return dae_quad_pencil_create(&s->pencil, r, 1);
}

static void destroy(dae_quad_run *r)
{
    stepper *s = r->stepper;
    if (s) {
        dae_quad_pencil_free(s->pencil);
        free(s->re);
    }
    free(s);
}

/* w := u + h Re(a k), k of stage j */
static void move(const dae_quad_run *r, dae_quad h, double _Complex a, int j, const dae_quad *u,
                 dae_quad *w)
{
    const stepper *s = r->stepper;
    const dae_quad *re = s->re + j * r->n, *im = s->im + j * r->n;
    for (int i = 0; i < r->n; i++)
        w[i] = u[i] + h * (creal(a) * re[i] - cimag(a) * im[i]);
}

/* k2 of F at the point moved by c21 and of J, F_t at the point moved by a21 */
static dae_status second_stage(dae_quad_run *r, dae_quad h)
{
    const dae_cros_tableau *T = r->tableau;
    stepper *s = r->stepper;
    move(r, h, T->a21, 0, r->u, s->w);
    dae_quad_linearise(s->pencil, r->t + h * creal(T->a21), s->w);
    move(r, h, T->c21, 0, r->u, s->w);
    dae_quad_run_rhs(r, r->t + h * creal(T->c21), s->w, s->F);
    return dae_quad_stage(s->pencil, h, creal(T->a2), cimag(T->a2), s->F, s->re + r->n,
                          s->im + r->n);
}

static dae_status step(dae_quad_run *r, dae_quad h)
{
    const dae_cros_tableau *T = r->tableau;
    stepper *s = r->stepper;
    dae_quad_linearise(s->pencil, r->t, r->u);
    dae_status status = dae_quad_stage(s->pencil, h, creal(T->a1), cimag(T->a1), s->pencil->F,
                                       s->re, s->im);
    if (!status && T->stages > 1)
        status = second_stage(r, h);
    if (status)
        return status;
    move(r, h, T->b1, 0, r->u, r->u);
    if (T->stages > 1)
        move(r, h, T->b2, 1, r->u, r->u);
    return DAE_OK;
}

static int shake(const void *tableau, void *copy)
{
    dae_cros_tableau *T = memcpy(copy, tableau, sizeof *T);
    double _Complex *const all[] = {&T->a1, &T->a2, &T->a21, &T->c21, &T->b1, &T->b2};
    int count = 0;
    for (int i = 0; i < 6; i++)
        count += dae_quad_shake((double *)all[i], 2);
    return count;
}

const dae_quad_family dae_quad_cros = {create, NULL, step, destroy, shake, sizeof(dae_cros_tableau)};
