#include "run/monitor.h"

#include "host/allocate.h"

#include <daelab/problem.h>
#include <daelab/study.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void monitor_hold(monitor *m)
{
    m->t = allocate((SERIES + 1) * SERIES_POINTS, sizeof *m->t);
    for (int i = 0; i < (SERIES + 1) * SERIES_POINTS; i++)
        m->t[i] = NAN;
    for (int k = 0; k < SERIES; k++)
        m->value[k] = m->t + (k + 1) * SERIES_POINTS;
}

/* What is needed of the system at one time. */
static void make_room(monitor *m)
{
    const size_t nq = (size_t)m->nq, nl = (size_t)m->nl;
    const size_t n = (size_t)dae_system_size(m->sys);
    const size_t ni = (size_t)dae_system_problem(m->sys)->invariants.n;
    m->q = allocate(8 * nq + nl + 4 * n + 4 * ni, sizeof *m->q);
    m->v = m->q + nq;
    m->a = m->v + nq;
    m->q_last = m->a + nq;
    m->v_last = m->q_last + nq;
    m->a_last = m->v_last + nq;
    m->node = m->a_last + nq;                           /* [2 nq] */
    m->lambda = m->node + 2 * nq;
    m->constraint = m->lambda + nl;                     /* [n], rows of a first-order problem too */
    m->invariant = m->constraint + n;
    m->invariant0 = m->invariant + ni;
    m->inside = m->invariant0 + ni;
    m->drifted = m->inside + n;
    m->moved = m->drifted + ni;                         /* [n + max(n, invariants)] */
}

/* Put x of series k at time t into its bucket; the largest stays. */
static void record(monitor *m, int k, double t, double x)
{
    double bucket = (t - m->t0) / (m->t_end - m->t0) * (SERIES_POINTS - 1);
    const int i = bucket < 0 ? 0 : bucket >= SERIES_POINTS ? SERIES_POINTS - 1 : (int)bucket;
    if (!(m->largest[k] >= x)) {
        m->largest[k] = x;
        m->at[k] = t;
    }
    if (isnan(m->t[i]))
        m->t[i] = t;
    if (!(m->value[k][i] >= x))
        m->value[k][i] = x;
}

static double largest(const double *x, int count)
{
    double most = count > 0 ? 0 : NAN;
    for (int i = 0; i < count; i++)
        most = fabs(x[i]) > most || isnan(x[i]) ? fabs(x[i]) : most;
    return most;
}

/* q and v at t + s h, 0 <= s <= 1, from (q, v, a) at both ends: with d = (q1 - q0)/h,
 * q = q0 + h (v0 s + h a0/2 s^2) + h (c3 s^3 + c4 s^4 + c5 s^5). */
static void hermite(const monitor *m, double h, double s, double *q, double *v)
{
    for (int i = 0; i < m->nq; i++) {
        const double v0 = m->v_last[i], a0 = h * m->a_last[i], a1 = h * m->a[i];
        const double d = (m->q[i] - m->q_last[i]) / h;
        const double x = d - v0 - a0 / 2, y = m->v[i] - v0 - a0, z = a1 - a0;
        const double c3 = 10 * x - 4 * y + z / 2;
        const double c4 = -15 * x + 7 * y - z;
        const double c5 = 6 * x - 3 * y + z / 2;
        q[i] = m->q_last[i] + h * s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))));
        v[i] = v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)));
    }
}

/* int dH/dt over the last step, Gauss-Legendre with four points. */
static double step_work(monitor *m, double h)
{
    static const double x[2] = {0.33998104358485626480, 0.86113631159405257522};
    static const double w[2] = {0.65214515486254614263, 0.34785484513745385737};
    double sum = 0, energy, power;
    for (int k = 0; k < 4; k++) {
        const double s = (1 + (k & 1 ? x[k / 2] : -x[k / 2])) / 2;
        hermite(m, h, s, m->node, m->node + m->nq);
        if (dae_system_energy(m->sys, m->t_last + s * h, m->node, m->node + m->nq, &energy, &power))
            sum += w[k / 2] * power;
    }
    return sum * h / 2;
}

/* State at t in (q, v, a); 0 where the accelerations do not exist. */
static int look(monitor *m, double t, const double *u)
{
    return dae_system_split(m->sys, t, u, m->q, m->v, m->lambda) == DAE_OK
           && dae_system_accelerate(m->sys, t, m->q, m->v, m->a, m->lambda) == DAE_OK;
}

static void remember(monitor *m, double t)
{
    memcpy(m->q_last, m->q, 3 * (size_t)m->nq * sizeof *m->q);
    m->t_last = t;
}

static void watch_energy(monitor *m, double t, const double *u)
{
    double energy, power;
    if (!m->has_energy)
        return;
    if (!look(m, t, u) || !dae_system_energy(m->sys, t, m->q, m->v, &energy, &power)) {
        m->has_energy = 0;
        m->largest[DRIFT_ENERGY] = NAN;                 /* part of a run is no result */
        return;
    }
    m->work += step_work(m, t - m->t_last);
    m->balance = energy - m->energy0 - m->work;
    record(m, DRIFT_ENERGY, t, fabs(m->balance));
    remember(m, t);
}

static void watch_constraints(monitor *m, double t, const double *u)
{
    for (int level = 0; level < DRIFT_LEVELS; level++) {
        const int rows = dae_system_constraint(m->sys, level, t, u, m->constraint);
        if (rows > 0)
            record(m, level, t, largest(m->constraint, rows));
    }
}

/* out[invariants] at (t, u) */
static void invariants_at(monitor *m, double t, const double *u, double *out)
{
    const dae_invariants *I = &dae_system_problem(m->sys)->invariants;
    const double *x = u;
    if (m->nq && dae_system_split(m->sys, t, u, m->node, m->node + m->nq, m->lambda) == DAE_OK)
        x = m->node;
    I->value.f(dae_system_parameters(m->sys), t, x, out);
}

static void watch_invariants(monitor *m, double t, const double *u)
{
    const int n = dae_system_problem(m->sys)->invariants.n;
    if (n <= 0)
        return;
    invariants_at(m, t, u, m->invariant);
    for (int k = 0; k < n; k++)
        m->invariant[k] = (m->invariant[k] - m->invariant0[k]) / (1 + fabs(m->invariant0[k]));
    memcpy(m->drifted, m->invariant, (size_t)n * sizeof *m->drifted);
    record(m, DRIFT_INVARIANT, t, largest(m->invariant, n));
}

/* ---- rounding ---- */

/* out[n] := x with other last bits, some up and some down. */
static void move(const double *x, int n, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = x[i] * (1 + ((unsigned)i * 2654435761U >> 31 ? DBL_EPSILON : -DBL_EPSILON));
}

static void round_off(monitor *m, int k, const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        m->rounding[k] = fmax(m->rounding[k], fabs(a[i] - b[i]));
}

static void round_constraints(monitor *m, double t, const double *u)
{
    double *other = m->moved + dae_system_size(m->sys);
    move(u, dae_system_size(m->sys), m->moved);
    for (int level = 0; level < DRIFT_LEVELS; level++) {
        const int rows = dae_system_constraint(m->sys, level, t, u, m->constraint);
        if (rows > 0 && dae_system_constraint(m->sys, level, t, m->moved, other) == rows)
            round_off(m, level, m->constraint, other, rows);
    }
}

static void round_energy(monitor *m, double t)
{
    double energy, other, power;
    move(m->q, 2 * m->nq, m->node);                     /* q and v stand together */
    if (m->has_energy && dae_system_energy(m->sys, t, m->q, m->v, &energy, &power)
        && dae_system_energy(m->sys, t, m->node, m->node + m->nq, &other, &power))
        round_off(m, DRIFT_ENERGY, &energy, &other, 1);
}

static void round_invariants(monitor *m, double t, const double *u)
{
    const int n = dae_system_problem(m->sys)->invariants.n;
    if (!n)
        return;
    double *other = m->moved + dae_system_size(m->sys);
    move(u, dae_system_size(m->sys), m->moved);
    invariants_at(m, t, m->moved, other);
    invariants_at(m, t, u, m->invariant);
    for (int k = 0; k < n; k++) {
        const double a = m->invariant[k] / (1 + fabs(m->invariant0[k])), b = other[k] / (1 + fabs(m->invariant0[k]));
        round_off(m, DRIFT_INVARIANT, &a, &b, 1);
    }
}

/* Ten times in a run, so that it costs nothing. */
static void watch_rounding(monitor *m, double t, const double *u)
{
    if (t < m->next_look)
        return;
    m->next_look = t + (m->t_end - m->t0) / 10;
    round_constraints(m, t, u);
    round_energy(m, t);
    round_invariants(m, t, u);
}

void monitor_begin(monitor *m, dae_system *sys, double t0, double t_end, const double *u0)
{
    double power;
    *m = (monitor){.sys = sys, .nq = dae_system_positions(sys),
                   .nl = dae_system_multipliers(sys), .t0 = t0, .t_end = t_end, .t_last = t0,
                   .t_seen = t0, .next_look = t0};
    make_room(m);
    monitor_hold(m);
    for (int k = 0; k < SERIES; k++)
        m->largest[k] = m->at[k] = NAN;
    m->count = SERIES_POINTS;
    m->has_energy = m->nq > 0 && look(m, t0, u0)
                    && dae_system_energy(sys, t0, m->q, m->v, &m->energy0, &power);
    remember(m, t0);
    if (dae_system_problem(sys)->invariants.n)
        invariants_at(m, t0, u0, m->invariant0);
    watch_constraints(m, t0, u0);
    watch_rounding(m, t0, u0);
}

void monitor_free(monitor *m)
{
    free(m->q);
    free(m->t);
    m->q = m->t = NULL;
}

/* The row in the middle of the step that ends at t. */
static void watch_inside(monitor *m, double t)
{
    const double middle = m->t_seen + (t - m->t_seen) / 2;
    if (m->solver && middle > m->t_seen && middle < t
        && dae_solver_interpolate(m->solver, middle, m->inside) == DAE_OK)
        watch_constraints(m, middle, m->inside);
    m->t_seen = t;
}

void monitor_observe(monitor *m, double t, const double *u)
{
    watch_inside(m, t);
    watch_constraints(m, t, u);
    watch_energy(m, t, u);
    watch_invariants(m, t, u);
    watch_rounding(m, t, u);
}

void monitor_go_on(monitor *m, dae_system *sys, dae_solver *solver, double t, const double *u)
{
    const int n = dae_system_problem(sys)->invariants.n;
    double power, *old = m->q;
    const double *by = m->drifted;
    m->sys = sys;
    m->solver = m->solver ? solver : NULL;
    m->nq = dae_system_positions(sys);
    m->nl = dae_system_multipliers(sys);
    m->t_last = m->t_seen = t;
    make_room(m);
    if (m->has_energy && !(look(m, t, u) && dae_system_energy(sys, t, m->q, m->v, &m->energy0, &power))) {
        m->has_energy = 0;
        m->largest[DRIFT_ENERGY] = NAN;
    }
    m->energy0 -= m->balance;
    m->work = 0;
    remember(m, t);
    if (n)
        invariants_at(m, t, u, m->invariant0);
    for (int k = 0; k < n; k++) {
        m->drifted[k] = by[k];
        m->invariant0[k] -= by[k] * (1 + fabs(m->invariant0[k]));
    }
    watch_constraints(m, t, u);
    free(old);
}
