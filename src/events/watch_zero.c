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

/* sign[i] := the sign of dg_i/dt along u' at the state w->u at t, by a difference over the shortest time, up
 * to h, over which g_i changes by more than noise; w->g := g at t. */
static dae_status set_out(struct dae_watcher *w, double t, double h, int *sign)
{
    dae_solver *s = w->solver;
    dae_status status = w->watch.values(w->watch.context, t, w->u, w->g, w->report);
    int undecided = 1;
    double gone = 0;
    dae_derivative_at(s, t, w->u, w->du);
    memset(sign, 0, (size_t)w->watch.count * sizeof *sign);
    for (int k = PROBES; undecided && k >= 0 && !status; k--) {
        const double d = ldexp(h, -2 * k);
        for (int i = 0; i < s->n; i++)
            w->u[i] += (d - gone) * w->du[i];
        gone = d;
        status = w->watch.values(w->watch.context, t + d, w->u, w->after, w->report);
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            const double away = w->after[i] - w->g[i];
            if (!sign[i])
                sign[i] = dae_sign(away, k ? w->roots.noise[i] : 0);
            undecided |= !sign[i];
        }
    }
    return status;
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
                && fabs(g) > w->roots.noise[i] && away * g > 0) {
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
    *status = dae_solver_interpolate(w->solver, t, w->u);
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
        if (w->left[i] && !(w->ignore[i] && w->left[i] == d))   /* what it passes then comes after
                                                                   that */
            dae_roots_begin(&w->roots, i, w->seen[i], w->value_seen[i]);
        w->fired[i] = leaves ? d : 0;
        leaving += leaves;
    }
    if (leaving && !*status)
        *status = dae_solver_interpolate(w->solver, a, w->u);
    return *status ? 0 : leaving;
}
