/* entry.c - check that a state, with the errors of the run, satisfies the constraints of a mode it enters
 *
 * The error a_i of unknown i is assumed to be at most 10 times its tolerance plus a thousandth of its range
 * in this run, the latter limited to 1000 tolerances. With fixed steps it is a thousandth of the range.
 * A constraint is violated where g_k is larger than such errors explain. The state passes if
 *
 *     |g_k(x)| <= 2 max |g_k(x + s a) - g_k(x)|     over a few random signs and sizes s.
 *
 * This is independent of units, and counts only unknowns on which g_k depends. In first-order problems
 * hidden constraints also change differential unknowns. Each may change by a_i, or by a_j of another
 * unknown j that changes at least a tenth as much, since unknowns coupled by a constraint share its error.
 */
#include "hybrid.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TOLERANCES = 10, MOST_TOLERANCES = 1000;
static const double PART = 1e-3;                /* of the range; before the first step of |x_i| */
static const double ROUNDING = 4096 * DBL_EPSILON;
enum { TRIES = 8 };

/* ---- the range of the unknowns in a run ---------------------------------------------------- */

void dae_hybrid_measure(dae_hybrid *h, const double *x)
{
    for (int i = 0; i < h->size; i++) {
        h->least[i] = h->moved ? fmin(h->least[i], x[i]) : x[i];
        h->largest[i] = h->moved ? fmax(h->largest[i], x[i]) : x[i];
    }
    h->moved = h->moved ? h->moved : 1;
}

void dae_hybrid_measure_step(dae_hybrid *h, double t, const double *u)
{
    const dae_system *s = h->mode[h->now].sys;
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        s->problem->mechanical.minimal.embed.f(s->p, t, u, u + s->n / 2, h->x);
        dae_hybrid_measure(h, h->x);
    } else {
        dae_hybrid_measure(h, u);
    }
    h->moved = 2;
}

/* The largest error assumed of unknown i of x. Before the first step |x_i| takes the place of the range, as
 * initial values may be given to a few digits only. */
static double error_of(const dae_hybrid *h, const double *x, int i)
{
    const dae_options *o = &h->options;
    const double motion = h->moved < 2 ? fabs(x[i]) : h->largest[i] - h->least[i];
    const double least = ROUNDING * fabs(x[i]);
    if (o->step > 0)
        return PART * motion + least;
    const double size = fmax(fabs(x[i]), motion), tolerance = o->rtol * size + h->tolerated[i];
    return TOLERANCES * tolerance + least
           + (h->moved < 2 ? PART * motion : fmin(MOST_TOLERANCES * tolerance, PART * motion));
}

/* ---- constraints --------------------------------------------------------------------------- */

/* g := the position constraints, or the algebraic equations; returns their number. */
static int constraints(dae_system *s, double t, const double *x, double *g)
{
    if (!s->nq)
        return s->nondiagonal_mass ? 0 : dae_first_order_constraint(s, 0, t, x, g);
    if (s->holonomic)
        s->problem->mechanical.constraint.f(s->p, t, x, g);
    return s->holonomic;
}

static dae_status off_constraint(dae_hybrid *h, int k, double by, double error, const char *because)
{
    return dae_fail(&h->report, DAE_INCONSISTENT, "t = %.9g: after %s the state violates the "
                    "constraints of %s: number %d is off by %.3g, and errors of the state make no "
                    "more than %.3g of it", h->t, because, h->mode[h->now].name, k + 1, by, error);
}

static dae_status check_constraints(dae_hybrid *h, const double *x, const char *because)
{
    dae_system *s = h->mode[h->now].sys;
    const size_t most = (size_t)h->most;
    double *at = h->entry, *wrong = at + most, *g = wrong + most, *g_wrong = g + most;
    double *error = g_wrong + most;
    const int n = s->nq ? s->nq : h->size;
    uint64_t random = 1;
    for (int i = 0; i < n; i++)                 /* algebraic unknowns have been solved for */
        at[i] = !s->nq && dae_system_is_algebraic(s, i) ? h->u[i] : x[i];
    const int count = constraints(s, h->t, at, g);
    memset(error, 0, most * sizeof *error);
    for (int try = 0; count && try < TRIES; try++) {
        for (int i = 0; i < n; i++)
            wrong[i] = at[i] + (!s->nq && dae_system_is_algebraic(s, i)
                                    ? 0 : dae_random_direction(&random) * error_of(h, x, i));
        constraints(s, h->t, wrong, g_wrong);
        for (int k = 0; k < count; k++)
            error[k] = fmax(error[k], 2 * fabs(g_wrong[k] - g[k]));
    }
    for (int k = 0; k < count; k++)
        if (!(fabs(g[k]) <= error[k]))
            return off_constraint(h, k, fabs(g[k]), error[k], because);
    return DAE_OK;
}

/* ---- moves of differential unknowns -------------------------------------------------------- */

/* 1 where the change of row i, of n, can be explained by errors. */
static int explained(const double *moved, const double *error, int n, int i)
{
    if (moved[i] <= error[i])
        return 1;
    for (int j = 0; j < n; j++)
        if (10 * moved[j] >= moved[i] && moved[i] <= error[j])
            return 1;
    return 0;
}

/* Compares |M (u - x)| with M a, all a_i > 0. */
static dae_status check_moves(dae_hybrid *h, const double *x, const char *because)
{
    dae_system *s = h->mode[h->now].sys;
    const size_t most = (size_t)h->most;
    double *work = h->entry, *moved = work + most, *error = moved + most;
    const int n = h->size;                      /* w = P u' behind u is not part of x */
    memset(work, 0, (size_t)s->n * sizeof *work);
    for (int i = 0; i < n; i++)
        work[i] = h->u[i] - x[i];
    dae_system_mass(s, work, moved);
    for (int i = 0; i < n; i++)
        work[i] = error_of(h, x, i);
    dae_system_mass(s, work, error);
    for (int i = 0; i < n; i++) {
        moved[i] = fabs(moved[i]);
        error[i] = fmax(fabs(error[i]), fabs(s->diagonal[i]) * work[i]);
    }
    for (int i = 0; i < n; i++) {
        char name[32], unit[32];
        if (explained(moved, error, n, i))
            continue;
        dae_system_unknown(s, i, name, unit, (int)sizeof name);
        return dae_fail(&h->report, DAE_INCONSISTENT, "t = %.9g: after %s the state violates the "
                        "constraints of %s: %s would have to be moved from %.9g to %.9g", h->t,
                        because, h->mode[h->now].name, name, x[i], h->u[i]);
    }
    return DAE_OK;
}

dae_status dae_hybrid_check_entry(dae_hybrid *h, const double *x, const char *because)
{
    dae_hybrid_tolerate(h);
    const dae_status status = check_constraints(h, x, because);
    return status || h->mode[h->now].sys->nq ? status : check_moves(h, x, because);
}
