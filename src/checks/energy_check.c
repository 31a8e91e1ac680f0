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
    dae_quad change, work;      /* dH/dt with t held; of the constraints, which may move */
    dae_quad error, size;
    double part;                /* that is wrong; 0: none */
} energy_change;

/* dH/dt with t held, from v along its acceleration a, is 0 as far as its terms show? */
static int energy_stays(dae_checker *c, const dae_quad *v, const dae_quad *a,
                        const dae_quad *lambda, energy_change *by)
{
    const int nq = c->nq;
    by->size = by->work = 0;
    c->e->force.quad(c->p, c->t, c->q, v, c->x);
    dae_checker_product(nq, v, c->x, &by->size);
    dae_checker_inertia(c, a, c->x);
    dae_checker_product(nq, v, c->x, &by->size);
    if (c->nl) {
        c->e->reaction.quad(c->p, c->t, c->q, lambda, c->x);
        by->work = dae_checker_product(nq, v, c->x, &by->size);
    }
    c->size[0] = by->size;
    dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, v, v, a);
    by->error = c->error[0];
    by->change = c->slope[0];
    if (dae_quad_fabs(by->change + by->work) < dae_quad_fabs(by->change))
        by->change += by->work;                             /* g may move */
    by->part = by->size > 0 ? dae_difference(by->change, 0, by->error, by->size) : 0;
    return !(by->part > dae_not_rounding);
}

/* The same from v, and from another velocity that the constraints allow: at rest nothing shows. */
static int energy_holds(dae_checker *c, energy_change *by)
{
    dae_quad_mechanics *m = c->rows->mechanics;
    if (!energy_stays(c, c->v, c->a, c->lambda, by))
        return 0;
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    memcpy(c->y, c->q, (size_t)c->nq * sizeof *c->y);
    if (dae_quad_project(m, c->t, c->y, c->w) || dae_quad_accelerate(m, c->t, c->q, c->w, c->b))
        return 1;
    memcpy(c->mu, m->lambda, (size_t)c->nl * sizeof *c->mu);
    return energy_stays(c, c->w, c->b, c->mu, by);
}

/* ---- which function is it? ---------------------------------------------------------------- */

typedef struct { int row, rows; dae_quad part; double found, expected; } worst_row;

static void raise_row(worst_row *w, int i, dae_quad found, dae_quad expected, dae_quad error, dae_quad size)
{
    const double part = dae_difference(found, expected, error, size);
    w->rows += part > 1e-9;
    if (part > w->part)
        *w = (worst_row){i + 1, w->rows, part, (double)found, (double)expected};
}

/* dH/dv_i = (M v)_i for a random v */
static worst_row compare_momenta(dae_checker *c)
{
    const int nq = c->nq;
    worst_row w = {0};
    dae_checker_choose(c, nq, c->size_v, c->w);
    dae_checker_inertia(c, c->w, c->x);
    memset(c->b, 0, (size_t)nq * sizeof *c->b);
    memset(c->y, 0, (size_t)nq * sizeof *c->y);         /* positions stay */
    for (int i = 0; i < nq; i++) {
        c->b[i] = c->size_v[i];
        c->size[0] = dae_quad_fabs(c->x[i] * c->b[i]);
        dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, c->w, c->y, c->b);
        raise_row(&w, i, c->x[i], c->slope[0] / c->b[i], c->error[0] / c->b[i], dae_quad_fabs(c->x[i]));
        c->b[i] = 0;
    }
    return w;
}

/* f_i = -dH/dq_i at rest */
static worst_row compare_forces(dae_checker *c)
{
    const int nq = c->nq;
    worst_row w = {0};
    memset(c->w, 0, (size_t)nq * sizeof *c->w);
    memset(c->b, 0, (size_t)nq * sizeof *c->b);
    c->e->force.quad(c->p, c->t, c->q, c->w, c->x);
    for (int i = 0; i < nq; i++) {
        c->b[i] = c->size_q[i];
        c->size[0] = dae_quad_fabs(c->x[i] * c->b[i]);
        dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, c->w, c->b, NULL);
        const dae_quad slope = -c->slope[0] / c->size_q[i];
        raise_row(&w, i, c->x[i], slope, c->error[0] / c->size_q[i],
                  dae_quad_fmax(dae_quad_fabs(c->x[i]), dae_quad_fabs(slope)));
        c->b[i] = 0;
    }
    return w;
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

/* Minimal coordinates that move as chart says: 1; -1 where not, with the row that does not. */
static int minimal_moves(dae_checker *c, worst_row *off)
{
    if (!dae_check_minimal_motion(c))
        return 0;
    for (int i = 0; i < c->e->minimal.n; i++) {
        const dae_quad values = dae_quad_fmax(dae_quad_fabs(c->got[i]), dae_quad_fabs(c->slope[i]));
        const dae_quad size = dae_quad_fmax(c->size[i], values);
        const double part = dae_difference(c->got[i], c->slope[i], c->error[i], size);
        if (part > 0)
            c->found.digits = fmin(c->found.digits, -log10(part));
        if (part > dae_not_rounding && part > off->part)
            *off = (worst_row){i + 1, 1, part, (double)c->got[i], (double)c->slope[i]};
    }
    return off->row ? -1 : 1;
}

/* A model that is not conservative: what its energy loses, or gains, for people. */
static void tell_power(dae_checker *c, const energy_change *by)
{
    char words[160];
    snprintf(words, sizeof words,
             "energy changes by %.3g in a unit of time beside its explicit part, more than at other "
             "states: the record does not declare .conservative", (double)by->change);
    dae_remark(&c->found, "energy", 1, (double)by->change, NAN, words);
}

void dae_check_motion(dae_checker *c)
{
    energy_change by = {0};
    worst_row off = {0};
    if (c->found.failed || !c->moves)
        return;
    const int given = c->e->energy.quad != NULL, declared = given && c->e->conservative;
    const int stays = !given || energy_holds(c, &by), minimal = minimal_moves(c, &off);
    if (given && !stays && !declared)
        tell_power(c, &by);
    if (declared && by.part > 0)
        c->found.digits = fmin(c->found.digits, -log10(by.part));
    if (declared && !stays && minimal > 0)
        dae_blame(&c->found, "energy", 1, 0, (double)by.change, 0, by.part,
                  "does not stay along the motion");
    else if (declared && !stays)
        blame_forces(c, &by, minimal < 0);
    else if (minimal < 0)
        dae_blame(&c->found, "minimal.acceleration", off.row, 0, off.found, off.expected,
                  (double)off.part, declared ? "does not move as the others do"
                  : "or force or inertia is wrong: does not move as the others do");
}

/* ---- invariants --------------------------------------------------------------------------- */

void dae_check_invariants(dae_checker *c)
{
    const dae_invariants *given = &c->rows->sys->problem->invariants;
    const dae_quad part = 0x1p-20;          /* of the way: at its end there may be no value */
    dae_quad *x = c->at, *size = c->size;
    const dae_quad *start = dae_checker_row(c, 0);
    if (given->n == 0 || !given->value.quad || c->found.failed)
        return;
    memset(size, 0, (size_t)given->n * sizeof *size);
    given->value.quad(c->p, c->t, c->q, c->error);          /* (q, v) is one block of the row */
    for (int k = 0; k < DAE_DIRECTIONS; k++) {
        for (int i = 0; i < c->nq; i++) {
            x[i] = c->q[i] + part * c->size_q[i] * dae_random_direction(&c->random);
            x[c->nq + i] = c->v[i] + part * c->size_v[i] * dae_random_direction(&c->random);
        }
        given->value.quad(c->p, c->t, x, c->got);
        for (int i = 0; i < given->n; i++)
            size[i] = dae_quad_fmax(size[i], dae_quad_fabs(c->got[i] - c->error[i]) / part);
    }
    given->value.quad(c->p, c->rows->t0, start, c->slope);
    for (int i = 0; i < given->n; i++)
        dae_checker_compare(c, c->error[i], c->slope[i], 0, size[i], "invariants", i + 1,
                            "does not stay what it was");
}
