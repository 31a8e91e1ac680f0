/* system_start.c - the start of a problem in the unknowns of a formulation */
#include "consistent.h"

#include <math.h>
#include <string.h>

dae_status dae_system_unknowns_at_start(dae_system *s, double *u, dae_report *report)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const double t0 = s->problem->t0;
    dae_system_evaluate_start(s);
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        const dae_status status =
            dae_start_state(s, t0, s->start, s->start + s->nq, &s->start_moved, report);
        if (status)
            return status;
        m->minimal.chart.f(s->p, t0, s->start, s->start + s->nq, u);
        memcpy(s->charted, u, (size_t)s->n * sizeof *u);
    } else {
        const int given = s->nq ? 2 * s->nq + s->nl : s->problem->first_order.n;
        memcpy(u, s->start, (size_t)given * sizeof *u);
        memset(u + given, 0, (size_t)(s->n - given) * sizeof *u);
        if (s->carried && !dae_system_set_slopes(s, t0, u))
            return dae_fail(report, DAE_SINGULAR, "%s: the rank of M(t, u) at the start is not determined",
                            s->problem->name);
    }
    for (int i = 0; i < s->n; i++)
        if (!isfinite(u[i]))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: unknown %d of the start is %g",
                            s->problem->name, i + 1, u[i]);
    return DAE_OK;
}

dae_status dae_system_start(dae_system *s, double *u, dae_report *report)
{
    if (!s || !u)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", s ? "place for a start"
                        : "system");
    if (s->use == DAE_WORKS)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_system_start is called by a function of the system");
    const dae_use before = s->use;
    s->use = DAE_WORKS;
    const dae_status status = dae_system_unknowns_at_start(s, u, report);
    s->use = before;
    return status;
}
