/* constraint_check.c - g, dg/dt, d2g/dt2 and G^T lambda of a model
 *
 * Of four functions that state the same constraint the one is wrong that the others contradict:
 *
 *                     rate = dg/dt    acceleration = d/dt rate    = d2g/dt2    G^T = dg/dq
 *     constraint            no                yes                    no            no
 *     rate                  no                no                     yes           yes
 *     acceleration          yes               no                     no            yes
 *     reaction              yes               yes                    yes           no
 *
 * Of nonholonomic ones there is no constraint; rate is linear in v, G = d rate/dv, and one more witness is
 * d acceleration/da = G:
 *
 *                     acceleration = d/dt rate    G^T = d rate/dv    G^T = d acceleration/da
 *     rate                      no                       no                    yes
 *     acceleration              no                       yes
 *     reaction                  yes                      no
 */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* size_k := largest of |x_k| */
static void raise(int n, const dae_quad *x, dae_quad *size)
{
    for (int i = 0; i < n; i++)
        if (dae_quad_fabs(x[i]) > size[i])
            size[i] = dae_quad_fabs(x[i]);
}

static void note(dae_checker *c, dae_row_difference *d, dae_quad found, dae_quad expected,
                 dae_quad error, dae_quad size)
{
    const double part = dae_difference(found, expected, error, size);
    if (part > 0)
        c->found.digits = fmin(c->found.digits, -log10(part));
    if (part > d->part)
        *d = (dae_row_difference){part, (double)found, (double)expected};
}

static int wrong(const dae_row_difference *d)
{
    return d->part > dae_not_rounding;
}

/* c->got against c->slope, in so many rows */
static void note_rows(dae_checker *c, int rows, dae_row_difference *d, const dae_quad *size)
{
    for (int k = 0; k < rows; k++)
        note(c, d + k, c->got[k], c->slope[k], c->error[k],
             dae_quad_fmax(size[k], dae_quad_fmax(dae_quad_fabs(c->got[k]), dae_quad_fabs(c->slope[k]))));
}

/* dg/dt for any velocity w: the real one, where it is small, last. */
static void look_at_rate(dae_checker *c)
{
    for (int k = 0; k <= DAE_DIRECTIONS; k++) {
        if (k < DAE_DIRECTIONS)
            dae_checker_choose(c, c->nq, c->size_v, c->w);
        else
            memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
        c->e->rate.quad(c->p, c->t, c->q, c->w, c->got);
        memcpy(c->size, c->size_rate, (size_t)c->nl * sizeof *c->size);
        if (c->holonomic)
            dae_checker_differentiate(c, DAE_ON_CONSTRAINT, c->holonomic, 1, c->w, c->w, NULL);
        note_rows(c, c->holonomic, c->rate_off, c->size_rate);
        raise(c->nl, c->got, c->size_rate);
    }
}

/* The others are linear in v: from 0 and from b they change by the same. size_rate is set. */
static void look_at_linear(dae_checker *c)
{
    const size_t bytes = (size_t)c->nl * sizeof *c->size;
    if (c->holonomic == c->nl)
        return;
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    dae_checker_choose(c, c->nq, c->size_v, c->b);
    memset(c->x, 0, (size_t)c->nq * sizeof *c->x);
    for (int from = 0; from < 2; from++) {
        memcpy(c->size, c->size_rate, bytes);
        dae_checker_differentiate(c, DAE_ON_GRADIENTS, c->nl, 0, from ? c->b : c->x, c->w, NULL);
        if (!from)
            memcpy(c->got, c->slope, bytes);
    }
    for (int k = c->holonomic; k < c->nl; k++)
        note(c, c->rate_off + k, c->got[k], c->slope[k], 2 * c->error[k], c->size_rate[k]);
}

/* w, b := velocities and accelerations of direction k */
static void choose_motion(dae_checker *c, int k)
{
    if (k < DAE_DIRECTIONS) {
        dae_checker_choose(c, c->nq, c->size_v, c->w);
        dae_checker_choose(c, c->nq, c->size_a, c->b);
    } else {
        memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
        memcpy(c->b, c->a, (size_t)c->nq * sizeof *c->b);
    }
}

static void look_at_acceleration(dae_checker *c)
{
    dae_quad *size = c->mu;
    memset(size, 0, (size_t)c->nl * sizeof *size);
    for (int k = 0; k <= DAE_DIRECTIONS; k++) {
        choose_motion(c, k);
        c->e->acceleration.quad(c->p, c->t, c->q, c->w, c->b, c->got);
        memcpy(c->size, size, (size_t)c->nl * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_RATE, c->nl, 1, c->w, c->w, c->b);
        note_rows(c, c->nl, c->acceleration_off, size);
        raise(c->nl, c->got, size);
    }
}

/* Is it that of constraint, whatever rate says? Second differences have fewer digits. */
static void look_at_second(dae_checker *c)
{
    const dae_quad few = 1e-9;
    choose_motion(c, 0);
    if (!c->holonomic)
        return;
    c->e->acceleration.quad(c->p, c->t, c->q, c->w, c->b, c->got);
    dae_checker_differentiate(c, DAE_ON_CONSTRAINT, 0, 1, c->w, c->w, c->b);
    dae_checker_second(c, c->holonomic);
    for (int k = 0; k < c->holonomic; k++) {
        const dae_quad size = dae_quad_fmax(dae_quad_fabs(c->got[k]), dae_quad_fabs(c->slope[k]));
        note(c, c->second_off + k, c->got[k], c->slope[k], few * size, size);
    }
}

/* x := G^T of a unit of multiplier k */
static void react(dae_checker *c, int k)
{
    memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
    c->mu[k] = 1;
    c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
}

/* Of nonholonomic constraints: has acceleration the gradient, by accelerations, that reaction has? */
static void look_at_third(dae_checker *c)
{
    if (c->holonomic == c->nl)
        return;
    dae_checker_choose(c, c->nq, c->size_a, c->w);
    memset(c->size, 0, (size_t)c->nl * sizeof *c->size);
    dae_checker_differentiate(c, DAE_ON_ACCELERATION, c->nl, 0, c->v, c->w, NULL);
    for (int k = c->holonomic; k < c->nl; k++) {
        dae_quad size = dae_quad_fabs(c->slope[k]);
        react(c, k);
        const dae_quad found = dae_checker_product(c->nq, c->x, c->w, &size);
        note(c, c->second_off + k, found, c->slope[k], c->error[k], size);
    }
}

/* (G^T mu)^T w for random mu, so large that each constraint counts alike; 0 where it is wrong. */
static int look_at_reaction(dae_checker *c)
{
    int right = 1;
    for (int k = 0; k < DAE_DIRECTIONS; k++) {
        dae_quad size = 0, error = 0;
        dae_checker_choose(c, c->nq, c->size_q, c->w);
        memset(c->size, 0, (size_t)c->nl * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_GRADIENTS, c->nl, 0, c->v, c->w, NULL);
        raise(c->nl, c->slope, c->size_g);
        for (int l = 0; l < c->nl; l++) {
            c->mu[l] = c->size_g[l] > 0 ? dae_random_direction(&c->random) / c->size_g[l] : 0;
            error += dae_quad_fabs(c->mu[l]) * c->error[l];
        }
        c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
        dae_row_difference off = {0, 0, 0};
        const dae_quad found = dae_checker_product(c->nq, c->x, c->w, &size);
        const dae_quad expected = dae_checker_product(c->nl, c->mu, c->slope, &size);
        note(c, &off, found, expected, error, size);
        right &= !wrong(&off);
    }
    return right;
}

/* The same for each multiplier. */
static void look_at_gradients(dae_checker *c)
{
    dae_checker_choose(c, c->nq, c->size_q, c->w);
    memset(c->size, 0, (size_t)c->nl * sizeof *c->size);
    dae_checker_differentiate(c, DAE_ON_GRADIENTS, c->nl, 0, c->v, c->w, NULL);
    for (int k = 0; k < c->nl; k++) {
        dae_quad size = dae_quad_fabs(c->slope[k]);
        react(c, k);
        const dae_quad found = dae_checker_product(c->nq, c->x, c->w, &size);
        note(c, c->gradient_off + k, found, c->slope[k], c->error[k], size);
    }
}

/* Some number in 1 ... 2, another for each i: of two slips of one size neither hides the other. */
static dae_quad uneven(int i)
{
    return 1 + (unsigned)i * 40503u % 65521u / (dae_quad)65521;
}

/* |dg_k/ds - (G^T e_k)^T w| along w in positions first ... first + count, react(k) in x */
static dae_quad apart(dae_checker *c, int k, int first, int count, dae_quad *slope)
{
    dae_quad size = 0;
    memset(c->w, 0, (size_t)c->nq * sizeof *c->w);
    for (int i = first; i < first + count; i++)
        c->w[i] = c->size_q[i] * uneven(i);
    dae_checker_differentiate(c, DAE_ON_GRADIENTS, c->nl, 0, c->v, c->w, NULL);
    *slope = c->slope[k];
    return dae_quad_fabs(*slope - dae_checker_product(c->nq, c->x, c->w, &size));
}

/* The position by bisection whose reaction to multiplier k is not dg_k/dq. */
static void blame_reaction(dae_checker *c, int k)
{
    int first = 0, count = c->nq;
    dae_quad slope = 0;
    react(c, k);
    while (count > 1) {
        const int half = count / 2;
        const dae_quad low = apart(c, k, first, half, &slope);
        if (!(low >= apart(c, k, first + half, count - half, &slope))) {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    apart(c, k, first, 1, &slope);
    dae_blame(&c->found, "reaction", first + 1, k + 1, (double)c->x[first],
              (double)(slope / (c->size_q[first] * uneven(first))), c->gradient_off[k].part,
              k < c->holonomic ? "is not the gradient of constraint times the multiplier"
                               : "is not the derivative of rate by the velocity times the multiplier");
}

/* What has no part in the gradients at q may have one beside it: c->q is moved there. */
static void look_beside(dae_checker *c)
{
    dae_checker_choose(c, c->nq, c->size_q, c->y);
    for (int i = 0; i < c->nq; i++)
        c->y[i] += c->q[i];
    c->q = c->y;
    look_at_third(c);
    look_at_gradients(c);
}

static void blame(dae_checker *c, const char *function, int k, const dae_row_difference *d,
                  const char *why)
{
    dae_blame(&c->found, function, k + 1, 0, d->found, d->expected, d->part, why);
}

static void judge_nonholonomic(dae_checker *c, int k)
{
    const dae_row_difference *r = c->rate_off + k, *a = c->acceleration_off + k,
                             *g = c->gradient_off + k;
    if (wrong(r)) {
        blame(c, "rate", k, r, "is not linear in the velocities: its derivative by them");
    } else if (wrong(a) && wrong(g) && !wrong(c->second_off + k)) {
        dae_blame(&c->found, "rate", k + 1, 0, a->expected, a->found, a->part,
                  "contradicts acceleration and reaction: its d/dt");
    } else {
        if (wrong(a))
            blame(c, "acceleration", k, a, "is not d/dt of rate");
        if (wrong(g))
            blame_reaction(c, k);
    }
}

static void judge(dae_checker *c, int k)
{
    const dae_row_difference *r = c->rate_off + k, *a = c->acceleration_off + k,
                             *g = c->gradient_off + k;
    const int alone = wrong(r) && !wrong(a) && wrong(g), twice = wrong(r) && wrong(a);
    const int second = twice && wrong(c->second_off + k);
    if (alone)
        dae_blame(&c->found, "constraint", k + 1, 0, r->expected, r->found, r->part,
                  "contradicts rate and reaction: its dg/dt");
    else if (wrong(r))
        blame(c, "rate", k, r, twice && !second
              ? "is not dg/dt of constraint, which acceleration is the second derivative of"
              : !wrong(a) ? "is not dg/dt of constraint, though acceleration is d/dt of rate"
                          : "is not dg/dt of constraint");
    if (wrong(a) && (!twice || second))
        blame(c, "acceleration", k, a, "is not d/dt of rate");
    if (wrong(g) && !alone)
        blame_reaction(c, k);
}

void dae_check_constraints(dae_checker *c)
{
    const dae_quad *const q = c->q;
    int failed = 0;
    memset(c->rate_off, 0, 4 * (size_t)c->nl * sizeof *c->rate_off);
    look_at_rate(c);
    look_at_linear(c);
    look_at_acceleration(c);
    const int right = look_at_reaction(c);
    for (int k = 0; k < c->nl; k++)
        failed |= wrong(c->rate_off + k) || wrong(c->acceleration_off + k);
    if (!failed && right)
        return;
    look_at_second(c);
    look_at_third(c);
    look_at_gradients(c);
    if (c->holonomic < c->nl)
        look_beside(c);
    for (int k = 0; k < c->nl; k++)
        if (k < c->holonomic)
            judge(c, k);
        else
            judge_nonholonomic(c, k);
    c->q = q;
}

void dae_check_drift(dae_checker *c)
{
    if (c->holonomic)
        c->e->constraint.quad(c->p, c->t, c->q, c->got);
    for (int k = 0; k < c->holonomic; k++)
        dae_checker_compare(c, c->got[k], 0, 0, c->size_g[k], "constraint", k + 1,
                            "is not 0 on the reference");
    c->e->rate.quad(c->p, c->t, c->q, c->v, c->got);
    for (int k = 0; k < c->nl; k++)
        dae_checker_compare(c, c->got[k], 0, 0, c->size_rate[k], "rate", k + 1,
                            "is not 0 on the reference");
}
