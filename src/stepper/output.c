/* output.c - corrected output of mechanical systems with constraints
 *
 * Dense output (q, v) at x = (t - t_old)/h is projected, in the mass norm, to the nearest state whose
 * constraint residuals are the linear interpolation of those at the ends of the step,
 *
 *     g(t, q) = (1 - x) g_0 + x g_1,      dg/dt(t, q, v) = (1 - x) r_0 + x r_1,
 *
 * so that dense output violates the constraints no more than the steps do. In the same way multipliers, and
 * accelerations that are unknowns, are the solution of
 *
 *     M a + G^T lambda = f,   d2g/dt2 = 0,   or = -2 alpha dg/dt - beta^2 g for Baumgarte
 *
 * plus the linear interpolation of their differences from it at the ends.
 *
 * In index 2 and 3 the multipliers of a method contain errors of v divided by h, and of q divided by h^2. In
 * index 3 the velocities along M^-1 G^T contain errors of q divided by h. With fixed steps they are output
 * unchanged. With error control the last step before an output time may be very short. There lambda is
 * computed from the acceleration level, at the ends of steps and between them, in index 3 after v has been
 * projected onto dg/dt = 0. These values have the order of q and of the velocities along the constraints,
 * independent of h. The method itself continues from its own values.
 */
#include "output.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4 };
static const double ROUNDING = 4 * DBL_EPSILON; /* smaller corrections of q, over max |q_i|, are rounding */
static const double CUT = 0.01;                 /* after a step below this part of the next one, the method
                                                   continues from the corrected values */
static const double NOISE = 1e-10;              /* largest correction of q that rounding in g may cause */

struct dae_output {
    int kept;                   /* 1: a step was accepted since the start */
    int shown, hidden;          /* shown: u is corrected, tail holds the method's values; hidden: u is the
                                   method's again, tail holds the corrected values */
    int first;                  /* u[first] ... are corrected: first = 2 nq; nq where v is, too */
    double *tail;               /* [n - first] */
    int determined;             /* 1: off is set */
    double *residual;           /* [4 x nl] g_0, r_0, g_1, r_1 */
    double *off[2];             /* [n] at each end: multipliers and accelerations of the method less those
                                   of the acceleration level */
    double *kappa, *moved, *given;      /* [nl], [nq], [nq] work arrays */
};

static int is_mechanical(const dae_system *sys)
{
    return sys->compose->kind == DAE_FORM_MECHANICAL && sys->n > 2 * sys->nq;
}

dae_status dae_output_create(dae_solver *s)
{
    const dae_system *sys = s->sys;
    const size_t nl = (size_t)sys->nl, nq = (size_t)sys->nq, n = (size_t)sys->n;
    if (!is_mechanical(sys))
        return DAE_OK;
    struct dae_output *r = driver(s)->output = DAE_RECORD(struct dae_output,
        DAE_PART(struct dae_output, tail, n - nq), DAE_PART(struct dae_output, residual, 4 * nl),
        DAE_PART(struct dae_output, kappa, nl), DAE_PART(struct dae_output, moved, nq),
        DAE_PART(struct dae_output, given, nq), DAE_PART(struct dae_output, off[0], n),
        DAE_PART(struct dae_output, off[1], n));
    if (!r)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for rows of %d unknowns", s->n);
    driver(s)->corrects_output = s->adaptive && sys->index > 1;
    r->first = (sys->index == 3 ? 1 : 2) * sys->nq;
    return DAE_OK;
}

void dae_output_free(struct dae_output *r) { free(r); }

/* ---- multipliers -------------------------------------------------------------------------- */

/* lambda and, where they are unknowns, the accelerations from the acceleration level. Needs G and S at q. */
static void balance(dae_system *sys, double t, double *u)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    const double alpha = sys->options.alpha, beta = sys->options.beta;
    double *q = u, *v = u + sys->nq, *a = dae_system_accelerations(sys, u), *lambda = v + sys->nq;
    double *g = sys->a, *rate = g + sys->nl;
    dae_system_balance(sys, t, q, v, a, lambda);
    if (sys->form->info.stabilised != DAE_BY_FEEDBACK || !sys->nl)
        return;
    if (sys->holonomic)
        m->constraint.f(sys->p, t, q, g);
    m->rate.f(sys->p, t, q, v, rate);
    for (int k = 0; k < sys->nl; k++)
        g[k] = 2 * alpha * rate[k] + (k < sys->holonomic ? beta * beta * g[k] : 0);
    dae_system_solve_schur(sys, g);
    dae_system_add_reaction(sys, g, a);
    for (int k = 0; k < sys->nl; k++)
        lambda[k] += g[k];
}

/* kappa := S^-1 kappa; x[nq] -= M^-1 G^T kappa */
static void move_along(dae_solver *s, double *x)
{
    dae_system_solve_schur(s->sys, driver(s)->output->kappa);
    dae_system_add_reaction(s->sys, driver(s)->output->kappa, x);
}

void dae_output_determine(dae_solver *s, double t, double *u)
{
    struct dae_output *r = driver(s)->output;
    dae_system *sys = s->sys;
    double *v = u + sys->nq;
    if (!r || !driver(s)->corrects_output || !dae_system_factor_schur(sys, t, u))
        return;
    if (sys->index == 3) {
        sys->problem->mechanical.rate.f(sys->p, t, u, v, r->kappa);
        move_along(s, v);
    }
    balance(sys, t, u);
}

static void exchange_tail(const dae_solver *s, double *u)
{
    double *tail = driver(s)->output->tail;
    for (int i = driver(s)->output->first, k = 0; i < s->n; i++, k++) {
        const double x = u[i];
        u[i] = tail[k];
        tail[k] = x;
    }
}

void dae_output_start(dae_solver *s)
{
    if (driver(s)->output)
        driver(s)->output->kept = driver(s)->output->shown = driver(s)->output->hidden = 0;
    driver(s)->output_measured = 0;
}

void dae_output_discard(dae_solver *s)
{
    if (driver(s)->output)
        driver(s)->output->shown = driver(s)->output->hidden = driver(s)->output_measured = 0;
}

void dae_output_restore(dae_solver *s)
{
    struct dae_output *r = driver(s)->output;
    if (!r || !r->shown)
        return;
    r->shown = 0;
    if (s->t - s->t_old < CUT * s->h)                   /* the method's values are rounding over h */
        return;
    exchange_tail(s, s->u);
    r->hidden = 1;
}

void dae_output_step_kept(dae_solver *s)
{
    struct dae_output *r = driver(s)->output;
    if (!r)
        return;
    if (r->hidden)
        exchange_tail(s, s->u_old);                     /* the output at the begin of the step */
    r->hidden = 0;
    r->kept = 1;
}

void dae_output_correct(dae_solver *s)
{
    struct dae_output *r = driver(s)->output;
    if (!r || !driver(s)->corrects_output || !r->kept || r->shown)
        return;
    memcpy(r->tail, s->u + r->first, (size_t)(s->n - r->first) * sizeof *r->tail);
    dae_output_determine(s, s->t, s->u);
    r->hidden = 0;
    r->shown = 1;
}

void dae_output_adopt(dae_solver *s)
{
    dae_output_correct(s);
    if (driver(s)->output)
        driver(s)->output->shown = 0;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* off := multipliers and accelerations of u less those of the acceleration level; 0 where S is singular. */
static int difference(dae_solver *s, double t, const double *u, double *off)
{
    dae_system *sys = s->sys;
    memcpy(off, u, (size_t)s->n * sizeof *u);
    if (!dae_system_factor_schur(sys, t, u))
        return 0;
    balance(sys, t, off);
    for (int i = 2 * sys->nq; i < s->n; i++)
        off[i] = u[i] - off[i];
    return 1;
}

/* residual and off at both ends of the step; 0 for v and lambda where these are corrected there. */
static void measure(dae_solver *s)
{
    struct dae_output *r = driver(s)->output;
    const dae_system *sys = s->sys;
    const dae_mechanical *m = &sys->problem->mechanical;
    const int nl = sys->nl, nq = sys->nq, last = nl ? 2 : 0;
    const double *u[2] = {s->u_old, s->u}, t[2] = {s->t_old, s->t};
    driver(s)->output_measured = r->determined = 1;
    for (int end = 0; end < last; end++) {
        double *g = r->residual + 2 * end * nl, *rate = g + nl;
        if (sys->holonomic)
            m->constraint.f(sys->p, t[end], u[end], g);
        m->rate.f(sys->p, t[end], u[end], u[end] + nq, rate);
        for (int k = 0; r->first == nq && driver(s)->corrects_output && k < nl; k++)
            rate[k] = 0;
    }
    for (int end = 0; !driver(s)->corrects_output && r->determined && end < 2; end++)
        r->determined = difference(s, t[end], u[end], r->off[end]);
}

/* kappa -= the interpolated residual at x, of level 0 (g) or 1 (dg/dt) */
static void less_wanted(const dae_solver *s, int level, double x)
{
    const struct dae_output *r = driver(s)->output;
    const int nl = s->sys->nl, rows = level ? nl : s->sys->holonomic;
    const double *begin = r->residual + level * nl, *end = begin + 2 * nl;
    for (int k = 0; k < rows; k++)
        r->kappa[k] -= (1 - x) * begin[k] + x * end[k];
}

/* d[nq] := -M^-1 G^T S^-1 kappa; returns max |d_i| */
static double change(dae_solver *s, double *d)
{
    memset(d, 0, (size_t)s->sys->nq * sizeof *d);
    move_along(s, d);
    return dae_largest(s->sys->nq, d);
}

/* Gauss-Newton iteration for q with the interpolated residual, to rounding in g. 0 where S is singular or the
 * corrections do not decrease. G and S are those of the last q. */
static int iterate_positions(dae_solver *s, double t, double x, double *q)
{
    struct dae_output *r = driver(s)->output;
    dae_system *sys = s->sys;
    double before = INFINITY;
    for (int k = 0; k < MOST_MOVES; k++) {
        if (!dae_system_factor_schur(sys, t, q))
            return 0;
        sys->problem->mechanical.constraint.f(sys->p, t, q, r->kappa);
        less_wanted(s, 0, x);
        const double size = change(s, r->moved), scale = dae_largest(sys->nq, q);
        if (size <= ROUNDING * scale || (!(size < before / 2) && before <= NOISE * scale))
            return 1;
        if (!(size < before))
            return 0;
        for (int i = 0; i < sys->nq; i++)
            q[i] += r->moved[i];
        before = size;
    }
    return 0;
}

/* Nonholonomic constraints have no part in it, but in G and S that are left. */
static int move_positions(dae_solver *s, double t, double x, double *q)
{
    dae_system *sys = s->sys;
    if (!dae_system_is_nonholonomic(sys))
        return iterate_positions(s, t, x, q);
    const int all = dae_system_take_rows(sys, sys->holonomic);
    const int moved = sys->holonomic == 0 || iterate_positions(s, t, x, q);
    dae_system_take_rows(sys, all);
    return moved && dae_system_factor_schur(sys, t, q);
}

/* The same for v; the equation is linear. */
static void move_velocities(dae_solver *s, double t, double x, const double *q, double *v)
{
    struct dae_output *r = driver(s)->output;
    s->sys->problem->mechanical.rate.f(s->sys->p, t, q, v, r->kappa);
    less_wanted(s, 1, x);
    if (isfinite(change(s, r->moved)))
        for (int i = 0; i < s->sys->nq; i++)
            v[i] += r->moved[i];
}

/* Project q and v; where the iteration fails, the dense output of the method is kept, and 0 is returned. */
static int move(dae_solver *s, double t, double x, double *u)
{
    const size_t size = (size_t)s->sys->nq * sizeof *u;
    double *given = driver(s)->output->given;
    memcpy(given, u, size);
    if (!move_positions(s, t, x, u)) {
        memcpy(u, given, size);
        return 0;
    }
    move_velocities(s, t, x, u, u + s->sys->nq);
    return 1;
}

void dae_output_finish(dae_solver *s, double t, double *u)
{
    struct dae_output *r = driver(s)->output;
    dae_system *sys = s->sys;
    const double x = (t - s->t_old) / (s->t - s->t_old);
    const int auxiliary = 2 * sys->nq + sys->nl, behind = sys->acceleration_at;
    if (!r || !(s->t > s->t_old))
        return;
    if (s->t_new != s->t) {                             /* u_old has been overwritten */
        dae_output_determine(s, t, u);
        return;
    }
    if (!driver(s)->output_measured)
        measure(s);
    const int at_q = sys->nl && move(s, t, x, u);
    if (!r->determined || (!at_q && !dae_system_factor_schur(sys, t, u)))
        return;
    s->count.rhs++;
    balance(sys, t, u);
    for (int i = 2 * sys->nq; !driver(s)->corrects_output && i < s->n; i++)
        if (i < auxiliary || i >= behind)
            u[i] += (1 - x) * r->off[0][i] + x * r->off[1][i];
}

void dae_output_between(dae_solver *s, double a, double *u_a, double b, double *u_b, double t, double *u)
{
    const double t_old = s->t_old, t_now = s->t, t_new = s->t_new;
    double *const u_old = s->u_old, *const u_now = s->u;
    if (!driver(s)->output)
        return;
    driver(s)->output_measured = 0;
    s->t_old = a;
    s->t = s->t_new = b;
    s->u_old = u_a;
    s->u = u_b;
    dae_output_finish(s, t, u);
    driver(s)->output_measured = 0;
    s->t_old = t_old;
    s->t = t_now;
    s->t_new = t_new;
    s->u_old = u_old;
    s->u = u_now;
}
