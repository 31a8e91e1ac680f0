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
        size[i] = dae_quad_fmax(size[i], dae_quad_fabs(x[i]));
}

static void note(dae_checker *c, dae_row_difference *d, dae_quad found, dae_quad expected,
                 dae_quad error, dae_quad size)
{
    const double part = dae_show(&c->found, found, expected, error, size);
    if (part > d->part)
        *d = (dae_row_difference){part, (double)found, (double)expected};
}

static int wrong(const dae_checker *c, const dae_row_difference *d) { return d->part > c->found.rounding; }

/* w, b := velocities and accelerations of direction k; the real ones, where they are small, last. */
static void choose_motion(dae_checker *c, int k, int accelerated)
{
    const size_t bytes = (size_t)c->nq * sizeof *c->w;
    if (k < c->directions) {
        dae_checker_choose(c, c->nq, c->size_v, c->w);
        dae_checker_choose(c, accelerated ? c->nq : 0, c->size_a, c->b);
    } else {
        memcpy(c->w, c->v, bytes);
        memcpy(c->b, c->a, bytes);
    }
}

/* c->got against c->slope, d/dt of the map along (w, b), in so many rows, with the size of all directions */
static void compare_rates(dae_checker *c, dae_on map, int rows, const dae_quad *b, dae_row_difference *d,
                          dae_quad *size)
{
    memcpy(c->size, size, (size_t)c->nl * sizeof *c->size);
    if (rows)
        dae_checker_differentiate(c, map, rows, 1, c->w, c->w, b);
    for (int k = 0; k < rows; k++)
        note(c, d + k, c->got[k], c->slope[k], c->error[k],
             dae_quad_fmax(size[k], dae_quad_fmax(dae_quad_fabs(c->got[k]), dae_quad_fabs(c->slope[k]))));
    raise(c->nl, c->got, size);
}

/* rate is dg/dt for any velocity, and acceleration d/dt rate for any acceleration, too. */
static void look_at_rates(dae_checker *c)
{
    for (int k = 0; k < c->directions + !c->rows->rough; k++) {
        choose_motion(c, k, 0);
        c->e->rate.quad(c->p, c->t, c->q, c->w, c->got);
        compare_rates(c, DAE_ON_CONSTRAINT, c->holonomic, NULL, c->rate_off, c->size_rate);
    }
}

static void look_at_accelerations(dae_checker *c)
{
    memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
    for (int k = 0; k < c->directions + !c->rows->rough; k++) {
        choose_motion(c, k, 1);
        c->e->acceleration.quad(c->p, c->t, c->q, c->w, c->b, c->got);
        compare_rates(c, DAE_ON_RATE, c->nl, c->b, c->acceleration_off, c->mu);
    }
}

/* c->slope := that of a map at (t, q, v) along w, where a row is small that is below its size; NULL: 0 */
static void set_slope_along(dae_checker *c, dae_on map, const dae_quad *v, const dae_quad *size)
{
    for (int k = 0; k < c->nl; k++)
        c->size[k] = size ? size[k] : 0;
    dae_checker_differentiate(c, map, c->nl, 0, v, c->w, NULL);
}

/* Rates that are not of positions are linear in v: from 0 and from b they change by the same. size_rate is set. */
static void look_at_linear(dae_checker *c)
{
    if (c->holonomic == c->nl)
        return;
    choose_motion(c, 0, 0);
    dae_checker_choose(c, c->nq, c->size_v, c->b);
    memset(c->x, 0, (size_t)c->nq * sizeof *c->x);
    set_slope_along(c, DAE_ON_GRADIENTS, c->x, c->size_rate);
    memcpy(c->got, c->slope, (size_t)c->nl * sizeof *c->got);
    set_slope_along(c, DAE_ON_GRADIENTS, c->b, c->size_rate);
    for (int k = c->holonomic; k < c->nl; k++)
        note(c, c->rate_off + k, c->got[k], c->slope[k], 2 * c->error[k], c->size_rate[k]);
}

/* (G^T mu)^T w for random mu, so large that each constraint counts alike; 0 where it is wrong. */
static int look_at_reaction(dae_checker *c)
{
    int right = 1;
    for (int k = 0; k < c->directions; k++) {
        dae_quad size = 0, error = 0;
        dae_checker_choose(c, c->nq, c->size_q, c->w);
        set_slope_along(c, DAE_ON_GRADIENTS, c->v, NULL);
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
        right &= !wrong(c, &off);
    }
    return right;
}

/* ---- where something is wrong, by rows ------------------------------------------------------ */

/* Is acceleration that of constraint, whatever rate says? Second differences have fewer digits. */
static void look_at_second(dae_checker *c)
{
    const dae_quad few = 1e-9;
    choose_motion(c, 0, 1);
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

/* Has a map the gradient along random w that reaction has, by rows from first on? */
static void look_at_gradients(dae_checker *c, dae_on map, const dae_quad *size_w, int first, dae_row_difference *off)
{
    if (first == c->nl)
        return;
    dae_checker_choose(c, c->nq, size_w, c->w);
    set_slope_along(c, map, c->v, NULL);
    for (int k = first; k < c->nl; k++) {
        dae_quad size = dae_quad_fabs(c->slope[k]);
        react(c, k);
        const dae_quad found = dae_checker_product(c->nq, c->x, c->w, &size);
        note(c, off + k, found, c->slope[k], c->error[k], size);
    }
}

/* Of nonholonomic constraints acceleration by accelerations; of all of them what rate and constraint have. */
static void look_at_all_gradients(dae_checker *c)
{
    look_at_gradients(c, DAE_ON_ACCELERATION, c->size_a, c->holonomic, c->second_off);
    look_at_gradients(c, DAE_ON_GRADIENTS, c->size_q, 0, c->gradient_off);
}

/* What has no part in the gradients at q may have one beside it: c->q is moved there. */
static void look_beside(dae_checker *c)
{
    dae_checker_choose(c, c->nq, c->size_q, c->y);
    for (int i = 0; i < c->nq; i++)
        c->y[i] += c->q[i];
    c->q = c->y;
    look_at_all_gradients(c);
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

static void blame(dae_checker *c, const char *function, int k, const dae_row_difference *d, const char *why)
{
    dae_blame(&c->found, function, k + 1, 0, d->found, d->expected, d->part, why);
}

static void judge_nonholonomic(dae_checker *c, int k)
{
    const dae_row_difference *r = c->rate_off + k, *a = c->acceleration_off + k, *g = c->gradient_off + k;
    if (wrong(c, r)) {
        blame(c, "rate", k, r, "is not linear in the velocities: its derivative by them");
    } else if (wrong(c, a) && wrong(c, g) && !wrong(c, c->second_off + k)) {
        dae_blame(&c->found, "rate", k + 1, 0, a->expected, a->found, a->part,
                  "contradicts acceleration and reaction: its d/dt");
    } else {
        if (wrong(c, a))
            blame(c, "acceleration", k, a, "is not d/dt of rate");
        if (wrong(c, g))
            blame_reaction(c, k);
    }
}

static void judge(dae_checker *c, int k)
{
    const dae_row_difference *r = c->rate_off + k, *a = c->acceleration_off + k, *g = c->gradient_off + k;
    const int alone = wrong(c, r) && !wrong(c, a) && wrong(c, g), twice = wrong(c, r) && wrong(c, a);
    const int second = twice && wrong(c, c->second_off + k);
    if (alone)
        dae_blame(&c->found, "constraint", k + 1, 0, r->expected, r->found, r->part,
                  "contradicts rate and reaction: its dg/dt");
    else if (wrong(c, r))
        blame(c, "rate", k, r, twice && !second
              ? "is not dg/dt of constraint, which acceleration is the second derivative of"
              : !wrong(c, a) ? "is not dg/dt of constraint, though acceleration is d/dt of rate"
                          : "is not dg/dt of constraint");
    if (wrong(c, a) && (!twice || second))
        blame(c, "acceleration", k, a, "is not d/dt of rate");
    if (wrong(c, g) && !alone)
        blame_reaction(c, k);
}

void dae_check_constraints(dae_checker *c)
{
    const dae_quad *const q = c->q;
    int failed = 0;
    memset(c->rate_off, 0, 4 * (size_t)c->nl * sizeof *c->rate_off);
    look_at_rates(c);
    look_at_linear(c);
    look_at_accelerations(c);
    const int right = look_at_reaction(c);
    for (int k = 0; k < c->nl; k++)
        failed |= wrong(c, c->rate_off + k) || wrong(c, c->acceleration_off + k);
    if (!failed && right)
        return;
    look_at_second(c);
    look_at_all_gradients(c);
    if (c->holonomic < c->nl)
        look_beside(c);
    for (int k = 0; k < c->nl; k++)
        (k < c->holonomic ? judge : judge_nonholonomic)(c, k);
    c->q = q;
}

static void compare_with_nothing(dae_checker *c, int rows, const dae_quad *size, const char *function)
{
    for (int k = 0; k < rows; k++)
        dae_compare(&c->found, c->got[k], 0, 0, size[k], function, k + 1, "is not 0 on the reference");
}

void dae_check_drift(dae_checker *c)
{
    if (c->holonomic)
        c->e->constraint.quad(c->p, c->t, c->q, c->got);
    compare_with_nothing(c, c->holonomic, c->size_g, "constraint");
    c->e->rate.quad(c->p, c->t, c->q, c->v, c->got);
    compare_with_nothing(c, c->nl, c->size_rate, "rate");
}
