/* transpose_mechanics.c - the transpose of the derivative of a projection that moves nothing
 *
 *     dq+ = (I - P) dq - M^-1 G^T S^-1 g_p dp,   dv+ = (I - P) dv - M^-1 G^T S^-1 (R dq+ + (dg/dt)_p dp)
 *
 * with P = M^-1 G^T S^-1 G and R = (dg/dt)_q. As second derivatives of g are symmetric, R^T y is the derivative of
 * G^T y along (1, v).
 */
#include "transpose.h"

#include <string.h>

/* y[nl] := S^-1 G M^-1 x */
static dae_status multipliers(dae_transpose *a, double t, const double *q, const double *x, double *y)
{
    dae_system *s = a->v.sys;
    dae_dual *out = a->v.dual + 3 * s->nq + s->nl;
    memcpy(a->F, x, (size_t)s->nq * sizeof *x);
    if (!dae_system_divide_by_mass(s, t, q, a->F))
        return dae_fail(&a->v.report, DAE_SINGULAR, "t = %.9g: the mass matrix is not positive definite", t);
    dae_tangent_pack(s->nq, q, a->F, a->v.dual);
    s->problem->mechanical.constraint.dual(s->p, dae_dual_make(t, 0), a->v.dual, out);
    dae_tangent_unpack(s->nl, out, y);
    dae_system_solve_schur(s, y);
    return DAE_OK;
}

/* x[nq] -= G^T y, and rest[nq] -= R^T y where that is not NULL */
static void subtract(dae_transpose *a, double t, const double *q, const double *v, const double *y, double *x,
                     double *rest)
{
    const dae_system *s = a->v.sys;
    const int nq = s->nq;
    dae_dual *out = a->v.dual + nq, *lambda = a->v.dual + 3 * nq;
    dae_tangent_pack(nq, q, v, a->v.dual);
    dae_tangent_pack(s->nl, y, NULL, lambda);
    s->problem->mechanical.reaction.dual(s->p, dae_dual_make(t, 1), a->v.dual, lambda, out);
    for (int i = 0; i < nq; i++) {
        x[i] -= dae_dual_value(out[i]);
        if (rest)
            rest[i] -= dae_dual_derivative(out[i]);
    }
}

/* p -= y^T d(g)/dp, or of dg/dt */
static void subtract_parameters(dae_transpose *a, int level, double t, const double *q, const double *v,
                                const double *y)
{
    dae_system *s = a->v.sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    dae_dual *out = a->v.dual + 3 * nq + s->nl;
    for (int c = 0; c < a->v.count; c++) {
        dae_tangent_set(s, dae_dp(&a->v, c));
        dae_tangent_pack(nq, q, NULL, a->v.dual);
        dae_tangent_pack(nq, v, NULL, a->v.dual + nq);
        if (level)
            m->rate.tangent(s->p_tangent, dae_dual_make(t, 0), a->v.dual, a->v.dual + nq, out);
        else
            m->constraint.tangent(s->p_tangent, dae_dual_make(t, 0), a->v.dual, out);
        for (int k = 0; k < s->nl; k++)
            a->p[c] -= y[k] * dae_dual_derivative(out[k]);
    }
}

dae_status dae_transpose_projection(dae_transpose *a, double t, const double *q, const double *v)
{
    dae_system *s = a->v.sys;
    double *y = a->v.lambda, *q_bar = a->u, *v_bar = a->u + s->nq;
    if (!dae_system_factor_schur(s, t, q))
        return dae_fail(&a->v.report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular", t);
    dae_status status = multipliers(a, t, q, v_bar, y);
    if (status)
        return status;
    subtract(a, t, q, v, y, v_bar, q_bar);
    subtract_parameters(a, 1, t, q, v, y);
    status = multipliers(a, t, q, q_bar, y);
    if (status)
        return status;
    subtract(a, t, q, v, y, q_bar, NULL);
    subtract_parameters(a, 0, t, q, v, y);
    memset(a->u + 2 * s->nq, 0, (size_t)(s->n - 2 * s->nq) * sizeof *a->u);
    return DAE_OK;
}
