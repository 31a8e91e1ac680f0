/* test_algebraic_invariant.c - an invariant that algebraic unknowns enter is held by the others:
 * what an equation determines is not moved
 *
 *     x' = y z,   y' = -x z,   0 = z - 1,     I = x^2 + y^2 + z
 */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "projections.h"

#include <float.h>

static void start(const double *p, double *u)
{
    (void)p;
    memcpy(u, (double[]){0.6, 0.8, 1}, 3 * sizeof *u);
}

static const dae_problem rotation = {
    .name = "rotation", .variables = "x y z", .units = "- - -", .start = {start}, .t_end = 3,
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .invariants = {.n = 1, .value = DAE_MODEL(invariant), .names = "I", .units = "-"}};

/* z = 1 is linear: every method has it to rounding, whatever its tolerance. */
static void test_algebraic_stays(void **state)
{
    (void)state;
    int runs = 0, drifted = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        dae_system *sys;
        double u[3];
        if (!info.implicit || !info.adaptive)
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &rotation, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        const result held =
            run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 3, u);
        const result loose = run_system(sys, dae_method_at(m), tolerance(1e-4), 0, 3, u);
        if (held.status == DAE_UNSUPPORTED) {           /* an algebraic equation is too much */
            dae_system_free(sys);
            continue;
        }
        if (held.status)
            fail_msg("%s: %s", info.name, held.said);
        drifted += loose.seen.invariant > 1e-9;
        if (!(held.seen.invariant < 64 * DBL_EPSILON))
            fail_msg("%s: the invariant is off by %.3g", info.name, held.seen.invariant);
        assert_close(held.u[2], 1, 64 * DBL_EPSILON);
        runs++;
        dae_system_free(sys);
    }
    assert_true(runs >= 5 && drifted >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_algebraic_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0 * x[2];
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] * u[2];
    F[1] = -u[0] * u[2];
    F[2] = u[2] - 1;
}

static void FN(invariant)(const param *p, real t, const real *u, real *I)
{
    I[0] = u[0] * u[0] + u[1] * u[1] + u[2];
}

#endif
