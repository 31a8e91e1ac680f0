/* test_order_interval.c - an order from errors that are made up: its interval holds the true one */
#include "support.h"

#include "base/numbers.h"
#include "numbers/order_interval.h"

enum { MOST = 24 };

static const double EPSILON = 2.2e-16;

/* |h^p (1, 0) + h^(p+1) (a, b) + h^(p+2) (c, d)| and rounding, at steps first/ratio^i. */
typedef struct { double p, a, b, c, d, first, ratio, noise; int count; } ladder;

static void fill(const ladder *l, uint64_t *seed, order_level *level)
{
    for (int i = 0; i < l->count; i++) {
        const double h = l->first * pow(l->ratio, -i), x = 1 + l->a * h + l->c * h * h;
        const double y = l->b * h + l->d * h * h, e = pow(h, l->p) * hypot(x, y);
        level[i] = (order_level){h, fabs(e + l->noise * dae_random(seed)), l->noise};
    }
}

static order_interval observe(const ladder *l)
{
    order_level level[MOST];
    uint64_t seed = 1;
    fill(l, &seed, level);
    return order_interval_of(level, l->count, l->p > 5 ? 0.3 : 0.15);
}

static int holds(const order_interval *o, double p)
{
    return o->finding == ORDER_FOUND && o->low <= p && p <= o->high;
}

/* e = h^2 (1 + 2 h - 3 h^2), where a straight line over the same steps shows something else. */
TEST(test_terms)
{
    const ladder l = {.p = 2, .a = 2, .c = -3, .first = 0.3, .ratio = 2, .noise = EPSILON,
                      .count = 8};
    const order_interval o = observe(&l);
    assert_true(holds(&o, 2));
    assert_true(o.high - o.low < 0.1);
    assert_close(o.best, 2, 0.02);
}

/* Below rounding nothing counts, and with a level or two above it there is no order. */
TEST(test_rounding)
{
    ladder l = {.p = 5, .a = 1, .first = 0.2, .ratio = 1.5, .noise = 1e-13, .count = 20};
    order_interval o = observe(&l);
    assert_true(holds(&o, 5));
    assert_in_range(o.levels, 8, 14);
    l.noise = 1e-5;
    o = observe(&l);
    assert_int_equal(ORDER_ROUNDING, o.finding);
    assert_true(isnan(o.best) && isnan(o.low) && isnan(o.high));
    l.count = 2;
    l.noise = EPSILON;
    assert_int_equal(ORDER_FEW, observe(&l).finding);
}

/* e = h^4 |1e-3 + h|: the slopes fall from 5 to 4, and are about 4.5 at the finest step. Nothing is
 * found there; on to finer steps, 4. */
TEST(test_passage)
{
    ladder l = {.p = 4, .a = 1000, .first = 0.01, .ratio = 1.6, .noise = 0, .count = 6};
    order_interval o = observe(&l);
    assert_false(holds(&o, 4));
    assert_false(o.finding == ORDER_FOUND && floor(o.high) >= o.low);
    l.count = 20;
    o = observe(&l);
    assert_true(holds(&o, 4));
    assert_true(o.high - o.low < 0.2);
}

/* A leading coefficient that changes its sign with the step: h^3 |1 - 20 h| is 0 at h = 1/20. */
TEST(test_sign)
{
    ladder l = {.p = 3, .a = -20, .first = 0.2, .ratio = 1.5, .noise = EPSILON, .count = 6};
    assert_false(holds(&(order_interval){0}, 3));
    for (; l.count <= 16; l.count++) {
        const order_interval o = observe(&l);
        assert_true(o.finding != ORDER_FOUND || holds(&o, 3) || floor(o.high) < o.low);
    }
    const order_interval last = observe(&l);
    assert_true(holds(&last, 3));
}

/* An error that stays what it is has order 0. */
TEST(test_order_0)
{
    const ladder l = {.p = 0, .a = 1, .first = 0.01, .ratio = 2, .noise = 1e-8, .count = 4};
    const order_interval o = observe(&l);
    assert_true(holds(&o, 0));
}

/* Made-up errors of all kinds, with terms behind the leading one up to 100 h and 10 000 h^2 times
 * as large. Where an order is found, in a narrow enough interval that holds a whole number, it is
 * not below the right one; above it in two of a hundred, where steps from 0.1 to 0.03 end before
 * the leading term shows at all; and more than two thirds are found. */
TEST(test_random)
{
    enum { DRAWS = 20000 };
    uint64_t seed = 2026;
    int found = 0, below = 0, above = 0;
    for (int k = 0; k < DRAWS; k++) {
        order_level level[MOST];
        const double p = 1 + floor(4 * (1 + dae_random(&seed))), width = p > 5 ? 0.3 : 0.15;
        const double size = pow(10, 1 + dae_random(&seed));
        const ladder l = {.p = p, .a = size * dae_random(&seed), .b = size * dae_random(&seed),
                          .c = size * size * dae_random(&seed), .d = size * size * dae_random(&seed),
                          .first = 0.1, .ratio = p > 5 ? 1.15 : p > 3 ? 1.4 : 2,
                          .noise = EPSILON, .count = 10};
        fill(&l, &seed, level);
        const order_interval o = order_interval_of(level, l.count, width);
        if (o.finding != ORDER_FOUND || o.high - o.low > 2 * width || floor(o.high) < o.low)
            continue;
        found++;
        below += o.high < p;
        above += o.low > p;
    }
    print_message("%d of %d found, %d below, %d above\n", found, DRAWS, below, above);
    assert_true(below <= found / 2000);
    assert_true(above < found / 50);
    assert_true(found > 2 * DRAWS / 3);
}

/* The slope of y = 3 x - 1, and of a single point. */
TEST(test_slope)
{
    const double x[] = {0, 1, 2, 5}, y[] = {-1, 2, 5, 14};
    assert_close(least_squares_slope(x, y, 4), 3, 1e-14);
    assert_true(isnan(least_squares_slope(x, y, 1)));
}
