/* watch_zero.c - event functions that are zero at the start of a run, or where it continues after an event
 *
 * Such a function has no events until |g_i| > noise. If it leaves zero in the direction of its event, the
 * event happens at once (a ball thrown down from the floor), unless it has just happened. If it has just
 * happened, but dg_i/dt at the start has the other sign, then g_i has left zero the other way and come back
 * too fast to be resolved. Then the event happens again, where g_i is first found to be past zero. Where it was
 * a passage without a slope, and there is none at the start, g_i goes on across, and does not happen again.
 */
#include "watcher.h"

#include "stepper/derivative.h"
#include "root_model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PROBES = 11, CLEAR = 6 };
static const double ROUNDING = 64 * DBL_EPSILON;       /* of t, farther than noise looks */
static const double BESIDE = 1e-3;      /* of g in the first step: dense output beside the state */
static const double CURVED = 1e-3;      /* of what curvature makes of g, a slope shows beside it */
static const double SURE = 20;          /* times noise: the powers of two differences can be told */
static const double SAME = 1e-9;        /* of u': a change by less is none */
static const double PART = 1e-3;        /* of u, by which it is moved to see whether g depends on it */
static const double STEEPER = 8;        /* from d/4 to d: a slope grows by 4, third powers by 64 */

dae_status dae_watch_find_sides(struct dae_watcher *w, double a)
{
    const double *noise = w->begin_noise;
    dae_status status = w->watch.values(w->watch.context, a, w->solver->u_old, w->g, w->report);
    if (!status)
        status = dae_watch_sample(w, a, w->after);
    for (int i = 0; !status && i < w->watch.count; i++) {
        const double g = w->g[i], beside = 2 * fabs(w->after[i] - g);
        const double stopped = w->ignore[i] ? 2 * fabs(w->stopped[i]) : 0;
        const double most = BESIDE * fmax(fabs(g), fabs(w->value[i]));
        double zero = fmax(fmax(noise[i], w->before[i]), beside <= most ? beside : 0);
        if ((stopped > 0 && fabs(g) <= zero + stopped) || w->ignore[i] == DAE_TURNED)
            zero = fmax(zero, 2 * fabs(g));             /* at zero, as near as it was located */
        w->roots.side[i] = fabs(g) <= zero ? 0 : g > 0 ? 1 : -1;
        if (w->roots.side[i] == 0 && !w->ignore[i] && w->was[i] && w->watch.direction[i] == DAE_ANY) {   /* not yet */
            w->roots.side[i] = w->was[i];
            continue;
        }
        w->zero[i] = fmax(beside <= most ? beside : 0, stopped > 0 || w->ignore[i] == DAE_TURNED ? zero : 0);
        if (w->roots.side[i] == 0 && w->rounded[i])     /* and counts as zero until it is farther off */
            w->zero[i] = fmax(w->zero[i], 2 * fabs(g));
        w->roots.noise[i] = w->zero[i];
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

/* g := the functions at t, w->u; NaN where one has no value there. */
static dae_status look(struct dae_watcher *w, double t, double *g)
{
    const dae_report kept = *w->report;
    const dae_status status = w->watch.values(w->watch.context, t, w->u, g, w->report);
    if (status != DAE_NOT_FINITE)
        return status;
    *w->report = kept;
    for (int i = 0; i < w->watch.count; i++)
        g[i] = NAN;
    return DAE_OK;
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
    const double noise = w->here[i], nearer = w->odd[i];
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
 * to h, over which g_i changes by more than noise; 0 where motion is along g_i = const, and for functions not of
 * those asked for. w->g := g at t. */
static dae_status set_out(struct dae_watcher *w, double t, double h, const int *asked, int *sign)
{
    dae_status status = w->watch.values(w->watch.context, t, w->u, w->g, w->report);
    int undecided = 1;
    double at = 0;
    dae_derivative_at(w->solver, t, w->u, w->du);
    for (int i = 0; i < w->watch.count; i++) {
        sign[i] = 0;
        w->odd[i] = asked[i] ? HUGE_VAL : NAN;          /* the first is taken for a slope */
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

/* sign[i] := the way in which g_i changes along u' through the state w->u at t, over a time as long as it takes to
 * see also what has no slope there. */
static dae_status find_carried(struct dae_watcher *w, double t, int *sign)
{
    const double d = w->reach;
    dae_derivative_at(w->solver, t, w->u, w->du);
    for (int i = 0; i < w->solver->n; i++)
        w->u[i] += d * w->du[i];
    dae_status status = look(w, t + d, w->after);
    for (int i = 0; i < w->solver->n; i++)
        w->u[i] -= 2 * d * w->du[i];
    if (!status)
        status = look(w, t - d, w->before);
    for (int i = 0; i < w->watch.count; i++)
        sign[i] = dae_sign(w->after[i] - w->before[i], w->here[i]);
    return status;
}

/* What is not carried before and after an event goes on only where the change of u' does not move g_i, which may be
 * that of a bounce at a speed too small to see. At the state u at t, where w->du is u' and w->g is g. */
static dae_status find_moved(struct dae_watcher *w, const double *u, double t)
{
    double largest = 0;
    for (int i = 0; i < w->solver->n; i++) {
        const double by = w->du[i] - w->motion[i];
        w->bend[i] = fabs(by) > SAME * (fabs(w->du[i]) + fabs(w->motion[i])) ? by : 0;
        largest = fmax(largest, w->size[i] > 0 ? fabs(w->bend[i]) / w->size[i] : 0);
    }
    for (int i = 0; largest > 0 && i < w->solver->n; i++)
        w->u[i] = u[i] + PART * w->bend[i] / largest;
    const dae_status status = largest > 0 ? look(w, t, w->after) : DAE_OK;
    for (int i = 0; !status && largest > 0 && i < w->watch.count; i++)
        w->goes_on[i] &= w->carried[i] != 0 || fabs(w->after[i] - w->g[i]) <= w->here[i];
    return status;
}

/* w->u := u + d u' + d^2 u''/2, w->bend = u'' */
static dae_status move_along_parabola(struct dae_watcher *w, const double *u, double t, double d, double *g)
{
    for (int i = 0; i < w->solver->n; i++)
        w->u[i] = u[i] + d * (w->du[i] + d / 2 * w->bend[i]);
    return look(w, t + d, g);
}

/* w->bend := u'' at the state u at t, from u' after a short time d along u', and w->du := u'. */
static void find_bend(struct dae_watcher *w, const double *u, double t, double d)
{
    dae_derivative_at(w->solver, t, u, w->du);
    for (int i = 0; i < w->solver->n; i++)
        w->u[i] = u[i] + d * w->du[i];
    dae_derivative_at(w->solver, t + d, w->u, w->bend);
    for (int i = 0; i < w->solver->n; i++)
        w->bend[i] = (w->bend[i] - w->du[i]) / d;
}

/* w->curves[i] := 1 where g_i, without a slope at the state u at t, has a curvature there that takes it off zero: a
 * body at rest on a floor that would fall. On the parabola of the motion, over d to both sides,
 * (g(d) + g(-d))/2 - g(0) shows it beyond noise, and 4 times as far grows like a second power. */
static dae_status find_curved(struct dae_watcher *w, const double *u, double t, double h)
{
    dae_status status = w->watch.values(w->watch.context, t, u, w->g, w->report);
    int undecided = 1;
    find_bend(w, u, t, ldexp(h, -PROBES));
    for (int i = 0; i < w->watch.count; i++) {
        w->curves[i] = 0;
        w->odd[i] = w->asked[i] ? 0 : NAN;
    }
    for (int k = PROBES; undecided && k >= -PROBES && !status; k--) {       /* the first step may be far too short */
        const double d = ldexp(h, -2 * k);
        status = move_along_parabola(w, u, t, d, w->after);
        if (!status)
            status = move_along_parabola(w, u, t, -d, w->before);
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            const double even = (w->after[i] - w->g[i]) / 2 + (w->before[i] - w->g[i]) / 2;
            if (isnan(w->odd[i]) || w->curves[i])
                continue;
            w->curves[i] = fabs(w->odd[i]) > SURE * w->here[i] && fabs(even) <= 2 * STEEPER * fabs(w->odd[i])
                           && even * w->odd[i] > 0 ? dae_sign(even, 0) : 0;
            w->odd[i] = even;
            undecided |= !w->curves[i];
        }
    }
    return status;
}

static double noise_at_begin(const struct dae_watcher *w, int i)
{
    return fmax(w->begin_noise[i], w->roots.noise[i]);
}

/* |g_i| beyond this is off zero; clear: at a time clear of a jump or a pole at the begin, whose height is the noise
 * there, by far more than at the time of w->here. */
static double zero_of(const struct dae_watcher *w, int i, int clear)
{
    const double noise = noise_at_begin(w, i);
    if (clear && noise > 0x1p20 * w->here[i])
        return w->here[i];
    return w->ignore[i] || w->set_out[i] || w->curves[i] ? noise : fmax(noise, w->error[i]);
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
        const int clear = k <= CLEAR && t - a > ROUNDING * fabs(a);     /* of a jump or a pole at a */
        status = dae_watch_sample(w, t, w->after);
        if (!status)
            status = dae_watch_noise_here(w, t);
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            const double g = w->after[i], away = g - w->before[i];
            if (w->roots.side[i] == 0 && !w->left[i]
                && fabs(g) > fmax(zero_of(w, i, clear), w->here[i]) && (clear || away * g > 0)) {
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
    *status = dae_watch_noise_here(w, t);
    if (!*status)
        *status = dae_driver_interpolate(w->solver, t, w->u);
    for (int k = 0; k < w->watch.count; k++)
        w->asked[k] = k == i;
    if (!*status)
        *status = set_out(w, t, h / 8, w->asked, w->heading);
    return !*status && w->heading[i] == (int)w->watch.direction[i];
}

dae_status dae_watch_find_carried(struct dae_watcher *w, double t)
{
    int any = 0;
    for (int i = 0; i < w->watch.count; i++)
        any |= w->asked[i] = w->fired[i] && w->crossed[i];
    w->reach = (w->solver->t - w->solver->t_old) / 8;
    memcpy(w->end, w->u, (size_t)w->solver->n * sizeof *w->u);
    dae_status status = any ? dae_watch_noise_here(w, t) : DAE_OK;
    memcpy(w->u, w->end, (size_t)w->solver->n * sizeof *w->u);
    if (any && !status)
        status = find_carried(w, t, w->heading);
    memcpy(w->u, w->end, (size_t)w->solver->n * sizeof *w->u);
    memcpy(w->motion, w->du, (size_t)w->solver->n * sizeof *w->du);
    for (int i = 0; i < w->watch.count; i++)
        w->carried[i] = w->asked[i] ? w->heading[i] : DAE_UNKNOWN;
    return status;
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
    const double zero = w->fresh ? 0 : noise_at_begin(w, i);
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

/* At the start of a run, for functions at zero: w->set_out, and w->curves where that is 0. */
static dae_status find_departures(struct dae_watcher *w, double a, double b)
{
    const double *u = w->solver->u_old;
    const size_t n = (size_t)w->solver->n, count = (size_t)w->watch.count;
    int flat = 0;
    memcpy(w->u, u, n * sizeof *u);
    for (size_t i = 0; i < count; i++)
        w->asked[i] = w->roots.side[i] == 0;
    dae_status status = set_out(w, a, (b - a) / 8, w->asked, w->set_out);
    for (size_t i = 0; i < count; i++)
        flat |= w->asked[i] = w->asked[i] && !w->set_out[i];
    memset(w->curves, 0, count * sizeof *w->curves);
    if (!flat || status)
        return status;
    status = w->rests ? find_curved(w, u, a, (b - a) / 8) : DAE_OK;
    memcpy(w->u, u, n * sizeof *u);
    if (!status)
        status = find_carried(w, a, w->heading);
    for (size_t i = 0; i < count; i++)
        w->goes_on[i] = w->asked[i] && w->heading[i] == w->carried[i];
    return status ? status : find_moved(w, u, a);
}

int dae_watch_leave_zero(struct dae_watcher *w, double a, double b, dae_status *status)
{
    int zeros = 0, leaving = 0;
    memset(w->fired, 0, (size_t)w->watch.count * sizeof *w->fired);
    memset(w->late, 0, (size_t)w->watch.count * sizeof *w->late);
    memset(w->behind, 0, (size_t)w->watch.count * sizeof *w->behind);
    memset(w->crossed, 0, (size_t)w->watch.count * sizeof *w->crossed);
    for (int i = 0; i < w->watch.count; i++)
        zeros += w->roots.side[i] == 0;
    if (!zeros || *status)
        return 0;
    if (w->fresh) {
        *status = dae_watch_noise_here(w, a);
        if (!*status)
            *status = find_departures(w, a, b);
        if (!*status)
            *status = dae_watch_errors(w, a, w->solver->u_old, w->error);
    }
    if (!*status)
        *status = find_leaving(w, a, b);
    for (int i = 0; !*status && i < w->watch.count; i++) {
        const int d = (int)w->watch.direction[i];
        int leaves = d != DAE_ANY && w->left[i] == d;
        const int goes_on = w->ignore[i] != DAE_TURNED && (w->set_out[i] == d || w->goes_on[i]);
        if (leaves && w->ignore[i])
            w->behind[i] = leaves = !goes_on && behind_zero(w, i, b, status);
        else
            w->when[i] = leaves ? leaves_at(w, i, a, b, status) : a;
        if (leaves && w->when[i] > a) {
            w->late[i] = d;
            leaves = 0;
        }
        const int still_zero = w->ignore[i] && w->left[i] == d && !goes_on;
        if (w->left[i] && !still_zero)                  /* what it passes then comes after that */
            dae_roots_begin(&w->roots, i, w->seen[i], w->value_seen[i]);
        if (w->roots.side[i] == 0 && !w->left[i])   /* it counts as zero until it is off by as much */
            w->roots.noise[i] = w->zero[i] = fmax(w->zero[i], zero_of(w, i, 1));
        w->fired[i] = leaves ? d : 0;
        leaving += leaves;
    }
    if (leaving && !*status)
        *status = dae_driver_interpolate(w->solver, a, w->u);
    return *status ? 0 : leaving;
}
