/* roots.c - zeros with change of sign of several functions g_i(t) within one step
 *
 * A sample is g and the difference quotient d = (g(t + delta) - g(t))/delta of all functions. The
 * cubic through the four values of two samples models g between them (root_model.h). Where the model does not
 * determine the number of zeros, the interval is divided in two. The fraction is chosen so that it is not a
 * simple multiple of a period of g. Where g is convex towards zero, its extremum is sought.
 */
#include "roots.h"

#include "bracket.h"
#include "root_model.h"

#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { DEEPEST = 10, ROOM = 32, LOOKS = 16 };
static const double CUT = 0.47;         /* where an interval is cut */

typedef struct {
    double t, delta;
    double *g, *d, *noise;              /* [count] */
} sample;

typedef struct {
    double delta;                       /* displacement of the difference quotients */
    double length;                      /* b - a */
    int deepest, top, closed;
    sample left, right[DEEPEST + 1];    /* the interval left..right[top]; those after it below */
    int level[DEEPEST + 1];             /* cuts that led to it */
    double *error[DEEPEST + 1];         /* [count] E */
    double *g, *noise;                  /* [count] */
    double *samples;                    /* what right and error point to */
    double *last_t, *last_g;            /* [count] where g last was on its side, beyond noise */
    double *from, *g_from;              /* [count] where it has left zero; g_from 0: not known */
    dae_root_plan *plan;                /* [count] */
} search;

dae_status dae_roots_create(dae_roots *r, int count)
{
    const size_t n = count > 0 ? (size_t)count : 1;
    r->count = count;
    r->roots = 0;
    r->room = ROOM * (int)n;
    r->root = calloc((size_t)r->room, sizeof *r->root);
    search *w = r->work = DAE_RECORD(search,
        DAE_PART(search, samples, 4 * (DEEPEST + 1) * n), DAE_PART(search, left.g, n), DAE_PART(search, left.d, n),
        DAE_PART(search, left.noise, n), DAE_PART(search, g, n), DAE_PART(search, noise, n),
        DAE_PART(search, last_t, n), DAE_PART(search, last_g, n), DAE_PART(search, from, n),
        DAE_PART(search, g_from, n), DAE_PART(search, plan, n));
    if (!w || !r->root || !DAE_PARTS(r, DAE_PART(dae_roots, noise, n), DAE_PART(dae_roots, side, n)))
        return DAE_NO_MEMORY;
    double *next = w->samples;
    for (int k = 0; k <= DEEPEST; k++, next += 4 * n) {
        w->right[k] = (sample){.g = next, .d = next + n, .noise = next + 2 * n};
        w->error[k] = next + 3 * n;
    }
    return DAE_OK;
}

void dae_roots_free(dae_roots *r)
{
    free(r->work);
    free(r->noise);
    free(r->root);
    r->work = NULL;
    r->noise = NULL;
    r->side = NULL;
    r->root = NULL;
    r->count = r->roots = r->room = 0;
}

void dae_roots_begin(dae_roots *r, int i, double t, double g)
{
    search *w = r->work;
    w->from[i] = t;
    w->g_from[i] = g;
    r->side[i] = g > 0 ? 1 : -1;
}

static dae_status evaluate(dae_roots *r, double t, double *g)
{
    const dae_status status = r->values(r->context, t, g);
    for (int i = 0; i < r->count && !status; i++)
        if (!isfinite(g[i]))
            return DAE_NOT_FINITE;
    return status;
}

static dae_status find_noise(dae_roots *r, double t, double *noise)
{
    const dae_status status = r->noises ? r->noises(r->context, t, noise) : DAE_OK;
    for (int i = 0; i < r->count; i++)
        noise[i] = r->noises ? fmax(noise[i], r->noise[i]) : r->noise[i];
    return status;
}

static dae_status take(dae_roots *r, double t, double delta, sample *x)
{
    search *w = r->work;
    const double beside = t + delta;
    dae_status status = evaluate(r, t, x->g);
    x->t = t;
    x->delta = beside - t;
    if (!status)
        status = evaluate(r, beside, w->g);
    if (!status)
        status = find_noise(r, t, x->noise);
    for (int i = 0; i < r->count; i++)
        x->d[i] = (w->g[i] - x->g[i]) / x->delta;
    return status;
}

/* ---- one function at a time, for bracket.h */

typedef struct {
    dae_roots *roots;
    int which;
    double level;
} one;

static dae_status one_value(void *context, double t, double *g)
{
    const one *f = context;
    double *all = ((search *)f->roots->work)->g;
    const dae_status status = evaluate(f->roots, t, all);
    *g = all[f->which] - f->level;
    return status;
}

static dae_status insert(dae_roots *r, dae_root x)
{
    if (r->roots == r->room) {
        dae_root *more = realloc(r->root, 2 * (size_t)r->room * sizeof *more);
        if (!more)
            return DAE_NO_MEMORY;
        r->root = more;
        r->room *= 2;
    }
    int k = r->roots++;
    for (; k > 0; k--) {
        const dae_root *before = &r->root[k - 1];
        if (before->t < x.t || (before->t == x.t && before->which <= x.which))
            break;
        r->root[k] = *before;
    }
    r->root[k] = x;
    return DAE_OK;
}

static int wanted(const dae_roots *r, int i, int direction)
{
    return r->direction[i] == DAE_ANY || (int)r->direction[i] == direction;
}

/* 1 where g_i, within noise behind a zero at from, is not past it for good before to. */
static int stays(one *f, int now, double from, double to, dae_status *status)
{
    double g = now;
    for (int k = LOOKS - 1; k >= LOOKS / 4 && now * g > 0 && !*status; k--)
        *status = one_value(f, from + k * (to - from) / LOOKS, &g);
    return now * g <= 0;
}

/* Behind a zero at x->t g_i, which is g beyond noise at t, may be zero for a while: then x->t := the end of that. */
static dae_status leave_zeros(dae_roots *r, dae_root *x, double t, double g, double noise)
{
    search *w = r->work;
    one f = {r, x->which, 0};
    const int now = x->direction;
    const double beside = x->t + fmax(0x1p-20 * w->length, 8 * DBL_EPSILON * fabs(x->t));
    double low, end;
    if (!(beside < t))
        return DAE_OK;
    dae_status status = one_value(&f, beside, &low);
    if (status || now * low > noise)
        return status;
    status = find_noise(r, x->t, w->noise);
    const double level = w->noise[x->which];
    if (status || now * low > level || !(now * g > level))
        return status;
    f.level = now * level;
    status = dae_bracket_zero(one_value, &f, w->length, beside, low - f.level, t, g - f.level, &end);
    f.level = 0;
    if (!status && stays(&f, now, x->t, end, &status)) {
        x->t = end;
        x->level = now * level;
    }
    return status;
}

/* g_i is g at t, with its noise: has it passed since it was last seen beyond noise? Where it was, before
 * dae_roots_begin has it leave zero, does not count. */
static dae_status observe(dae_roots *r, int i, double t, double g, double noise)
{
    const search *w = r->work;
    const int now = dae_sign(g, noise);
    dae_status status = DAE_OK;
    if (!now || t < w->last_t[i])
        return DAE_OK;
    if (r->side[i] == -now && wanted(r, i, now)) {
        one f = {r, i, 0};
        dae_root found = {i, now, w->last_t[i], 0};
        if (w->last_g[i] * now < 0)     /* else across at a */
            status = dae_bracket_zero(one_value, &f, w->length, w->last_t[i], w->last_g[i], t, g,
                                      &found.t);
        if (!status)
            status = leave_zeros(r, &found, t, g, noise);
        if (!status)
            status = insert(r, found);
    }
    r->side[i] = now;
    w->last_t[i] = t;
    w->last_g[i] = g;
    return status;
}

/* ---- the model */

/* The slopes of p at the ends from the difference quotients of its values, with sigma and rho,
 * delta/h at l and r, and D = h d:
 *
 *     D_l = (1 - sigma)^2 Y_l - sigma (1 - sigma) Y_r + sigma (3 - 2 sigma) (g_r - g_l)
 *     D_r = (1 + rho)^2 Y_r   + rho (1 + rho) Y_l     - rho (3 + 2 rho) (g_r - g_l)
 */
static dae_root_model between(const dae_roots *r, int i)
{
    const search *w = r->work;
    const sample *x = &w->left, *y = &w->right[w->top];
    const double h = y->t - x->t, sigma = x->delta / h, rho = y->delta / h;
    const double rise = y->g[i] - x->g[i], m = 1 - sigma, k = 1 + rho;
    const double D_l = h * x->d[i] - sigma * (3 - 2 * sigma) * rise;
    const double D_r = h * y->d[i] + rho * (3 + 2 * rho) * rise;
    const double det = m * k * (m * k + sigma * rho);
    return (dae_root_model){
        .g_l = x->g[i], .g_r = y->g[i],
        .Y_l = (k * k * D_l + sigma * m * D_r) / det, .Y_r = (m * m * D_r - rho * k * D_l) / det,
        .E = w->error[w->top][i], .noise_l = x->noise[i], .noise_r = y->noise[i],
        .noise_Y_l = 4 * x->noise[i] * h / w->delta, .noise_Y_r = 4 * y->noise[i] * h / w->delta,
    };
}

/* ---- the search */

static dae_status hunt(dae_roots *r, int i)
{
    search *w = r->work;
    const double l = w->left.t, h = w->right[w->top].t - l;
    const dae_root_model m = between(r, i);
    const int side = r->side[i], toward = side ? -side : dae_root_model_heading(&m, side);
    one f = {r, i, 0};
    double t = l + h * dae_root_model_extremum(&m, toward), g = 0;
    dae_status status = find_noise(r, t, w->noise);
    if (!status)
        status = dae_bracket_beyond(one_value, &f, toward, w->noise[i], l, m.g_l, l + h, m.g_r, &t, &g);
    if (!status)
        status = find_noise(r, t, w->noise);
    return status ? status : observe(r, i, t, g, w->noise[i]);
}

/* A passage at b where the slope leads across by more than noise, and by more than the slope of the
 * model may be wrong, g'''' h^2 delta/24 with E = g'''' h^4/384. */
static dae_status close_at_end(dae_roots *r, int i)
{
    const search *w = r->work;
    const dae_root_model m = between(r, i);
    const int across = -r->side[i];
    const double b = w->right[0].t, wrong = m.noise_Y_r + 16 * m.E * w->delta / (b - w->left.t);
    if (dae_sign(m.g_r, m.noise_r) || !across || across * m.Y_r <= wrong)
        return DAE_OK;
    r->side[i] = across;
    return wanted(r, i, across) ? insert(r, (dae_root){i, across, b, 0}) : DAE_OK;
}

/* left..right[top] is done with. */
static dae_status advance(dae_roots *r)
{
    search *w = r->work;
    const sample done = w->left, *x = &w->right[w->top];
    dae_status status = DAE_OK;
    for (int i = 0; i < r->count && !status; i++) {
        if (w->plan[i] == DAE_ROOT_HUNT)
            status = hunt(r, i);
        if (!status)
            status = observe(r, i, x->t, x->g[i], x->noise[i]);
        if (!status && w->top == 0 && w->closed)
            status = close_at_end(r, i);
    }
    w->left = *x;
    w->right[w->top--] = done;
    return status;
}

/* A sample between left and right[top], and a bound on the errors of the models of both parts: the
 * error of the model of the whole, about 16 times as large, beyond noise; in its value there, and
 * in its slope, which has the part of the error that is odd in s - 1/2. */
static dae_status cut(dae_roots *r)
{
    search *w = r->work;
    const int top = w->top;
    const double l = w->left.t, h = w->right[top].t - l;
    sample *x = &w->right[top + 1];
    const dae_status status = take(r, l + CUT * h, w->delta, x);
    for (int i = 0; i < r->count && !status; i++) {
        const dae_root_model m = between(r, i);
        const double s = (x->t - l) / h, sigma = x->delta / h, p = dae_root_model_value(&m, s);
        const double slope = (dae_root_model_value(&m, s + sigma) - p) / sigma;
        const double noise = fmax(x->noise[i], fmax(m.noise_l, m.noise_r)), noise_Y = 4 * noise * h / w->delta;
        const double off = fmax(fabs(x->g[i] - p) - 2 * noise - noise_Y / 4, 0)
                           + fmax(fabs(h * x->d[i] - slope) - 1.5 * noise_Y, 0) / 2;
        w->error[top][i] = w->error[top + 1][i] = fmax(off, m.E / 16);
    }
    w->level[top + 1] = ++w->level[top];
    w->top = top + 1;
    return status;
}

/* Whether an interval has to be cut in two, for any function. */
static int decide(dae_roots *r)
{
    search *w = r->work;
    const int level = w->level[w->top], last_cut = level == w->deepest;
    int cuts = level == 0 && !last_cut;
    for (int i = 0; i < r->count && !cuts; i++) {
        const dae_root_model m = between(r, i);
        w->plan[i] = dae_root_model_plan(&m, r->side[i], last_cut);
        cuts = w->plan[i] == DAE_ROOT_CUT;
    }
    return cuts;
}

/* Displacements that at the last cut are still small, and far above the spacing of t. */
static void begin(search *w, double a, double b, int closed)
{
    const double spacing = DBL_EPSILON * fmax(fabs(a), fabs(b));
    double h = w->length = b - a;
    w->delta = fmin(fmax(0x1p-15 * h, 4 * spacing), h / 4);
    if (!(a + w->delta > a && b - w->delta < b))
        w->delta = h;
    for (w->deepest = 0; w->deepest < DEEPEST && CUT * h >= 16 * w->delta; h *= CUT)
        w->deepest++;
    w->top = w->level[0] = 0;
    w->closed = closed;
}

/* g_i at a is that of the interpolant, which there is off the state by rounding: a passage at a alone that nobody wants
 * is none, and so is the way back from it, which would be an event. What lies across after a passes after a. */
static void stay_at_begin(dae_roots *r, int i)
{
    const sample *x = &((search *)r->work)->left;
    double *g = &x->g[i];
    const int now = dae_sign(*g, x->noise[i]);
    if (now && r->side[i] == -now && !wanted(r, i, now))
        *g = -*g;
}

dae_status dae_roots_find(dae_roots *r, double a, double b, int closed)
{
    search *w = r->work;
    r->roots = 0;
    if (r->count < 1 || !(b > a))
        return DAE_OK;
    begin(w, a, b, closed);
    dae_status status = take(r, a, w->delta, &w->left);
    if (!status)
        status = take(r, b, -w->delta, &w->right[0]);
    for (int i = 0; i < r->count && !status; i++) {
        const int known = w->g_from[i] != 0;
        if (!known)
            stay_at_begin(r, i);
        w->error[0][i] = 0;
        w->last_t[i] = known ? w->from[i] : a;
        w->last_g[i] = known ? w->g_from[i] : w->left.g[i];
        w->g_from[i] = 0;
        if (!known)
            status = observe(r, i, a, w->left.g[i], w->left.noise[i]);
    }
    while (!status && w->top >= 0)
        status = decide(r) ? cut(r) : advance(r);
    return status;
}
