/* test_order_verdicts.c - what is called an order, of errors that are made up: "agrees" holds the
 * declared order within 0.15 to each side, 0.3 above order 5, and whatever is wider has a reason
 *
 *     e(h) = h^p |1 + a h + b h^2 + c h^3|, with noise
 */
#include "support.h"

#include "measure/order.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 6, LADDERS = 4000 };

/* Uniform in [-1, 1], from a seed (Knuth's MMIX generator). */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

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
    const double a = 6 * uniform(seed), b = 20 * uniform(seed), c = 40 * uniform(seed);
    double h = 0.3;
    for (int i = 0; i < LEVELS; i++, h /= 1.5) {
        const double noise = 1e-15, e = pow(h, p) * fabs(1 + h * (a + h * (b + h * c)));
        make_run(&runs[i], h, e + noise * fabs(uniform(seed)), noise);
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

static void test_widths(void **state)
{
    (void)state;
    check("rk4", 4, 0.15);
    check("dop853", 8, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
