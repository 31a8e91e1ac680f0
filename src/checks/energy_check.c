/* energy_check.c - what states the motion beside force and inertia: energy and minimal.acceleration
 *
 * Along the motion dH/dt is its explicit part where a model is conservative, and s'' is that of minimal
 * coordinates. One of the two that alone contradicts the equations of motion is wrong; where both do,
 * force or inertia is.
 */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    dae_quad change;            /* dH/dt with t held */
    double part;                /* that is wrong; 0: none */
} energy_change;

/* dH/dt with t held, from v along its acceleration a, is 0 as far as its terms show? */
static int energy_stays(dae_checker *c, const dae_quad *v, const dae_quad *a,
                        const dae_quad *lambda, energy_change *by)
{
    const int nq = c->nq;
    dae_quad size = 0, work = 0;                            /* work: of constraints, which may move */
    c->e->force.quad(c->p, c->t, c->q, v, c->x);
    dae_checker_product(nq, v, c->x, &size);
    c->e->inertia.quad(c->p, c->t, c->q, a, c->x);
    dae_checker_product(nq, v, c->x, &size);
    if (c->nl) {
        c->e->reaction.quad(c->p, c->t, c->q, lambda, c->x);
        work = dae_checker_product(nq, v, c->x, &size);
    }
    c->size[0] = size;
    dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, v, v, a);
    by->change = c->slope[0];
    if (dae_quad_fabs(by->change + work) < dae_quad_fabs(by->change))
        by->change += work;
    by->part = size > 0 ? dae_difference(by->change, 0, c->error[0], size) : 0;
    return !(by->part > c->found.rounding);
}

/* The same from v, and from another velocity that the constraints allow: at rest nothing shows. */
static int energy_holds(dae_checker *c, energy_change *by)
{
    dae_quad_mechanics *m = c->rows->mechanics;
    if (!energy_stays(c, c->v, c->a, c->lambda, by))
        return 0;
    if (c->rows->rough)
        return 1;
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    memcpy(c->y, c->q, (size_t)c->nq * sizeof *c->y);
    if (dae_quad_project(m, c->t, c->y, c->w) || dae_quad_accelerate(m, c->t, c->q, c->w, c->b))
        return 1;
    memcpy(c->mu, m->lambda, (size_t)c->nl * sizeof *c->mu);
    return energy_stays(c, c->w, c->b, c->mu, by);
}

/* ---- which function is it? ---------------------------------------------------------------- */

typedef struct { int row, rows; double part, found, expected; } worst_row;

static void raise_row(worst_row *w, int i, dae_quad found, dae_quad expected, double part)
{
    w->rows += part > 1e-9;
    if (part > w->part)
        *w = (worst_row){i + 1, w->rows, part, (double)found, (double)expected};
}

/* c->x[i], momenta or forces, is sign dH by its unknown, v_i at velocities c->w with q held, or q_i */
static worst_row compare_slopes(dae_checker *c, int by_velocity, const dae_quad *size)
{
    worst_row worst = {0};
    memset(c->b, 0, (size_t)c->nq * sizeof *c->b);
    memset(c->y, 0, (size_t)c->nq * sizeof *c->y);
    for (int i = 0; i < c->nq; i++) {
        c->b[i] = size[i];
        c->size[0] = dae_quad_fabs(c->x[i] * c->b[i]);
        dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, c->w, by_velocity ? c->y : c->b, by_velocity ? c->b : NULL);
        const dae_quad slope = (by_velocity ? 1 : -1) * c->slope[0] / size[i], x = dae_quad_fabs(c->x[i]);
        raise_row(&worst, i, c->x[i], slope, dae_difference(c->x[i], slope, c->error[0] / dae_quad_fabs(size[i]),
                                                            by_velocity ? x : dae_quad_fmax(x, dae_quad_fabs(slope))));
        c->b[i] = 0;
    }
    return worst;
}

/* dH/dv_i = (M v)_i for a random v */
static worst_row compare_momenta(dae_checker *c)
{
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    c->e->inertia.quad(c->p, c->t, c->q, c->w, c->x);
    return compare_slopes(c, 1, c->size_v);
}

/* f_i = -dH/dq_i at rest */
static worst_row compare_forces(dae_checker *c)
{
    memset(c->w, 0, (size_t)c->nq * sizeof *c->w);
    c->e->force.quad(c->p, c->t, c->q, c->w, c->x);
    return compare_slopes(c, 0, c->size_q);
}

/* Force or inertia, or where no other witness speaks for them the energy. */
static void blame_forces(dae_checker *c, const energy_change *by, int witness)
{
    const worst_row momenta = compare_momenta(c), forces = compare_forces(c);
    char why[160];
    const char *other = witness ? "" : ", or energy,";
    if (momenta.rows && (witness || momenta.rows < c->nq)) {
        snprintf(why, sizeof why, "force or inertia%s is wrong: M v is not dH/dv", other);
        dae_blame(&c->found, "inertia", momenta.row, 0, momenta.found, momenta.expected, by->part, why);
    } else if (momenta.rows) {
        dae_blame(&c->found, "energy", 1, 0, (double)by->change, 0, by->part,
                  "inertia or energy: does not stay along the motion, and dH/dv is not M v");
    } else {
        snprintf(why, sizeof why, "force or inertia%s is wrong: the energy does not stay%s",
                 witness ? "" : ", or the potential in energy,", forces.rows ? "; force, and -dH/dq" : "");
        dae_blame(&c->found, "force", forces.rows ? forces.row : 0, 0,
                  forces.rows ? forces.found : (double)by->change, forces.rows ? forces.expected : 0,
                  by->part, why);
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

void dae_check_motion(dae_checker *c)
{
    energy_change by = {0};
    dae_row_difference off = {0};
    if (!dae_goes_on(c) || !c->moves)
        return;
    const int given = c->e->energy.quad != NULL, declared = given && c->e->conservative;
    const int stays = !given || energy_holds(c, &by), minimal = dae_check_minimal_motion(c, &off);
    if (given && !stays && !declared)
        dae_tell(&c->found, 0, fabs((double)by.change), "energy", 1, (double)by.change, NAN, "%s, t = %.9g: energy "
                 "changes by %.3g in a unit of time beside its explicit part, more than at other states: the record "
                 "does not declare .conservative", c->found.problem, c->found.t, (double)by.change);
    if (declared && by.part > 0)
        c->found.digits = fmin(c->found.digits, -log10(by.part));
    if (declared && !stays && minimal > 0)
        dae_blame(&c->found, "energy", 1, 0, (double)by.change, 0, by.part,
                  "does not stay along the motion");
    else if (declared && !stays)
        blame_forces(c, &by, minimal < 0);
    else if (minimal < 0)
        dae_blame(&c->found, "minimal.acceleration", -minimal, 0, off.found, off.expected,
                  off.part, declared ? "does not move as the others do"
                  : "or force or inertia is wrong: does not move as the others do");
}
