/* watch_zero.c - event functions that are zero at the start of a run, or where it continues after an event
 *
 * Such a function has no events until |g_i| > noise. If it leaves zero in the direction of its event, the
 * event happens at once (a ball thrown down from the floor), unless it has just happened. If it has just
 * happened, but dg_i/dt at the start has the other sign, then g_i has left zero the other way and come back
 * too fast to be resolved. Then the event happens again, where g_i is first found to be past zero.
 */
#include "watcher.h"

#include "stepper/derivative.h"
#include "root_model.h"

#include <math.h>
#include <string.h>

enum { PROBES = 11 };
static const double BESIDE = 1e-3;      /* of g in the first step: dense output beside the state */
static const double TOLERANCES = 10;    /* of the error test: errors of a run */
static const double CURVED = 1e-3;      /* of what curvature makes of g, a slope shows beside it */
static const double SURE = 20;          /* times noise: the powers of two differences can be told */
static const double STEEPER = 8;        /* from d/4 to d: a slope grows by 4, third powers by 64 */

dae_status dae_watch_find_sides(struct dae_watcher *w, double a)
{
    double *noise = w->roots.noise;
    dae_status status = w->watch.values(w->watch.context, a, w->solver->u_old, w->g, w->report);
    if (!status)
        status = dae_watch_sample(w, a, w->after);
    for (int i = 0; !status && i < w->watch.count; i++) {
        const double g = w->g[i], beside = 2 * fabs(w->after[i] - g);
        const double stopped = w->ignore[i] ? 2 * fabs(w->stopped[i]) : 0;
        const double most = BESIDE * fmax(fabs(g), fabs(w->value[i]));
        double zero = fmax(fmax(noise[i], w->before[i]), beside <= most ? beside : 0);
        if (stopped > 0 && fabs(g) <= zero + stopped)
            zero = fmax(zero, 2 * fabs(g));             /* at zero, as near as it was located */
        w->roots.side[i] = fabs(g) <= zero ? 0 : g > 0 ? 1 : -1;
        w->zero[i] = fmax(beside <= most ? beside : 0, stopped > 0 ? zero : 0);
        noise[i] = fmax(noise[i], w->zero[i]);
    }
    return status;
}

/* w->u := u at t + d, moved along u' from where it is for t + from; g := g there */
static dae_status move_along(struct dae_watcher *w, double t, double from, double d, double *g)
{
    for (int i = 0; i < w->solver->n; i++)
        w->u[i] += (d - from) * w->du[i];
    return w->watch.values(w->watch.context, t + d, w->u, g, w->report);
}

/* w->before := g at t - d, or what continues g at t and at t + d on a line, where it has no value there. */
static dae_status look_back(struct dae_watcher *w, double t, double d)
{
    const dae_report kept = *w->report;
    const dae_status status = move_along(w, t, d, -d, w->before);
    if (status != DAE_NOT_FINITE)
        return status;
    *w->report = kept;
    for (int i = 0; i < w->watch.count; i++)
        w->before[i] = 2 * w->g[i] - w->after[i];
    return DAE_OK;
}

/* The sign of the slope of g_i, from the difference over d to both sides, which does not see the curvature of g,
 * and that over d/4, w->odd[i]; 0 where it does not show. What grows like a third power is none, nor are larger d
 * asked then. At the largest d a slope has to be beyond a part of what curvature makes of g, not beyond noise. */
static int sign_of_slope(struct dae_watcher *w, int i, int largest)
{
    const double noise = w->roots.noise[i], nearer = w->odd[i];
    const double odd = w->after[i] / 2 - w->before[i] / 2;
    const double bent = fabs(w->after[i] - w->g[i] + (w->before[i] - w->g[i]));
    if (isnan(nearer))
        return 0;
    w->odd[i] = odd;
    if (fabs(odd) <= SURE * noise)
        return largest ? dae_sign(odd, CURVED * bent) : 0;
    if (fabs(odd) <= STEEPER * (fabs(nearer) + noise))
        return dae_sign(odd, 0);
    w->odd[i] = NAN;
    return 0;
}

/* sign[i] := the sign of dg_i/dt along u' at the state w->u at t, by differences over the shortest time, up
 * to h, over which g_i changes by more than noise; 0 where motion is along g_i = const. w->g := g at t. */
static dae_status set_out(struct dae_watcher *w, double t, double h, int *sign)
{
    dae_status status = w->watch.values(w->watch.context, t, w->u, w->g, w->report);
    int undecided = 1;
    double at = 0;
    dae_derivative_at(w->solver, t, w->u, w->du);
    for (int i = 0; i < w->watch.count; i++) {
        sign[i] = 0;
        w->odd[i] = HUGE_VAL;                           /* the first is taken for a slope */
    }
    for (int k = PROBES; undecided && k >= 0 && !status; k--) {
        const double d = ldexp(h, -2 * k);
        status = move_along(w, t, at, d, w->after);
        if (!status)
            status = look_back(w, t, d);
        at = -d;
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            if (!sign[i])
                sign[i] = sign_of_slope(w, i, k == 0);
            undecided |= !sign[i] && !isnan(w->odd[i]);
        }
    }
    return status;
}

/* w->error := what errors of the run make of each function at the state at a */
static dae_status set_errors(struct dae_watcher *w, double a)
{
    const dae_solver *s = w->solver;
    for (int i = 0; i < s->n; i++)
        w->size[i] = s->adaptive ? TOLERANCES * (s->atol[i] + s->options.rtol * fabs(s->u_old[i])) : 0;
    const dae_watch_place start = {a, s->u_old, w->size, NULL};
    return dae_watch_noise(&w->watch, s->n, start, 1, w->u, w->g, w->error, w->report);
}

/* |g_i| beyond this is off zero. */
static double zero_of(const struct dae_watcher *w, int i)
{
    const double noise = w->roots.noise[i];
    return w->ignore[i] || w->set_out[i] ? noise : fmax(noise, w->error[i]);
}

/* w->left := the sign of each function at zero at a after it has left zero, found at w->when; 0: it does not
 * leave zero before b. */
static dae_status find_leaving(struct dae_watcher *w, double a, double b)
{
    dae_status status = dae_watch_sample(w, a, w->before);
    int undecided = 1;
    memset(w->left, 0, (size_t)w->watch.count * sizeof *w->left);
    for (int k = PROBES; undecided && k >= 0 && !status; k--) {
        const double t = k > 0 ? a + ldexp(b - a, -2 * k) : b;
        status = dae_watch_sample(w, t, w->after);
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            const double g = w->after[i], away = g - w->before[i];
            if (w->roots.side[i] == 0 && !w->left[i]
                && fabs(g) > zero_of(w, i) && away * g > 0) {
                w->left[i] = g > 0 ? 1 : -1;
                w->when[i] = w->seen[i] = t;
                w->value_seen[i] = g;
            }
            w->before[i] = g;
            undecided += w->roots.side[i] == 0 && !w->left[i];
        }
    }
    return status;
}

int dae_watch_heads_across(struct dae_watcher *w, int i, double t, dae_status *status)
{
    const double h = w->solver->t - w->solver->t_old;
    *status = dae_driver_interpolate(w->solver, t, w->u);
    if (!*status)
        *status = set_out(w, t, h / 8, w->heading);
    return !*status && w->heading[i] == (int)w->watch.direction[i];
}

/* Function i is past zero at w->when, although dg_i/dt at the start had the other sign: the time between is
 * too short to be resolved. 1 where dg_i/dt has the sign of the event at w->when or at b: the event happens
 * there. Else the function still counts as zero. */
static int behind_zero(struct dae_watcher *w, int i, double b, dae_status *status)
{
    for (int try = 0; try < 2 && !*status; try++) {
        const double t = try ? b : w->when[i];
        if (dae_watch_heads_across(w, i, t, status)) {
            w->when[i] = t;
            return 1;
        }
    }
    w->roots.noise[i] = w->zero[i] = 2 * fabs(w->g[i]);
    return 0;
}

/* The time at which function i, not zero at w->when, leaves zero: a, or later if it stays zero for a while.
 * */
static double leaves_at(struct dae_watcher *w, int i, double a, double b, dae_status *status)
{
    const double zero = w->fresh ? 0 : w->roots.noise[i];
    double low = a + ldexp(b - a, -2 * PROBES), high = w->when[i];
    *status = dae_watch_sample(w, low, w->after);
    if (*status || fabs(w->after[i]) > zero)
        return a;
    for (double t = low / 2 + high / 2; t > low && t < high && !*status; t = low / 2 + high / 2) {
        *status = dae_watch_sample(w, t, w->after);
        *(fabs(w->after[i]) > zero ? &high : &low) = t;
    }
    return high;
}

int dae_watch_leave_zero(struct dae_watcher *w, double a, double b, dae_status *status)
{
    int zeros = 0, leaving = 0;
    memset(w->fired, 0, (size_t)w->watch.count * sizeof *w->fired);
    memset(w->late, 0, (size_t)w->watch.count * sizeof *w->late);
    memset(w->behind, 0, (size_t)w->watch.count * sizeof *w->behind);
    for (int i = 0; i < w->watch.count; i++)
        zeros += w->roots.side[i] == 0;
    if (!zeros || *status)
        return 0;
    if (w->fresh) {
        memcpy(w->u, w->solver->u_old, (size_t)w->solver->n * sizeof *w->u);
        *status = set_out(w, a, (b - a) / 8, w->set_out);
        if (!*status)
            *status = set_errors(w, a);
    }
    if (!*status)
        *status = find_leaving(w, a, b);
    for (int i = 0; !*status && i < w->watch.count; i++) {
        const int d = (int)w->watch.direction[i];
        int leaves = d != DAE_ANY && w->left[i] == d;
        if (leaves && w->ignore[i])
            w->behind[i] = leaves = w->set_out[i] != d && behind_zero(w, i, b, status);
        else
            w->when[i] = leaves ? leaves_at(w, i, a, b, status) : a;
        if (leaves && w->when[i] > a) {
            w->late[i] = d;
            leaves = 0;
        }
        const int still_zero = w->ignore[i] && w->left[i] == d && w->set_out[i] != d;
        if (w->left[i] && !still_zero)                  /* what it passes then comes after that */
            dae_roots_begin(&w->roots, i, w->seen[i], w->value_seen[i]);
        if (w->roots.side[i] == 0 && !w->left[i])   /* it counts as zero until it is off by as much */
            w->roots.noise[i] = w->zero[i] = fmax(w->zero[i], zero_of(w, i));
        w->fired[i] = leaves ? d : 0;
        leaving += leaves;
    }
    if (leaving && !*status)
        *status = dae_driver_interpolate(w->solver, a, w->u);
    return *status ? 0 : leaving;
}
