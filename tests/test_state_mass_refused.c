/* test_state_mass_refused.c - M(t, u) u' = F(t, u): a kernel that changes, a rank that is lost, an M that changes
 * undeclared, and equations that depend on each other are told */
#ifndef DAE_PASS
enum { CASE };
enum { KERNEL, RANK, SIGN, SMALL };
#include <daelab/model.h>
#include <daelab/check.h>

#include "support.h"
#include "solve_native.h"

#include "reference/reference.h"

#include <string.h>

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

static void changes_of_kernel_and_rank_are_told(void **state)
{
    static const char *const methods[] = {"radau", "rodas4", "ida", "cros", "excros"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        says(methods[i], KERNEL, DAE_MASS_VARIES, DAE_BAD_ARGUMENT, "its kernel must be constant");
        says(methods[i], RANK, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
        says(methods[i], SIGN, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
        says(methods[i], SMALL, DAE_MASS_TRIED, DAE_BAD_ARGUMENT, ".mass_kind = DAE_MASS_VARIES");
        says(methods[i], SMALL, DAE_MASS_VARIES, DAE_OK, "");
    }
    says("dopri5", SIGN, DAE_MASS_VARIES, DAE_SINGULAR, "has lost its rank");
}

static void references_tell_too(void **state)
{
    static const double cases[] = {KERNEL, RANK, SIGN};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const dae_problem problem = i < 3 ? bad(cases[i], DAE_MASS_VARIES) : bad(SMALL, DAE_MASS_TRIED);
        double u[8];
        dae_reference r;
        dae_system *sys;
        dae_report why = {0};
        assert_int_equal(DAE_OK, dae_system_create(&sys, &problem, dae_find_formulation("native"), NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_not_equal(DAE_OK, dae_reference_solve(&r, sys, 0, u, &problem.t_end, 1, &why));
        assert_true(strlen(why.message) > 0);
        dae_system_free(sys);
    }
}

/* Equations that depend on each other are told by their numbers in the record. */
static void dependent_equations_are_told(void **state)
{
    const dae_problem twice = {.name = "twice", .variables = "x y z", .units = "- - -", .t_end = 1,
                               .start = DAE_MODEL(start_twice),
                               .first_order = {.n = 3, .index = 1, .mass_kind = DAE_MASS_VARIES,
                                               .mass = DAE_MODEL(first_alone), .rhs = DAE_MODEL(second_twice)}};
    dae_finding found[8];
    int count = 0, told = 0;
    (void)state;
    assert_int_equal(DAE_OK, dae_check_model(&twice, NULL, NULL, NULL, found, 8, &count, NULL));
    for (int i = 0; i < count && i < 8; i++)
        told |= strstr(found[i].sentence, "rows 1, 3 depend on each other") != NULL;
    assert_true(told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_of_kernel_and_rank_are_told),
        cmocka_unit_test(references_tell_too),
        cmocka_unit_test(dependent_equations_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

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
