/* hermite.c - dense output of order 3 for one-step methods: of mechanical systems with constraints,
 * and in the search for events; rows of others are those of dense_radau.c
 *
 * Differential unknowns: with x = (t - t_old)/h the cubic through u and u' at both ends,
 *
 *     u(t) = (1-x) u0 + x u1 + x (x-1) ((1-2x) (u1-u0) + (x-1) h u0' + x h u1')
 *
 * (Hairer, Norsett, Wanner (1993), II.6, eq. 6.7). Mechanical systems: q' = v and v' solves the
 * acceleration level, so the slopes do not inherit the order of raw multipliers; lambda and accelerations
 * that are unknowns are those of output.c, the same quantity as at the ends; auxiliary multipliers, which
 * vanish, are linear. The algebraic unknowns of first-order problems, and all unknowns where M is
 * not diagonal, take the parabola through both ends of the step and a state before it, at a distance of
 * at least h/8: differences over a shorter one are those of errors. Where there is none they take the
 * straight line. So do unknowns with a slope that is far larger than what they change by, over both
 * steps: of a stiff unknown h u' is its error times h/epsilon. At both ends of the step the states
 * themselves come back.
 */
#include "complex_stage.h"

#include "stepper/output.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 0.125;       /* of the step: the state before it must not be nearer */
static const double STEEP = 10;         /* times the changes of an unknown: a slope that is none */

/* 1/M_ii of unknowns with a derivative; all 0 where M is not diagonal. */
static void invert_mass(const dae_solver *s, dae_hermite *d)
{
    const dae_system *sys = s->sys;
    for (int i = 0; i < s->n; i++) {
        const int known = !sys->nondiagonal_mass && !dae_system_is_algebraic(sys, i) && sys->diagonal[i] != 0;
        d->inverse_mass[i] = known ? 1 / sys->diagonal[i] : 0;
    }
    d->parabolic = sys->compose->kind != DAE_FORM_MECHANICAL && sys->compose->kind != DAE_FORM_MINIMAL;
}

dae_status dae_hermite_create(dae_solver *s, dae_hermite *d)
{
    const size_t n = (size_t)s->n;
    if (!DAE_PARTS(d,
                   DAE_PART(dae_hermite, inverse_mass, n), DAE_PART(dae_hermite, du_old, n),
                   DAE_PART(dae_hermite, du, n), DAE_PART(dae_hermite, begin, n), DAE_PART(dae_hermite, before, n)))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output of %d unknowns",
                        s->n);
    invert_mass(s, d);
    return DAE_OK;
}

void dae_hermite_free(dae_hermite *d)
{
    free(d->inverse_mass);
}

void dae_hermite_start(dae_hermite *d)
{
    d->steps = d->sloped = 0;
}

/* The state before is the begin of the step before, or one that lies farther back. A step that was made
 * longer has the begin that it had. */
void dae_hermite_keep(const dae_solver *s, dae_hermite *d)
{
    if (d->steps > 0 && s->t_old == d->t_begin)
        return;
    if (d->steps < 2 || s->t_old - d->t_begin >= NEAR * (s->t - s->t_old)) {
        double *oldest = d->before;
        d->before = d->begin;
        d->begin = oldest;
        d->t_before = d->t_begin;
    }
    d->t_begin = s->t_old;
    memcpy(d->begin, s->u_old, (size_t)s->n * sizeof *d->begin);
    d->steps = d->steps < 2 ? d->steps + 1 : 2;
}

static int is_mechanical(const dae_solver *s)
{
    return s->sys->compose->kind == DAE_FORM_MECHANICAL;
}

static dae_status accelerate(dae_solver *s, double t, const double *u, double *a, double *lambda)
{
    if (dae_system_accelerate(s->sys, t, u, u + s->sys->nq, a, lambda))
        return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular: a constraint "
                        "is redundant, or its gradient vanishes", t);
    return DAE_OK;
}

/* du := u' where it is known. */
static dae_status slope(dae_solver *s, const dae_hermite *d, double t, const double *u, double *du)
{
    const int nq = s->sys->nq;
    s->count.rhs++;
    if (is_mechanical(s)) {
        memcpy(du, u + nq, (size_t)nq * sizeof *du);
        return accelerate(s, t, u, du + nq, du + 2 * nq);
    }
    dae_system_rhs(s->sys, t, u, du);
    for (int i = 0; i < s->n; i++)
        du[i] *= d->inverse_mass[i];
    return DAE_OK;
}

/* The parabola through (t_before, before), (t_old, u_0), (t, u_1) at x in [0, 1]. */
static double parabola(const dae_solver *s, const dae_hermite *d, int i, double x)
{
    const double u0 = d->begin[i], u1 = s->u[i], line = (1 - x) * u0 + x * u1;
    const double h = s->t - s->t_old, back = (d->t_begin - d->t_before) / h;
    if (d->steps < 2 || back < NEAR)
        return line;
    const double slope_now = u1 - u0, slope_before = (u0 - d->before[i]) / back;
    return line + x * (x - 1) * (slope_now - slope_before) / (1 + back);
}

static double cubic(double u0, double u1, double du0, double du1, double x)
{
    return (1 - x) * u0 + x * u1
           + x * (x - 1) * ((1 - 2 * x) * (u1 - u0) + (x - 1) * du0 + x * du1);
}

/* h u' of unknown i at the ends of the step are those of a solution that the steps resolve. */
static int is_resolved(const dae_solver *s, const dae_hermite *d, int i)
{
    const double h = s->t - s->t_old, u0 = d->begin[i], u1 = s->u[i];
    const double back = (d->t_begin - d->t_before) / h;
    const double before = d->steps < 2 || back < NEAR ? fmax(fabs(u0), fabs(u1))
                                                      : fabs(u0 - d->before[i]) / back;
    return h * fmax(fabs(d->du_old[i]), fabs(d->du[i])) <= STEEP * fmax(fabs(u1 - u0), before);
}

dae_status dae_hermite_at(dae_solver *s, dae_hermite *d, double t, double *u)
{
    const double h = s->t - s->t_old, x = h > 0 ? (t - s->t_old) / h : 1;
    const int mechanical = is_mechanical(s);
    const double *u0 = d->parabolic ? d->begin : s->u_old;
    dae_status status = DAE_OK;
    if (!d->parabolic && s->t_new != s->t)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %g: a failed step has overwritten the "
                        "last one", t);
    if (!d->sloped) {
        status = slope(s, d, s->t_old, u0, d->du_old);
        if (!status)
            status = slope(s, d, s->t, s->u, d->du);
        if (status)
            return status;
        d->sloped = 1;
    }
    for (int i = 0; i < s->n; i++) {
        const int sloped = d->inverse_mass[i] > 0 || d->inverse_mass[i] < 0;
        if (sloped && (!d->parabolic || is_resolved(s, d, i)))
            u[i] = cubic(u0[i], s->u[i], h * d->du_old[i], h * d->du[i], x);
        else
            u[i] = mechanical ? (1 - x) * u0[i] + x * s->u[i] : parabola(s, d, i, x);
    }
    if (mechanical && x > 0 && x < 1)
        dae_output_finish(s, t, u);
    return DAE_OK;
}
