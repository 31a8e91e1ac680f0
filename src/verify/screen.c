/* screen.c - with e^2 = 0, at a state beside the start, at any time,
 *
 *     rate(w) = d constraint(q + e w),  acceleration(w, b) = d rate(q + e w, w + e b)
 *     (G^T mu)^T w = mu^T d constraint(q + e w), of nonholonomic ones d rate(q, v + e w), which is that at v = 0
 *     x^T M y = y^T M x,  M (x + y) = M x + M y
 *     partials, jacobian along (w, b) and t = d force, reaction, ..., rhs
 *
 * and at a consistent one, at the start, with its acceleration a,
 *
 *     d energy(q + e v, v + e a) = 0,  d invariants = 0,  embed(chart(q, v)) = (q, v)
 *     d embed = its velocity,  d chart(q + e v, v + e a) = (s', s'')
 *
 * and then each function in all of its passes (screen_passes.c).
 */
#include "screen.h"

#include "screen_parts.h"

#include "base/numbers.h"
#include "jacobian/sparse_partials.h"
#include "start/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near = 1e-9;

/* ---- numbers ------------------------------------------------------------------------------ */

void dae_screen_compare(screen *c, double x, double y, double size)
{
    const double apart = fabs(x - y);
    c->suspect |= isfinite(apart) && apart > near * fmax(size, fmax(fabs(x), fabs(y)));
}

static double product(int n, const double *x, const double *y, double *size)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
        *size += fabs(x[i] * y[i]);
    }
    return sum;
}

static void choose(screen *c, int n, const double *size, double *w)
{
    for (int i = 0; i < n; i++)
        w[i] = size[i] * dae_random_direction(&c->random);
}

/* x + e w; w may be NULL */
static const dae_dual *along(int n, const double *x, const double *w, dae_dual *out)
{
    for (int i = 0; i < n; i++)
        out[i] = dae_dual_make(x[i], w ? w[i] : 0);
    return out;
}

/* c->z := derivatives of c->out */
static const double *derivatives(screen *c, int m)
{
    for (int i = 0; i < m; i++)
        c->z[i] = dae_dual_derivative(c->out[i]);
    return c->z;
}

static void compare_rows(screen *c, int m, const double *x, const double *y, const double *size)
{
    for (int i = 0; i < m; i++)
        dae_screen_compare(c, x[i], y[i], size ? size[i] : 0);
}

/* ---- constraints and mass ----------------------------------------------------------------- */

/* c->z := G c->w, of nonholonomic constraints as rate has it for any velocity */
static void set_gradients(screen *c)
{
    const dae_mechanical *e = c->e;
    const int others = c->nl - c->holonomic;
    if (others) {
        memset(c->y, 0, (size_t)c->nq * sizeof *c->y);
        e->rate.dual(c->p, c->t, along(c->nq, c->q, NULL, c->dq), along(c->nq, c->y, c->w, c->dv), c->out);
        memcpy(c->x, derivatives(c, c->nl), (size_t)c->nl * sizeof *c->x);
        e->rate.dual(c->p, c->t, along(c->nq, c->q, NULL, c->dq), along(c->nq, c->v, c->w, c->dv), c->out);
        compare_rows(c, others, c->x + c->holonomic, derivatives(c, c->nl) + c->holonomic, NULL);
    }
    if (c->holonomic)
        e->constraint.dual(c->p, c->t, along(c->nq, c->q, c->w, c->dq), c->out);
    derivatives(c, c->holonomic);
}

static void look_at_constraints(screen *c)
{
    const dae_mechanical *e = c->e;
    const dae_dual t = dae_dual_make(c->t, 1);
    const double *size = c->s->size;
    double sum = 0;
    choose(c, c->nq, size + c->s->places.v, c->w);
    choose(c, c->nq, size + c->s->places.a, c->b);
    e->rate.f(c->p, c->t, c->q, c->w, c->x);
    if (c->holonomic)
        e->constraint.dual(c->p, t, along(c->nq, c->q, c->w, c->dq), c->out);
    compare_rows(c, c->holonomic, c->x, derivatives(c, c->holonomic), NULL);
    e->acceleration.f(c->p, c->t, c->q, c->w, c->b, c->x);
    e->rate.dual(c->p, t, along(c->nq, c->q, c->w, c->dq), along(c->nq, c->w, c->b, c->dv), c->out);
    compare_rows(c, c->nl, c->x, derivatives(c, c->nl), NULL);
    choose(c, c->nq, size + c->s->places.q, c->w);
    set_gradients(c);
    for (int k = 0; k < c->nl; k++)
        c->y[k] = c->z[k] != 0 ? dae_random_direction(&c->random) / fabs(c->z[k]) : 0;
    const double expected = product(c->nl, c->y, c->z, &sum);
    e->reaction.f(c->p, c->t, c->q, c->y, c->x);
    sum = 0;
    const double found = product(c->nq, c->x, c->w, &sum);
    dae_screen_compare(c, found, expected, 1e-2 * sum);
}

static void look_at_mass(screen *c)
{
    double size = 0;
    choose(c, c->nq, c->s->size + c->s->places.a, c->w);
    choose(c, c->nq, c->s->size + c->s->places.a, c->b);
    c->e->inertia.f(c->p, c->t, c->q, c->w, c->x);
    c->e->inertia.f(c->p, c->t, c->q, c->b, c->y);
    const double wMb = product(c->nq, c->w, c->y, &size), bMw = product(c->nq, c->b, c->x, &size);
    dae_screen_compare(c, wMb, bMw, 1e-2 * size);
    for (int i = 0; i < c->nq; i++) {
        c->w[i] += c->b[i];
        c->x[i] += c->y[i];
    }
    c->e->inertia.f(c->p, c->t, c->q, c->w, c->z);
    compare_rows(c, c->nq, c->z, c->x, NULL);
}

/* ---- analytic derivatives ----------------------------------------------------------------- */

/* out[m] := tau column + A w + B b for row-major blocks, size the sum of what is added; NULL: none */
static void combine(screen *c, int m, double tau, const double *column, const double *A, const double *B,
                    double *out, double *size)
{
    for (int i = 0; i < m; i++) {
        out[i] = tau * column[i];
        size[i] = fabs(out[i]);
        for (int j = 0; j < c->nq; j++) {
            const double one = A ? A[i * c->nq + j] * c->w[j] : 0, two = B ? B[i * c->nq + j] * c->b[j] : 0;
            out[i] += one + two;
            size[i] += fabs(one) + fabs(two);
        }
    }
}

static void compare_block(screen *c, int m, double tau, const double *column, const double *A,
                          const double *B)
{
    combine(c, m, tau, column, A, B, c->x, c->y);
    compare_rows(c, m, c->x, derivatives(c, m), c->y);
}

/* Of constraints, along c->w and c->b: G by q and by v, and what of them depends on the state. */
static void compare_constraints(screen *c, const dae_partials *d, const double *zero)
{
    const dae_mechanical *e = c->e;
    const double tau = c->s->span;
    const dae_dual t = dae_dual_make(c->t, tau);
    const dae_dual *q = along(c->nq, c->q, NULL, c->dq), *v = along(c->nq, c->v, c->w, c->dv);
    e->rate.dual(c->p, c->t, q, v, c->out);
    compare_block(c, c->nl, 0, zero, d->G, NULL);
    along(c->nq, c->q, c->w, c->dq);
    if (c->holonomic)
        e->constraint.dual(c->p, t, q, c->out);
    compare_block(c, c->holonomic, tau, d->g_t, d->G, NULL);
    along(c->nq, c->v, c->b, c->dv);
    e->acceleration.dual(c->p, t, q, v, along(c->nq, c->a, NULL, c->da), c->out);
    compare_block(c, c->nl, tau, d->acc_t, d->acc_q, d->acc_v);
    e->reaction.dual(c->p, t, q, along(c->nl, c->lambda, NULL, c->da), c->out);
    compare_block(c, c->nq, tau, d->r_t, d->r_q, NULL);
    e->rate.dual(c->p, t, q, along(c->nq, c->v, NULL, c->dv), c->out);
    compare_block(c, c->nl, tau, d->rate_t, d->rate_q, NULL);
}

static int look_at_partials(screen *c)
{
    const dae_mechanical *e = c->e;
    const size_t nq = (size_t)c->nq, nl = (size_t)c->nl;
    if (!dae_gives_partials(e) || c->nq > DAE_MANY_POSITIONS)
        return 1;
    double *b = calloc(3 * nq * nq + 4 * nl * nq + 3 * nq + 4 * nl, sizeof *b), *memory = b;
    if (!b)
        return 0;
    dae_partials d = {.level = 2};
    double **blocks[] = {&d.f_q, &d.f_v, &d.r_q, &d.G, &d.rate_q, &d.acc_q, &d.acc_v, &d.f, &d.f_t, &d.r_t,
                         &d.g_t, &d.rate_t, &d.acc_t};
    for (int i = 0; i < 13; i++) {
        *blocks[i] = b;
        b += i < 3 ? nq * nq : i < 7 ? nl * nq : i < 10 ? nq : nl;
    }
    for (int i = 0; i < c->nq; i++)
        d.f[i] = NAN;
    const double tau = c->s->span;
    const dae_dual t = dae_dual_make(c->t, tau);
    const dae_partials_point at = {c->p, c->t, c->q, c->v, c->a, c->lambda};
    const dae_status status = dae_dense_partials(e, &at, c->nq, c->nl, &d);
    if (status) {
        free(memory);
        return status != DAE_NO_MEMORY;                 /* an entry outside of its block is said by who uses it */
    }
    choose(c, c->nq, c->s->size + c->s->places.q, c->w);
    choose(c, c->nq, c->s->size + c->s->places.v, c->b);
    e->force.dual(c->p, t, along(c->nq, c->q, c->w, c->dq), along(c->nq, c->v, c->b, c->dv), c->out);
    compare_block(c, c->nq, tau, d.f_t, d.f_q, d.f_v);
    e->force.f(c->p, c->t, c->q, c->v, c->x);
    if (e->partials)                                    /* the other form has no f */
        compare_rows(c, c->nq, d.f, c->x, NULL);
    if (c->nl)
        compare_constraints(c, &d, b);
    free(memory);
    return 1;
}

static int look_at_jacobian(screen *c)
{
    const dae_first_order *f = &c->s->problem.first_order;
    const int n = c->s->places.n;
    if (!f->jacobian)
        return 1;
    double *J = calloc((size_t)n * (size_t)n + (size_t)n, sizeof *J), *F_t = J + (size_t)n * (size_t)n;
    if (!J)
        return 0;
    const double tau = c->s->span;
    f->jacobian(c->p, c->t, c->q, J, F_t);
    choose(c, n, c->s->size, c->w);
    f->rhs.dual(c->p, dae_dual_make(c->t, tau), along(n, c->q, c->w, c->dq), c->out);
    for (int i = 0; i < n; i++) {
        c->x[i] = tau * F_t[i];
        c->y[i] = fabs(c->x[i]);
        for (int j = 0; j < n; j++) {
            c->x[i] += J[j * n + i] * c->w[j];
            c->y[i] += fabs(J[j * n + i] * c->w[j]);
        }
    }
    compare_rows(c, n, c->x, derivatives(c, n), c->y);
    free(J);
    return 1;
}

/* ---- the motion --------------------------------------------------------------------------- */

/* q, v, a, lambda := consistent, at t0, with velocities that the constraints allow; 0 where none is found. */
static int set_motion(screen *c)
{
    dae_subject *s = c->s;
    double *u = calloc((size_t)dae_system_size(s->sys) + 1, sizeof *u);
    dae_status status = u ? dae_system_start(s->sys, u, NULL) : DAE_NO_MEMORY;
    c->t = s->problem.t0;
    if (!status)
        status = dae_consistent_start(s->sys, c->t, u, NULL, NULL);
    if (!status)
        status = dae_system_split(s->sys, c->t, u, c->q, c->v, c->lambda);
    free(u);
    if (status)
        return 0;
    choose(c, c->nq, s->size + s->places.v, c->w);
    for (int i = 0; i < c->nq; i++)
        c->v[i] += c->w[i];
    return (!c->nl || !dae_start_velocities(s->sys, c->t, c->q, c->v, NULL))
           && !dae_system_accelerate(s->sys, c->t, c->q, c->v, c->a, c->lambda);
}

static void look_at_energy(screen *c)
{
    double size = 0, work = 0;
    if (!c->e->energy.f || !c->e->conservative)
        return;
    c->e->energy.dual(c->p, c->t, along(c->nq, c->q, c->v, c->dq), along(c->nq, c->v, c->a, c->dv), c->out);
    const double change = dae_dual_derivative(c->out[0]);
    c->e->force.f(c->p, c->t, c->q, c->v, c->x);
    product(c->nq, c->v, c->x, &size);
    if (c->nl) {
        c->e->reaction.f(c->p, c->t, c->q, c->lambda, c->x);
        work = product(c->nq, c->v, c->x, &size);
    }
    dae_screen_compare(c, fmin(fabs(change), fabs(change + work)), 0, size);
}

static void look_at_minimal(screen *c)
{
    const dae_minimal *m = &c->e->minimal;
    double *s = c->w, *dds = c->b, *back = c->y;
    if (!m->n)
        return;
    m->chart.f(c->p, c->t, c->q, c->v, s);
    m->acceleration.f(c->p, c->t, s, s + m->n, dds);
    m->embed.f(c->p, c->t, s, s + m->n, back);
    for (int i = 0; i < 2 * c->nq; i++)
        dae_screen_compare(c, back[i], i < c->nq ? c->q[i] : c->v[i - c->nq], c->s->size[i]);
    const dae_dual t = dae_dual_make(c->t, 1);
    m->embed.dual(c->p, t, along(m->n, s, s + m->n, c->dq), along(m->n, s + m->n, dds, c->dv), c->out);
    derivatives(c, 2 * c->nq);
    for (int i = 0; i < c->nq; i++) {
        dae_screen_compare(c, c->z[i], back[c->nq + i], c->s->size[c->s->places.v + i]);
        dae_screen_compare(c, c->z[c->nq + i], c->a[i], c->s->size[c->s->places.a + i]);
    }
}

/* x' in w and b, as one block */
static void look_at_invariants(screen *c)
{
    const dae_invariants *given = &c->s->problem.invariants;
    const int n = c->nq ? 2 * c->nq : c->s->places.n;
    double *way = c->w, *x = c->q;
    if (!given->n)
        return;
    if (c->nq) {
        memcpy(way, c->v, (size_t)c->nq * sizeof *way);
        memcpy(way + c->nq, c->a, (size_t)c->nq * sizeof *way);
    } else if (c->s->problem.first_order.mass.f) {
        return;
    } else {
        c->s->problem.first_order.rhs.f(c->p, c->t, c->q, way);
    }
    for (int i = 0; i < n; i++)
        c->b[i] = fabs(way[i]) * dae_random_direction(&c->random);
    given->value.dual(c->p, c->t, along(n, x, c->b, c->dq), c->out);
    memcpy(c->y, derivatives(c, given->n), (size_t)given->n * sizeof *c->y);
    given->value.dual(c->p, dae_dual_make(c->t, 1), along(n, x, way, c->dq), c->out);
    derivatives(c, given->n);
    for (int i = 0; i < given->n; i++)
        dae_screen_compare(c, c->z[i], 0, fabs(c->y[i]));
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int create(screen *c, dae_subject *s)
{
    const dae_state_places *p = &s->places;
    const int invariants = s->problem.invariants.n;
    int most = 2 * p->nq + p->nl + 2 * p->ns + p->n;
    most = (most > invariants ? most : invariants) + 16;
    *c = (screen){.s = s, .e = &s->problem.mechanical, .p = s->p, .nq = p->nq, .nl = p->nl,
                  .holonomic = p->holonomic, .ns = p->ns,
                  .most = most, .t = s->found.t, .random = 19911225};
    double *d = c->memory = calloc(9 * (size_t)most, sizeof *d);
    c->duals = calloc(4 * (size_t)most, sizeof *c->duals);
    if (!d || !c->duals)
        return 0;
    double **of[] = {&c->w, &c->b, &c->x, &c->y, &c->z, &c->q, &c->a, &c->lambda};
    for (int i = 0; i < 8; i++)
        *of[i] = d + i * most;
    c->v = c->q + c->nq;                                /* (q, v) is one block */
    c->dq = c->duals;
    c->dv = c->dq + most;
    c->da = c->dv + most;
    c->out = c->da + most;
    memcpy(c->q, s->state, (size_t)(p->nq ? 2 * p->nq : p->n) * sizeof *c->q);
    memcpy(c->lambda, s->state + p->lambda, (size_t)p->nl * sizeof *c->lambda);
    memcpy(c->a, s->state + p->a, (size_t)p->nq * sizeof *c->a);
    return 1;
}

static int look(screen *c)
{
    int whole = 1;
    if (c->nq) {
        look_at_mass(c);
        if (c->nl)
            look_at_constraints(c);
        whole = look_at_partials(c);
    } else {
        whole = look_at_jacobian(c);
    }
    if (whole && !c->suspect)
        whole = dae_screen_passes(c);
    if (whole && !c->suspect && c->nq && c->t == c->s->problem.t0 && set_motion(c)) {
        look_at_energy(c);
        look_at_minimal(c);
        look_at_invariants(c);
    } else if (whole && !c->nq) {
        look_at_invariants(c);
    }
    return whole;
}

dae_status dae_screen(dae_subject *s, int *suspect, dae_report *report)
{
    screen c;
    const int whole = create(&c, s) && look(&c);
    *suspect = c.suspect;
    free(c.memory);
    free(c.duals);
    return whole ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory to look at a model");
}
