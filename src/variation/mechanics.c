/* mechanics.c - derivatives of accelerations, multipliers and projections of mechanical systems
 *
 *     M a + G^T lambda = f,  0 = d2g/dt2(t, q, v, a):
 *         M da + G^T dlambda = df - d(G^T) lambda - dM a,      0 = d(d2g/dt2) along (dq, dv, da)
 *
 *     M (q+ - q) + G(q)^T mu = 0,  g(q+) = 0:
 *         M dq+ + G^T dmu = M dq - d(G^T) mu - dM (q+ - q),    0 = G dq+ + g_p
 *
 * and the same of v+ with dg/dt. Both systems are solved by S = G M^-1 G^T at the last q.
 *
 *     m + G^T kappa = 0,  g + G m = 0 at q, a step of the Euclidean projection of positions, q+ = q + m:
 *         dm + G^T dkappa = -d(G^T) kappa,             0 = dg + dG m + G dm
 */
#include "variation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The parts of v->dual. */
typedef struct { dae_dual *q, *v, *lambda, *out, *a; } duals;

static duals parts_of(const dae_variation *v)
{
    const int nq = v->sys->nq, nl = v->sys->nl;
    dae_dual *d = v->dual;
    return (duals){.q = d, .v = d + nq, .a = d + 2 * nq, .lambda = d + 3 * nq, .out = d + 3 * nq + nl};
}

static dae_status singular(dae_variation *v, double t)
{
    return dae_fail(&v->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular", t);
}

/* x[nq] := M^-1 x */
static dae_status divide(dae_variation *v, double t, const double *q, double *x)
{
    return dae_system_divide_by_mass(v->sys, t, q, x)
               ? DAE_OK : dae_fail(&v->report, DAE_SINGULAR, "t = %.9g: the mass matrix is not positive definite", t);
}

/* x[nq] -= d(M) y along (dq, dp) */
static void subtract_mass(dae_variation *v, double t, const double *q, const double *dq, const double *y, double *x)
{
    const dae_system *s = v->sys;
    const duals d = parts_of(v);
    dae_tangent_pack(s->nq, q, dq, d.q);
    dae_tangent_pack(s->nq, y, NULL, d.a);
    s->problem->mechanical.inertia.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.a, d.v);
    for (int i = 0; i < s->nq; i++)
        x[i] -= dae_dual_derivative(d.v[i]);
}

/* x[nq] -= d(G^T) mu along (dq, dp) */
static void subtract_reaction(dae_variation *v, double t, const double *q, const double *dq, const double *mu,
                              double *x)
{
    const dae_system *s = v->sys;
    const duals d = parts_of(v);
    dae_tangent_pack(s->nq, q, dq, d.q);
    dae_tangent_pack(s->nl, mu, NULL, d.lambda);
    s->problem->mechanical.reaction.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.lambda, d.a);
    for (int i = 0; i < s->nq; i++)
        x[i] -= dae_dual_derivative(d.a[i]);
}

dae_status dae_vary_at(dae_variation *v, double t, const double *q, const double *velocity)
{
    dae_system *s = v->sys;
    if (!dae_system_factor_schur(s, t, q))
        return singular(v, t);
    dae_system_balance(s, t, q, velocity, v->a, v->lambda);
    return DAE_OK;
}

dae_status dae_vary_acceleration(dae_variation *v, int c, double t, const double *q, const double *velocity,
                                 const double *dq, const double *dv, double *da, double *dlambda)
{
    dae_system *s = v->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const dae_dual time = dae_dual_make(t, v->dt);
    const duals d = parts_of(v);
    double *more = dlambda ? dlambda : v->z;
    dae_tangent_set(s, dae_dp(v, c));
    dae_tangent_pack(s->nq, q, dq, d.q);
    dae_tangent_pack(s->nq, velocity, dv, d.v);
    m->force.tangent(s->p_tangent, time, d.q, d.v, d.a);
    dae_tangent_unpack(s->nq, d.a, da);
    subtract_mass(v, t, q, dq, v->a, da);
    if (s->nl)
        subtract_reaction(v, t, q, dq, v->lambda, da);
    const dae_status status = divide(v, t, q, da);
    if (status || !s->nl)
        return status;
    dae_tangent_pack(s->nq, q, dq, d.q);
    dae_tangent_pack(s->nq, velocity, dv, d.v);
    dae_tangent_pack(s->nq, v->a, da, d.a);
    m->acceleration.tangent(s->p_tangent, time, d.q, d.v, d.a, d.out);
    dae_tangent_unpack(s->nl, d.out, more);
    dae_system_solve_schur(s, more);
    dae_system_add_reaction(s, more, da);
    return DAE_OK;
}

dae_status dae_vary_multipliers(dae_variation *v, double t, const double *u)
{
    const dae_system *s = v->sys;
    const int nq = s->nq, behind = 2 * nq + s->nl;
    dae_status status = dae_vary_at(v, t, u, u + nq);
    for (int c = 0; !status && c < v->count; c++) {
        double *du = dae_du(v, c), *da = s->general_mass ? du + s->acceleration_at : v->dx;
        memset(du + 2 * nq, 0, (size_t)(v->n - 2 * nq) * sizeof *du);
        status = dae_vary_acceleration(v, c, t, u, u + nq, du, du + nq, da, v->x);
        memcpy(du + behind - s->nl, v->x, (size_t)s->nl * sizeof *du);
    }
    return status;
}

/* mu[nl] := S^-1 G (x - x+), the multipliers of a move; G and S are those of the last dae_system_factor_schur. */
static void multipliers_of_move(const dae_variation *v, int level, double t, const double *q, const double *x,
                                const double *move, double *mu)
{
    const dae_system *s = v->sys;
    const duals d = parts_of(v);
    dae_tangent_pack(s->nq, q, level ? NULL : move, d.q);
    dae_tangent_pack(s->nq, x, level ? move : NULL, d.v);
    if (level)
        s->problem->mechanical.rate.dual(s->p, dae_dual_make(t, 0), d.q, d.v, d.out);
    else
        s->problem->mechanical.constraint.dual(s->p, dae_dual_make(t, 0), d.q, d.out);
    dae_tangent_unpack(level ? s->nl : s->holonomic, d.out, mu);
    for (int k = 0; k < s->ng; k++)
        mu[k] = -mu[k];
    dae_system_solve_schur(s, mu);
}

/* One level of du of one direction: x is q, then v, moved by move[nq] with the multipliers mu[nl]. at: the q of G
 * in the reaction, before the move of positions, after it for velocities. */
static dae_status vary_level(dae_variation *v, int c, int level, double t, const double *at, const double *after,
                             const double *move, const double *mu, double *du)
{
    dae_system *s = v->sys;
    const int nq = s->nq;
    const duals d = parts_of(v);
    double *dx = du + level * nq, *change = v->dx, *left = v->z;
    dae_tangent_set(s, dae_dp(v, c));
    memset(change, 0, (size_t)nq * sizeof *change);
    subtract_mass(v, t, at, du, move, change);
    subtract_reaction(v, t, at, du, mu, change);
    const dae_status status = divide(v, t, at, change);
    if (status)
        return status;
    for (int i = 0; i < nq; i++)
        dx[i] += change[i];
    dae_tangent_pack(nq, after, du, d.q);
    dae_tangent_pack(nq, after + nq, du + nq, d.v);
    if (level)
        s->problem->mechanical.rate.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.v, d.out);
    else
        s->problem->mechanical.constraint.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.out);
    dae_tangent_unpack(s->ng, d.out, left);
    dae_system_solve_schur(s, left);
    dae_system_add_reaction(s, left, dx);
    return DAE_OK;
}

static dae_status project_level(dae_variation *v, int level, double t, const double *before, const double *after)
{
    dae_system *s = v->sys;
    const int nq = s->nq, rows = level ? s->nl : s->holonomic, all = dae_system_take_rows(s, rows);
    double *move = v->x, *mu = v->y;
    dae_status status = rows == 0 || dae_system_factor_schur(s, t, after) ? DAE_OK : singular(v, t);
    for (int i = 0; i < nq; i++)
        move[i] = after[level * nq + i] - before[level * nq + i];
    memset(mu, 0, (size_t)s->nl * sizeof *mu);
    if (!status && rows)
        multipliers_of_move(v, level, t, after, after + nq, move, mu);
    for (int c = 0; !status && rows && c < v->count; c++)
        status = vary_level(v, c, level, t, level ? after : before, after, move, mu, dae_du(v, c));
    dae_system_take_rows(s, all);
    return status;
}

dae_status dae_vary_projection(dae_variation *v, unsigned what, double t, const double *before, const double *after)
{
    const dae_status status = what & DAE_VARY_POSITIONS ? project_level(v, 0, t, before, after) : DAE_OK;
    return status || !(what & DAE_VARY_VELOCITIES) ? status : project_level(v, 1, t, before, after);
}

/* left[ng] += the derivative of dg/dt, one of dG m behind it */
static void add_rate(dae_variation *v, double t, const double *q, const double *dq, const double *m, const double *dm,
                     double factor, double *left)
{
    const dae_system *s = v->sys;
    const duals d = parts_of(v);
    dae_tangent_pack(s->nq, q, dq, d.q);
    dae_tangent_pack(s->nq, m, dm, d.v);
    s->problem->mechanical.rate.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.v, d.out);
    for (int k = 0; k < s->ng; k++)
        left[k] += factor * dae_dual_derivative(d.out[k]);
}

/* One direction of a step of the Euclidean projection, from q by m[nq] with its multipliers kappa[nl]. v->a[nq]: 0 */
static void vary_return(dae_variation *v, int c, double t, const double *q, const double *m, const double *kappa)
{
    dae_system *s = v->sys;
    const int nq = s->nq;
    const duals d = parts_of(v);
    double *dq = dae_du(v, c), *dm = v->dx, *left = v->z;
    dae_tangent_set(s, dae_dp(v, c));
    memset(dm, 0, (size_t)nq * sizeof *dm);
    subtract_reaction(v, t, q, dq, kappa, dm);
    dae_tangent_pack(nq, q, dq, d.q);
    s->problem->mechanical.constraint.tangent(s->p_tangent, dae_dual_make(t, v->dt), d.q, d.out);
    dae_tangent_unpack(s->ng, d.out, left);
    add_rate(v, t, q, dq, m, dm, 1, left);              /* dG m + G dm, and d(g_t), which goes */
    add_rate(v, t, q, dq, v->a, v->a, -1, left);
    dae_system_solve_schur(s, left);
    dae_system_add_reaction(s, left, dm);
    for (int i = 0; i < nq; i++)
        dq[i] += dm[i];
}

/* A step; the largest move of q against the largest q. */
static dae_status step_back(dae_variation *v, double t, double *q, double *part)
{
    dae_system *s = v->sys;
    double *m = v->x, *kappa = v->y, most = 0, size = 0;
    if (!dae_system_factor_schur(s, t, q))
        return singular(v, t);
    memset(m, 0, (size_t)s->nq * sizeof *m);
    memset(kappa, 0, (size_t)s->nl * sizeof *kappa);
    s->problem->mechanical.constraint.f(s->p, t, q, kappa);
    dae_system_solve_schur(s, kappa);
    dae_system_add_reaction(s, kappa, m);
    for (int c = 0; c < v->count; c++)
        vary_return(v, c, t, q, m, kappa);
    for (int i = 0; i < s->nq; i++) {
        q[i] += m[i];
        most = fmax(most, fabs(m[i]));
        size = fmax(size, fabs(q[i]));
    }
    *part = size > 0 ? most / size : 0;
    return DAE_OK;
}

dae_status dae_vary_euclidean(dae_variation *v, double t, double *q)
{
    enum { MOST = 10 };
    dae_system *s = v->sys;
    const dae_system_norm mass = dae_system_take_euclidean_norm(s);
    const int all = dae_system_take_rows(s, s->holonomic);
    double part = 1, before = 1;
    dae_status status = DAE_OK;
    memset(v->a, 0, (size_t)s->nq * sizeof *v->a);
    for (int k = 0; !status && s->ng && k < MOST && before > sqrt(DBL_EPSILON); k++) {
        before = part;                                  /* one step behind the last that moves q */
        status = step_back(v, t, q, &part);
    }
    dae_system_take_rows(s, all);
    dae_system_take_norm(s, mass);
    return status;
}
