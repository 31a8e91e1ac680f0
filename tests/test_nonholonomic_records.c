/* test_nonholonomic_records.c - what a record may say of nonholonomic constraints, and modes that have them */
#ifndef DAE_PASS
#include <daelab/model.h>
#include <daelab/check.h>
#include <daelab/method.h>

#include "nonholonomic.h"

static void refused(const dae_problem *problem, const char *words)
{
    dae_system *sys;
    dae_report why = {0};
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_system_create(&sys, problem, dae_find_formulation("index2"), NULL, NULL, &why));
    if (!strstr(why.message, words))
        fail_msg("\"%s\" does not say \"%s\"", why.message, words);
}

TEST(test_records)
{
    dae_problem p = dae_coin;
    dae_system *sys;
    dae_report why = {0};
    p.mechanical.constraint = (dae_map1){0};
    refused(&p, "the record has no constraint");
    p.mechanical.nonholonomic = 4;
    refused(&p, "4 constraints are nonholonomic, of nl = 3");
    p.mechanical.nonholonomic = -1;
    refused(&p, "mechanical.nonholonomic = -1");
    p = dae_skate;
    p.mechanical.minimal = problem_named("pendulum")->mechanical.minimal;
    refused(&p, "minimal coordinates");
    p = *problem_named("hires");
    p.mechanical.nonholonomic = 1;
    p.first_order = problem_named("hires")->first_order;
    refused(&p, "nonholonomic");
    for (int f = 0; dae_formulation_at(f); f++) {
        const dae_formulation *form = dae_formulation_at(f);
        const char *name = dae_formulation_describe(form).name;
        const int there = !strcmp(name, "index2") || !strcmp(name, "index1") || !strcmp(name, "baumgarte");
        assert_int_equal(there, dae_formulation_applies(form, &dae_skate));
        assert_int_equal(there, dae_formulation_applies(form, &dae_coin));
    }
    assert_int_equal(DAE_UNSUPPORTED, dae_system_create(&sys, &dae_coin, dae_find_formulation("index3"), NULL,
                                                        NULL, &why));
    assert_non_null(strstr(why.message, "0 = g(t, q)"));
    assert_int_equal(2, dae_problem_describe(&dae_coin).nonholonomic);
}

/* 0 = vx^2 + vy^2 - 1 is no such constraint, whatever its derivatives. */
TEST(test_not_linear)
{
    enum { MOST_FINDINGS = 8 };
    for (int quick = 0; quick < 2; quick++) {
        dae_finding findings[MOST_FINDINGS];
        dae_problem p = dae_skate;
        int count = 0;
        const dae_check_options how = {.quick = quick};
        p.mechanical.rate = (dae_map2)DAE_MODEL(speed);
        p.mechanical.acceleration = (dae_map3)DAE_MODEL(speed_change);
        p.mechanical.partials = NULL;
        assert_int_equal(DAE_OK, dae_check_model(&p, NULL, NULL, &how, findings, MOST_FINDINGS, &count, NULL));
        int found = 0;
        for (int i = 0; i < count && i < MOST_FINDINGS; i++)
            found |= !strcmp(findings[i].function, "rate") && strstr(findings[i].sentence, "not linear") != NULL;
        assert_true(found);
    }
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* A skate that is held above the ice until t = 1: what it has of velocity across its edge is lost then. */
static double touches(const double *p, double t, const double *x, int k) { return t - 1; }
static const dae_event falls[] = {
    {.name = "touches", .value = {touches}, .direction = DAE_RISING, .mode = "on ice"}, {0}};

static void thrown(const double *p, double *u)
{
    u[2] = 0.5;
    u[3] = 1;
    u[4] = 2;
    u[5] = 0.25;
}

TEST(test_landing)
{
    static const char *const methods[] = {"radau", "dop853", "ida", "auto"};
    dae_problem ice = dae_skate, air = dae_skate;
    const dae_problem *others[] = {&ice, NULL};
    ice.mode = NULL;
    ice.name = "on ice";
    for (int i = 0; i < dae_parameter_count(&air); i++)
        air.parameters[i].value = strcmp(air.parameters[i].name, "slope") ? air.parameters[i].value : 0;
    air.mechanical.nl = air.mechanical.nonholonomic = 0;
    air.mechanical.partials = NULL;
    air.invariants = (dae_invariants){0};
    air.variables = "x y phi vx vy omega";
    air.units = "m m rad m/s m/s rad/s";
    air.start = (dae_start){thrown, NULL, NULL, NULL};
    air.mode = "in the air";
    air.modes = others;
    air.events = falls;
    assert_false(dae_formulation_applies(dae_find_formulation("index3"), &air));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double x[MOST];
        dae_options options = tolerance(1e-10);
        options.project = i ? 0 : DAE_PROJECT_VELOCITY; /* on what one of the modes has */
        OWNED(dae_hybrid) *run = hybrid_of(&air, "index1", NULL, dae_find_method(methods[i]), &options);
        dae_status status = hybrid_to(run, 2);
        if (status)
            fail_msg("%s: %s", methods[i], dae_hybrid_report(run)->message);
        assert_int_equal(1, dae_hybrid_mode(run));
        assert_int_equal(DAE_OK, dae_hybrid_state(run, 2, dae_hybrid_unknowns(run), x));
        const double u = cos(0.75) + 2 * sin(0.75);     /* along the edge, as it touches */
        assert_close(x[3], u * cos(1.0), 1e-8);
        assert_close(x[4], u * sin(1.0), 1e-8);
        assert_close(x[0], 1 + u / 0.25 * (sin(1.0) - sin(0.75)), 1e-8);
    }
}

#else

static void FN(speed)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[0] * v[0] + v[1] * v[1] - 1;
}

static void FN(speed_change)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = 2 * (v[0] * a[0] + v[1] * a[1]);
}

#endif
