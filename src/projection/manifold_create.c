/* manifold_create.c - checks which projections a system has, and allocates */
#include "manifold_rows.h"

#include "base/parts.h"

#include <stdlib.h>

enum { MOST_UNKNOWNS = 256 };

static dae_status check(const dae_system *sys, unsigned levels, dae_report *report)
{
    const char *name = sys->problem->name;
    if (levels & ~(unsigned)(DAE_PROJECT_CONSTRAINTS | DAE_PROJECT_INVARIANT))
        return dae_fail(report, DAE_BAD_ARGUMENT, "project = %u is not made of DAE_PROJECT_*",
                        levels);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && !sys->nq)
        return dae_fail(report, DAE_UNSUPPORTED, "%s is of first order: it has no constraints of "
                        "positions and velocities to project on", name);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && sys->compose->kind == DAE_FORM_MINIMAL)
        return dae_fail(report, DAE_UNSUPPORTED, "%s in form %s has no constraints to project on: "
                        "its unknowns are minimal coordinates", name, sys->form->info.name);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && !sys->nl)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints to project on", name);
    if ((levels & DAE_PROJECT_POSITION) && !sys->holonomic)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints on positions to project on: they "
                        "are nonholonomic, and bind velocities", name);
    if (!(levels & DAE_PROJECT_INVARIANT))
        return DAE_OK;
    if (!sys->problem->invariants.n)
        return dae_fail(report, DAE_UNSUPPORTED, "%s states no invariants to project on", name);
    if (sys->n > MOST_UNKNOWNS || dae_system_has_many(sys))
        return dae_fail(report, DAE_UNSUPPORTED, "%s: invariants are projected on with up to %d "
                        "unknowns and %d constraints, not %d and %d", name, (int)MOST_UNKNOWNS,
                        (int)DAE_MANY_CONSTRAINTS, sys->n, sys->nl);
    return DAE_OK;
}

static void size_it(dae_manifold *c)
{
    const dae_system *sys = c->sys;
    c->n = sys->nq && !dae_manifold_is_minimal(c) ? 2 * sys->nq : sys->n;
    c->invariants = c->levels & DAE_PROJECT_INVARIANT ? sys->problem->invariants.n : 0;
    if (!c->invariants)
        return;                                         /* project.c has its own storage */
    c->rows = c->invariants + (c->levels & DAE_PROJECT_POSITION ? sys->holonomic : 0)
              + (c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0);
    c->has_quad = sys->problem->invariants.value.quad
                  && (!dae_manifold_is_minimal(c) || sys->problem->mechanical.minimal.embed.quad)
                  && (!(c->levels & DAE_PROJECT_POSITION) || sys->problem->mechanical.constraint.quad)
                  && (!(c->levels & DAE_PROJECT_VELOCITY) || sys->problem->mechanical.rate.quad);
}

static int allocate(dae_manifold *c)
{
    const size_t n = (size_t)c->n, rows = (size_t)c->rows, x = 2 * (size_t)c->sys->nq;
    return DAE_PARTS(c,
                     DAE_PART(dae_manifold, d, n), DAE_PART(dae_manifold, x, x), DAE_PART(dae_manifold, P, rows * n),
                     DAE_PART(dae_manifold, WP, rows * n), DAE_PART(dae_manifold, S, rows * rows),
                     DAE_PART(dae_manifold, diagonal, rows), DAE_PART(dae_manifold, r, rows),
                     DAE_PART(dae_manifold, kappa, rows), DAE_PART(dae_manifold, size, rows),
                     DAE_PART(dae_manifold, before, rows), DAE_PART(dae_manifold, seen, rows),
                     DAE_PART(dae_manifold, c, rows), DAE_PART(dae_manifold, largest, n),
                     DAE_PART(dae_manifold, seeded, n), DAE_PART(dae_manifold, out, rows + x),
                     DAE_PART(dae_manifold, active, rows), DAE_PART(dae_manifold, usable, rows),
                     DAE_PART(dae_manifold, c_exact, rows), DAE_PART(dae_manifold, u_exact, n),
                     DAE_PART(dae_manifold, r_exact, rows + x))
           != NULL;
}

dae_status dae_manifold_create(dae_manifold **out, dae_system *sys, unsigned levels, double rtol,
                               const double *atol, dae_report *report)
{
    *out = NULL;
    const dae_status status = check(sys, levels, report);
    if (status)
        return status;
    dae_manifold *c = calloc(1, sizeof *c);
    if (c) {
        c->sys = sys;
        c->levels = levels;
        c->rtol = rtol > 0 ? rtol : 1;
        c->atol = atol;
        size_it(c);
    }
    if (!c || !allocate(c)) {
        dae_manifold_free(c);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for projections");
    }
    *out = c;
    return DAE_OK;
}

void dae_manifold_free(dae_manifold *c)
{
    if (!c)
        return;
    free(c->d);
    free(c);
}
