/* test_roots.c - passages through zero in a step, against functions whose zeros are known, and as runs have them:
 * contacts, departures, the ends of steps, several functions, noise, failures
 */
#include "support.h"

#include "base/numbers.h"
#include "events/roots.h"

enum { MOST = 8 };

typedef struct {
    double (*g[MOST])(const void *p, double t);
    const void *p;                      /* parameters of all */
    int calls, fail_at, not_finite_at;
    dae_roots roots;
    dae_direction direction[MOST];
} functions;

static dae_status values(void *context, double t, double *g)
{
    functions *f = context;
    f->calls++;
    if (f->calls == f->fail_at)
        return DAE_STOPPED;
    for (int i = 0; i < f->roots.count; i++)
        g[i] = f->calls == f->not_finite_at ? NAN : f->g[i](f->p, t);
    return DAE_OK;
}

static void make(functions *f, int count, double noise)
{
    assert_int_equal(DAE_OK, dae_roots_create(&f->roots, count));
    f->roots.direction = f->direction;
    f->roots.values = values;
    f->roots.context = f;
    for (int i = 0; i < count; i++)
        f->roots.noise[i] = noise;
}

/* The number of roots in [a, b], from the sides that are set. */
static int search_with(functions *f, double a, double b, int closed)
{
    f->calls = 0;
    assert_int_equal(DAE_OK, dae_roots_find(&f->roots, a, b, closed));
    for (int k = 1; k < f->roots.roots; k++)
        assert_true(f->roots.root[k - 1].t <= f->roots.root[k].t);
    return f->roots.roots;
}

static void begin_at(functions *f, double a)
{
    for (int i = 0; i < f->roots.count; i++) {
        const double g = f->g[i](f->p, a);
        f->roots.side[i] = (g > f->roots.noise[i]) - (g < -f->roots.noise[i]);
    }
}

typedef struct {
    int roots, calls, side;
    dae_root root[1024];
} found;

/* One function, every direction. */
static found search(double (*g)(const void *, double), const void *p, double noise, double a,
                    double b)
{
    functions f = {.g = {g}, .p = p};
    found x = {0};
    make(&f, 1, noise);
    begin_at(&f, a);
    x.roots = search_with(&f, a, b, 0);
    x.calls = f.calls;
    x.side = f.roots.side[0];
    assert_true(x.roots <= 1024);
    memcpy(x.root, f.roots.root, (size_t)x.roots * sizeof *x.root);
    dae_roots_free(&f.roots);
    return x;
}

static void expect(const found *x, int k, double t, int direction, double tolerance)
{
    assert_true(k < x->roots);
    assert_close(x->root[k].t, t, tolerance);
    assert_int_equal(direction, x->root[k].direction);
    assert_int_equal(0, x->root[k].which);
}

/* Functions of t and a number C */
#define C (*(const double *)p)
#define FUNCTION(name, result) static double name(const void *p, double t) { return result; }
FUNCTION(sine, sin(C * t))
FUNCTION(cosine, cos(C * t) - 0.5)
FUNCTION(parabola, (t - 1) * (t - 1) + C)
FUNCTION(line, t - C)
FUNCTION(far_away, 2 + sin(t))
FUNCTION(jump_behind, t <= C ? -1 : 1)
FUNCTION(falling_line, 3 * (C - t))
FUNCTION(cubed, pow(t - C, 3))
FUNCTION(jump, t * (C - 5 * t))
FUNCTION(zero, 0 * t)
FUNCTION(tiny, 1e-200 * line(p, t))
FUNCTION(grows, exp(200 * t) - exp(200 * C))
FUNCTION(narrow, atan(1e6 * (t - C)))
FUNCTION(sinh_line, sinh(t - C))
FUNCTION(ceiling, C - 5 * (t - 0.37) * (t - 0.37))
FUNCTION(damped_ceiling, C + 1 + (t - 0.37) - exp(t - 0.37) - 2 * pow(t - 0.37, 4))

TEST(nothing_near)
{
    const found x = search(far_away, NULL, 1e-15, 0, 0.5);
    assert_int_equal(0, x.roots);
    assert_int_equal(6, x.calls);
}

TEST(one_root_is_cheap)
{
    const double zero = 0.3;
    found x = search(line, &zero, 1e-16, 0, 1);
    assert_int_equal(1, x.roots);
    expect(&x, 0, 0.3, 1, 2e-16);
    assert_true(x.calls <= 9);
    const double w = 1;
    x = search(sine, &w, 1e-16, 3, 3.3);
    assert_int_equal(1, x.roots);
    expect(&x, 0, acos(-1), -1, 9e-16);
    assert_true(x.calls <= 12);
}

/* sin w t on [0, 10]: falls at odd multiples of pi/w; leaving zero at 0 is none. */
TEST(many_roots)
{
    const double pi = acos(-1), rates[] = {1, 5, 20, 100, 2 * pi, pi, 8 * pi};
    for (int k = 0; k < 7; k++) {
        const double w = rates[k];
        const found x = search(sine, &w, 1e-13, 0, 9.9);
        const int count = (int)(9.9 * w / pi);
        assert_int_equal(count, x.roots);
        for (int j = 0; j < x.roots; j++)
            expect(&x, j, (j + 1) * pi / w, j % 2 ? 1 : -1, 4e-15);
        assert_true(x.calls <= 40 + 20 * count);
    }
}

/* Steps that are whole periods: every simple subdivision sees a constant. */
TEST(periods)
{
    const double w = 2 * acos(-1);
    for (int n = 1; n <= 32; n *= 2) {
        const found x = search(cosine, &w, 1e-14, 0, n);
        assert_int_equal(2 * n, x.roots);
        expect(&x, 0, 1. / 6, -1, 1e-15);
        expect(&x, 1, 5. / 6, 1, 2e-15);
    }
}

TEST(double_roots)
{
    const double gaps[] = {1e-2, 1e-4, 1e-8, 1e-12, 1e-14};
    for (int k = 0; k < 5; k++) {
        const double below = -gaps[k];
        const found x = search(parabola, &below, 1e-15, 0, 10);
        assert_int_equal(2, x.roots);
        expect(&x, 0, 1 - sqrt(gaps[k]), -1, 1e-15 / sqrt(gaps[k]) + 1e-15);
        expect(&x, 1, 1 + sqrt(gaps[k]), 1, 1e-15 / sqrt(gaps[k]) + 1e-15);
        assert_int_equal(1, x.side);
        assert_true(x.calls <= 80);
    }
    const double above[] = {1e-2, 1e-4, 1e-8, 1e-12, 0};
    for (int k = 0; k < 5; k++) {
        const found x = search(parabola, &above[k], 1e-15, 0, 10);
        assert_int_equal(0, x.roots);
        assert_true(x.calls <= 40);
    }
}

typedef struct {
    int degree;
    double root[16], scale;
} polynomial;

static double product(const void *p, double t)
{
    const polynomial *q = p;
    double g = q->scale;
    for (int k = 0; k < q->degree; k++)
        g *= t - q->root[k];
    return g;
}

TEST(polynomials)
{
    const polynomial p = {7, {0.05, 0.1, 0.35, 0.36, 0.6, 0.77, 0.98}, 3};
    const found x = search(product, &p, 1e-18, 0, 1);
    assert_int_equal(7, x.roots);
    for (int k = 0; k < 7; k++)
        expect(&x, k, p.root[k], k % 2 ? -1 : 1, 3e-16);
    const polynomial close = {4, {0.2685798, 0.9496777, 0.9511805, 0.9564717}, 1};
    const found z = search(product, &close, 1e-18, 0, 1);
    assert_int_equal(4, z.roots);
    for (int k = 0; k < 4; k++)
        expect(&z, k, close.root[k], k % 2 ? 1 : -1, 3e-16);
    const polynomial q = {7, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 1e-200};      /* steep to flat */
    const found y = search(product, &q, 0, 0, 1);
    assert_int_equal(1, y.roots);
    expect(&y, 0, 0.5, 1, 2e-16);
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* 1 to 6 roots at least gap apart, which may lie on either side of the step; no root is missed. */
TEST(random_polynomials)
{
    uint64_t seed = 7;
    const double gap = 0.01;
    int all = 0;
    for (int trial = 0; trial < 6000; trial++) {
        polynomial p = {1 + trial % 6, {0}, dae_random_direction(&seed)};
        int apart = 0;
        while (!apart) {
            for (int k = 0; k < p.degree; k++)
                p.root[k] = 0.5 + 0.7 * dae_random(&seed);
            qsort(p.root, (size_t)p.degree, sizeof p.root[0], ascending);
            apart = 1;
            for (int k = 0; k < p.degree; k++)
                apart &= (k == 0 || p.root[k] - p.root[k - 1] > gap)
                         && fabs(p.root[k]) > 1e-6 && fabs(p.root[k] - 1) > 1e-6;
        }
        const found x = search(product, &p, 0, 0, 1);
        int count = 0;
        for (int k = 0; k < p.degree; k++)
            if (p.root[k] > 0 && p.root[k] < 1)
                assert_close(x.root[count++].t, p.root[k], 2.3e-16);
        assert_int_equal(count, x.roots);
        all += count;
    }
    assert_true(all > 10000);
}

/* The state at the begin is past zero, its interpolant a bit before: no passage; one that lies before a passage within
 * is that. */
TEST(interpolant_off_at_begin)
{
    const double at[] = {2, 2.5};
    for (int k = 0; k < 2; k++) {
        functions f = {.g = {jump_behind}, .p = &at[k], .direction = {DAE_RISING}};
        make(&f, 1, 0);
        f.roots.side[0] = 1;
        assert_int_equal(k, search_with(&f, 2, 3, 0));
        if (k)
            assert_close(f.roots.root[0].t, 2.5, 1e-15);
        dae_roots_free(&f.roots);
    }
}

/* ---- as runs have them ----------------------------------------------------------------------- */

/* A ball that touches a ceiling for a moment, y - 2 = c - 5 (t - 0.37)^2, both ends far below; and the same under
 * friction: no parabola, and no polynomial. */
TEST(ceilings)
{
    for (double c = 1e-3; c > 5e-13; c /= 10) {     /* 28 ms to 0.6 us above, in a step of 1 s */
        const double half = sqrt(c / 5);
        found x = search(ceiling, &c, 1e-15, 0, 1);
        assert_int_equal(2, x.roots);
        expect(&x, 0, 0.37 - half, 1, 1e-15 / half + 1e-15);
        expect(&x, 1, 0.37 + half, -1, 1e-15 / half + 1e-15);
        assert_int_equal(2, (x = search(damped_ceiling, &c, 1e-15, 0, 1)).roots);
        expect(&x, 0, 0.37 - sqrt(2 * c), 1, c + 1e-15 / sqrt(c));
        const double below = -c;
        assert_int_equal(0, search(ceiling, &below, 1e-15, 0, 1).roots);
        assert_int_equal(0, search(damped_ceiling, &below, 1e-15, 0, 1).roots);
    }
}

/* Leaves the floor and comes back: only the landing is a passage, however low the jump. */
static double slow_start(const void *p, double t)
{
    static uint64_t noise = 1;
    const double c = *(const double *)p;
    return t * t * t * (c - t) + 1e-16 * dae_random(&noise);
}

TEST(departures)
{
    for (double v = 4; v > 1e-6; v /= 3) {
        const found x = search(jump, &v, 1e-16, 0, 1);
        assert_int_equal(1, x.roots);
        expect(&x, 0, v / 5, -1, 1e-15);
        assert_int_equal(-1, x.side);
    }
    const double far = 5;
    const found up = search(jump, &far, 1e-16, 0, 0.5);
    assert_int_equal(0, up.roots);
    assert_int_equal(1, up.side);
    for (double c = 0.9; c > 0.01; c /= 2) {
        const found x = search(slow_start, &c, 2e-16, 0, 1);
        assert_int_equal(1, x.roots);
        expect(&x, 0, c, -1, 4e-16 / (c * c * c));
    }
    for (double b = 1e-5; b > 1e-8; b /= 7) {       /* still within noise: has not left */
        const double c = 1;
        const found x = search(slow_start, &c, 2e-15, 0, b);
        assert_int_equal(0, x.roots);
        assert_int_equal(0, x.side);
        assert_true(x.calls <= 40);
    }
}

TEST(at_rest)
{
    const found x = search(zero, NULL, 1e-16, 0, 1);
    assert_int_equal(0, x.roots);
    assert_int_equal(0, x.side);
    assert_true(x.calls <= 10);
}

/* Three that pass at the same t, two more elsewhere, and one that does not. */
TEST(simultaneous)
{
    const double at = 0.625;
    functions f = {.g = {line, falling_line, cubed, sine, far_away}, .p = &at};
    make(&f, 5, 1e-17);
    begin_at(&f, 0.25);
    assert_int_equal(3, search_with(&f, 0.25, 1, 0));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(k, f.roots.root[k].which);
        assert_int_equal(k == 1 ? -1 : 1, f.roots.root[k].direction);
        assert_close(f.roots.root[k].t, at, k == 2 ? 3e-6 : 0);
    }
    assert_true(f.calls <= 110);
    dae_roots_free(&f.roots);
}

TEST(directions)
{
    const double w = acos(-1);
    functions f = {.g = {sine, sine, sine}, .p = &w,
                   .direction = {DAE_RISING, DAE_FALLING, DAE_ANY}};
    make(&f, 3, 1e-15);
    begin_at(&f, 0.5);
    assert_int_equal(8, search_with(&f, 0.5, 4.5, 0));
    for (int k = 0, any = 0; k < 8; k++) {
        const dae_root *x = &f.roots.root[k];
        any += x->which == 2;
        assert_int_equal(x->direction, (int)lround(x->t) % 2 ? -1 : 1);
        assert_true(x->which == 2 || (x->which == 0) == (x->direction == 1));
        assert_int_equal(k == 7 ? 4 : any, any);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(1, f.roots.side[i]);
    dae_roots_free(&f.roots);
}

/* What is at zero at the end of a step passes once: at its end if closed, else in the next step. */
TEST(at_the_ends)
{
    const double at = 1;
    functions f = {.g = {line, falling_line, cubed, far_away}, .p = &at,
                   .direction = {DAE_ANY, DAE_RISING}};
    make(&f, 4, 1e-15);
    begin_at(&f, 0);
    assert_int_equal(0, search_with(&f, 0, 1, 0));
    assert_int_equal(-1, f.roots.side[0]);
    assert_int_equal(1, f.roots.side[1]);
    assert_int_equal(2, search_with(&f, 1, 2, 0));          /* line and cubed; the other falls */
    assert_int_equal(0, f.roots.root[0].which);
    assert_close(f.roots.root[0].t, 1, 3e-16);
    assert_int_equal(-1, f.roots.side[1]);
    begin_at(&f, 0);
    assert_int_equal(1, search_with(&f, 0, 1, 1));
    assert_true(f.roots.root[0].which == 0 && f.roots.root[0].t == 1);
    assert_int_equal(1, f.roots.side[0]);
    assert_int_equal(-1, f.roots.side[1]);
    assert_int_equal(-1, f.roots.side[2]);                  /* its slope does not tell */
    f.roots.side[2] = 1;
    f.roots.side[0] = -1;                                   /* known to be below, computed above */
    assert_int_equal(1, search_with(&f, 1 + 1e-15, 2, 0));
    assert_true(f.roots.root[0].t == 1 + 1e-15);
    dae_roots_free(&f.roots);

    const double touch = 0;
    functions g = {.g = {parabola}, .p = &touch};
    make(&g, 1, 1e-15);
    begin_at(&g, 0);
    assert_int_equal(0, search_with(&g, 0, 1, 1));          /* touches zero at 1 */
    assert_int_equal(0, search_with(&g, 1, 2, 0));
    assert_int_equal(1, g.roots.side[0]);
    dae_roots_free(&g.roots);
}

TEST(steep_and_flat)
{
    const double at = 0.7;
    double (*const all[])(const void *, double) = {tiny, grows, narrow, cubed};
    for (int k = 0; k < 4; k++) {
        const found x = search(all[k], &at, 0, 0, 1);
        assert_int_equal(1, x.roots);
        expect(&x, 0, at, 1, k == 1 ? 1e-15 : 2e-16);
    }
}

/* Places of t: 1e6, where they are 1e-10 apart, and 0, where they are as close as one likes. */
TEST(places)
{
    const double large = 1e6 + 1 / 3.;
    found x = search(sinh_line, &large, 0, 1e6, 1e6 + 1);
    assert_int_equal(1, x.roots);
    expect(&x, 0, large, 1, 0);
    x = search(sinh_line, &large, 0, 1e6 + 0.33333333, 1e6 + 0.33333334);
    assert_int_equal(1, x.roots);
    expect(&x, 0, large, 1, 0);
    x = search(sinh_line, &large, 0, large - 2e-10, large + 2e-10);
    assert_int_equal(1, x.roots);
    expect(&x, 0, large, 1, 0);
    const double small[] = {1e-9, -1e-20, 3e-30, 0};
    for (int k = 0; k < 4; k++) {
        x = search(sinh_line, &small[k], 0, -0.4, 0.7);
        assert_int_equal(1, x.roots);
        expect(&x, 0, small[k], 1, 4e-16 * fabs(small[k]) + 1e-31);
        assert_true(x.calls <= 40);
    }
}

static double rough(const void *p, double t)
{
    static uint64_t noise = 3;
    return parabola(p, t) + 1e-12 * dae_random(&noise);
}

/* Rounding as large as noise makes no passages, neither at simple roots nor where g touches. */
TEST(noisy)
{
    const double p[] = {-1e-2, -1e-6, -1e-10, 0, 1e-12, 1e-6};
    for (int k = 0; k < 6; k++)
        for (int trial = 0; trial < 50; trial++) {
            const found x = search(rough, &p[k], 1.01e-12, 0.01 * trial, 3);
            assert_int_equal(k < 3 ? 2 : 0, x.roots);
            if (k < 3)
                expect(&x, 0, 1 - sqrt(-p[k]), -1, 2e-12 / sqrt(-p[k]));
            assert_true(x.calls <= 140);
        }
}

static double rough_sine(const void *p, double t)
{
    static uint64_t noise = 9;
    return sine(p, t) + 1e-15 * dae_random(&noise);
}

/* sin w t with rounding from 0 on, in random steps, half of which end at a zero: each passes
 * once. */
TEST(many_steps)
{
    uint64_t seed = 11;
    const double pi = acos(-1);
    for (int trial = 0; trial < 300; trial++) {
        const double w = 1.1 + fabs(5 * dae_random(&seed));
        functions f = {.g = {rough_sine}, .p = &w};
        int count = 0;
        double t = 0;
        make(&f, 1, 2e-15);
        for (int k = 0; k < 41; k++) {
            const double next = (floor(w * t / pi + 1e-9) + 1) * pi / w;
            const double b = k % 2 ? next : t + 0.001 + 0.3 * fabs(dae_random(&seed));
            search_with(&f, t, b, 0);
            for (int j = 0; j < f.roots.roots; j++)
                assert_close(f.roots.root[j].t, ++count * pi / w, 3e-14);
            t = b;
        }
        assert_int_equal((int)(w * t / pi), count);
        dae_roots_free(&f.roots);
    }
}

TEST(failures)
{
    const double at = 0.4;
    functions f = {.g = {line, far_away}, .p = &at};
    make(&f, 2, 1e-16);
    for (int k = 1; k < 8; k++) {
        begin_at(&f, 0);
        f.calls = 0;
        f.fail_at = k;
        assert_int_equal(DAE_STOPPED, dae_roots_find(&f.roots, 0, 1, 0));
        f.calls = f.fail_at = 0;
        f.not_finite_at = k;
        assert_int_equal(DAE_NOT_FINITE, dae_roots_find(&f.roots, 0, 1, 0));
        f.not_finite_at = 0;
    }
    begin_at(&f, 0);
    assert_int_equal(1, search_with(&f, 0, 1, 0));
    assert_int_equal(0, search_with(&f, 1, 1, 0));          /* no step: nothing is evaluated */
    assert_int_equal(0, f.calls);
    dae_roots_free(&f.roots);
    functions none = {.p = NULL};
    make(&none, 0, 0);
    assert_int_equal(0, search_with(&none, 0, 1, 1));
    assert_int_equal(0, none.calls);
    dae_roots_free(&none.roots);
    dae_roots_free(&none.roots);
}
