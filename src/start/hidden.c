/* hidden.c - what derivatives of the constraints ask of a start of index 2 and 3
 *
 * Collocation with R(infinity) = 0 goes on from M u alone. After three steps of size h all that was off the
 * constraints and their derivatives is gone; as many back to t lead to values that are consistent to
 * O(h^(s-1)) at least with s stages, with those algebraic unknowns that no equation contains undifferentiated. h falls
 * until two agree. Unknowns with a derivative are back where they began then, where they satisfy the hidden
 * constraints: what is fast decays over a long step, but not over a short one. Where they never are, they were off,
 * and go to where the shortest steps lead. Hairer, Lubich, Roche (1989), Lect. Notes Math. 1409, 6 and 7.
 *
 * Where M sees combinations of unknowns it is these that come back, u_i - sum_k kernel_ki u_k (dae_system_split_quad),
 * and the unknowns that lead in the kernel that are found. What is nonlinear in these is solved from any guess:
 * dae_quad_stepper.searches.
 *
 * What a disturbance of the start by rounding changes as much is left as it is.
 */
#include "consistent.h"

#include "base/numbers.h"
#include "base/parts.h"
#include "reference/quad_model.h"
#include "reference/radau_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5, STEPS = 3, TRIALS = 15, MOST_UNKNOWNS = 30 };
static const double first = 0x1p-10, shorter = 0x1p-3;      /* h of the interval, and from trial to trial */
static const double agrees = 1e-12, nearly = 1e-8;          /* of an unknown */
static const double rounding = 4 * DBL_EPSILON;             /* of a start */

typedef struct {
    dae_quad_stepper r;
    const dae_system *sys;
    int n;
    double t, span;
    /* states as combinations that M sees, and what leads in its kernel */
    dae_quad *given, *disturbed;    /* [n] the start */
    dae_quad *now, *before;         /* [n] by this h, and by the one before */
    dae_quad *other;                /* [n] from the disturbed start */
    dae_quad *size;                 /* [n] the largest on the way back */
} path;

static int has_derivative(const path *w, int i) { return !dae_system_in_kernel(w->sys, i); }

/* The sizes of combination i of u[n], those of its terms */
static dae_quad size_of(const path *w, const dae_quad *u, int i)
{
    const dae_system *s = w->sys;
    dae_quad size = dae_quad_fabs(u[i]);
    for (int k = 0; s->kernel && k < s->nulls; k++)
        if (has_derivative(w, i))
            size += dae_quad_fabs(s->kernel[k * w->n + i] * u[s->kernel_unknown[k]]);
    return size;
}

/* to := where steps of size h forth and back lead */
static dae_status go(path *w, dae_quad h, const dae_quad *from, dae_quad *to)
{
    dae_quad_stepper *r = &w->r;
    dae_status status = DAE_OK;
    double error;
    for (int i = 0; i < w->n; i++) {
        w->size[i] = 0;
        to[i] = from[i];
    }
    dae_system_join_quad(w->sys, to);
    dae_quad_stepper_start(r, w->t, to);
    for (int step = 0; step < 2 * STEPS && !status; step++) {
        const dae_quad signed_h = step < STEPS ? h : -h;
        dae_quad_stepper_linearise(r);
        status = dae_quad_stepper_try(r, signed_h, &error);
        if (status)
            break;
        dae_quad_stepper_accept(r, signed_h);
        for (int i = 0; step >= STEPS && i < w->n; i++)
            w->size[i] = dae_quad_fmax(w->size[i], size_of(w, r->u, i));
    }
    memcpy(to, r->u, (size_t)w->n * sizeof *to);
    dae_system_split_quad(w->sys, to);
    return status;
}

/* By how much unknown i may differ: part of its size, or what rounding makes of it. */
static dae_quad may(const path *w, int i, double part)
{
    return dae_quad_fmax(part * w->size[i], 4 * dae_quad_fabs(w->other[i] - w->now[i]));
}

static int are_same(const path *w, int i, const dae_quad *a, const dae_quad *b, double part)
{
    return dae_quad_fabs(a[i] - b[i]) <= may(w, i, part);
}

typedef enum { NOT_FOUND, FOUND, MOVED } answer;

static int all_are_same(const path *w, int differential, const dae_quad *a, const dae_quad *b, double part)
{
    int i = 0;
    while (i < w->n && (has_derivative(w, i) != differential || are_same(w, i, a, b, part)))
        i++;
    return i == w->n;
}

/* Is what this h has found that of the one before? FOUND: and what has a derivative came back. */
static answer judge(const path *w)
{
    if (!all_are_same(w, 1, w->now, w->before, nearly))
        return NOT_FOUND;
    if (!all_are_same(w, 1, w->now, w->given, agrees))
        return MOVED;
    return all_are_same(w, 0, w->now, w->before, agrees) ? FOUND : NOT_FOUND;
}

/* disturbed := given, each unknown with another rounding */
static void disturb(path *w)
{
    uint64_t random = 1;
    memcpy(w->disturbed, w->given, (size_t)w->n * sizeof *w->given);
    dae_system_join_quad(w->sys, w->disturbed);
    for (int i = 0; i < w->n; i++)
        w->disturbed[i] *= 1 + rounding * dae_random_direction(&random);
    dae_system_split_quad(w->sys, w->disturbed);
}

/* h is too short for the precision: now := what the h before has found. */
static void keep_longer(path *w)
{
    for (int i = 0; i < w->n; i++) {
        w->other[i] = w->now[i] = w->before[i];
        w->size[i] = dae_quad_fmax(dae_quad_fabs(w->now[i]), dae_quad_fabs(w->given[i]));
    }
}

/* now := what is consistent. MOVED: the shortest steps do not lead what has a derivative back. */
static answer search(path *w)
{
    answer what = NOT_FOUND;
    int pair = 0;
    dae_quad h = w->span * first;
    disturb(w);
    for (int trial = 0; trial < TRIALS && what != FOUND; trial++, h *= shorter) {
        dae_quad *swap = w->before;
        w->before = w->now;
        w->now = swap;
        const int good = !go(w, h, w->disturbed, w->other) && !go(w, h, w->given, w->now);
        if (!good && what == MOVED) {
            keep_longer(w);
            break;
        }
        what = good && pair ? judge(w) : NOT_FOUND;
        pair = good;
    }
    return what;
}

/* u[n] := what was found, but for what it already is; the largest move of what has a derivative. Overwrites before. */
static void take(const path *w, double *u, double *relative)
{
    dae_quad *x = w->before;
    for (int i = 0; i < w->n; i++)
        x[i] = u[i];
    dae_system_split_quad(w->sys, x);
    for (int i = 0; i < w->n; i++) {
        const dae_quad off = dae_quad_fabs(w->now[i] - x[i]);
        if (off <= may(w, i, agrees))
            continue;
        if (has_derivative(w, i))
            *relative = fmax(*relative, (double)(off / dae_quad_fmax(dae_quad_fabs(x[i]), w->size[i])));
        x[i] = w->now[i];
    }
    dae_system_join_quad(w->sys, x);
    for (int i = 0; i < w->n; i++)
        u[i] = (double)x[i];
}

static answer settle(path *w, double *u, double *relative)
{
    answer what = search(w);
    for (int i = 0; what == MOVED && i < w->n; i++)
        if (has_derivative(w, i) && !are_same(w, i, w->now, w->given, agrees))
            w->given[i] = w->now[i];
    if (what == MOVED)
        what = search(w);
    if (what == FOUND)
        take(w, u, relative);
    return what;
}

static int create(path *w, const dae_quad_dae *dae, const double *u)
{
    const size_t n = (size_t)w->n;
    if (!dae_quad_stepper_create(&w->r, dae, STAGES)
        || !DAE_PARTS(w,
                      DAE_PART(path, given, n), DAE_PART(path, disturbed, n), DAE_PART(path, now, n),
                      DAE_PART(path, before, n), DAE_PART(path, other, n), DAE_PART(path, size, n)))
        return 0;
    for (size_t i = 0; i < n; i++)
        w->given[i] = u[i];
    dae_system_split_quad(w->sys, w->given);
    w->r.searches = 1;
    return 1;
}

/* The interval of the problem from here, or that before. */
static double span(const dae_problem *problem, double t)
{
    return problem->t_end > t ? problem->t_end - t : t - problem->t0;
}

dae_status dae_start_hidden(dae_system *sys, double t, double *u, double *relative, int *open, dae_report *report)
{
    dae_quad_model m;
    path w = {.sys = sys, .n = sys->n, .t = t, .span = span(sys->problem, t)};
    *open = sys->problem->first_order.index >= 2;
    if (!*open || w.n > MOST_UNKNOWNS || !(w.span > 0) || !isfinite(w.span) || dae_check_quad(sys->problem, NULL)
        || !dae_system_open_quad(sys))
        return DAE_OK;
    dae_status status = dae_quad_model_create(&m, sys, 0, report);
    if (!status) {
        const dae_quad_dae dae = dae_quad_model_dae(&m);
        if (create(&w, &dae, u))
            *open = settle(&w, u, relative) != FOUND;
        else
            status = dae_fail(report, DAE_NO_MEMORY, "no memory for a start of %d unknowns", w.n);
        dae_quad_stepper_free(&w.r);
        free(w.given);
    }
    dae_quad_model_free(&m);
    return status || !sys->carried || dae_system_set_slopes(sys, t, u)
               ? status : dae_fail(report, DAE_SINGULAR, "t = %.9g: M(t, u) of %s has not the rank that it has at its "
                                   "start", t, sys->problem->name);
}
