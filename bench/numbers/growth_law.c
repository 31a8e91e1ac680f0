#include "numbers/growth_law.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const growth_names[GROWTH_LAWS] = {"not determined", "bounded", "linear", "quadratic", "exponential"};

enum { PER_OCTAVE = 8, OCTAVES = 3, POINTS = PER_OCTAVE * OCTAVES + 1, TERMS = 3, LEAST_TIMES = 24 };

static const double BOUNDED = 1.1, GOOD = 0.15, BETTER = 2, NO_PART = 0.2, E_FOLDINGS = 3, ABOVE_ROUNDING = 30;

/* What is smaller is the rounding of a fit, not a law that is left. */
static const double EXACT = 1e-6;

/* M at x = 2^(-k/8), the last one first; log M beside. */
typedef struct {
    int first, count;           /* the points that a fit looks at */
    double x[POINTS], m[POINTS];
    double end;                 /* t_end - t0 */
} envelope;

/* A model of M: its rms of log(model/M), with its degrees of freedom, and its parameters. */
typedef struct {
    double left;
    double c[TERMS];            /* of 1, x, x^2; or log C, lambda; or log C, power */
} fit;

/* ---- fits ---- */

static double rms(double sum, int points, int parameters) { return sqrt(sum / fmax(1, points - parameters)); }

/* Straight lines log M = c0 + c1 z. */
static fit line_fit(const envelope *e, const double *z)
{
    double n = e->count, sz = 0, sl = 0, szz = 0, szl = 0, sum = 0;
    for (int i = e->first; i < e->first + e->count; i++) {
        const double l = log(e->m[i]);
        sz += z[i];
        sl += l;
        szz += z[i] * z[i];
        szl += z[i] * l;
    }
    fit f = {.c = {0, (n * szl - sz * sl) / (n * szz - sz * sz), 0}};
    f.c[0] = (sl - f.c[1] * sz) / n;
    for (int i = e->first; i < e->first + e->count; i++) {
        const double r = f.c[0] + f.c[1] * z[i] - log(e->m[i]);
        sum += r * r;
    }
    f.left = fmax(EXACT, rms(sum, e->count, 2));
    return f;
}

/* A c = b for the terms of a mask, others 0; 0 where there is no solution. */
static int solve(double a[TERMS][TERMS], const double *b, unsigned mask, double *c)
{
    double m[TERMS][TERMS + 1];
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++)
            m[i][j] = (mask >> i & 1) && (mask >> j & 1) ? a[i][j] : i == j;
        m[i][TERMS] = mask >> i & 1 ? b[i] : 0;
    }
    for (int k = 0; k < TERMS; k++)                     /* positive definite: no pivots */
        for (int i = k + 1; i < TERMS; i++) {
            const double factor = m[i][k] / m[k][k];
            for (int j = k; j <= TERMS; j++)
                m[i][j] -= factor * m[k][j];
        }
    for (int i = TERMS - 1; i >= 0; i--) {
        c[i] = m[i][TERMS];
        for (int j = i + 1; j < TERMS; j++)
            c[i] -= m[i][j] * c[j];
        c[i] /= m[i][i];
    }
    return isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]);
}

static double model(const double *c, double x) { return c[0] + x * (c[1] + x * c[2]); }

static int terms_of(unsigned mask) { return (int)(mask & 1) + (int)(mask >> 1 & 1) + (int)(mask >> 2 & 1); }

/* The best sum of the terms of a mask with weights that are not negative, by relative least squares. */
static fit sum_fit(const envelope *e, unsigned mask)
{
    double a[TERMS][TERMS] = {{0}}, b[TERMS] = {0};
    fit best = {.left = INFINITY};
    for (int i = e->first; i < e->first + e->count; i++) {
        const double term[TERMS] = {1 / e->m[i], e->x[i] / e->m[i], e->x[i] * e->x[i] / e->m[i]};
        for (int j = 0; j < TERMS; j++) {
            b[j] += term[j];
            for (int k = 0; k < TERMS; k++)
                a[j][k] += term[j] * term[k];
        }
    }
    for (unsigned some = 1; some < 1U << TERMS; some++) {
        fit f;
        double sum = 0;
        if ((some & ~mask) || !solve(a, b, some, f.c) || f.c[0] < 0 || f.c[1] < 0 || f.c[2] < 0)
            continue;
        for (int i = e->first; i < e->first + e->count; i++) {
            const double r = log(model(f.c, e->x[i]) / e->m[i]);
            sum += r * r;
        }
        f.left = fmax(EXACT, rms(sum, e->count, terms_of(some)));
        if (f.left < best.left)
            best = f;
    }
    return best;
}

/* ---- laws ---- */

enum { ONE = 1, X = 2, XX = 4 };

static growth not_determined(growth g, const char *brief, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static growth not_determined(growth g, const char *brief, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(g.reason, sizeof g.reason, format, arguments);
    va_end(arguments);
    snprintf(g.brief, sizeof g.brief, "%s", brief);
    g.law = GROWTH_NOT_DETERMINED;
    g.rate = g.low = g.high = NAN;
    return g;
}

/* The rate of a law on the points of an envelope, in the units of t and y. */
static double rate_of(const envelope *e, growth_law law)
{
    switch (law) {
    case GROWTH_LINEAR: return sum_fit(e, ONE | X).c[1] / e->end;
    case GROWTH_QUADRATIC: return sum_fit(e, ONE | X | XX).c[2] / (e->end * e->end);
    default: return line_fit(e, e->x).c[1] / e->end;
    }
}

static growth tell(growth g, const envelope *e, growth_law law, double left)
{
    envelope half = *e;
    g.law = law;
    g.scatter = left;
    g.rate = rate_of(e, law);
    half.count = e->count / 2 + 1;
    const double second = rate_of(&half, law);
    half.first = e->count / 2;
    half.count = e->count - half.first;
    const double first = rate_of(&half, law);
    g.low = fmin(g.rate, fmin(first, second));
    g.high = fmax(g.rate, fmax(first, second));
    return g;
}

/* The one of three laws that leaves the least, where the others leave twice that. */
static growth choose(growth g, const envelope *e)
{
    double z[POINTS];
    for (int i = 0; i < POINTS; i++)
        z[i] = log(e->x[i]);
    const fit line = sum_fit(e, ONE | X), square = sum_fit(e, ONE | XX), sum = sum_fit(e, ONE | X | XX);
    const fit power = line_fit(e, z), exponential = line_fit(e, e->x);
    const double quadratic_part = sum.c[2] / model(sum.c, 1), linear_part = line.c[1] / model(line.c, 1);
    g.power = power.c[1];
    if (exponential.c[1] * (1 - e->x[POINTS - 1]) >= E_FOLDINGS && exponential.left <= GOOD
        && BETTER * exponential.left <= fmin(sum.left, power.left))
        return tell(g, e, GROWTH_EXPONENTIAL, exponential.left);
    if (quadratic_part >= 0.5 && sum.left <= GOOD && BETTER * sum.left <= fmin(line.left, exponential.left)
        && sum.left <= BETTER * power.left)
        return tell(g, e, GROWTH_QUADRATIC, sum.left);
    if (linear_part >= 0.5 && quadratic_part <= NO_PART && line.left <= GOOD
        && BETTER * line.left <= fmin(square.left, exponential.left) && line.left <= BETTER * power.left)
        return tell(g, e, GROWTH_LINEAR, line.left);
    const double least = fmin(fmin(sum.left, power.left), exponential.left);
    if (least > GOOD)
        return not_determined(g, "irregular",
                              "too irregular, or too short: no law describes it to better than %.0f %%", 100 * least);
    char brief[sizeof g.brief];
    snprintf(brief, sizeof brief, "t^%.2f", g.power);
    return not_determined(g, brief, "it grows about as t^%.2f in the last 7/8 of the interval", g.power);
}

/* ---- the envelope ---- */

/* Running maxima at x = 1, 2^(-1/8), ..., 1/8, each of the last time that is not later; 0 where one is not positive. */
static int make_envelope(const double *t, const double *y, int count, double t0, envelope *e)
{
    double last = t0, most = 0;
    int k = POINTS - 1;
    for (int i = 0; i < count; i++)
        if (isfinite(t[i]) && isfinite(y[i]))
            last = t[i];
    *e = (envelope){.count = POINTS, .end = last - t0};
    for (int i = 0; i < POINTS; i++)
        e->x[i] = exp2(-(double)i / PER_OCTAVE);
    for (int i = 0; i < count; i++) {
        if (!isfinite(t[i]) || !isfinite(y[i]))
            continue;
        for (; k >= 0 && t[i] - t0 > e->x[k] * e->end * (1 + 1e-12); k--)
            e->m[k] = most;
        most = fmax(most, fabs(y[i]));
    }
    for (; k >= 0; k--)
        e->m[k] = most;
    return e->m[POINTS - 1] > 0;
}

/* Times with a value in the last seven eighths. */
static int times_of(const double *t, const double *y, int count, double t0, double end)
{
    int times = 0;
    for (int i = 0; i < count; i++)
        times += isfinite(t[i]) && isfinite(y[i]) && t[i] - t0 >= end / 8;
    return times;
}

growth growth_observe(const double *t, const double *y, int count, double t0, double rounding)
{
    envelope e;
    growth g = {.rate = NAN, .low = NAN, .high = NAN, .scatter = NAN, .power = NAN};
    const int positive = make_envelope(t, y, count, t0, &e);
    const int times = times_of(t, y, count, t0, e.end);
    if (!(e.end > 0) || times < LEAST_TIMES)
        return not_determined(g, "too few steps", "too few steps: %d in the last 7/8 of the interval", times);
    if (!(e.m[0] > ABOVE_ROUNDING * rounding))
        return not_determined(g, "at rounding", "at rounding: %.1e", e.m[0]);
    if (!positive)
        return not_determined(g, "0 at first", "it is 0 at first");
    if (e.m[0] <= BOUNDED * e.m[POINTS - 1]) {
        g.law = GROWTH_BOUNDED;
        g.rate = e.m[0];
        g.scatter = log(e.m[0] / e.m[POINTS - 1]);
        return g;
    }
    if (e.m[0] == e.m[PER_OCTAVE])
        return not_determined(g, "too short",
                              "too short: it grew in the first half of the interval, not in the second");
    return choose(g, &e);
}
