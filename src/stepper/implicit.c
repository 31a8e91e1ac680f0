#include "implicit.h"

#include "linear/pencil.h"

#include <math.h>

dae_status dae_implicit_jacobian(dae_solver *s, dae_jacobian **jac)
{
    const dae_linear_kind asked = s->options.linear;
    const dae_linear_kind by_size = asked == DAE_LINEAR_BEST ? dae_linear_choose(s->n, 0) : asked;
    const dae_run run = {.atol = s->adaptive ? s->atol : NULL, .rtol = s->options.rtol, .t = &s->t,
                         .t_new = &s->t_new};
    const dae_status status =
        dae_jacobian_create_for(jac, s->sys, s->options.jacobian, by_size != DAE_LINEAR_DENSE, &run,
                                &s->report);
    if (status)
        return status;
    (*jac)->pair.count = &s->count;
    (*jac)->pair.runs = &driver(s)->runs;
    for (int i = 0; i < s->n && s->options.rtol > 0; i++)
        (*jac)->floor[i] = s->atol[i] / s->options.rtol;
    s->jacobian = (*jac)->kind;
    s->linear = asked == DAE_LINEAR_BEST ? dae_linear_choose(s->n, (*jac)->pair.pattern.nnz) : asked;
    return DAE_OK;
}

dae_status dae_linearised_create(dae_solver *s, dae_linearised *l)
{
    const dae_status status = dae_implicit_jacobian(s, &l->jac);
    if (status)
        return status;
    l->jac->pair.linear = &s->linear;
    return dae_pencil_create(&l->pencil, &l->jac->pair, s->options.linear, &s->report);
}

void dae_linearised_free(dae_linearised *l)
{
    dae_pencil_free(l->slow);
    dae_pencil_free(l->pencil);
    dae_jacobian_free(l->jac);
}

/* A function may have a value where it has no derivative, as sqrt(x) at 0. */
static dae_status check_jacobian(dae_solver *s, const dae_matrix_pair *pair)
{
    const dae_pattern *p = &pair->pattern;
    char row[32], column[32], unit[32];
    if (pair->strayed)
        return dae_fail(&s->report, DAE_BAD_MODEL, "t = %.9g: %s: sparse_partials puts its entries at other places "
                        "than at the start", s->t, dae_system_problem(s->sys)->name);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            if (isfinite(pair->J[k]))
                continue;
            dae_system_unknown(s->sys, p->row[k], row, unit, (int)sizeof row);
            dae_system_unknown(s->sys, j, column, unit, (int)sizeof column);
            return dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: the derivative of row %d (%s) of F by "
                            "unknown %d (%s) is %g, and F is finite", s->t, p->row[k] + 1, row, j + 1,
                            column, pair->J[k]);
        }
    return DAE_OK;
}

dae_status dae_implicit_singular(dae_solver *s, const dae_pencil *pencil, double h,
                                 dae_factored factored)
{
    char name[32], unit[32];
    if (factored.status == DAE_NO_MEMORY)
        return dae_fail(&s->report, DAE_NO_MEMORY, "t = %.9g: no memory for the factors of the "
                        "pencil M - gamma h J of %d unknowns", s->t, s->n);
    dae_status status = dae_solver_check_rhs(s);
    if (!status)
        status = check_jacobian(s, dae_pencil_pair(pencil));
    if (status)
        return status;
    if (factored.unknown == DAE_NOWHERE)
        return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: the pencil M - gamma h J is singular, "
                        "h = %g", s->t, h);
    dae_system_unknown(s->sys, factored.unknown, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: the pencil M - gamma h J is singular at "
                    "unknown %d (%s), h = %g", s->t, factored.unknown + 1, name, h);
}

dae_status dae_implicit_unsolved(dae_solver *s, const dae_pencil *pencil, double h)
{
    return dae_implicit_singular(s, pencil, h, (dae_factored){DAE_SINGULAR, DAE_NOWHERE});
}
