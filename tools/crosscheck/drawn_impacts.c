/* drawn_impacts.c - impacts at one instant, and starts on the floor
 *
 *   row of balls   two to four balls on a line, q_i'' = a; the first one meets the others, which touch each other, and
 *                  all impacts that follow happen at that instant, pair by pair: relative speed w+ = -e w-, momentum
 *                  stays. Which pairs close alternates, so that their order does not matter.
 *   on guard       a ball at height 0 above the floor, y'' = -g, w+ = -e w-, thrown up, down, or at rest there
 *
 * Flights between impacts are parabolas.
 */
#ifndef DAE_PASS
#include "drawn.h"

#include "host/allocate.h"

#include <math.h>

enum { BALLS = 4, MANY = 40 };

typedef struct {
    int n;
    double e, a, m[BALLS];
    double t0, q[BALLS], v[BALLS];      /* of the start */
    double impact, after[BALLS];        /* its time, and velocities less a t behind it */
} balls;

#include <daelab/model.h>

#define CONTACTS(n)                                                                                \
    {{.name = "contact", .count = n, .value = DAE_MODEL(gap), .direction = DAE_FALLING,             \
      .action = DAE_MODEL(impact)}, {0}}
static const dae_event contacts[BALLS - 1][2] = {CONTACTS(1), CONTACTS(2), CONTACTS(3)};
static const dae_event floors[] = {
    {.name = "floor", .value = DAE_MODEL(height), .direction = DAE_FALLING, .action = DAE_MODEL(bounce)}, {0},
};

static const dae_problem record = {
    .name = "impacts",
    .mechanical = {.inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start),
};

static void exact_row(const void *data, double t, double *row)
{
    const balls *p = data;
    const double s = t - p->t0, late = t > p->impact ? t - p->impact : 0;
    for (int i = 0; i < p->n; i++) {
        row[i] = p->q[i] + p->v[i] * (s - late) + p->after[i] * late + p->a * s * s / 2;
        row[p->n + i] = (late > 0 ? p->after[i] : p->v[i]) + p->a * s;
    }
}

/* v[n] after the impacts of bodies in contact, pair by pair; 0 where they do not end. */
static int collide(const balls *p, double *v)
{
    for (int k = 0; k < MANY; k++) {
        int closing = 0;
        for (int i = 0; i + 1 < p->n; i++) {
            const double w = v[i] - v[i + 1], both = p->m[i] + p->m[i + 1];
            if (w > 1e-12 * fabs(p->v[0])) {
                v[i] -= (1 + p->e) * p->m[i + 1] / both * w;
                v[i + 1] += (1 + p->e) * p->m[i] / both * w;
                closing = 1;
            }
        }
        if (!closing)
            return 1;
    }
    return 0;
}

static balls *begin(drawn_random *r, drawn *d, int n, double second)
{
    balls *p = allocate(1, sizeof *p);
    d->data = p;
    p->n = n;
    p->t0 = drawn_begin(r, second);
    d->problem = record;
    d->problem.mechanical.nq = n;
    d->problem.t0 = p->t0;
    d->problem.t_end = p->t0 + 2 * second;
    d->width = 2 * n;
    return p;
}

static void make_row(drawn_random *r, drawn *d)
{
    const double second = drawn_unit(r, -6, 3), meter = drawn_decade(r, -3, 3);
    balls *p = begin(r, d, 2 + drawn_integer(r, BALLS - 1), second);
    p->a = meter / (second * second) * drawn_uniform(r, -3, 3);
    p->q[0] = -meter;
    p->v[0] = meter / second * drawn_uniform(r, 0.8, 5);
    p->impact = p->t0 + meter / p->v[0];
    do {
        p->e = drawn_integer(r, 2) ? 1 : drawn_uniform(r, 0.5, 1);
        for (int i = 0; i < p->n; i++) {
            p->m[i] = drawn_unit(r, -1, 1);
            p->after[i] = p->v[i];
        }
    } while (!collide(p, p->after));
    d->problem.events = contacts[p->n - 2];
    d->exact = exact_row;
}

static void exact_flight(const void *data, double t, double *row)
{
    const balls *p = data;
    double speed = p->v[0] < 0 ? -p->e * p->v[0] : p->v[0], s = t - p->t0;
    while (speed > 0 && s > 2 * speed / -p->a) {
        s -= 2 * speed / -p->a;
        speed *= p->e;
    }
    row[0] = speed > 0 ? speed * s + p->a * s * s / 2 : 0;
    row[1] = speed > 0 ? speed + p->a * s : 0;
}

/* The interval ends before impacts accumulate, after 2 w/(g (1 - e)). */
static void make_on_guard(drawn_random *r, drawn *d)
{
    const double second = drawn_unit(r, -6, 3), meter = drawn_decade(r, -3, 3);
    balls *p = begin(r, d, 1, second);
    p->m[0] = 1;
    p->a = -meter / (second * second) * drawn_uniform(r, 0.5, 3);
    p->e = drawn_uniform(r, 0.5, 0.9);
    p->v[0] = meter / second * drawn_uniform(r, 0.5, 2) * (drawn_integer(r, 3) - 1);
    if (p->v[0] != 0) {
        const double speed = p->v[0] < 0 ? -p->e * p->v[0] : p->v[0];
        d->problem.t_end = p->t0 + 0.8 * 2 * speed / -p->a / (1 - p->e);
    }
    d->problem.events = floors;
    d->exact = exact_flight;
}

const drawn_class drawn_row_of_balls = {"balls", make_row};
const drawn_class drawn_on_guard = {"on_guard", make_on_guard};

#else

static void FN(inertia)(const param *parameters, real t, const real *q, const real *a, real *out)
{
    const balls *p = dae_user_data(parameters);
    for (int i = 0; i < p->n; i++)
        out[i] = p->m[i] * a[i];
}

static void FN(force)(const param *parameters, real t, const real *q, const real *v, real *f)
{
    const balls *p = dae_user_data(parameters);
    for (int i = 0; i < p->n; i++)
        f[i] = (real){0} + p->m[i] * p->a;
}

static real FN(gap)(const param *parameters, real t, const real *x, int k) { return x[k + 1] - x[k]; }
static real FN(height)(const param *parameters, real t, const real *x, int k) { return x[0]; }

static int FN(impact)(const param *parameters, real t, real *x, real *p_new, int k)
{
    const balls *p = dae_user_data(parameters);
    real *v = x + p->n + k;
    const real w = v[0] - v[1];
    const double both = p->m[k] + p->m[k + 1];
    v[0] = v[0] - (1 + p->e) * p->m[k + 1] / both * w;
    v[1] = v[1] + (1 + p->e) * p->m[k] / both * w;
    return 0;
}

static int FN(bounce)(const param *parameters, real t, real *x, real *p_new, int k)
{
    const balls *p = dae_user_data(parameters);
    x[1] = -p->e * x[1];
    return 0;
}

static void FN(start)(const param *parameters, real *u)
{
    const balls *p = dae_user_data(parameters);
    for (int i = 0; i < p->n; i++) {
        u[i] = (real){0} + p->q[i];
        u[p->n + i] = (real){0} + p->v[i];
    }
}

#endif
