/* test_derivative_orders - errors and orders of du/dp: the reference against closed forms, orders against the declared
 * ones, and what converge and bench make of them */
#include "cli_json.h"
#include "small_models.h"

#include "run/order.h"
#include "study/converge.h"

#include <math.h>

static run_setting by_first_parameter(const dae_problem *problem)
{
    run_setting o = run_default_setting(problem);
    o.no_cache = 1;
    o.sensitivities = 1;
    return o;
}

/* u = c/(1 + t), so that c du/dc = u; where c is no binary fraction rounding of the start is that of doubles. */
TEST(test_reference)
{
    static const struct { double c, digits; } rows[] = {{0.75, 22}, {0.3, 11}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run_setting o = by_first_parameter(&dae_decline);
        study s;
        o.parameters = &rows[i].c;
        assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
        assert_non_null(s.along);
        assert_true(s.along_digits > rows[i].digits);
        for (int k = 0; k < RUN_SAMPLES; k++) {
            const double exact = rows[i].c / (1 + 2 * (k + 1) / 3.0);
            assert_close((double)s.along[0].q[k], exact, 1e-15 + 2 * s.along_error[DAE_DIFFERENTIAL]);
        }
        study_end(&s);
    }
}

/* p + d would be rounded, so that the difference would be of another d. */
TEST(test_no_neighbours)
{
    run_setting o = by_first_parameter(&dae_decline);
    const double c = 1 - DBL_EPSILON / 2;
    study s;
    o.parameters = &c;
    assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    assert_null(s.along);
    assert_non_null(strstr(s.along_why, "has no neighbours that are doubles"));
    run_result r = study_run(&s, run_form_of_index(o.problem, -1), dae_find_method("rk4"), 0.1, NULL);
    assert_int_equal(DAE_OK, r.status);
    assert_true(r.error[DAE_DIFFERENTIAL] < 1e-5 && isnan(r.error[RUN_DERIVATIVES + DAE_DIFFERENTIAL]));
    run_free(&r);
    study_end(&s);
}

/* All classes of du/dp have the order that is declared of the class, or a higher one: what the leading term of the
 * error does not depend on leaves none in the derivative. */
static void agree(const study *s, const char *form_name, const char *method_name, double step, double finest)
{
    enum { LEVELS = 4 };
    const dae_formulation *form = dae_find_formulation(form_name);
    const order_subject subject = {s->setting->problem, form, dae_find_method(method_name), 0, 0};
    run_result runs[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        runs[k] = study_run(s, form, subject.method, ldexp(step, -k), NULL);
        assert_int_equal(DAE_OK, runs[k].status);
    }
    for (int k = RUN_DERIVATIVES; k < RUN_CLASSES; k++) {
        const order_result o = order_observe(&subject, runs, LEVELS, k);
        if (!order_shows(s->setting, k) || isnan(o.error))
            continue;
        if (strcmp(o.verdict, "agrees") != 0 && strcmp(o.verdict, "above") != 0)
            fail_msg("%s %s %s: %g (%s) %s", form_name, method_name, order_class_name(k), o.observed, o.verdict,
                     o.reason);
        assert_true(o.error < finest || o.declared < 2);
    }
    for (int k = 0; k < LEVELS; k++)
        run_free(&runs[k]);
}

/* L moves the start, which is made consistent, g0 moves the motion alone. */
TEST(test_pendulum)
{
    run_setting o = by_first_parameter(problem_named("pendulum"));
    study s;
    o.sensitivities = 2;
    o.sensitivity[0] = dae_parameter_index(o.problem, "L");
    o.sensitivity[1] = dae_parameter_index(o.problem, "g0");
    assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    assert_true(s.along_digits > 20);
    agree(&s, "index2", "radau5", 0.1, 1e-4);
    agree(&s, "index3", "cros", 0.005, 1e-3);
    agree(&s, "index1", "rk4", 0.04, 1e-4);
    agree(&s, "ode", "rk4", 0.04, 1e-4);
    agree(&s, "baumgarte", "radau5", 0.1, 1e-4);
    study_end(&s);
}

/* A mass that moves with q and m2 */
TEST(test_slider_crank)
{
    run_setting o = by_first_parameter(problem_named("slider_crank"));
    study s;
    o.t_end = 0.02;
    o.sensitivity[0] = dae_parameter_index(o.problem, "m2");
    assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    assert_true(s.along_digits > 20);
    agree(&s, "index2", "cros4", 3.2e-5, 1);
    study_end(&s);
}

/* Differential and algebraic unknowns of index 2 */
TEST(test_first_order)
{
    run_setting o = by_first_parameter(problem_named("linear_dae"));
    study s;
    assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    assert_true(s.along_digits > 20);
    agree(&s, "native", "radau5", 0.05, 1e-5);
    study_end(&s);
}

/* Through impacts with loss, at the end: y is a function of t sqrt g, so that g dy/dg = t v/2. */
TEST(test_events)
{
    run_setting o = by_first_parameter(problem_named("bouncing_ball"));
    study s;
    o.t_end = 1;
    o.sensitivity[0] = dae_parameter_index(o.problem, "g");
    assert_int_equal(DAE_OK, study_begin(&s, &o, REFERENCE_ON_PATH, 0, NULL));
    assert_true(s.events.events == 2 && s.along && s.along_digits > 20);
    run_result r = study_run(&s, dae_find_formulation("index1"), dae_find_method("dop853"), 0.01, NULL);
    assert_int_equal(DAE_OK, r.status);
    assert_true(r.error[RUN_DERIVATIVES + DAE_POSITION] < 1e-9 && r.error[DAE_POSITION] < 1e-9);
    assert_close(r.values[RUN_DERIVATIVES + DAE_POSITION][0], r.values[DAE_VELOCITY][0] / 2, 1e-12);
    assert_true(r.error[RUN_DERIVATIVES + DAE_VELOCITY] < 1e-9);
    run_free(&r);
    study_end(&s);
}

/* Errors of du/dp by methods of high order are rounding after a few steps. In quad precision, at neighbours of p, all
 * orders are seen: where L moves the start, along its derivative, and where it is a double that is made anew (c = 0.3,
 * after which only 12 digits of du/dp itself are known). */
TEST(test_hidden_by_rounding)
{
    static const struct { const char *parameter, *form, *method; double value; int quad; } rows[] = {
        {"L", "index1", "radau9", 5, 3}, {"c", "native", "excros", 0.3, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dae_problem *problem = *rows[i].parameter == 'c' ? &dae_decline : problem_named("pendulum");
        const int parameter = dae_parameter_index(problem, rows[i].parameter);
        study_specification spec = study_default_specification(problem);
        double p[MOST_PARAMETERS];
        converge_curve c = {.value = 0};
        int quad = 0;
        study s;
        default_parameters(problem, p);
        p[parameter] = rows[i].value;
        spec.run.parameters = p;
        spec.run.sensitivities = 1;
        spec.run.sensitivity[0] = parameter;
        assert_int_equal(DAE_OK, study_begin(&s, &spec.run, REFERENCE_ON_PATH, 0, NULL));
        converge_plan(&c, &spec, &s, dae_find_formulation(rows[i].form), dae_find_method(rows[i].method));
        converge_run(&spec, &s, &c);
        for (int k = RUN_DERIVATIVES; k < RUN_CLASSES; k++) {
            if (!order_shows(&spec.run, k) || isnan(c.order[k].declared) || isnan(c.order[k].error))
                continue;
            if (strcmp(c.order[k].verdict, "agrees") != 0)
                fail_msg("%s %s: %s, %s", rows[i].form, order_class_name(k), c.order[k].verdict, c.order[k].reason);
            quad += c.order[k].in_quad;
        }
        assert_in_range(quad, rows[i].quad, 4);
        converge_free(&c);
        study_end(&s);
    }
}

/* ---- commands ---- */

TEST(test_converge)
{
    json_t *tables[2];
    for (int jobs = 1; jobs <= 2; jobs++) {
        char line[200];
        snprintf(line, sizeof line,
                 "converge pendulum --form index1 --method cros,ida --sensitivity L,frequency --levels 3 "
                                    "--step 0.02 --fresh --jobs %d --format json", jobs);
        tables[jobs - 1] = parsed(0, line);             /* ida has no derivatives */
    }
    assert_true(json_equal(at(tables[0], "tables/orders"), at(tables[1], "tables/orders")));
    assert_int_equal(count_rows(tables[0], "orders", "method=cros"), 8);
    assert_string_equal(text_in(tables[0], "orders", "class=d_velocity", "verdict"), "agrees");
    assert_string_equal(text_in(tables[0], "orders", "class=d_velocity", "unit"), "m/s");
    assert_string_equal(text_in(tables[0], "runs", "", "sensitivity"), "L,frequency");
    assert_non_null(strstr(text_in(tables[0], "runs", "method=ida", "reason"), "no sensitivities"));
    json_decref(tables[0]);
    json_decref(tables[1]);
}

/* Work against the error of du/dp: of it is the time to reach an error, and it costs more. */
TEST(test_bench)
{
    static const char line[] = "bench pendulum --form index1 --method radau5 --rtol 1e-3:1e-6 --at 1e-3 --runs 1%s "
                               "--format json";
    char with[200], without[200];
    snprintf(with, sizeof with, line, " --sensitivity g0");
    snprintf(without, sizeof without, line, "");
    json_t *one = parsed(0, with), *other = parsed(0, without);
    assert_string_equal(text_in(one, "targets", "", "class"), "d_position");
    assert_true(number_in(one, "targets", "", "seconds") > 0);
    assert_true(number_in(one, "work", "", "error_d_position") > 0);
    assert_true(number_in(one, "runs", "", "error_position") == number_in(other, "runs", "", "error_position"));
    assert_true(column_at(other, "runs", "error_d_position") < 0);
    json_decref(one);
    json_decref(other);
}

int main(void) { return run_all(cli_begin, cli_end); }
