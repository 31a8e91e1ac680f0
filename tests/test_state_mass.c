/* test_state_mass.c - M(t, u) u' = F(t, u): every method and the quad reference against closed forms and each
 * other, and orders */
#ifndef DAE_PASS
enum { CASE };
enum { KERNEL, RANK, SIGN, SMALL };
#include <daelab/model.h>
#include <daelab/check.h>
#include <daelab/sensitivity.h>

#include "support.h"
#include "solve_native.h"

#include "reference/reference.h"

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

TEST(closed_forms_are_met)
{
    for (size_t i = 0; i < sizeof implicit / sizeof *implicit; i++) {
        meets(&turning, implicit[i], 1e-6);
        meets(&joined, implicit[i], 1e-6);
    }
    for (size_t i = 0; i < sizeof explicit_too / sizeof *explicit_too; i++)
        meets(&turning, explicit_too[i], 1e-6);
}

/* Of index 2: sin t, cos t and the force, of which methods have an order less. */
TEST(index_2_is_met)
{
    static const struct { const char *method; double most, of_force; } runs[] = {
        {"radau", 1e-6, 1e-4}, {"radau5", 1e-6, 1e-4}, {"rodas4", 1e-5, 1e-3}, {"ida", 1e-4, 1e-2},
        {"excros", 1e-5, 1e-3}};
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
TEST(orders_are_those_of_index_1)
{
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

TEST(references_agree)
{
    const dae_problem *const problems[] = {&turning, &joined, problem_named("varactor")};
    for (int k = 0; k < 3; k++) {
        const dae_problem *problem = problems[k];
        const int n = problem->first_order.n;
        double u[8], end[8];
        OWNED(dae_reference) r = {0};
        dae_report why = {0};
        const dae_options o = tolerance(1e-11);
        OWNED(dae_system) *sys = consistent_system(problem, "native", NULL, u);
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
    }
}

/* Steps of methods in quad precision: those in doubles, but for rounding. */
TEST(quad_steps_are_those_in_doubles)
{
    static const char *const methods[] = {"cros", "rodas4", "radau5", "dopri5"};
    for (int k = 0; k < 4; k++) {
        const dae_problem *problem = k < 3 ? &joined : &turning;
        double u[8], u0[8];
        OWNED(dae_reference) r = {0};
        dae_options o = dae_default_options();
        dae_report why = {0};
        o.step = 0.1;
        assert_int_equal(DAE_OK, solve(problem, methods[k], &o, u, &why));
        OWNED(dae_system) *sys = system_of(problem, "native", NULL, u0);
        if (dae_quad_steps(&r, NULL, sys, dae_find_method(methods[k]), 0, 0, start_in_quad(sys, u0).u, &problem->t_end,
                           1, 20, &why))
            fail_msg("%s: %s", methods[k], why.message);
        for (int i = 0; i < r.nq; i++)
            assert_close(u[i], (double)r.q[i], 2e-14);
    }
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* z is off: it is solved for, and w, of which nothing is told. Then nothing moves. */
TEST(starts_are_made_consistent)
{
    double u[8];
    dae_start_change change;
    OWNED(dae_system) *sys = system_of(&joined, "native", NULL, NULL);
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
}

/* ---- derivatives with respect to parameters --------------------------------------------------- */

/* The kernel depends on the parameter: d(M x)/dp against systems of other parameters. */
TEST(the_kernel_may_depend_on_parameters)
{
    const dae_problem geared = {.name = "geared", .start = DAE_MODEL(start_turning), .t_end = 1,
                                .parameters = {{"ratio", 0.75, "-", "", DAE_ANY_VALUE}},
                                .first_order = {.n = 3, .index = 1, .mass_kind = DAE_MASS_VARIES,
                                                .mass = DAE_MODEL(gear), .rhs = DAE_MODEL(gear_rhs)}};
    const double x[5] = {1, 2, 3, 4, 5}, h = 1e-5;
    double out[3][5], p;
    for (int k = -1; k <= 1; k++) {
        p = 0.75 + h * k;
        OWNED(dae_system) *sys = system_of(&geared, "native", &p, NULL);
        assert_int_equal(5, dae_system_size(sys));
        if (k)
            dae_system_mass(sys, x, out[1 + k]);
        else
            assert_int_equal(DAE_OK, dae_system_mass_parameters(sys, x, out[1], NULL));
    }
    for (int i = 0; i < 5; i++)
        assert_close(out[1][i], (out[2][i] - out[0][i]) / (2 * h), 1e-8);
    assert_true(fabs(out[1][0]) > 1);
}

/* ---- records --------------------------------------------------------------------------------- */

TEST(records_are_checked)
{
    dae_problem broken = turning;
    dae_system *sys;
    dae_report why = {0};
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

TEST(modes_share_u)
{
    static const char *const methods[] = {"radau", "rodas5p", "ida", "dopri5"};
    for (int i = 0; i < 4; i++) {
        const dae_options o = tolerance(1e-9);
        double x[8];
        OWNED(dae_hybrid) *h = hybrid_of(&switched, "native", NULL, dae_find_method(methods[i]), &o);
        assert_int_equal(2, dae_hybrid_state_size(h));
        assert_int_equal(DAE_OK, dae_hybrid_start(h, 0, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_advance(h, 2));
        assert_int_equal(1, dae_hybrid_mode(h));
        assert_int_equal(DAE_OK, dae_hybrid_state(h, 2, dae_hybrid_unknowns(h), x));
        assert_close(off(&turning, 2, x), 0, 1e-7);
    }
}

/* ---- what is refused -------------------------------------------------------------------------- */

/* M(t, u) u' = F(t, u): a kernel that changes, a rank that is lost, an M that changes
 * undeclared, and equations that depend on each other are told */

/* KERNEL: d(x y)/dt and x = y + 1, RANK: max(0, 1 - t) y' = -y, SIGN: (1 - t) y' = ..., */
static dae_problem bad(double what, dae_mass_kind kind)
{
    return (dae_problem){.name = "bad", .variables = "x y", .start = DAE_MODEL(start_bad), .t_end = 2,
                         .parameters = {{"case", what, "-", "", DAE_ANY_VALUE}},
                         .first_order = {.n = 2, .index = what == KERNEL, .mass_kind = kind,
                                         .mass = DAE_MODEL(bad_mass), .rhs = DAE_MODEL(bad_rhs)}};
}

static void says(const char *method, double what, dae_mass_kind kind, dae_status expected, const char *words)
{
    double u[8];
    dae_report why = {0};
    const dae_problem problem = bad(what, kind);
    const dae_options o = tolerance(1e-6);
    const dae_status status = solve(&problem, method, &o, u, &why);
    if (status != expected || !strstr(why.message, words))
        fail_msg("%s, case %g: %d, %s", method, what, status, why.message);
}

TEST(changes_of_kernel_and_rank_are_told)
{
    static const char *const methods[] = {"radau", "rodas4", "ida", "cros", "excros"};
    for (int i = 0; i < 5; i++) {
        says(methods[i], KERNEL, DAE_MASS_VARIES, DAE_BAD_ARGUMENT, "its kernel must be constant");
        says(methods[i], RANK, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
        says(methods[i], SIGN, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
        says(methods[i], SMALL, DAE_MASS_TRIED, DAE_BAD_ARGUMENT, ".mass_kind = DAE_MASS_VARIES");
        says(methods[i], SMALL, DAE_MASS_VARIES, DAE_OK, "");
    }
    says("dopri5", SIGN, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
}

TEST(references_tell_too)
{
    static const double cases[] = {KERNEL, RANK, SIGN};
    for (int i = 0; i < 4; i++) {
        const dae_problem problem = i < 3 ? bad(cases[i], DAE_MASS_VARIES) : bad(SMALL, DAE_MASS_TRIED);
        double u[8];
        dae_reference r;
        dae_report why = {0};
        OWNED(dae_system) *sys = system_of(&problem, "native", NULL, u);
        assert_int_not_equal(DAE_OK, dae_reference_solve(&r, sys, 0, u, &problem.t_end, 1, &why));
        assert_true(strlen(why.message) > 0);
    }
}

/* Equations that depend on each other are told by their numbers in the record. */
TEST(dependent_equations_are_told)
{
    const dae_problem twice = {.name = "twice", .variables = "x y z", .units = "- - -", .t_end = 1,
                               .start = DAE_MODEL(start_twice),
                               .first_order = {.n = 3, .index = 1, .mass_kind = DAE_MASS_VARIES,
                                               .mass = DAE_MODEL(first_alone), .rhs = DAE_MODEL(second_twice)}};
    dae_finding found[8];
    int count = 0, told = 0;
    assert_int_equal(DAE_OK, dae_check_model(&twice, NULL, NULL, NULL, found, 8, &count, NULL));
    for (int i = 0; i < count && i < 8; i++)
        told |= strstr(found[i].sentence, "rows 1, 3 depend on each other") != NULL;
    assert_true(told);
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

static void FN(start_bad)(const param *p, real *u)
{
    u[0] = 2;
    u[1] = 1;
}

static void FN(bad_mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    const int kind = (int)value(p[CASE]);
    r[0] = x[0];
    if (kind == KERNEL) {
        r[0] = u[1] * x[0] + u[0] * x[1];
        r[1] = 0 * x[1];
    } else if (kind == RANK) {
        r[1] = (value(t) < 1 ? (1 - t) * (1 - t) : 0 * t) * x[1] + 0.5 * x[0];
        r[0] = x[0] + u[0] * r[1];
    } else if (kind == SIGN) {
        r[1] = (1.25 - t) * x[1];
    } else {
        r[1] = (1 + 1e-3 * u[0] * u[0]) * x[1];
    }
}

static void FN(bad_rhs)(const param *p, real t, const real *u, real *F)
{
    const int kind = (int)value(p[CASE]);
    F[0] = -u[0] / 4;
    F[1] = kind == KERNEL ? u[0] - u[1] - 1 : kind == SIGN ? u[1] * (1.25 - t) : -u[1];
}

/* (1 + y^2) y' = -y,  0 = x + z - y twice */
static void FN(first_alone)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = r[2] = 0 * x[0];
    r[1] = (1 + u[1] * u[1]) * x[1];
}

static void FN(second_twice)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[0] + u[2] - u[1];
    F[1] = -u[1];
    F[2] = 2 * F[0];
}

static void FN(start_twice)(const param *p, real *u) { u[0] = u[1] = 1; }

#endif
