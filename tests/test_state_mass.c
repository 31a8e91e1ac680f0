/* test_state_mass.c - M(t, u) u' = F(t, u): every method and the quad reference against closed forms and each
 * other, and orders */
#ifndef DAE_PASS
#include <daelab/model.h>
#include <daelab/hybrid.h>
#include <daelab/quad_reference.h>
#include <daelab/sensitivity.h>

#include "support.h"
#include "solve_native.h"

#include "reference/reference.h"

#include <math.h>
#include <string.h>

/* x = cos t, y = sin t: M is full, without symmetry, and depends on t and u. */
static const dae_problem turning = {
    .name = "turning", .variables = "x y", .units = "m m", .start = DAE_MODEL(start_turning), .t_end = 2,
    .first_order = {.n = 2, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(full), .rhs = DAE_MODEL(turn)}};

/* The same with z = x y, which M depends on, and a floating capacity: rows of M are multiples of each other, and
 * of its kernel; x = cos t, y = sin t again, v = x + exp(-t). Index 1. */
static const dae_problem joined = {
    .name = "joined", .variables = "x v y z", .units = "V V V V", .start = DAE_MODEL(start_joined), .t_end = 2,
    .first_order = {.n = 4, .index = 1, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(floating),
                    .rhs = DAE_MODEL(currents), .exact = DAE_MODEL(exact_joined)}};

/* The same x and y held by z = exp(sin t), index 2: M is diagonal at the start, and only there. */
static const dae_problem held = {
    .name = "held", .variables = "y x z", .units = "m m N", .start = DAE_MODEL(start_held), .t_end = 2,
    .first_order = {.n = 3, .index = 2, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(leaving),
                    .rhs = DAE_MODEL(hold)}};

/* How far u is from the closed form. */
static double off(const dae_problem *problem, double t, const double *u)
{
    const double exact[] = {cos(t), problem == &joined ? cos(t) + exp(-t) : sin(t), sin(t), sin(t) * cos(t)};
    return distance(u, exact, problem == &joined ? 4 : 2);
}

static const char *const implicit[] = {"ida", "radau", "radau5", "radau9", "rodas4", "rodas5p", "cros4", "excros",
                                       "auto"};
static const char *const explicit_too[] = {"dopri5", "dop853", "cvode", "erk", "dirk"};

static void meets(const dae_problem *problem, const char *method, double most)
{
    double u[8];
    dae_report why = {0};
    const dae_options o = tolerance(1e-8);
    if (solve(problem, method, &o, u, &why))
        fail_msg("%s %s: %s", problem->name, method, why.message);
    assert_close(off(problem, 2, u), 0, most);
}

static void closed_forms_are_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof implicit / sizeof *implicit; i++) {
        meets(&turning, implicit[i], 1e-6);
        meets(&joined, implicit[i], 1e-6);
    }
    for (size_t i = 0; i < sizeof explicit_too / sizeof *explicit_too; i++)
        meets(&turning, explicit_too[i], 1e-6);
}

/* Of index 2: sin t, cos t and the force, of which methods have an order less. */
static void index_2_is_met(void **state)
{
    static const struct { const char *method; double most, of_force; } runs[] = {
        {"radau", 1e-6, 1e-4}, {"radau5", 1e-6, 1e-4}, {"rodas4", 1e-5, 1e-3}, {"ida", 1e-4, 1e-2},
        {"excros", 1e-5, 1e-3}};
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double u[8];
        dae_report why = {0};
        const dae_options o = tolerance(1e-7);
        if (solve(&held, runs[i].method, &o, u, &why))
            fail_msg("%s: %s", runs[i].method, why.message);
        assert_close(u[0], sin(2), runs[i].most);
        assert_close(u[1], cos(2), runs[i].most);
        assert_close(u[2], exp(sin(2)), runs[i].of_force);
    }
}

/* ---- orders ---------------------------------------------------------------------------------- */

typedef struct { const char *method; double order; int steps; } known_order;
static const known_order orders[] = {{"cros", 2, 32}, {"cros4", 3, 24}, {"rodas4", 4, 16}, {"rodas5p", 5, 12},
                                     {"radau5", 5, 8}};

/* The worse of two halvings where the start is consistent, to the accuracy of their next terms. */
static void orders_are_those_of_index_1(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        double error[3], u[8];
        for (int k = 0; k < 3; k++) {
            dae_options o = dae_default_options();
            dae_report why = {0};
            o.step = 2.0 / (orders[i].steps << k);
            if (solve(&joined, orders[i].method, &o, u, &why))
                fail_msg("%s: %s", orders[i].method, why.message);
            error[k] = off(&joined, 2, u);
        }
        assert_close(log2(error[1] / error[2]), orders[i].order, 0.35);
        assert_true(log2(error[0] / error[1]) > orders[i].order - 0.6);
    }
}

/* ---- references ------------------------------------------------------------------------------ */

static void references_agree(void **state)
{
    const dae_problem *const problems[] = {&turning, &joined, problem_named("varactor")};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const dae_problem *problem = problems[k];
        const int n = problem->first_order.n;
        double u[8], end[8];
        dae_reference r;
        dae_system *sys;
        dae_report why = {0};
        const dae_options o = tolerance(1e-11);
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_find_formulation("native"), NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
        if (dae_reference_solve_in(&r, sys, DAE_REFERENCE_COLLOCATION, 0, u, &problem->t_end, 1, &why))
            fail_msg("%s: %s", problem->name, why.message);
        assert_int_equal(n, r.nq);
        assert_true(r.digits > 20);
        for (int i = 0; i < n; i++)
            end[i] = (double)r.q[i];
        if (k < 2)
            assert_close(off(problem, 2, end), 0, 1e-15);
        assert_int_equal(DAE_OK, solve(problem, "rodas5p", &o, u, &why));
        assert_close(distance(u, end, n), 0, 1e-9);
        dae_reference_free(&r);
        dae_system_free(sys);
    }
}

/* Steps of methods in quad precision: those in doubles, but for rounding. */
static void quad_steps_are_those_in_doubles(void **state)
{
    static const char *const methods[] = {"cros", "rodas4", "radau5", "dopri5"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const dae_problem *problem = k < 3 ? &joined : &turning;
        double u[8], u0[8];
        dae_reference r;
        dae_system *sys;
        dae_options o = dae_default_options();
        dae_report why = {0};
        o.step = 0.1;
        assert_int_equal(DAE_OK, solve(problem, methods[k], &o, u, &why));
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_find_formulation("native"), NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u0, NULL));
        if (dae_quad_steps(&r, NULL, sys, dae_find_method(methods[k]), 0, 0, u0, &problem->t_end, 1, 20, &why))
            fail_msg("%s: %s", methods[k], why.message);
        for (int i = 0; i < r.nq; i++)
            assert_close(u[i], (double)r.q[i], 2e-14);
        dae_reference_free(&r);
        dae_system_free(sys);
    }
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* z is off: it is solved for, and w, of which nothing is told. Then nothing moves. */
static void starts_are_made_consistent(void **state)
{
    double u[8];
    dae_system *sys;
    dae_start_change change;
    (void)state;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &joined, dae_find_formulation("native"), NULL, NULL, NULL));
    assert_int_equal(6, dae_system_size(sys));
    assert_int_equal(1, dae_system_index(sys));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    u[3] = 0.25;
    u[4] = u[5] = 1e9;
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
    assert_close(off(&joined, 0, u), 0, 1e-14);
    assert_close(change.multiplier, 0.25, 1e-12);
    assert_close(u[5], 1, 1e-13);                                   /* y' */
    u[4] = 0;
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
    assert_false(change.changed);
    dae_system_free(sys);
}

/* ---- derivatives with respect to parameters --------------------------------------------------- */

/* The kernel depends on the parameter: d(M x)/dp against systems of other parameters. */
static void the_kernel_may_depend_on_parameters(void **state)
{
    const dae_problem geared = {.name = "geared", .start = DAE_MODEL(start_turning), .t_end = 1,
                                .parameters = {{"ratio", 0.75, "-", "", DAE_ANY_VALUE}},
                                .first_order = {.n = 3, .index = 1, .mass_kind = DAE_MASS_VARIES,
                                                .mass = DAE_MODEL(gear), .rhs = DAE_MODEL(gear_rhs)}};
    const double x[5] = {1, 2, 3, 4, 5}, h = 1e-5;
    double out[3][5], p;
    dae_system *sys;
    (void)state;
    for (int k = -1; k <= 1; k++) {
        p = 0.75 + h * k;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &geared, dae_find_formulation("native"), &p, NULL, NULL));
        assert_int_equal(5, dae_system_size(sys));
        if (k)
            dae_system_mass(sys, x, out[1 + k]);
        else
            assert_int_equal(DAE_OK, dae_system_mass_parameters(sys, x, out[1], NULL));
        dae_system_free(sys);
    }
    for (int i = 0; i < 5; i++)
        assert_close(out[1][i], (out[2][i] - out[0][i]) / (2 * h), 1e-8);
    assert_true(fabs(out[1][0]) > 1);
}

/* ---- records --------------------------------------------------------------------------------- */

static void records_are_checked(void **state)
{
    dae_problem broken = turning;
    dae_system *sys;
    dae_report why = {0};
    (void)state;
    broken.first_order.mass = (dae_map2){NULL, NULL, NULL, NULL};
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_system_create(&sys, &broken, dae_find_formulation("native"), NULL, NULL, &why));
    assert_non_null(strstr(why.message, "there is no mass"));
    broken = turning;
    broken.first_order.mass_kind = (dae_mass_kind)7;
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_system_create(&sys, &broken, dae_find_formulation("native"), NULL, NULL, &why));
}

/* Two modes with the same u, whose M are others: events see u, and the state has no w. */
static const dae_event falls[] = {
    {.name = "low", .title = "x passes one half", .direction = DAE_FALLING, .value = DAE_MODEL(half), .mode = "plain"},
    {0}};
static const dae_problem plain = {
    .name = "plain", .title = "M = 1", .variables = "x y", .units = "m m", .start = DAE_MODEL(start_turning),
    .first_order = {.n = 2, .rhs = DAE_MODEL(turn_alone)}};
static const dae_problem *const others[] = {&plain, NULL};
static const dae_problem switched = {
    .name = "switched", .variables = "x y", .units = "m m", .start = DAE_MODEL(start_turning), .t_end = 2,
    .first_order = {.n = 2, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(full), .rhs = DAE_MODEL(turn)},
    .events = falls, .mode = "first", .modes = others};

static void modes_share_u(void **state)
{
    static const char *const methods[] = {"radau", "rodas5p", "ida", "dopri5"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        dae_hybrid *h;
        const dae_options o = tolerance(1e-9);
        double x[8];
        assert_int_equal(DAE_OK, dae_hybrid_create(&h, &switched, dae_find_formulation("native"), NULL, NULL,
                                                   dae_find_method(methods[i]), &o, NULL));
        assert_int_equal(2, dae_hybrid_state_size(h));
        assert_int_equal(DAE_OK, dae_hybrid_start(h, 0, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_advance(h, 2));
        assert_int_equal(1, dae_hybrid_mode(h));
        assert_int_equal(DAE_OK, dae_hybrid_state(h, 2, dae_hybrid_unknowns(h), x));
        assert_close(off(&turning, 2, x), 0, 1e-7);
        dae_hybrid_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_are_met),
        cmocka_unit_test(index_2_is_met),
        cmocka_unit_test(orders_are_those_of_index_1),
        cmocka_unit_test(references_agree),
        cmocka_unit_test(quad_steps_are_those_in_doubles),
        cmocka_unit_test(starts_are_made_consistent),
        cmocka_unit_test(the_kernel_may_depend_on_parameters),
        cmocka_unit_test(records_are_checked),
        cmocka_unit_test(modes_share_u),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(start_turning)(const param *p, real *u) { u[0] = 1; }
static void FN(turn_alone)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[1];
    F[1] = u[0];
}

static void FN(full)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = (2 + sin(t)) * x[0] + 0.3 * u[1] * x[1];
    r[1] = 0.1 * u[0] * x[0] + (2 + u[0] * u[0]) * x[1];
}

static void FN(turn)(const param *p, real t, const real *u, real *F)
{
    real slope[2];
    FN(turn_alone)(p, t, u, slope);
    FN(full)(p, t, u, slope, F);
}

static void FN(start_held)(const param *p, real *u) { u[1] = u[2] = 1; }

static void FN(leaving)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = (2 + u[1]) * x[0] + 0.3 * u[0] * x[1];
    r[1] = 0.1 * u[0] * x[0] + (2 + u[0] * u[0]) * x[1];
    r[2] = 0 * x[2];
}

static void FN(hold)(const param *p, real t, const real *u, real *F)
{
    const real slope[3] = {u[1], -u[0], u[2]};
    FN(leaving)(p, t, u, slope, F);
    F[0] += u[2] - exp(sin(t));
    F[2] = u[0] - sin(t);
}

static real FN(half)(const param *p, real t, const real *u, int k) { return u[0] - 0.5; }

static void FN(start_joined)(const param *p, real *u)
{
    u[0] = 1;
    u[1] = 2;
}

/* C(v - x, z) between x and v, and 1 + z^2 for y; row 4 has none. */
static void FN(floating)(const param *p, real t, const real *u, const real *x, real *r)
{
    const real C = 1 / sqrt(1 + (u[1] - u[0]) + u[3] / 4);
    r[0] = C * (x[0] - x[1]);
    r[1] = -2 * r[0];
    r[2] = (1 + u[3] * u[3]) * x[2];
    r[3] = 0 * x[3];
}

/* (x - v)' = v - x at v = x + exp(-t); 2 F1 + F2 = 0 is x^2 + y^2 = 1 with weights */
static void FN(currents)(const param *p, real t, const real *u, real *F)
{
    const real C = 1 / sqrt(1 + (u[1] - u[0]) + u[3] / 4), z = u[3];
    F[0] = C * (u[1] - u[0]);
    F[1] = -2 * F[0] + (u[0] - cos(t)) * (3 + u[2]);
    F[2] = (1 + z * z) * u[0] + z - u[0] * u[2];
    F[3] = 2 * (u[0] * u[2] - z) + (u[0] - cos(t));
}

static void FN(exact_joined)(const param *p, real t, real *u)
{
    u[0] = cos(t);
    u[1] = cos(t) + exp(-t);
    u[2] = sin(t);
    u[3] = sin(t) * cos(t);
}

/* M sees u1 + p u3 and u2 + p^2 u3. */
static void FN(gear)(const param *p, real t, const real *u, const real *x, real *r)
{
    const real a = x[0] + p[0] * x[2], b = x[1] + p[0] * p[0] * x[2];
    r[0] = (2 + u[1] * u[1]) * a + b;
    r[1] = (1 + u[0]) * b - a;
    r[2] = p[0] * a;
}

static void FN(gear_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0];
    F[1] = -u[1];
    F[2] = u[2];
}
#endif
