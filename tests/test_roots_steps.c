/* test_roots_steps.c - passages through zero as runs have them: contacts, departures, the ends of
 * steps, several functions, noise, failures
 */
#include "root_search.h"

#include "base/numbers.h"

static double sine(const void *p, double t)
{
    return sin(*(const double *)p * t);
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
    return 2 + sin(t);
}

/* A ball that touches a ceiling for a moment, y - 2 = c - 5 (t - 0.37)^2, both ends far below. */
static double ceiling(const void *p, double t)
{
    const double c = *(const double *)p;
    return c - 5 * (t - 0.37) * (t - 0.37);
}

/* The same under friction: no parabola, and no polynomial. */
static double damped_ceiling(const void *p, double t)
{
    const double c = *(const double *)p;
    return c + 1 + (t - 0.37) - exp(t - 0.37) - 2 * pow(t - 0.37, 4);
}

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
static double jump(const void *p, double t)
{
    return t * (*(const double *)p - 5 * t);
}

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

static double zero(const void *p, double t)
{
    return 0 * t;
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

static double tiny(const void *p, double t)
{
    return 1e-200 * line(p, t);
}

static double grows(const void *p, double t)
{
    return exp(200 * t) - exp(200 * *(const double *)p);
}

static double narrow(const void *p, double t)
{
    return atan(1e6 * (t - *(const double *)p));
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

static double sinh_line(const void *p, double t)
{
    return sinh(t - *(const double *)p);
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
