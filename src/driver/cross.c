/* cross.c - across a jump of algebraic unknowns in time
 *
 * Where F(t, u) jumps in t, or a constraint of index 2 bends, M u goes on and the algebraic unknowns jump. From those
 * before no iteration finds those behind where they are nonlinear, no estimate lets a step pass, and a linearly
 * implicit step goes elsewhere. So where steps are rejected time and again, or an algebraic unknown moves suddenly, F
 * is looked at over the step (find_jump.c). Steps then end before the jump; at the next time behind it the algebraic
 * unknowns are those of a consistent start with the M u that has come, and the method begins anew.
 */
#include "driver.h"

#include "start/consistent.h"
#include "stepper/output.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SUDDEN = 8;         /* of the rate at which an unknown has moved */
static const double FORGET = 0.7;       /* in a step, of that rate */
static const double SHORT = 0.25;       /* of the step proposed: such steps may disturb algebraic unknowns */
enum { OFTEN = 3 };                     /* rejected steps more than accepted ones, after which F is looked at */
static const double LEAST = 10;         /* [tolerances] of a move that is looked at, and of one of M u that is error */
static const double LEAST_FIXED = 1e-3; /* the same of the unknown, with fixed steps */
static const double NEARBY = 1e-6;      /* of the interval: a method that gives up there does so for a jump */
static const double BACK = 0.125;       /* of the way, in which a method that makes many steps may have come past */
static const double AHEAD = 16384 * DBL_EPSILON;        /* of t: as near a method may have come that gives up */

struct dae_crossing {
    double before, behind;      /* the jump ahead; NAN: none is known */
    double done;                /* those before this time are known */
    double t_looked;            /* t of the last search */
    int late;                   /* 1: the steps have gone past it */
    double *rate;               /* [n] of the algebraic unknowns */
    double *F, *F_rate;         /* [n] F at ends of steps, of the algebraic equations, or all (rows_of); its change */
    double *now, *later;        /* [n] the same of the step just tried; work array */
    double *state, *other;      /* [n] at the jump */
    int rejected;               /* steps, less those accepted since */
    dae_report refused;         /* why there is nothing behind a jump, ... */
    double t_refused;           /* ... and where; NAN: there is no such jump */
    int steps;                  /* since the start, or the last jump, that rate knows */
};

static struct dae_crossing *crossing(const dae_solver *s) { return driver(s)->crossing; }

dae_status dae_crossing_create(dae_solver *s)
{
    if (s->sys->nq || s->sys->index < 1 || dae_first_order_constraints(s->sys) == 0)
        return DAE_OK;
    driver(s)->crossing = DAE_RECORD(struct dae_crossing,
        DAE_PART(struct dae_crossing, rate, s->n), DAE_PART(struct dae_crossing, F, s->n),
        DAE_PART(struct dae_crossing, F_rate, s->n), DAE_PART(struct dae_crossing, now, s->n),
        DAE_PART(struct dae_crossing, later, s->n), DAE_PART(struct dae_crossing, state, s->n),
        DAE_PART(struct dae_crossing, other, s->n));
    return driver(s)->crossing ? DAE_OK : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
}

void dae_crossing_start(dae_solver *s)
{
    struct dae_crossing *c = crossing(s);
    driver(s)->crossed = 0;
    if (!c)
        return;
    c->before = c->behind = c->t_looked = c->t_refused = NAN;
    c->done = -INFINITY;
    c->steps = c->rejected = 0;
}

double dae_crossing_stop(const dae_solver *s, double t_end)
{
    return crossing(s) && crossing(s)->before < t_end ? fmax(s->t, crossing(s)->before) : t_end;
}

/* Moves that matter: in tolerances, or parts of an unknown. */
static double least_move(const dae_solver *s, int i, double size)
{
    return s->adaptive ? LEAST * (s->options.rtol * size + s->atol[i]) : LEAST_FIXED * size;
}

/* What jumps with the algebraic unknowns: their equations, and in index 2 any; the number of rows. */
static int rows_of(const dae_solver *s, const double *F, double *rows)
{
    if (s->sys->index < 2)
        return dae_first_order_rows(s->sys, F, rows);
    memcpy(rows, F, (size_t)s->n * sizeof *rows);
    return s->n;
}

/* Has F at the end of the step changed suddenly, as it does in time? Of methods whose last stage is not there. */
static int F_moves(dae_solver *s)
{
    const struct dae_crossing *c = crossing(s);
    const double h = s->t_new - s->t;
    int more = 0;
    if (!s->adaptive || s->end_checked || !s->F_in_work)
        return 0;
    const int rows = rows_of(s, s->work, c->now);
    for (int k = 0; k < rows; k++)
        more |= c->steps >= 2 && fabs(c->now[k] - c->F[k]) > SUDDEN * h * c->F_rate[k];
    if (!more)
        return 0;
    dae_system_rhs(s->sys, s->t, s->u_new, c->state);
    s->count.rhs++;
    rows_of(s, c->state, c->later);
    for (int k = 0; k < rows; k++) {
        const double moved = fabs(c->now[k] - c->F[k]), in_time = fabs(c->now[k] - c->later[k]);
        if (moved > SUDDEN * h * c->F_rate[k] && in_time > moved / SUDDEN)
            return 1;
    }
    return 0;
}

static int moves(const dae_solver *s)
{
    const struct dae_crossing *c = crossing(s);
    const double h = s->t_new - s->t;
    for (int i = 0; i < s->n; i++) {
        const double moved = fabs(s->u_new[i] - s->u[i]), size = fmax(fabs(s->u_new[i]), fabs(s->u[i]));
        if (moved > SUDDEN * h * c->rate[i] && dae_system_in_kernel(s->sys, i) && moved > least_move(s, i, size))
            return 1;
    }
    return 0;
}

int dae_crossing_sudden(dae_solver *s)
{
    const struct dae_crossing *c = crossing(s);
    if (!c)
        return 0;
    return F_moves(s) || (c->steps >= 2 && !(s->adaptive && s->t_new - s->t < SHORT * driver(s)->full) && moves(s));
}

void dae_crossing_kept(dae_solver *s)
{
    struct dae_crossing *c = crossing(s);
    const double h = s->t - s->t_old;
    driver(s)->crossed = 0;
    if (!c || !(h > 0))
        return;
    for (int i = 0; i < s->n; i++) {
        c->rate[i] = fmax(fabs(s->u[i] - s->u_old[i]) / h, c->steps ? FORGET * c->rate[i] : 0);
        c->F_rate[i] = fmax(fabs(c->now[i] - c->F[i]) / h, c->steps > 1 ? FORGET * c->F_rate[i] : 0);
        c->F[i] = c->now[i];
    }
    c->steps++;
    c->rejected -= c->rejected > 0;
}

int dae_crossing_rejected(dae_solver *s)
{
    struct dae_crossing *c = crossing(s);
    if (!c || ++c->rejected < OFTEN)
        return 0;
    c->rejected = 0;
    return 1;
}

int dae_crossing_look(dae_solver *s, double t_end)
{
    struct dae_crossing *c = crossing(s);
    if (!c || s->t == c->t_looked || !isnan(c->before))
        return 0;
    const int own = s->method->own_control;
    const double back = own ? s->t - BACK * (s->t - s->t_begin) : fmin(s->t, s->t_old);
    const double ahead = fmax(t_end, s->t + AHEAD * fabs(s->t));
    c->t_looked = s->t;    if (!dae_find_jump(s, fmax(back, c->done), fmin(ahead, s->t_end), &c->before, &c->behind)) {
        c->before = c->behind = NAN;
        return 0;
    }
    c->done = c->behind;
    c->late = c->behind <= s->t;
    return 1;
}

/* DAE_INCONSISTENT where M u would have to jump, too: by more than its error, of fixed steps what it moves in one. */
static dae_status check_moves(dae_solver *s, const double *from, const double *to)
{
    double *x = crossing(s)->later;
    char name[32], unit[32];
    memcpy(x, to, (size_t)s->n * sizeof *x);
    dae_system_take_kernel(s->sys, from, x);
    for (int i = 0; i < s->n; i++) {
        const double size = fmax(fabs(x[i]), fabs(from[i])), step = s->adaptive ? 0 : fabs(s->u_new[i] - s->u[i]);
        if (dae_system_in_kernel(s->sys, i) || fabs(x[i] - from[i]) <= fmax(step, least_move(s, i, size)))
            continue;
        dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
        return dae_fail(&s->report, DAE_INCONSISTENT, "t = %.9g: the equations jump so that row %d (%s), which has a "
                        "derivative, would have to jump from %.9g to %.9g", s->t, i + 1, name, from[i], x[i]);
    }
    return DAE_OK;
}

static int has_moved(const dae_solver *s, const double *x)
{
    int i = 0;
    while (i < s->n && !(fabs(x[i] - s->u[i]) > least_move(s, i, fmax(fabs(x[i]), fabs(s->u[i]))) / LEAST))
        i++;
    return i < s->n;
}

static dae_status unsolved(dae_solver *s, dae_status status, const dae_report *why)
{
    return dae_fail(&s->report, status, "t = %.9g: the equations jump, and behind it no algebraic unknowns solve "
                    "them near those before: %.200s", s->t, why->message);
}

/* With steps of the size before. A start may take u_old for scratch. */
dae_status dae_crossing_again(dae_solver *s)
{
    const struct dae_crossing *c = crossing(s);
    const double h = s->h;
    s->F_in_work = s->cut = driver(s)->was_cut = s->extending = 0;
    s->error_order = s->method->error_order;
    dae_control_start(&driver(s)->control, driver(s)->scales_by_rate ? 0 : s->options.rtol);
    dae_output_discard(s);
    memcpy(c->state, s->u_old, (size_t)s->n * sizeof *c->state);
    const dae_status status = s->method->start ? s->method->start(s) : DAE_OK;
    memcpy(s->u_old, c->state, (size_t)s->n * sizeof *c->state);
    s->h = h;
    return status;
}

dae_status dae_crossing_explain(dae_solver *s, dae_status status)
{
    const struct dae_crossing *c = crossing(s);
    if (!c || !(s->t - c->t_refused <= NEARBY * (s->t_end - s->t_begin)))
        return status;
    s->report = c->refused;
    return c->refused.status;
}

/* x[n] := u made consistent at t */
static dae_status settle(dae_solver *s, double t, double *x)
{
    dae_report why = {0};
    memcpy(x, s->u, (size_t)s->n * sizeof *x);
    const dae_status status = dae_consistent_entry(s->sys, t, x, s->sys->index > 1, NULL, &why);
    if (status == DAE_NO_MEMORY)
        return dae_fail(&s->report, status, "%s", why.message);
    return status ? unsolved(s, status, &why) : DAE_OK;
}

/* The M u of a step that has gone past the jump may be off by that: it is compared between both sides of it. */
dae_status dae_crossing_go(dae_solver *s)
{
    struct dae_crossing *c = crossing(s);
    const double before = c->before, behind = c->behind;
    dae_status status = settle(s, behind, c->state);
    if (!status && c->late)
        status = settle(s, before, c->other);
    if (!status)
        status = check_moves(s, c->late ? c->other : s->u, c->state);
    if (!status && c->late)
        status = settle(s, s->t, c->state);
    c->before = c->behind = NAN;
    c->steps = c->rejected = 0;
    if (status < 0 && status != DAE_NO_MEMORY && s->adaptive) {
        c->refused = s->report;                         /* it may be rounding of F: the steps will show */
        c->t_refused = s->t;
        return DAE_OK;
    }
    if (status || !has_moved(s, c->state))
        return status;
    status = dae_solver_jump(s, fmax(s->t, behind), c->state);
    return status ? status : dae_crossing_again(s);
}
