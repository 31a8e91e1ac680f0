/* test_arguments.c - each call of the library with arguments that are none: a status and a
 * sentence, and nothing is read out of bounds */
#include "testing.h"

#include <daelab/hybrid.h>
#include <daelab/quad_reference.h>

#include "refusals.h"

/* ---- systems ------------------------------------------------------------------------------ */

/* Two exchanged characters are one edit; of two as near the shorter. */
TEST(test_nearest_name)
{
    static const char *const names[] = {"radau5", "radau7", "radau", "rodas4", "ida"};
    static const struct { const char *typed, *meant; } of[] = {
        {"radua", "radau"}, {"raadu", "radau"}, {"radau8", "radau"}, {"radua5", "radau5"}, {"dia", "ida"},
        {"rodsa4", "rodas4"}, {"radau", "radau"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_string_equal(of[i].meant, dae_nearest(of[i].typed, names, 5));
    assert_null(dae_nearest("cvode", names, 5));
}

TEST(test_tables)
{
    const dae_method *method = dae_method_at(0);
    const dae_formulation *form = dae_formulation_at(0);
    const int past[] = {-1, 99, -2147483647 - 1, 2147483647};
    for (int i = 0; i < 4; i++) {
        assert_null(dae_method_at(past[i]));
        assert_null(dae_formulation_at(past[i]));
        assert_null(dae_reference_source(past[i]));
        assert_true(isnan(dae_method_order(method, form, past[i], DAE_VELOCITY)));
        assert_true(isnan(dae_method_order(method, form, 1, (dae_class)past[i])));
        assert_string_equal("unknown class", dae_class_name((dae_class)past[i]));
        assert_string_equal("unknown status", dae_status_name((dae_status)(past[i] & ~31)));
        assert_string_equal("unknown status", dae_status_sentence((dae_status)(past[i] & ~31)));
    }
    assert_string_equal("unknown class", dae_class_name(DAE_CLASSES));
    assert_null(dae_find_method(NULL));
    assert_null(dae_find_formulation(NULL));
    assert_null(dae_method_describe(NULL).name);
    assert_null(dae_formulation_describe(NULL).name);
    assert_true(isnan(dae_method_order(NULL, form, 1, DAE_VELOCITY)));
    assert_true(dae_method_order(method, NULL, 1, DAE_VELOCITY) > 0);
    assert_int_equal(0, dae_formulation_applies(NULL, problem_named("pendulum")));
    assert_int_equal(0, dae_formulation_applies(form, NULL));
    assert_null(dae_nearest(NULL, (const char *const[]){"a"}, 1));
    assert_null(dae_nearest("a", NULL, 1));
    assert_null(dae_nearest("a", (const char *const[]){"b"}, -1));
    dae_sundials_version(NULL, 10);
    char text[4] = "abc";
    dae_sundials_version(text, 0);
    dae_sundials_version(text, -1);
    assert_string_equal("abc", text);
    assert_int_equal(DAE_SINGULAR, dae_fail(NULL, DAE_SINGULAR, "%d", 1));
}

TEST(test_unknowns)
{
    static const char *const forms[] = {"index3", "ggl", "ode"};
    char name[16], unit[16];
    double u[MOST_UNKNOWNS];
    for (int f = 0; f < 3; f++) {
        OWNED(dae_system) *sys = system_at_start("pendulum", forms[f], 0, u);
        const int n = dae_system_size(sys), past[] = {-1, n, n + 1, 2147483647};
        for (int i = 0; i < 4; i++) {
            strcpy(name, "left");
            dae_system_unknown(sys, past[i], name, unit, sizeof name);
            assert_string_equal("", name);
            assert_int_equal(DAE_CLASSES, dae_system_class(sys, past[i]));
        }
        dae_system_unknown(sys, 0, NULL, unit, 3);
        dae_system_unknown(sys, 0, name, NULL, 3);
        dae_system_unknown(sys, 0, name, unit, 0);
        dae_system_unknown(sys, 0, name, unit, -4);
        dae_system_unknown(sys, 0, name, unit, 1);
        assert_string_equal("", name);
    }
}

TEST(test_systems)
{
    double u[MOST_UNKNOWNS], q[4], v[4], a[4], J[64], F_t[8], out[8], energy, power;
    dae_report why = {0};
    dae_system *none;
    const dae_problem *pendulum = problem_named("pendulum");
    const dae_formulation *index1 = dae_find_formulation("index1");
    expect(dae_system_create(NULL, pendulum, index1, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why,
           "no place");
    expect(dae_system_create(&none, NULL, index1, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why,
           "no problem");
    expect(dae_system_create(&none, pendulum, NULL, NULL, NULL, &why), DAE_UNSUPPORTED, &why,
           "none");
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    const int kinds[] = {99, -1, 4};
    for (int i = 0; i < 3; i++)
        expect(dae_system_jacobian(sys, (dae_jacobian_kind)kinds[i], 0, u, J, F_t, &why),
               DAE_BAD_ARGUMENT, &why, "kind of Jacobian");
    expect(dae_system_jacobian(NULL, DAE_JACOBIAN_BEST, 0, u, J, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "system");
    expect(dae_system_jacobian(sys, DAE_JACOBIAN_BEST, 0, NULL, J, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "state");
    expect(dae_system_jacobian(sys, DAE_JACOBIAN_BEST, 0, u, NULL, F_t, &why), DAE_BAD_ARGUMENT,
           &why, "place");
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_FD, 0, u, J, NULL, &why));
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, 0, u, J, NULL, &why));
    expect(dae_system_start(NULL, u, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_system_start(sys, NULL, &why), DAE_BAD_ARGUMENT, &why, "place");
    expect(dae_consistent_start(NULL, 0, u, NULL, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_consistent_start(sys, 0, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why, "state");
    expect(dae_consistent_start(sys, NAN, u, NULL, &why), DAE_BAD_ARGUMENT, &why, "finite");
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_split(NULL, 0, u, q, v, a));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_split(sys, 0, u, q, v, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(sys, 0, u, NULL, v, a));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(NULL, 0, q, v, a, out));
    const int levels[] = {-1, 3, 2147483647};
    for (int i = 0; i < 3; i++)
        assert_int_equal(0, dae_system_constraint(sys, levels[i], 0, u, out));
    assert_int_equal(0, dae_system_constraint(NULL, 0, 0, u, out));
    assert_int_equal(0, dae_system_energy(NULL, 0, q, v, &energy, &power));
    dae_system_free(sys);
    sys = system_at_start("linear_dae", "native", 0, u);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_accelerate(sys, 0, q, v, a, out));
    assert_int_equal(0, dae_system_energy(sys, 0, q, v, &energy, &power));
    assert_null(dae_system_problem(NULL));
    assert_null(dae_system_parameters(NULL));
    assert_int_equal(0, dae_system_positions(NULL) + dae_system_multipliers(NULL)
                            + dae_system_size(NULL) + dae_system_index(NULL));
    dae_system_rhs(NULL, 0, u, out);
    dae_system_mass(NULL, u, out);
    dae_system_free(NULL);
}

/* ---- solvers ------------------------------------------------------------------------------ */

static dae_status no_values(void *context, double t, const double *u, double *g, dae_report *why)
{
    g[0] = u[0] + 100;
    return DAE_OK;
}

static int go_on(void *context, double t, const double *u, const int *fired)
{
    return 0;
}

static void test_watches(dae_solver *solver)
{
    const dae_direction any = DAE_ANY, none = (dae_direction)7;
    const dae_watch good = {1, &any, no_values, go_on, NULL};
    dae_watch bad[5] = {good, good, good, good, good};
    bad[0].count = -1;
    bad[1].direction = NULL;
    bad[2].values = NULL;
    bad[3].happened = NULL;
    bad[4].direction = &none;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(solver, &bad[i]));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_report(solver)->status);
    }
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(solver, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_watch(NULL, &good));
}

TEST(test_solvers)
{
    double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    OWNED(dae_solver) *solver = NULL;
    dae_report why = {0};
    const dae_method *radau = dae_find_method("radau");
    expect(dae_solver_create(NULL, sys, radau, NULL, &why), DAE_BAD_ARGUMENT, &why, "no place");
    expect(dae_solver_create(&solver, NULL, radau, NULL, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_solver_create(&solver, sys, NULL, NULL, &why), DAE_BAD_ARGUMENT, &why, "method");
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, radau, NULL, &why));
    test_watches(solver);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, NAN, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, INFINITY, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(solver, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, end));
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    const double ends[] = {NAN, INFINITY, -INFINITY, -1, 1e-300, 5e-324};
    for (int i = 0; i < 6; i++)
        expect(dae_solver_advance(solver, ends[i], end), DAE_BAD_ARGUMENT,
               dae_solver_report(solver), "t_end = ");
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 1, NULL));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.5, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, NAN, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 2, end));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 0.5, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_start(NULL, 0, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(NULL, 1, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(NULL, 1, u));
    dae_solver_observe(NULL, NULL, NULL);
    dae_solver_free(NULL);
    assert_true(isnan(dae_solver_time(NULL)));
    assert_null(dae_solver_report(NULL));
    assert_int_equal(0, dae_solver_statistics(NULL).steps);
    assert_int_equal(DAE_JACOBIAN_BEST, dae_solver_jacobian(NULL));
    assert_int_equal(DAE_LINEAR_BEST, dae_solver_linear(NULL));
}

/* ---- runs and references ------------------------------------------------------------------ */

static double x_of(void *context, double t, const double *x)
{
    return x[0];
}

TEST(test_hybrids)
{
    OWNED(dae_hybrid) *h = NULL;
    dae_report why = {0};
    double x[16] = {0};
    assert_int_equal(DAE_OK, dae_hybrid_create(&h, problem_named("string_pendulum"),
                                               dae_find_formulation("index1"), NULL, NULL,
                                               dae_find_method("radau"), NULL, &why));
    const int past[] = {-1, 99, 2147483647};
    for (int i = 0; i < 3; i++) {
        assert_null(dae_hybrid_problem(h, past[i]));
        assert_null(dae_hybrid_mode_name(h, past[i]));
        assert_int_equal(0, dae_hybrid_size(h, past[i]));
        assert_null(dae_hybrid_event(h, past[i]).name);
        assert_true(isnan(dae_hybrid_event(h, past[i]).t));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, past[i], 0, x));
    }
    assert_null(dae_hybrid_event(h, 0).name);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, 1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, 0, NAN, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(h, 0, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, NULL, x_of, NULL, DAE_ANY));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, "x", NULL, NULL, DAE_ANY));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(h, "x", x_of, NULL,
                                                             (dae_direction)-2));
    assert_int_equal(DAE_OK, dae_hybrid_start(h, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, NAN));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(h, -1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_state(h, 0, NULL, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start(NULL, 0, NULL));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_start_at(NULL, 0, 0, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(NULL, 1));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_state(NULL, 0, x, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_stop_where(NULL, "x", x_of, NULL, DAE_ANY));
    dae_hybrid_observe(NULL, NULL, NULL);
    dae_hybrid_free(NULL);
    assert_int_equal(-1, dae_hybrid_mode(NULL));
    assert_int_equal(0, dae_hybrid_modes(NULL) + dae_hybrid_events(NULL)
                            + dae_hybrid_state_size(NULL) + dae_hybrid_most_unknowns(NULL)
                            + dae_hybrid_size(NULL, 0));
    assert_true(isnan(dae_hybrid_time(NULL)));
    assert_null(dae_hybrid_problem(NULL, 0));
    assert_null(dae_hybrid_mode_name(NULL, 0));
    assert_null(dae_hybrid_system(NULL));
    assert_null(dae_hybrid_solver(NULL));
    assert_null(dae_hybrid_unknowns(NULL));
    assert_null(dae_hybrid_parameters(NULL));
    assert_null(dae_hybrid_report(NULL));
    assert_null(dae_hybrid_event(NULL, 0).name);
    assert_int_equal(0, dae_hybrid_statistics(NULL).steps);
}

TEST(test_references)
{
    const double rising[] = {0.1, 0.2}, falling[] = {0.2, 0.1}, early[] = {-1}, nan[] = {NAN};
    double u[MOST_UNKNOWNS], bad[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("linear_dae", "native", 0, u);
    OWNED(dae_reference) r = {0};
    dae_report why = {0};
    memcpy(bad, u, sizeof bad);
    bad[1] = NAN;
    expect(dae_reference_solve(NULL, sys, 0, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why,
           "no reference");
    expect(dae_reference_solve(&r, NULL, 0, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "system");
    expect(dae_reference_solve(&r, sys, 0, NULL, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "start");
    expect(dae_reference_solve(&r, sys, 0, u, NULL, 2, &why), DAE_BAD_ARGUMENT, &why, "time");
    expect(dae_reference_solve(&r, sys, 0, u, rising, 0, &why), DAE_BAD_ARGUMENT, &why, "0 times");
    expect(dae_reference_solve(&r, sys, 0, u, rising, -3, &why), DAE_BAD_ARGUMENT, &why,
           "-3 times");
    expect(dae_reference_solve(&r, sys, 0, u, falling, 2, &why), DAE_BAD_ARGUMENT, &why,
           "increase");
    expect(dae_reference_solve(&r, sys, 0, u, early, 1, &why), DAE_BAD_ARGUMENT, &why, "increase");
    expect(dae_reference_solve(&r, sys, 0, u, nan, 1, &why), DAE_BAD_ARGUMENT, &why, "increase");
    expect(dae_reference_solve(&r, sys, NAN, u, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "finite");
    expect(dae_reference_solve(&r, sys, 0, bad, rising, 2, &why), DAE_BAD_ARGUMENT, &why, "finite");
    dae_reference_free(NULL);
}
