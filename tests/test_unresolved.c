/* test_unresolved.c - an error that no step of a study resolves is not the method's
 *
 *     x' = v,   v' = -w^2 (x - cos t) - cos t,   x(0) = 1 + 1e-13,  v(0) = 0
 *
 * moves along cos t, and around it with w = 1000 1/s and an amplitude of 1e-13 m, which Radau IIA damps in
 * its first steps: its errors stay what they are however small the steps of a study. With w = 20 they fall.
 */
#ifndef DAE_PASS
enum { W };
#include <daelab/model.h>

#include "support.h"

#include "study/converge.h"

static const dae_problem fast = {.name = "fast", .variables = "x v", .units = "m m/s",
                                 .parameters = {{"w", 20, "1/s", "", DAE_POSITIVE}},
                                 .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)},
                                 .start = DAE_MODEL(start), .t_end = 3};

static void observe(double w, order_result *o)
{
    study s;
    converge_curve c = {.value = 0};
    study_specification spec = study_default_specification(&fast);
    spec.run.parameters = &w;
    assert_int_equal(0, study_begin(&s, &spec.run, REFERENCE_ON_PATH, 0, NULL));
    converge_plan(&c, &spec, &s, dae_find_formulation("native"), dae_find_method("radau"));
    converge_run(&spec, &s, &c);
    *o = c.order[DAE_DIFFERENTIAL];
    converge_free(&c);
    study_end(&s);
}

TEST(test_fast)
{
    order_result o;
    observe(20, &o);
    assert_string_equal(o.verdict, "agrees");
    observe(1000, &o);
    assert_string_equal(o.verdict, "not determined");
    assert_non_null(strstr(o.reason, "fastest mode"));
}

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = 1 + (param)1e-13;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[W] * p[W] * (u[0] - cos(t)) - cos(t);
}

#endif
