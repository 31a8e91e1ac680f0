/* test_order_verdicts.c - what is called an order, of errors that are made up: "agrees" holds the
 * declared order within 0.15 to each side, 0.3 above order 5, and whatever is wider has a reason
 *
 *     e(h) = h^p |1 + a h + b h^2 + c h^3|, with noise
 */
#include "support.h"

#include "base/numbers.h"
#include "run/order.h"

enum { LEVELS = 6, LADDERS = 4000 };

static void make_run(run_result *r, double h, double error, double noise)
{
    memset(r, 0, sizeof *r);
    r->rtol = NAN;
    r->step = h;
    for (int c = 0; c < DAE_CLASSES; c++) {
        r->error[c] = r->norm[c] = error;
        r->path[c] = r->relative[c] = r->mixed[c] = NAN;
        r->noise[c] = noise;
        r->scale[c] = 1;
    }
}

/* A ladder of six steps, the coefficients by chance. */
static order_result verdict_of(const order_subject *subject, double p, uint64_t *seed)
{
    run_result runs[LEVELS];
    const double a = 6 * dae_random(seed), b = 20 * dae_random(seed), c = 40 * dae_random(seed);
    double h = 0.3;
    for (int i = 0; i < LEVELS; i++, h /= 1.5) {
        const double noise = 1e-15, e = pow(h, p) * fabs(1 + h * (a + h * (b + h * c)));
        make_run(&runs[i], h, e + noise * fabs(dae_random(seed)), noise);
    }
    return order_observe(subject, runs, LEVELS, DAE_POSITION);
}

static void check(const char *method, double p, double width)
{
    const order_subject subject = {.problem = problem_named("pendulum"),
                                   .form = dae_find_formulation("index1"),
                                   .method = dae_find_method(method)};
    int agrees = 0, undetermined = 0;
    uint64_t seed = 19750501;
    for (int k = 0; k < LADDERS; k++) {
        const order_result o = verdict_of(&subject, p, &seed);
        assert_close(o.declared, p, 0);
        assert_string_not_equal(o.verdict, "below");
        if (!strcmp(o.verdict, "not determined")) {
            undetermined++;
            assert_true(strlen(o.reason) > 0);
        }
        if (strcmp(o.verdict, "agrees"))
            continue;
        agrees++;
        assert_true(o.low <= p && p <= o.high);
        if (!(o.high - o.low <= 2 * width + 1e-12))
            fail_msg("%s agrees with %g from %.3f to %.3f", method, p, o.low, o.high);
    }
    assert_true(agrees > LADDERS / 100 && undetermined > LADDERS / 100);
}

/* Errors of four unknowns that turn, each where it likes:
 *
 *     e(h) = h^p |w_i (1 + a_i x + b_i x^2)|,    x = h/h_0
 *
 * so that the slopes of the norm pass many values before they settle.
 */
static order_result turning(const order_subject *subject, double p, double ratio, uint64_t *seed)
{
    enum { MOST = 20, UNKNOWNS = 4 };
    run_result runs[MOST];
    double w[UNKNOWNS], a[UNKNOWNS], b[UNKNOWNS], h = 0.3;
    const int levels = 8 + (int)(6 * (1 + dae_random(seed)));
    const double turn = 0.3 * exp2(-2 + 2 * dae_random(seed));
    for (int i = 0; i < UNKNOWNS; i++) {
        w[i] = exp2(-3 + 3 * dae_random(seed));
        a[i] = 2 * dae_random(seed);
        b[i] = 2 * dae_random(seed);
    }
    for (int k = 0; k < levels; k++, h /= ratio > 1.25 || k < 13 ? ratio : 1.25) {
        const double x = h / turn;
        double e = 0;
        for (int i = 0; i < UNKNOWNS; i++)
            e = hypot(e, w[i] * (1 + x * (a[i] + x * b[i])));
        make_run(&runs[k], h, pow(h, p) * e, 1e-30);
        for (int c = 0; c < DAE_CLASSES; c++)
            runs[k].unit = 1e-34;
    }
    return order_observe(subject, runs, levels, DAE_POSITION);
}

TEST(test_turning)
{
    static const struct { const char *method; double p, ratio; } cases[] = {
        {"rk4", 4, 1.6}, {"dopri5", 5, 1.4}, {"dop853", 8, 1.1}};
    uint64_t seed = 19750501;
    for (size_t m = 0; m < sizeof cases / sizeof *cases; m++) {
        const order_subject subject = {.problem = problem_named("pendulum"),
                                       .form = dae_find_formulation("index1"),
                                       .method = dae_find_method(cases[m].method)};
        int agrees = 0, below = 0;
        for (int k = 0; k < LADDERS; k++) {
            const order_result o = turning(&subject, cases[m].p, cases[m].ratio, &seed);
            agrees += !strcmp(o.verdict, "agrees");
            below += !strcmp(o.verdict, "below");
        }
        assert_true(agrees > LADDERS / 100);
        assert_int_equal(below, 0);
    }
}

/* The finest of errors of dop853 in an orbit of eccentricity 0.57, {h, error, rounding}: one unknown passes
 * zero near h = 0.04, and the slopes come back from there, 7.01 7.02 7.08 7.24 7.44 on the way to 8. */
TEST(test_on_the_way)
{
    static const double level[][3] = {
        {0.04686320755, 1.82645651e-09, 1.2e-13}, {0.04282327586, 9.59021317e-10, 1.2e-13},
        {0.03880859375, 4.80661504e-10, 1.2e-13}, {0.03548214286, 2.56246677e-10, 1.1e-13},
        {0.03225649351, 1.30451093e-10, 1e-13},   {0.02560567010, 2.45319918e-11, 9e-14},
        {0.02035860656, 4.45773364e-12, 7e-14},   {0.01623366013, 7.97617559e-13, 6e-14}};
    enum { COUNT = sizeof level / sizeof *level };
    const order_subject subject = {.problem = problem_named("pendulum"),
                                   .form = dae_find_formulation("index1"),
                                   .method = dae_find_method("dop853")};
    run_result runs[COUNT];
    for (int k = 0; k < COUNT; k++)
        make_run(&runs[k], level[k][0], level[k][1], level[k][2]);
    const order_result o = order_observe(&subject, runs, COUNT, DAE_POSITION);
    assert_string_equal(o.verdict, "not determined");
    assert_true(strstr(o.reason, "the slopes leave") != NULL);
}

TEST(test_widths)
{
    check("rk4", 4, 0.15);
    check("dop853", 8, 0.3);
}

/* What levels in quad say of an order that doubles left open */
TEST(more_levels_take_back_what_they_do_not_confirm)
{
    const order_result doubles = {.verdict = "not determined", .error = 1e-12, .estimated_order = 4};
    const order_result open = {.verdict = "not determined", .error = 1e-20};
    const order_result below = {.verdict = "below", .error = 1e-20};
    const order_result agrees = {.verdict = "agrees", .observed = 5, .error = 1e-20};
    order_result o = order_in_quad(&doubles, &doubles, &below, 0);
    assert_string_equal("below", o.verdict);
    assert_true(o.in_quad && o.error == doubles.error && o.estimated_order == doubles.estimated_order);
    o = order_in_quad(&doubles, &o, &open, 0);          /* a contradiction that is not confirmed */
    assert_string_equal("not determined", o.verdict);
    assert_false(o.in_quad);
    o = order_in_quad(&doubles, &o, &agrees, 0);
    assert_true(!strcmp("agrees", o.verdict) && o.in_quad && o.observed == 5);
    o = order_in_quad(&doubles, &o, &open, 0);          /* an agreement stays */
    assert_true(!strcmp("agrees", o.verdict) && o.in_quad);
    o = order_in_quad(&doubles, &o, &below, 1);         /* where errors stand on rounding */
    assert_string_equal("agrees", o.verdict);
    o = order_in_quad(&doubles, &o, &below, 0);
    assert_string_equal("below", o.verdict);
}
