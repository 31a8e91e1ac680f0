#include "fit/least_squares.h"

#include "fit/identify.h"
#include "host/allocate.h"

#include <cminpack.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ENOUGH = 1e-12, CLOSE = 1e-10;      /* of the sum of squares, of the numbers */
static const double FALLS = 1e-6;       /* of the mean square: a fall that is worth to let a number go */
enum { MOST_TRIALS = 200 };                             /* for each number */

/* A search of the numbers that are free. */
typedef struct {
    const least_squares *of;
    least_squares_end *end;
    int *free, frees;           /* which they are */
    double *next;               /* [numbers] */
    double *x;                  /* [numbers] in the box: what was looked at last, */
    double *r, *J, *size;       /* and what it has, if known */
    int known;
    double *best, norm;         /* the last point that was taken, and |r| there */
    int left_box;               /* the step that was taken has reached bounds */
} search;

static double clip(const least_squares *of, int i, double x) { return fmin(fmax(x, of->low[i]), of->high[i]); }

static double norm_of(const double *r, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += r[i] * r[i];
    return sqrt(sum);
}

/* s->r, s->J at x, which s->x is then; 0 where there are none. */
static int evaluate(search *s, const double *x)
{
    const size_t size = (size_t)s->of->numbers * sizeof *x;
    if (s->known && memcmp(s->x, x, size) == 0)
        return 1;
    memcpy(s->x, x, size);
    s->known = s->of->evaluate(s->of->context, s->x, s->r, s->J, s->size) == 0 && isfinite(norm_of(s->r, s->of->count));
    s->end->trials++;
    s->end->failed += !s->known;
    return s->known;
}

/* Residuals of the point y of the free numbers. One without a value is far worse than the last that was taken. */
static void try_point(search *s, const double *y, double *r)
{
    const int count = s->of->count;
    memcpy(s->next, s->best, (size_t)s->of->numbers * sizeof *s->next);
    for (int i = 0; i < s->frees; i++)
        s->next[s->free[i]] = clip(s->of, s->free[i], y[i]);
    if (evaluate(s, s->next))
        memcpy(r, s->r, (size_t)count * sizeof *r);
    for (int k = 0; !s->known && k < count; k++)
        r[k] = 1e3 * fmax(s->norm, 1) / sqrt(count);
}

/* y is taken, and was looked at last: its Jacobian. Negative where it lies outside of the box: the search ends. */
static int take_point(search *s, const double *y, double *J)
{
    const int count = s->of->count;
    s->norm = norm_of(s->r, count);
    memcpy(s->best, s->x, (size_t)s->of->numbers * sizeof *s->x);
    for (int i = 0; i < s->frees; i++) {
        const int k = s->free[i];
        if (y[i] < s->of->low[k] || y[i] > s->of->high[k]) {
            s->end->side[k] = y[i] < s->of->low[k] ? -1 : 1;
            s->left_box = 1;
        }
        memcpy(J + i * count, s->J + k * count, (size_t)count * sizeof *J);
    }
    return s->left_box ? -1 : 0;
}

static int look(void *context, int m, int n, const double *y, double *r, double *J, int stride, int wants)
{
    search *s = context;
    (void)m, (void)n, (void)stride;
    if (wants == 2)
        return take_point(s, y, J);
    try_point(s, y, r);
    return 0;
}

/* By lmder from s->best on, which is then the least that was found; 1: by itself, 0: after too many trials. */
static int descend(search *s)
{
    const int m = s->of->count, n = s->frees, most = MOST_TRIALS * (s->of->numbers + 1);
    int evaluations, jacobians, *pivot = allocate((size_t)n, sizeof *pivot);
    double *work = allocate((size_t)((n + 2) * m + 6 * n + m), sizeof *work), *r = work, *J = r + m, *y = J + m * n;
    double *diag = y + n, *qtf = diag + n, *a = qtf + n, *b = a + n, *c = b + n, *d = c + n;
    for (int i = 0; i < n; i++)
        y[i] = s->best[s->free[i]];
    const int info = lmder(look, s, m, n, y, r, J, m, ENOUGH, CLOSE, 0, most, diag, 1, 100, 0, &evaluations, &jacobians,
                           pivot, qtf, a, b, c, d);
    for (int i = 0; i < n; i++)                         /* it ends with a step that nobody has asked J of */
        s->best[s->free[i]] = clip(s->of, s->free[i], y[i]);
    free(pivot);
    free(work);
    return info != 5;
}

/* Half the derivative of the sum of squares by number k; *square: of its column. */
static double slope_of(const search *s, int k, double *square)
{
    const double *column = s->J + k * s->of->count;
    double slope = 0;
    *square = 0;
    for (int i = 0; i < s->of->count; i++) {
        slope += column[i] * s->r[i];
        *square += column[i] * column[i];
    }
    return slope;
}

/* Numbers at a bound whose sum of squares falls towards the outside are fixed; how many. */
static int hold(search *s)
{
    int held = 0;
    for (int k = 0; k < s->of->numbers; k++) {
        double square;
        const int side = s->best[k] <= s->of->low[k] ? -1 : s->best[k] >= s->of->high[k];
        if (s->end->side[k] == 0 && side && side * slope_of(s, k, &square) < 0) {
            s->end->side[k] = side;
            held++;
        }
    }
    return held;
}

/* The fixed number whose sum of squares falls most towards the inside is let go; 0: there is none. */
static int let_go(search *s)
{
    double most = FALLS * s->norm * s->norm / fmax(s->of->count - s->frees, 1);
    int which = -1;
    for (int k = 0; k < s->of->numbers; k++) {
        double square;
        const double slope = slope_of(s, k, &square);
        if (s->end->side[k] * slope > 0 && slope * slope > most * square) {
            most = slope * slope / square;
            which = k;
        }
    }
    if (which >= 0)
        s->end->side[which] = 0;
    return which >= 0;
}

/* Those that no bound holds, and that do not have to stay where they are. */
static void list_free(search *s)
{
    const int n = s->of->numbers;
    int *counts = allocate((size_t)n, sizeof *counts);
    identification id;
    for (int k = 0; k < n; k++)
        counts[k] = s->end->side[k] == 0;
    const int known = identify(&id, &(identify_request){s->of->count, n, s->J, s->r, s->size, counts, s->of->noise,
                                                        s->of->least});
    s->frees = 0;
    for (int k = 0; k < n; k++)
        if (counts[k] && !(known && id.stays[k]))
            s->free[s->frees++] = k;
    identify_free(&id);
    free(counts);
}

/* Did the last search leave more numbers where they are than it has to at its end? Then there is one more. */
static int more_free(search *s)
{
    const int before = s->frees;
    list_free(s);
    return s->frees > before;
}

/* Each search ends lower than the one before, so that no set of bounds comes again; but rounding may have it so. */
static void find(search *s)
{
    int again = 1;
    s->end->ended = 1;
    hold(s);
    for (int searches = 0; again; searches++) {
        list_free(s);
        again = s->left_box = 0;
        if (s->frees)
            s->end->ended = descend(s);
        if (!evaluate(s, s->best) || !s->end->ended)
            break;
        s->end->searched = s->frees;
        s->norm = norm_of(s->r, s->of->count);
        const int held = hold(s), loose = let_go(s);
        again = s->left_box || held || loose || (searches < 2 && more_free(s));
        if (again && searches > 8 * s->of->numbers)
            s->end->ended = again = 0;
    }
}

int least_squares_find(const least_squares *of, double *x, double *r, double *J, least_squares_end *end)
{
    const size_t n = (size_t)of->numbers;
    search s = {.of = of, .end = end, .free = allocate(n, sizeof *s.free), .x = allocate(n, sizeof *x),
                .next = allocate(n, sizeof *x), .best = allocate(n, sizeof *x), .r = r, .J = J,
                .size = allocate(n, sizeof *x)};
    end->ended = end->trials = end->failed = end->searched = 0;
    for (int k = 0; k < of->numbers; k++) {
        s.best[k] = clip(of, k, x[k]);
        end->side[k] = 0;
    }
    const int begun = evaluate(&s, s.best);
    if (begun) {
        s.norm = norm_of(r, of->count);
        find(&s);
    }
    memcpy(x, s.best, n * sizeof *x);
    free(s.free);
    free(s.next);
    free(s.x);
    free(s.best);
    free(s.size);
    return begun;
}
