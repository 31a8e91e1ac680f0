/* roots.c - passages through zero of several functions of t within one step
 *
 * A sample is g and the difference quotient d = (g(t + delta) - g(t))/delta of all functions. Between
 * two samples, s = (t - l)/h, the cubic p through its four values models g; the error of such a
 * cubic is g''''/24 times the product of the distances to the nodes, about
 *
 *     g - p = 16 E s^2 (1 - s)^2.
 *
 * E is taken from the model of the interval twice as long, which the sample inside it tests. Then g
 * lies between two polynomials of degree 4, and in the basis of Bernstein,
 *
 *     b = (g_l, g_l + Y_l/4, (g_l + g_r)/2 + (Y_l - Y_r)/6 -+ 8/3 E, g_r - Y_r/4, g_r),  Y = h p',
 *
 * the changes of sign in b bound their zeros: none is none, one is one (Descartes' rule; J. M. Lane,
 * R. F. Riesenfeld, Bounds on a polynomial, BIT 21 (1981) 112-117). Where more remain after b has
 * been cut in halves a few times, the interval is cut in two, at a fraction that no period of g is
 * likely to share, or, where g is convex towards zero, its extremum is looked for.
 */
#include "control/roots.h"

#include "control/bracket.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 10, ROOM = 32, CUTS = 6 };
static const double CUT = 0.47;         /* where an interval is cut */
static const double RESOLVED = 8;       /* values over the errors of their models */
static const double SAFETY = 16;        /* on the error of the models of the parts of an interval */

typedef enum { DONE, HUNT, CUT_IN_TWO } plan;

typedef struct {
    double t, delta;
    double *g, *d;                      /* [count] */
} sample;

typedef struct {
    double delta;                       /* displacement of the difference quotients */
    double length;                      /* b - a */
    int deepest, top, closed;
    sample left, right[DEEPEST + 1];    /* the interval left..right[top]; those after it end below */
    int level[DEEPEST + 1];             /* cuts that led to it */
    double *error[DEEPEST + 1];         /* [count] E */
    double *g;                          /* [count] */
    double *last_t, *last_g;            /* [count] where g last was on its side, beyond noise */
    plan *plan;                         /* [count] */
} search;

/* g_i between two samples */
typedef struct {
    double g_l, g_r, Y_l, Y_r;          /* values and h p' at the ends */
    double E, noise, noise_Y;
} model;

static int sign(double x, double noise)
{
    return (x > noise) - (x < -noise);
}

dae_status dae_roots_create(dae_roots *r, int count)
{
    const size_t n = count > 0 ? (size_t)count : 1;
    search *w = r->work = calloc(1, sizeof *w);
    r->count = count;
    r->roots = 0;
    r->room = ROOM * (int)n;
    r->noise = calloc(n, sizeof *r->noise);
    r->side = calloc(n, sizeof *r->side);
    r->root = calloc((size_t)r->room, sizeof *r->root);
    r->memory = calloc((3 * (DEEPEST + 1) + 5) * n, sizeof *r->memory);
    if (w)
        w->plan = calloc(n, sizeof *w->plan);
    if (!w || !w->plan || !r->noise || !r->side || !r->root || !r->memory)
        return DAE_NO_MEMORY;
    double *next = r->memory;
    for (int k = 0; k <= DEEPEST; k++, next += 3 * n) {
        w->right[k].g = next;
        w->right[k].d = next + n;
        w->error[k] = next + 2 * n;
    }
    w->left.g = next;
    w->left.d = next + n;
    w->g = next + 2 * n;
    w->last_t = next + 3 * n;
    w->last_g = next + 4 * n;
    return DAE_OK;
}

void dae_roots_free(dae_roots *r)
{
    search *w = r->work;
    if (w)
        free(w->plan);
    free(w);
    free(r->noise);
    free(r->side);
    free(r->root);
    free(r->memory);
    r->work = NULL;
    r->noise = r->memory = NULL;
    r->side = NULL;
    r->root = NULL;
    r->count = r->roots = r->room = 0;
}

static dae_status evaluate(dae_roots *r, double t, double *g)
{
    const dae_status status = r->values(r->context, t, g);
    for (int i = 0; i < r->count && !status; i++)
        if (!isfinite(g[i]))
            return DAE_NOT_FINITE;
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
    for (int i = 0; i < r->count; i++)
        x->d[i] = (w->g[i] - x->g[i]) / x->delta;
    return status;
}

/* ---- one function at a time, for bracket.h */

typedef struct {
    dae_roots *roots;
    int which;
} one;

static dae_status one_value(void *context, double t, double *g)
{
    const one *f = context;
    double *all = ((search *)f->roots->work)->g;
    const dae_status status = evaluate(f->roots, t, all);
    *g = all[f->which];
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

/* g_i is g at t: has it passed since it was last seen beyond noise? */
static dae_status observe(dae_roots *r, int i, double t, double g)
{
    const search *w = r->work;
    const int now = sign(g, r->noise[i]);
    dae_status status = DAE_OK;
    if (!now)
        return DAE_OK;
    if (r->side[i] == -now && wanted(r, i, now)) {
        one f = {r, i};
        dae_root found = {i, now, w->last_t[i]};
        if (w->last_g[i] * now < 0)     /* else across at a */
            status = dae_bracket_zero(one_value, &f, w->length, w->last_t[i], w->last_g[i], t, g,
                                      &found.t);
        if (!status)
            status = insert(r, found);
    }
    r->side[i] = now;
    w->last_t[i] = t;
    w->last_g[i] = g;
    return status;
}

/* ---- the model */

/* The slopes of p at the ends from the difference quotients of its values, with sigma, rho = delta/h
 * at either end and D = h d:
 *
 *     D_l = (1 - sigma)^2 Y_l - sigma (1 - sigma) Y_r + sigma (3 - 2 sigma) (g_r - g_l)
 *     D_r = (1 + rho)^2 Y_r   + rho (1 + rho) Y_l     - rho (3 + 2 rho) (g_r - g_l)
 */
static model between(const dae_roots *r, int i)
{
    const search *w = r->work;
    const sample *x = &w->left, *y = &w->right[w->top];
    const double h = y->t - x->t, sigma = x->delta / h, rho = y->delta / h;
    const double rise = y->g[i] - x->g[i], m = 1 - sigma, k = 1 + rho;
    const double D_l = h * x->d[i] - sigma * (3 - 2 * sigma) * rise;
    const double D_r = h * y->d[i] + rho * (3 + 2 * rho) * rise;
    const double det = m * k * (m * k + sigma * rho);
    return (model){
        .g_l = x->g[i], .g_r = y->g[i],
        .Y_l = (k * k * D_l + sigma * m * D_r) / det, .Y_r = (m * m * D_r - rho * k * D_l) / det,
        .E = w->error[w->top][i], .noise = r->noise[i],
        .noise_Y = 4 * r->noise[i] * h / w->delta,
    };
}

/* p(s) */
static double cubic(const model *m, double s)
{
    const double rise = m->g_r - m->g_l;
    const double bend = (1 - s) * (m->Y_l - rise) - s * (m->Y_r - rise);
    return m->g_l + s * rise + s * (1 - s) * bend;
}

/* Changes of sign in b after *last, which becomes the last sign; where there are several, of b cut in
 * halves (de Casteljau). */
static int changes(const double b[5], int cuts, int *last)
{
    int count = 0, now = *last;
    for (int k = 0; k < 5; k++) {
        const int next = sign(b[k], 0);
        count += next && now && next != now;
        now = next ? next : now;
    }
    if (count < 2 || cuts == 0) {
        *last = now;
        return count;
    }
    double low[5], high[5];
    memcpy(high, b, sizeof high);
    for (int k = 0; k < 5; k++) {
        low[k] = high[0];
        for (int j = 0; j < 4 - k; j++)
            high[j] = (high[j] + high[j + 1]) / 2;
    }
    count = changes(low, cuts - 1, last);       /* high[j] is now the diagonal from s = 1/2 to 1 */
    return count + changes(high, cuts - 1, last);
}

static void bernstein(const model *m, double b[5])
{
    b[0] = m->g_l;
    b[1] = m->g_l + m->Y_l / 4;
    b[2] = (m->g_l + m->g_r) / 2 + (m->Y_l - m->Y_r) / 6;
    b[3] = m->g_r - m->Y_r / 4;
    b[4] = m->g_r;
}

/* Zeros of g behind a sign: 0, 1, or 2 for more or unknown. Coefficients within noise have no sign. */
static int zeros(const model *m, int lead)
{
    const double off = 8. / 3 * m->E + m->noise_Y / 3;
    const double noise[5] = {m->noise, m->noise + m->noise_Y / 4, m->noise + m->noise_Y / 2,
                             m->noise + m->noise_Y / 4, m->noise};
    int count[2];
    for (int k = 0; k < 2; k++) {
        double b[5];
        int last = lead;
        bernstein(m, b);
        b[2] += k ? off : -off;
        for (int j = 0; j < 5; j++)
            b[j] = sign(b[j], noise[j]) ? b[j] : 0;
        count[k] = changes(b, CUTS, &last);
    }
    return count[0] == count[1] && count[0] < 2 ? count[0] : 2;
}

/* 1 where g is convex, -1 concave, 0 neither, or unknown */
static int curvature(const model *m)
{
    double b[5];
    bernstein(m, b);
    const double noise = 4 * m->noise + m->noise_Y, E = 8. / 3 * m->E + noise;
    const int first = sign(b[0] - 2 * b[1] + b[2], E);
    return first == sign(b[1] - 2 * b[2] + b[3], 2 * E) && first == sign(b[2] - 2 * b[3] + b[4], E)
           ? first : 0;
}

/* On which side of zero, by the samples, g_i is between them before it passes: its side, or where it
 * is heading that has not left zero yet. */
static int heading(const model *m, int side)
{
    return side ? side : sign(m->g_l + m->Y_l / 4, m->noise + m->noise_Y / 4);
}

/* Whether the model is good enough to tell that a wave between the samples would show. */
static int resolved(const model *m)
{
    return RESOLVED * m->E <= fmax(fmax(fabs(m->g_l), fabs(m->g_r)), RESOLVED * m->noise);
}

/* What remains to be done for g_i between two samples, before it is observed at the end. */
static plan plan_for(const model *m, int side, int last_cut)
{
    const int lead = heading(m, side), end = sign(m->g_r, m->noise), count = zeros(m, lead);
    const int toward = side ? -side : lead;
    if (!last_cut && !resolved(m))
        return CUT_IN_TWO;
    if (!lead)
        return count == 0 || last_cut ? DONE : CUT_IN_TWO;
    if (side ? count == 0 || (count == 1 && end == -side) : count == 0 && end == lead)
        return DONE;
    if (curvature(m) == -toward)
        return HUNT;
    return !last_cut ? CUT_IN_TWO : side && end == -side ? DONE : HUNT;
}

/* ---- the search */

/* Where p' = C + B s + A s^2 vanishes and p is extreme towards that sign, kept off the ends. */
static double extremum(const model *m, int toward)
{
    const double rise = m->g_r - m->g_l;
    const double A = 3 * (m->Y_l + m->Y_r - 2 * rise), C = m->Y_l;
    const double B = 6 * rise - 4 * m->Y_l - 2 * m->Y_r;
    const double s = 2 * C / (toward * sqrt(B * B - 4 * A * C) - B);
    return s > 0.01 && s < 0.99 ? s : 0.5;
}

static dae_status hunt(dae_roots *r, int i)
{
    const search *w = r->work;
    const double l = w->left.t, h = w->right[w->top].t - l;
    const model m = between(r, i);
    const int side = r->side[i], toward = side ? -side : heading(&m, side);
    one f = {r, i};
    double t = l + h * extremum(&m, toward), g = 0;
    const dae_status status = dae_bracket_beyond(one_value, &f, toward, m.noise, l, m.g_l, l + h,
                                                 m.g_r, &t, &g);
    return status ? status : observe(r, i, t, g);
}

/* A passage at b where the slope leads across by more than noise, and by more than the slope of the
 * model may be wrong, g'''' h^2 delta/24 with E = g'''' h^4/384. */
static dae_status close_at_end(dae_roots *r, int i)
{
    const search *w = r->work;
    const model m = between(r, i);
    const int across = -r->side[i];
    const double b = w->right[0].t, wrong = m.noise_Y + 16 * m.E * w->delta / (b - w->left.t);
    if (sign(m.g_r, m.noise) || !across || across * m.Y_r <= wrong)
        return DAE_OK;
    r->side[i] = across;
    return wanted(r, i, across) ? insert(r, (dae_root){i, across, b}) : DAE_OK;
}

/* left..right[top] is done with. */
static dae_status advance(dae_roots *r)
{
    search *w = r->work;
    const sample done = w->left;
    dae_status status = DAE_OK;
    for (int i = 0; i < r->count && !status; i++) {
        if (w->plan[i] == HUNT)
            status = hunt(r, i);
        if (!status)
            status = observe(r, i, w->right[w->top].t, w->right[w->top].g[i]);
        if (!status && w->top == 0 && w->closed)
            status = close_at_end(r, i);
    }
    w->left = w->right[w->top];
    w->right[w->top--] = done;
    return status;
}

/* A sample between left and right[top], and the error of the models of both parts from that of the
 * whole: its value there, and its slope, which has the part of the error that is odd in s - 1/2. */
static dae_status cut(dae_roots *r)
{
    search *w = r->work;
    const int top = w->top;
    const double l = w->left.t, h = w->right[top].t - l;
    sample *x = &w->right[top + 1];
    const dae_status status = take(r, l + CUT * h, w->delta, x);
    for (int i = 0; i < r->count && !status; i++) {
        const model m = between(r, i);
        const double s = (x->t - l) / h, sigma = x->delta / h, p = cubic(&m, s);
        const double slope = (cubic(&m, s + sigma) - p) / sigma;
        const double off = fmax(fabs(x->g[i] - p) - 2 * m.noise - m.noise_Y / 4, 0)
                           + fmax(fabs(h * x->d[i] - slope) - 1.5 * m.noise_Y, 0) / 2;
        const double E = fmax(SAFETY / 16 * off, m.E / 16);
        w->error[top][i] = w->error[top + 1][i] = E;
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
        const model m = between(r, i);
        w->plan[i] = plan_for(&m, r->side[i], last_cut);
        cuts = w->plan[i] == CUT_IN_TWO;
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
        w->error[0][i] = 0;
        w->last_t[i] = a;
        w->last_g[i] = w->left.g[i];
        status = observe(r, i, a, w->left.g[i]);
    }
    while (!status && w->top >= 0)
        status = decide(r) ? cut(r) : advance(r);
    return status;
}
