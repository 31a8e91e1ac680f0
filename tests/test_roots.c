/* test_roots.c - passages through zero in a step, against functions whose zeros are known */
#include "support.h"

#include "control/roots.h"
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <stdio.h>

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

/* Searches [a, b] for g, with sides from the signs at a unless side is given; answers the roots. */
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

/* ---- functions */

static double sine(const void *p, double t)
{
    return sin(*(const double *)p * t);
}

static double cosine(const void *p, double t)
{
    return cos(*(const double *)p * t) - 0.5;
}

static double parabola(const void *p, double t)
{
    return (t - 1) * (t - 1) + *(const double *)p;
}

static double line(const void *p, double t)
{
    return t - *(const double *)p;
}

static double falling_line(const void *p, double t)
{
    return 3 * (*(const double *)p - t);
}

static double cubed(const void *p, double t)
{
    return pow(t - *(const double *)p, 3);
}

static double far_away(const void *p, double t)
{
    (void)p;
    return 2 + sin(t);
}

/* ---- tests */

static void nothing_near(void **state)
{
    (void)state;
    const found x = search(far_away, NULL, 1e-15, 0, 0.5);
    assert_int_equal(0, x.roots);
    assert_int_equal(6, x.calls);
}

static void one_root_is_cheap(void **state)
{
    (void)state;
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
static void many_roots(void **state)
{
    (void)state;
    const double pi = acos(-1), rates[] = {1, 5, 20, 100, 2 * pi, pi, 8 * pi};
    for (int k = 0; k < 7; k++) {
        const double w = rates[k];
        const found x = search(sine, &w, 1e-13, 0, 9.9);
        const int count = (int)(9.9 * w / pi);
        printf("w %g: %d of %d, %d calls\n", w, x.roots, count, x.calls);
        for (int j = 0; j < x.roots; j++)
            expect(&x, j, (j + 1) * pi / w, j % 2 ? 1 : -1, 4e-15);
        assert_true(x.calls <= 40 + 20 * count);
    }
}

/* Steps that are whole periods: every simple subdivision sees a constant. */
static void periods(void **state)
{
    (void)state;
    const double w = 2 * acos(-1);
    for (int n = 1; n <= 32; n *= 2) {
        const found x = search(cosine, &w, 1e-14, 0, n);
        assert_int_equal(2 * n, x.roots);
        expect(&x, 0, 1. / 6, -1, 1e-15);
        expect(&x, 1, 5. / 6, 1, 2e-15);
    }
}

static void double_roots(void **state)
{
    (void)state;
    const double gaps[] = {1e-2, 1e-4, 1e-8, 1e-12, 1e-14};
    for (int k = 0; k < 5; k++) {
        const double below = -gaps[k];
        const found x = search(parabola, &below, 1e-15, 0, 10);
        assert_int_equal(2, x.roots);
        expect(&x, 0, 1 - sqrt(gaps[k]), -1, 1e-15 / sqrt(gaps[k]) + 1e-15);
        expect(&x, 1, 1 + sqrt(gaps[k]), 1, 1e-15 / sqrt(gaps[k]) + 1e-15);
        assert_int_equal(1, x.side);
        if (x.calls > 30) printf("%g: %d\n", gaps[k], x.calls);
    }
    const double above[] = {1e-2, 1e-4, 1e-8, 1e-12, 0};
    for (int k = 0; k < 5; k++) {
        const found x = search(parabola, &above[k], 1e-15, 0, 10);
        assert_int_equal(0, x.roots);
        if (x.calls > 30) printf("%g: %d\n", gaps[k], x.calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_near),
        cmocka_unit_test(one_root_is_cheap),
        cmocka_unit_test(many_roots),
        cmocka_unit_test(periods),
        cmocka_unit_test(double_roots),
    };
    (void)falling_line; (void)cubed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
