/* test_orders.c - every fixed-step method shows its declared order in every formulation it solves
 *
 * The orders come from the method table, the problems and formulations from theirs; errors are
 * measured at the end against the quad reference, the slope over four halvings of the step.
 */
#include "support.h"

#include "order.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5 };

/* Steps that divide the interval, also eight times over. */
typedef struct { const char *problem; double step; } where;
static const where problems[] = {{"pendulum", 0.005}, {"linear_dae", 0.00625}};

static cli_options options_for(const dae_problem *problem)
{
    cli_options o = {.problem = problem, .step = NAN, .rtol = NAN, .atol = NAN, .t_end = NAN,
                     .ratio = NAN, .every = NAN, .quiet = 1,
                     .baumgarte = dae_default_formulation_options()};
    for (int i = 0; i < dae_parameter_count(problem); i++)
        o.parameters[i] = problem->parameters[i].value;
    return o;
}

/* Where a problem shows more than its class of DAE guarantees. */
typedef struct { const char *problem, *form, *method; dae_class class; } exception;
static const exception superconvergent[] = {
    {"pendulum", "index3", "cros", DAE_RECOVERED},      /* v' g_qq does not see the error of v */
};

static int may_exceed(const char *problem, const char *form, const char *method, dae_class c)
{
    for (size_t i = 0; i < sizeof superconvergent / sizeof *superconvergent; i++) {
        const exception *e = &superconvergent[i];
        if (strcmp(e->problem, problem) == 0 && strcmp(e->form, form) == 0
            && strcmp(e->method, method) == 0 && e->class == c)
            return 1;
    }
    return 0;
}

/* One form x method: 0 where the method does not solve the form. A method of high order declares
 * what its class of DAE guarantees, and may show more on these problems; one of order 2 may not, so
 * that an order which nobody declared, a 0 in the table, is found. */
static int check_pair(const study *s, const dae_formulation *form, const dae_method *method,
                      double step)
{
    const dae_method_info info = dae_method_describe(method);
    const char *form_name = dae_formulation_describe(form).name;
    int index = dae_formulation_describe(form).index;
    run_result runs[LEVELS];
    if (index < 0)
        index = s->options->problem->first_order.index;
    const double highest = info.order[1][DAE_VELOCITY];
    const int levels = highest > 4.5 ? LEVELS - 1 : LEVELS;
    const double tolerance = highest > 4.5 ? 0.3 : 0.15;
    if (highest > 7)                                    /* rounding too soon: tests of their own */
        return 1;
    if (highest > 4.5 && (s->options->problem->mechanical.nq
                          || info.order[index][DAE_DIFFERENTIAL] > 4.5))
        step *= 8;                                      /* away from rounding */
    for (int k = 0; k < levels; k++)
        runs[k] = study_run(s, form, method, ldexp(step, -k), NULL);
    const dae_status status = runs[0].status;
    for (dae_class c = 0; !status && c < DAE_CLASSES; c++) {
        const order_result o = order_observe(runs, levels, c, &info, index, 2);
        if (isnan(o.error) || isnan(o.declared) || strcmp(o.verdict, "at rounding") == 0)
            continue;
        const int above = strcmp(o.verdict, "above declared") == 0;
        const int may = may_exceed(s->options->problem->name, form_name, info.name, c);
        const int low_order = highest < 2.5;
        if ((low_order && above != may) || (!above && o.observed < o.declared - tolerance))
            fail_msg("%s %s %s: order of %s observed %.3f, declared %g", s->options->problem->name,
                     form_name, info.name, dae_class_name(c), o.observed, o.declared);
    }
    for (int k = 0; k < levels; k++)
        run_free(&runs[k]);
    if (status && status != DAE_UNSUPPORTED)
        fail_msg("%s %s %s: %s", s->options->problem->name, form_name, info.name,
                 runs[0].message);
    return status == DAE_OK;
}

static void test_declared_orders(void **state)
{
    (void)state;
    int pairs = 0;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        const cli_options o = options_for(problem_named(problems[p].problem));
        study s;
        assert_int_equal(0, study_begin(&s, &o, 1));
        assert_true(s.referenced);
        for (int f = 0; dae_formulation_at(f); f++)
            for (int m = 0; dae_method_at(m); m++)
                if (dae_formulation_applies(dae_formulation_at(f), o.problem)
                    && dae_method_describe(dae_method_at(m)).fixed)
                    pairs += check_pair(&s, dae_formulation_at(f), dae_method_at(m),
                                        problems[p].step);
        study_end(&s);
    }
    assert_true(pairs >= 14);           /* cros in 8 forms, three explicit methods in 2 */
}

/* Observed orders of CROS on the pendulum, measured independently: (q, v, lambda). */
typedef struct { const char *form; double order[3]; } observed_row;
static const observed_row cros_orders[] = {
    {"index3", {2, 1, 0}}, {"index2", {2, 2, 1}}, {"index1", {2, 2, 2}},
    {"ggl", {2, 2, 1}},    {"baumgarte", {2, 2, 2}}, {"ode", {2, 2, NAN}},
};

static void test_cros_on_the_pendulum(void **state)
{
    (void)state;
    const cli_options o = options_for(problem_named("pendulum"));
    const dae_method *cros = dae_find_method("cros");
    const dae_method_info info = dae_method_describe(cros);
    study s;
    assert_int_equal(0, study_begin(&s, &o, 1));
    for (size_t f = 0; f < sizeof cros_orders / sizeof *cros_orders; f++) {
        const dae_formulation *form = dae_find_formulation(cros_orders[f].form);
        run_result runs[LEVELS];
        for (int k = 0; k < LEVELS; k++)
            runs[k] = study_run(&s, form, cros, ldexp(0.005, -k), NULL);
        for (dae_class c = DAE_POSITION; c <= DAE_MULTIPLIER; c++)
            if (!isnan(cros_orders[f].order[c])) {
                const order_result r = order_observe(
                    runs, LEVELS, c, &info, dae_formulation_describe(form).index, 2);
                assert_close(r.observed, cros_orders[f].order[c], 0.15);
            }
        for (int k = 0; k < LEVELS; k++)
            run_free(&runs[k]);
    }
    study_end(&s);
}

/* Raw index 3: the drift is 1.96 h^2 (an independent program of the raw equations, 6 x 6 with t as an
 * unknown: 1.96090e-6, 1.96079e-4 over [0, 2]) while the tension stays 14 % wrong at every step;
 * recovered, it converges. */
static void test_the_trap(void **state)
{
    (void)state;
    cli_options o = options_for(problem_named("pendulum"));
    study s;
    o.as_given = 1;
    assert_int_equal(0, study_begin(&s, &o, 1));
    const double steps[2] = {1e-3, 1e-2}, drift[2] = {1.96090e-6, 1.96079e-4};
    for (int k = 0; k < 2; k++) {
        monitor m;
        memset(&m, 0, sizeof m);
        run_result r = study_run(&s, dae_find_formulation("index3"), dae_find_method("cros"),
                                 steps[k], &m);
        assert_int_equal(DAE_OK, r.status);
        assert_close(r.drift[0] / drift[k], 1, 3e-4);
        assert_close(r.error[DAE_MULTIPLIER], 1.21, 0.04);
        assert_close(r.error[DAE_MULTIPLIER] / 8.75119688362091, 0.14, 0.004);
        assert_true(r.error[DAE_RECOVERED] < 0.5 * steps[k] * steps[k]);
        monitor_free(&m);
        run_free(&r);
    }
    study_end(&s);
}

/* The slope of y = 3 x - 1, and of a single point. */
static void test_slope(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 5}, y[] = {-1, 2, 5, 14};
    assert_close(least_squares_slope(x, y, 4), 3, 1e-14);
    assert_true(isnan(least_squares_slope(x, y, 1)));
}

/* Richardson on e = 5 h^2 exactly: order 2 and the true error, with no reference. */
static void test_richardson(void **state)
{
    (void)state;
    run_result runs[3];
    double end[3];
    const dae_method_info info = dae_method_describe(dae_find_method("cros"));
    for (int k = 0; k < 3; k++) {
        const double h = ldexp(0.1, -k);
        end[k] = 7 + 5 * h * h;
        runs[k] = (run_result){.step = h, .rtol = NAN, .length = {1}};
        runs[k].values[0] = &end[k];
        for (int c = 0; c < DAE_CLASSES; c++)
            runs[k].error[c] = NAN;
    }
    const order_result o = order_observe(runs, 3, DAE_POSITION, &info, 1, 2);
    assert_close(o.estimated_order, 2, 1e-10);
    assert_close(o.estimated_error, 5 * 0.025 * 0.025, 1e-12);
    assert_string_equal(o.verdict, "no run");           /* without a reference */
    runs[0].error[DAE_POSITION] = runs[0].scale[DAE_POSITION] = 1;
    assert_string_equal(order_observe(runs, 1, DAE_POSITION, &info, 1, 2).verdict,
                        "too few levels");
    runs[0].error[DAE_POSITION] = 1e-16;
    assert_string_equal(order_observe(runs, 1, DAE_POSITION, &info, 1, 2).verdict, "at rounding");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared_orders), cmocka_unit_test(test_cros_on_the_pendulum),
        cmocka_unit_test(test_the_trap),        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_richardson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
