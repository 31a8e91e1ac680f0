/* mass.c - checks that the mass matrix is constant, or that what is to stay of it does
 *
 * A mechanical M is assumed constant and diagonal, M = diag(m), if it is so at a few points near the start. M
 * of a first-order problem is constant, unless its record says that it varies: then its kernel and its rank
 * are (state_mass.c). During a run a constant M is verified for one vector x:
 *
 *     |M x - m x|_i <= 1e-12 sum_j |M_ij x_j|,      x_j = r_j / sqrt(m_j),  1/2 <= |r_j| <= 3/2
 *
 * For this x the rows of diag(m)^(-1/2) M diag(m)^(-1/2) are compared, whose entries have no unit
 * and are at most 1: a small mass beside a large one counts as much.
 */
#include "base/numbers.h"
#include "system.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ROUNDING = DAE_MASS_ROUNDING, PROBE = 1e-13;

/* ---- near the start ------------------------------------------------------------------------ */

/* q away from q0: every position by a part of itself and of the largest. */
static void move(const dae_system *s, double by, uint64_t *random, const double *q0, double *q)
{
    const double largest = dae_largest(s->nq, q0), size = largest > 0 ? largest : 1;
    for (int i = 0; i < s->nq; i++) {
        const double a = dae_random(random), b = dae_random(random);
        q[i] = q0[i] + by * (a * q0[i] + b * size);
    }
}

int dae_mass_is_simple(const dae_system *s, const double *q0, double *work)
{
    static const double parts[] = {0, 1e-3, 0.1, 0.7};      /* of the positions, of the interval */
    const dae_problem *problem = s->problem;
    const double span = problem->t_end - problem->t0;
    const int nq = s->nq;
    double *q = work, *x = q + nq, *m = x + nq, *Mx = m + nq;
    uint64_t random = 1;
    for (int i = 0; i < nq; i++)
        x[i] = 1;
    problem->mechanical.inertia.f(s->p, problem->t0, q0, x, m);
    for (int i = 0; i < nq; i++)
        x[i] = dae_random_direction(&random) / sqrt(m[i] > 0 ? m[i] : 1);
    for (int k = 0; k < 4; k++) {
        const double t = problem->t0 + parts[k] * (isfinite(span) && span > 0 ? span : 0);
        move(s, parts[k] < 0.5 ? parts[k] : 0.2, &random, q0, q);
        problem->mechanical.inertia.f(s->p, t, q, x, Mx);
        for (int i = 0; i < nq; i++)                        /* outside its domain M says nothing */
            if (fabs(Mx[i] - m[i] * x[i]) > PROBE * fabs(Mx[i]) || (k == 0 && isnan(Mx[i])))
                return 0;
    }
    return 1;
}

/* ---- verification during a run ------------------------------------------------------------- */

void dae_mass_record(dae_system *s)
{
    uint64_t random = 19750501;
    s->mass_checked = !s->general_mass;
    for (int i = 0; i < s->nq; i++) {
        s->inner.mass_x[i] = dae_random_direction(&random) * sqrt(s->inverse_mass[i]);
        s->inner.mass_product[i] = s->inner.mass[i] * s->inner.mass_x[i];
        s->inner.mass_size[i] = fabs(s->inner.mass_product[i]);
    }
}

void dae_mass_record_column(dae_system *s, int j, const double *column)
{
    uint64_t random = 19750501 + (uint64_t)j;
    const double largest = dae_largest(s->n, column);
    dae_random(&random);
    s->mass_checked = 1;
    s->inner.mass_x[j] = dae_random_direction(&random) / (largest > 0 ? largest : 1);
    for (int i = 0; i < s->n; i++) {
        s->inner.mass_product[i] += column[i] * s->inner.mass_x[j];
        s->inner.mass_size[i] += fabs(column[i] * s->inner.mass_x[j]);
    }
}

/* M x at (t, u) */
static inline void multiply(dae_system *s, double t, const double *u)
{
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        minimal->embed.f(s->p, t, u, u + minimal->n, s->state);
        u = s->state;
    }
    if (s->nq)
        s->problem->mechanical.inertia.f(s->p, t, u, s->inner.mass_x, s->inner.mass_now);
    else
        s->problem->first_order.mass.f(s->p, t, u, s->inner.mass_x, s->inner.mass_now);
}

/* The first row that is another one, or rows. Written out by the compiler for a body in the
 * plane. */
static inline int first_changed(const dae_system *s, int rows)
{
    const double *now = s->inner.mass_now, *then = s->inner.mass_product, *size = s->inner.mass_size;
    int i = 0;
    while (i < rows && !(fabs(now[i] - then[i]) > ROUNDING * size[i]))
        i++;
    return i;
}

static dae_status changed(const dae_system *s, double t, int row, dae_report *report)
{
    return s->nq
        ? dae_fail(report, DAE_BAD_ARGUMENT, "t = %.9g: the mass matrix, row %d, is not the "
                   "constant diagonal that it was near the start: the record of %s has to declare "
                   "it by .mass = DAE_MASS_VARIES", t, row + 1, s->problem->name)
        : dae_fail(report, DAE_BAD_ARGUMENT, "t = %.9g: row %d of the mass matrix has changed "
                   "since t = %.9g: the record of %s has to declare it by .mass_kind = "
                   "DAE_MASS_VARIES", t, row + 1, s->problem->t0, s->problem->name);
}

/* Of M(t, u): whether its kernel and its rank are still those that the system is composed for. */
static dae_status check_carried(dae_system *s, double t, const double *u, dae_report *report)
{
    int row = 0;
    switch (dae_state_mass_look(s->carried, s->p, t, u, &row)) {
    case DAE_MASS_HAS_MORE:
        return dae_fail(report, DAE_BAD_ARGUMENT, "t = %.9g: row %d of M(t, u) u' of %s sees derivatives, or "
                        "combinations of them, that M did not see at t = %.9g: its kernel must be constant (a "
                        "quantity x(u) with a derivative can be an unknown, x' = ..., 0 = x - x(u))", t, row + 1,
                        s->problem->name, s->problem->t0);
    case DAE_MASS_LEAVES_DIAGONAL:
        return dae_fail(report, DAE_UNSUPPORTED, "t = %.9g: row %d of M(t, u) of %s has an entry off the diagonal, "
                        "and had none at t = %.9g: with more than %d unknowns M has to stay diagonal", t, row + 1,
                        s->problem->name, s->problem->t0, (int)DAE_SMALL_MASS);
    case DAE_MASS_HAS_LESS:
        return dae_fail(report, DAE_SINGULAR, "t = %.9g: M(t, u) of %s has lost its rank since t = %.9g%s, where "
                        "no u' may be determined", t, s->problem->name, s->problem->t0,
                        s->carried->diagonal ? ", or an entry its sign" : "");
    default:
        return DAE_OK;
    }
}

int dae_system_mass_changed(dae_system *s, double t, const double *u)
{
    if (s->carried)
        return check_carried(s, t, u, NULL) != DAE_OK;
    const int rows = s->nq ? s->nq : s->n;
    multiply(s, t, u);
    return rows == 2 ? first_changed(s, 2) < 2 : first_changed(s, rows) < rows;
}

dae_status dae_system_check_mass(dae_system *s, double t, const double *u, dae_report *report)
{
    if (s->carried)
        return check_carried(s, t, u, report);
    return s->mass_checked && dae_system_mass_changed(s, t, u)
               ? changed(s, t, first_changed(s, s->nq ? s->nq : s->n), report) : DAE_OK;
}
