/* impacts.c - impacts at one instant: one after the other, until nothing approaches what it touches
 *
 * An event is a contact where g = 0 and its action turns dg/dt away from the direction in which the event happens.
 * What other actions of the same instant do to the velocities may drive a contact on that has acted, or that only
 * touches: then it acts again. Each action sees the state that the one before has left. This is the limit of motions
 * whose impacts come ever closer to each other. A contact that those before it have turned away does not act.
 *
 * The sequence ends, or it repeats a cycle of impacts, each time with speeds smaller by the ratio r: an inelastic
 * collapse (McNamara, Young (1992), Phys. Fluids A 4, 496-504). Then the limit of the states after cycles is
 *
 *     x* = x_n + (x_n - x_(n-1)) r/(1 - r).
 */
#include "hybrid.h"

#include "base/numbers.h"
#include "stepper/derivative.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = 16 * DBL_EPSILON;        /* of x, where g is evaluated */
static const double LEAST = 64 * DBL_EPSILON;           /* of the speeds that an instant began with */
static const double SHORT = 0x1p-10;                    /* of h->reach: a time over which g is followed */
static const double SAME = 1e-9;                        /* ratios of speeds that are the same */
enum { TRIES = 2, MOST_IN_CYCLE = 16, CYCLES = 3 };

/* ---- how fast a contact is approached ------------------------------------------------------ */

/* dx[size] := the derivative of x, which is (q, v, lambda) or u. */
static void motion_at(dae_hybrid *h, const double *x, double *dx)
{
    const dae_mode *mode = &h->mode[h->now];
    dae_system *s = mode->sys;
    double *work = h->entry + 2 * h->most;
    if (!s->nq) {
        memcpy(work, h->u, (size_t)s->n * sizeof *work);
        memcpy(work, x, (size_t)h->size * sizeof *work);
        dae_derivative_at(mode->solver, h->t, work, dx);
        return;
    }
    memcpy(dx, x + s->nq, (size_t)s->nq * sizeof *dx);
    if (dae_system_accelerate(s, h->t, x, x + s->nq, dx + s->nq, work))
        memset(dx + s->nq, 0, (size_t)s->nq * sizeof *dx);
}

/* g_i along the motion, after a time d */
static double value_after(dae_hybrid *h, int i, const double *x, const double *dx, double d)
{
    double *moved = h->entry + h->most;
    memcpy(moved, x, (size_t)h->most * sizeof *moved);
    for (int j = 0; j < h->size; j++)
        moved[j] += d * dx[j];
    return dae_hybrid_value(h, i, h->t + d, moved);
}

/* What rounding of x and t makes of g_i */
static double rounding_of(dae_hybrid *h, int i, const double *x, const double *dx)
{
    const double g = dae_hybrid_value(h, i, h->t, x), later = ROUNDING * fabs(h->t);
    double *moved = h->entry + h->most, most = DBL_MIN;
    uint64_t random = 1;
    memcpy(moved, x, (size_t)h->most * sizeof *moved);
    for (int try = 0; try < TRIES; try++) {
        for (int j = 0; j < h->size; j++)
            moved[j] = x[j] + ROUNDING * dae_random_direction(&random) * x[j] + later * dx[j];
        most = fmax(most, fabs(dae_hybrid_value(h, i, h->t + later, moved) - g));
    }
    return most;
}

double dae_hybrid_approach(dae_hybrid *h, int i, int way, const double *x)
{
    double *dx = h->entry, slope[2];
    const double span = h->problem->t_end - h->problem->t0;
    const double d = SHORT * (h->reach > 0 ? h->reach : SHORT * span);
    motion_at(h, x, dx);
    for (int k = 0; k < 2; k++) {
        const double by = ldexp(d, -k);
        slope[k] = (value_after(h, i, x, dx, by) - value_after(h, i, x, dx, -by)) / (2 * by);
    }
    const double wrong = fabs(slope[1] - slope[0]) + 4 * rounding_of(h, i, x, dx) / d;
    const double best = (4 * slope[1] - slope[0]) / 3;
    return fabs(best) > wrong && fabs(best) > LEAST * h->fastest[i] ? way * best : 0;
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* Whether the action of event i would change dg_i/dt at x. */
static int turns(dae_hybrid *h, int i, int way, const double *x)
{
    const dae_numbered_event *event = &h->mode[h->now].event[i];
    const size_t parameters = (size_t)h->parameters * sizeof *h->p;
    double *tried = h->entry + 3 * h->most;
    const double before = dae_hybrid_approach(h, i, way, x);
    memcpy(tried, x, (size_t)h->most * sizeof *tried);
    memcpy(h->acted, h->p_new, parameters);
    memcpy(h->p_tried, h->p_new, parameters);
    event->entry->action.f(h->acted, h->t, tried, h->p_tried, event->k);
    const double after = dae_hybrid_approach(h, i, way, tried);
    return fabs(after - before) > SAME * (fabs(after) + fabs(before));
}

int dae_hybrid_is_turned_away(dae_hybrid *h, int i, int way)
{
    return way && dae_hybrid_approach(h, i, way, h->state) <= 0 && turns(h, i, way, h->state);
}

int dae_hybrid_is_approached(dae_hybrid *h, int i, int first, double is, double noise)
{
    const dae_mode *mode = &h->mode[h->now];
    const int again = h->turned[i], way = again ? again : (int)mode->direction[i];
    double *before = h->entry + 4 * h->most;
    if (i >= mode->events || !mode->event[i].entry->action.f || !way || (h->done[i] && !again)
        || !(fabs(is) <= (again ? fmax(noise, 2 * fabs(h->g[i])) : noise))
        || !(dae_hybrid_approach(h, i, way, h->state) > 0))
        return 0;
    if (again)
        return 1;
    memcpy(before, h->state, (size_t)h->most * sizeof *before);
    memcpy(before, h->states + 2 * (size_t)first * (size_t)h->size, (size_t)h->size * sizeof *before);
    return dae_hybrid_approach(h, i, way, before) <= 0 && turns(h, i, way, h->state);
}

/* 1 where the state h->x goes on beyond contact i, and its action would turn that; where it would not, it may. */
static int is_violated(dae_hybrid *h, int i)
{
    const dae_mode *mode = &h->mode[h->now];
    const int way = (int)mode->direction[i];
    if (i >= mode->events || !mode->event[i].entry->action.f) {
        dae_watch_pass(mode->solver, i);
        return 0;
    }
    if (!(dae_hybrid_approach(h, i, way, h->x) > 0))
        return 0;
    memcpy(h->p_new, h->p, (size_t)h->parameters * sizeof *h->p);
    if (turns(h, i, way, h->x) && !(dae_hybrid_approach(h, i, way, h->entry + 3 * h->most) > 0))
        return 1;
    dae_watch_pass(mode->solver, i);
    return 0;
}

int dae_hybrid_find_violated(dae_hybrid *h, double t, const double *u)
{
    const dae_mode *mode = &h->mode[h->now];
    if (!mode->count || !dae_watched(mode->solver) || !dae_watch_find_past(mode->solver, h->next)
        || dae_hybrid_state(h, t, u, h->x))
        return -1;
    const double reach = h->reach;
    int violated = -1;
    h->reach = (t - mode->solver->t_old) / 8;
    for (int i = 0; i < mode->count && violated < 0; i++)
        violated = h->next[i] && is_violated(h, i) ? i : -1;
    h->reach = reach;
    return violated;
}

int dae_hybrid_has_impacts(const dae_hybrid *h, int first)
{
    int k = first;
    while (k < h->happenings && !(h->happening[k].speed > 0))
        k++;
    return k < h->happenings;
}

/* ---- collapse ------------------------------------------------------------------------------ */

/* The last impacts, CYCLES times so many, repeat each other with speeds in the ratio *r. */
static int repeats(const dae_hybrid *h, int length, int count, double *r)
{
    const dae_happening *last = &h->happening[h->happenings - 1];
    if (CYCLES * length > count)
        return 0;
    *r = last->speed / last[-length].speed;
    for (int k = 0; k < (CYCLES - 1) * length; k++) {
        const dae_happening *now = last - k, *before = now - length;
        if (now->event != before->event || !(now->speed > 0)
            || !(fabs(now->speed / before->speed - *r) <= SAME * *r))
            return 0;
    }
    return *r < 1;
}

int dae_hybrid_collapses(const dae_hybrid *h, int first, double *x)
{
    const double *after = h->states + (2 * (size_t)h->happenings - 1) * (size_t)h->size;
    double r;
    for (int length = 1; length <= MOST_IN_CYCLE; length++) {
        if (!repeats(h, length, h->happenings - first, &r))
            continue;
        const double *before = after - 2 * (size_t)length * (size_t)h->size;
        for (int i = 0; i < h->size; i++)
            x[i] = after[i] + (after[i] - before[i]) * r / (1 - r);
        return length;
    }
    return 0;
}
