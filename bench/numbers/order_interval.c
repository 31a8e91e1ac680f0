/* order_interval.c - an order and its uncertainty, from errors at falling steps
 *
 * The error of a method of order p expands in the step, so that for small h
 *
 *     log e = log C + p log h + a_1 z + a_2 z^2 + ... + a_d z^d,    z = h/h_1
 *
 * with h_1 the largest of the steps. Rounding adds noise n to e, and kinks of the norm add about MODEL to log e: the
 * weights of least squares are 1/(MODEL^2 + (n/e)^2).
 *
 * 1. Used are the levels before the first one whose error is not ABOVE times its noise.
 * 2. A window consists of the last of these levels, any number of them, with or without the finest one, whose steps
 *    differ by a factor SPAN at least. In each window p is fitted with d = 0, 1, 2, ... terms. The terms that are left
 *    out change p by about as much as the next term does, so that
 *
 *        u_d = sigma_d + |p_d - p_(d+1)|
 *
 *    is the uncertainty of p_d, with sigma_d from the weights. A fit counts where the next one exists: where a level
 *    is left to contradict it.
 * 3. A fit is admissible where the leading term leads: u_d is at most half the width that is asked for, the residuals
 *    are those of noise, and the slope is within LEADING of p at the largest step of the window, and within the width
 *    at the finest.
 * 4. The interval holds p_d +- u_d of all admissible fits, and p_(d+1) with its sigma, but no more of that than half
 *    the width; and the slope of the last window, so that it never contradicts what the finest steps show.
 *
 * A window always reaches the finest steps: in the middle of a ladder slopes that pass an extremum look settled.
 */
#include "numbers/order_interval.h"

#include <math.h>

enum { MOST_TERMS = 3, MOST_COLUMNS = MOST_TERMS + 2, MOST_LEVELS = 128 };

static const double MODEL = 0.002, ABOVE = 10, SPAN = 1.6, LEADING = 1, RESIDUAL = 3;

double least_squares_slope(const double *x, const double *y, int count)
{
    double mx = 0, my = 0, xx = 0, xy = 0;
    if (count < 2)
        return NAN;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / xx;
}

/* A window: log h, log e and the roots of the weights. */
typedef struct {
    int count;
    const double *x, *y, *w;
} window;

typedef struct {
    double p, sigma;
    double coarse, fine;        /* slope - p at the largest and at the smallest step */
    double residual;            /* weighted, root mean square */
} order_fit;

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Weighted columns 1, z, ..., z^d, x - x_0 of the window. */
static void fill(const window *v, int columns, double a[MOST_COLUMNS][MOST_LEVELS])
{
    for (int i = 0; i < v->count; i++) {
        const double z = exp(v->x[i] - v->x[0]);
        double power = v->w[i];
        for (int k = 0; k < columns - 1; k++, power *= z)
            a[k][i] = power;
        a[columns - 1][i] = v->w[i] * (v->x[i] - v->x[0]);
    }
}

/* Gram and Schmidt, modified: a = q r in place, c = q^T y, and y becomes the residual; 0 where the
 * columns depend on one another. */
static int orthogonalise(int rows, int columns, double a[MOST_COLUMNS][MOST_LEVELS],
                         double r[MOST_COLUMNS][MOST_COLUMNS], double *c, double *y)
{
    for (int k = 0; k < columns; k++) {
        const double before = sqrt(dot(a[k], a[k], rows));
        for (int j = 0; j < k; j++) {
            r[j][k] = dot(a[j], a[k], rows);
            for (int i = 0; i < rows; i++)
                a[k][i] -= r[j][k] * a[j][i];
        }
        r[k][k] = sqrt(dot(a[k], a[k], rows));
        if (!(r[k][k] > 1e-10 * before))
            return 0;
        for (int i = 0; i < rows; i++)
            a[k][i] /= r[k][k];
        c[k] = dot(a[k], y, rows);
        for (int i = 0; i < rows; i++)
            y[i] -= c[k] * a[k][i];
    }
    return 1;
}

/* p with so many terms; 0 where the window does not determine it. */
static int fit(const window *v, int terms, order_fit *f)
{
    double a[MOST_COLUMNS][MOST_LEVELS], r[MOST_COLUMNS][MOST_COLUMNS], c[MOST_COLUMNS];
    double y[MOST_LEVELS];
    const int columns = terms + 2, last = columns - 1;
    if (v->count < columns)
        return 0;
    fill(v, columns, a);
    for (int i = 0; i < v->count; i++)
        y[i] = v->w[i] * v->y[i];
    if (!orthogonalise(v->count, columns, a, r, c, y))
        return 0;
    *f = (order_fit){.sigma = 1 / r[last][last],
                     .residual = sqrt(dot(y, y, v->count) / v->count)};
    for (int k = last; k >= 0; k--) {
        for (int j = k + 1; j < columns; j++)
            c[k] -= r[k][j] * c[j];
        c[k] /= r[k][k];
    }
    const double z = exp(v->x[v->count - 1] - v->x[0]);
    f->p = c[last];
    for (int k = 1; k <= terms; k++) {
        f->coarse += k * c[k];
        f->fine += k * c[k] * pow(z, k);
    }
    return 1;
}

static int admissible(const order_fit *f, double uncertainty, double width)
{
    return uncertainty <= width / 2 && f->residual <= RESIDUAL && fabs(f->coarse) <= LEADING
           && fabs(f->fine) <= width;
}

/* All fits of one window; least is the smallest uncertainty so far, that of best. */
static void add_window(const window *v, double width, double *least, order_interval *o)
{
    order_fit f, next;
    int is_there = fit(v, 0, &f);
    for (int terms = 0; is_there && terms < MOST_TERMS; terms++, f = next) {
        is_there = fit(v, terms + 1, &next);
        const double u = f.sigma + fabs(f.p - next.p);
        if (!is_there || !admissible(&f, u, width))
            continue;
        const double beyond = fmin(next.sigma, width / 2);
        o->low = fmin(o->low, fmin(f.p - u, next.p - beyond));
        o->high = fmax(o->high, fmax(f.p + u, next.p + beyond));
        if (u < *least) {
            *least = u;
            o->best = f.p;
        }
    }
}

/* The slope of the window, where it is known to half the width. */
static void add_slope(const window *v, double width, order_interval *o)
{
    order_fit f;
    if (!fit(v, 0, &f) || f.sigma > width / 2)
        return;
    o->low = fmin(o->low, f.p - f.sigma);
    o->high = fmax(o->high, f.p + f.sigma);
}

/* All windows with this many levels before their end. */
static void add_windows(const window *all, double width, double *least, order_interval *o)
{
    int first = 1;
    for (int begin = all->count - 3; begin >= 0; begin--) {
        const window v = {all->count - begin, all->x + begin, all->y + begin, all->w + begin};
        if (all->x[begin] - all->x[all->count - 1] < log(SPAN))
            continue;
        if (first)
            add_slope(&v, width, o);
        first = 0;
        add_window(&v, width, least, o);
    }
}

/* The slope of the last steps of so many levels that span SPAN; its first level. */
static int last_slope(const window *all, int count, order_fit *f)
{
    int begin = count - 2;
    while (begin > 0 && all->x[begin] - all->x[count - 1] < log(SPAN))
        begin--;
    *f = (order_fit){.p = NAN, .sigma = NAN};
    if (begin >= 0 && all->x[begin] - all->x[count - 1] >= log(SPAN))
        fit(&(window){count - begin, all->x + begin, all->y + begin, all->w + begin}, 0, f);
    return begin;
}

/* How the slopes move. */
static void find_trend(const window *all, order_interval *o)
{
    order_fit last, before;
    const int begin = last_slope(all, all->count, &last);
    last_slope(all, begin + 1, &before);
    o->last = last.p;
    o->before = before.p;
    o->sigma = hypot(last.sigma, before.sigma);
}

static int above_rounding(const order_level *level, int count)
{
    int n = 0;
    while (n < count && n < MOST_LEVELS && level[n].error > ABOVE * level[n].noise)
        n++;
    return n;
}

static void last_slopes(const double *x, const double *y, int count, double *slope)
{
    for (int k = 0; k < ORDER_SLOPES; k++) {
        const int i = count - 1 - ORDER_SLOPES + k;
        slope[k] = i < 0 ? NAN : (y[i] - y[i + 1]) / (x[i] - x[i + 1]);
    }
}

order_interval order_interval_of(const order_level *level, int count, double width)
{
    double x[MOST_LEVELS], y[MOST_LEVELS], w[MOST_LEVELS], least = INFINITY;
    order_interval o = {.finding = ORDER_FOUND, .low = INFINITY, .high = -INFINITY, .best = NAN,
                        .levels = above_rounding(level, count)};
    for (int i = 0; i < o.levels; i++) {
        const double noise = level[i].noise / level[i].error;
        x[i] = log(level[i].step);
        y[i] = log(level[i].error);
        w[i] = 1 / sqrt(MODEL * MODEL + noise * noise);
    }
    last_slopes(x, y, o.levels, o.slope);
    find_trend(&(window){o.levels, x, y, w}, &o);
    for (int end = o.levels; end >= 3 && end >= o.levels - 1; end--)
        add_windows(&(window){end, x, y, w}, width, &least, &o);
    if (isnan(o.best)) {
        o.low = o.high = NAN;
        o.finding = o.levels < count ? ORDER_ROUNDING : o.levels < 3 ? ORDER_FEW : ORDER_MOVING;
    }
    return o;
}
