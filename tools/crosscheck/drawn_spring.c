/* drawn_spring.c - a mass on a stiff spring, forced along a circle
 *
 *   m q'' = m phi'' - k (|q| - L) q/|q| - s (q - phi) - d (v - phi'),    phi = L (cos theta(t), sin theta(t))
 *   theta = a + b sin(w t)
 *
 * begins on the circle and stays there: q = phi. A distance x along the circle from phi follows
 *
 *     m x'' = (m theta'^2 - s) x - d x',
 *
 * so that s = m (1/second^2 + max theta'^2) and the damping d bring back what errors move.
 * With k to infinity it becomes the pendulum of index 3.
 */
#ifndef DAE_PASS
#include "drawn.h"

#include "host/allocate.h"

#include <math.h>

typedef struct {
    double m, k, s, d, length, a, b, w, t0;
} spring;

#include <daelab/model.h>

static const dae_problem record = {
    .name = "spring",
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start),
};

static void exact(const void *data, double t, double *row)
{
    double a[2];
    motion_double(data, t, row, row + 2, a);
}

static void make(drawn_random *r, drawn *d)
{
    spring *p = allocate(1, sizeof *p);
    const double second = drawn_unit(r, -6, 3), newton_meter = drawn_decade(r, -3, 3);
    p->m = newton_meter * second * second;
    p->k = newton_meter * drawn_decade(r, 3, 12);
    p->d = newton_meter * second * drawn_uniform(r, 0.2, 1);
    p->length = drawn_decade(r, -3, 3);
    p->a = drawn_uniform(r, 0, 6);
    p->b = drawn_uniform(r, 0.3, 2);
    p->w = drawn_uniform(r, 0.5, 3) / second;
    const double fastest = p->b * p->w * second;        /* |theta'| */
    p->s = newton_meter * (1 + fastest * fastest);
    d->problem = record;
    p->t0 = drawn_begin(r, second);
    d->problem.t0 = p->t0;
    d->problem.t_end = d->problem.t0 + 5 * second;
    d->width = 4;
    d->exact = exact;
    d->data = p;
}

const drawn_class drawn_spring = {"spring", make};

#else

/* q, v, a of phi */
static void FN(motion)(const spring *p, real t, real *q, real *v, real *a)
{
    const real x = p->w * t, theta = p->a + p->b * sin(x), turn = p->b * p->w * cos(x);
    const real change = -p->b * p->w * p->w * sin(x), c = p->length * cos(theta), s = p->length * sin(theta);
    q[0] = c;
    q[1] = s;
    v[0] = -turn * s;
    v[1] = turn * c;
    a[0] = -change * s - turn * turn * c;
    a[1] = change * c - turn * turn * s;
}

static void FN(inertia)(const param *parameters, real t, const real *q, const real *a, real *out)
{
    const spring *p = dae_user_data(parameters);
    out[0] = p->m * a[0];
    out[1] = p->m * a[1];
}

static void FN(force)(const param *parameters, real t, const real *q, const real *v, real *f)
{
    const spring *p = dae_user_data(parameters);
    real phi[2], slope[2], a[2];
    FN(motion)(p, t, phi, slope, a);
    const real length = sqrt(q[0] * q[0] + q[1] * q[1]), pull = p->k * (length - p->length) / length;
    for (int i = 0; i < 2; i++)
        f[i] = p->m * a[i] - pull * q[i] - p->s * (q[i] - phi[i]) - p->d * (v[i] - slope[i]);
}

static void FN(start)(const param *parameters, real *u)
{
    const spring *p = dae_user_data(parameters);
    real a[2];
    FN(motion)(p, (real){0} + p->t0, u, u + 2, a);
}

#endif
