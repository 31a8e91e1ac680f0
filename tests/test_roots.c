/* test_roots.c - passages through zero in a step, against functions whose zeros are known */
#include "root_search.h"

#include "base/numbers.h"

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

static double far_away(const void *p, double t)
{
    return 2 + sin(t);
}

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

static double jump_behind(const void *p, double t)
{
    return t <= *(const double *)p ? -1 : 1;
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
