/* test_plain_reference.c - references as pairs of doubles are those in quad, to 32 digits */
#include "support.h"

enum { TIMES = 3 };

static void assert_pairs(const dae_quad *x, const dae_double_double *pairs, int size)
{
    for (int i = 0; i < size; i++) {
        char text[DAE_QUAD_TEXT];
        assert_true(pairs[i].high == (double)x[i]);
        assert_true(fabs(pairs[i].low) <= 0x1p-53 * fabs(pairs[i].high));
        const dae_quad sum = (dae_quad)pairs[i].high + pairs[i].low;
        assert_true(dae_quad_fabs(x[i] - sum) <= 0x1p-105 * dae_quad_fabs(x[i]));
        dae_double_double_text(pairs[i], text, sizeof text);
        assert_true(dae_quad_fabs(x[i] - dae_quad_parse(text, NULL)) <= 1e-31 * fabs(pairs[i].high));
    }
}

static void compare(const char *name, const char *form)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start(name, form, 0, u);
    const double t0 = problem_named(name)->t0, times[TIMES] = {t0, t0 + 0.01, t0 + 0.02};
    OWNED(dae_plain_reference) plain = {0};
    OWNED(dae_reference) quad = {0};
    dae_report why = {0};
    if (dae_plain_reference_solve(&plain, sys, t0, u, times, TIMES, NULL, &why) ||
        dae_reference_solve(&quad, sys, t0, u, times, TIMES, &why))
        fail_msg("%s: %s", name, why.message);
    assert_int_equal(TIMES, plain.count);
    assert_int_equal(quad.nq, plain.nq);
    assert_int_equal(quad.nl, plain.nl);
    assert_true(quad.digits == plain.digits);
    assert_string_equal(quad.source, plain.source);
    assert_pairs(quad.q, plain.q, TIMES * quad.nq);
    assert_int_equal(quad.v == NULL, plain.v == NULL);
    assert_int_equal(quad.lambda == NULL, plain.lambda == NULL);
    if (quad.v) {
        assert_pairs(quad.v, plain.v, TIMES * quad.nq);
        assert_pairs(quad.lambda, plain.lambda, TIMES * quad.nl);
    }
    dae_plain_reference_free(&plain);
    assert_null(plain.q);
    dae_plain_reference_free(&plain);                   /* frees nothing a second time */
}

TEST(test_same_as_quad)
{
    compare("pendulum", "index2");
    compare("linear_dae", "native");
    compare("kepler", "native");
}

static int stop(void *context, double t)
{
    return ++*(int *)context > 1;
}

TEST(test_failures)
{
    double u[MOST_UNKNOWNS], end = 1;
    OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 0, u);
    dae_plain_reference plain;
    dae_report why = {0};
    int calls = 0;
    const dae_reference_watch watch = {stop, &calls};
    assert_int_equal(DAE_STOPPED, dae_plain_reference_solve(&plain, sys, 0, u, &end, 1, &watch, &why));
    assert_int_equal(2, calls);
    assert_null(plain.q);
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_plain_reference_solve(NULL, sys, 0, u, &end, 1, NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_plain_reference_solve(&plain, NULL, 0, u, &end, 1, NULL, &why));
    assert_null(plain.q);
    dae_plain_reference_free(NULL);
}

TEST(test_text)
{
    char text[DAE_QUAD_TEXT] = "left";
    dae_double_double_text((dae_double_double){0.1, 0}, NULL, 10);
    dae_double_double_text((dae_double_double){0.1, 0}, text, 0);
    assert_string_equal("left", text);
    dae_double_double_text((dae_double_double){1, 0x1p-80}, text, sizeof text);
    assert_string_equal("1.0000000000000000000000008271806", text);
    dae_double_double_text((dae_double_double){-0.1, 0}, text, sizeof text);
    assert_string_equal("-0.10000000000000000555111512312578", text);
    dae_double_double_text((dae_double_double){0.125, 0}, text, 4);
    assert_string_equal("0.1", text);
}
