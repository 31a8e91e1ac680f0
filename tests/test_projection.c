/* test_projection.c - steps moved onto the constraints, by every method */

#include "projections.h"

/* ---- constraints ---------------------------------------------------------------------------- */

/* L = 5, |v| < 7. Without projection rk4 and IDA leave the circle. On the circle explicit Euler
 * gains energy without end: it needs small steps to come to t = 1000. */
TEST(test_every_method_stays)
{
    for (int m = 0; dae_method_at(m); m++) {
        const double rtol = strcmp(name_at(m), "euler") ? 1e-4 : 1e-6;
        const result r = run("pendulum", "index1", name_at(m), tolerance(rtol), BOTH, 1000);
        if (r.status == DAE_UNSUPPORTED)
            continue;
        assert_on_constraints(&r, 5, name_at(m));
        assert_true(r.count.projections > 0 && r.count.projections <= r.count.steps);
        assert_true(r.count.correction > 0 && r.count.correction < 1e-2);
    }
    assert_true(run("pendulum", "index1", "rk4", tolerance(1e-4), 0, 100).seen.level[0] > 1e-6);
    assert_true(run("pendulum", "index1", "ida", tolerance(1e-4), 0, 100).seen.level[0] > 1e-6);
}

TEST(test_fixed_steps_stay)
{
    dae_options options = dae_default_options();
    for (int m = 0; dae_method_at(m); m++) {
        const int euler = strcmp(name_at(m), "euler") == 0;     /* gains energy without end */
        options.step = euler ? 1e-3 : 1e-2;
        if (dae_method_describe(dae_method_at(m)).fixed) {
            const result r =
                run("pendulum", "index1", name_at(m), options, BOTH, euler ? 10 : 100);
            if (r.status == DAE_UNSUPPORTED)
                continue;
            assert_on_constraints(&r, 5, name_at(m));
            assert_int_equal(0, r.count.too_far);
        }
    }
}

/* Chains of 20 links have a banded S, slider_crank carries accelerations. */
TEST(test_every_form_stays)
{
    static const struct { const char *problem; double t_end, scale; } cases[] = {
        {"pendulum", 5, 5}, {"slider_crank", 0.05, 200}, {"double_pendulum", 2, 10},
        {"car_axis", 1, 10}, {"chain", 0.5, 20}};
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
    static const char *const methods[] = {"cros", "rodas4", "radau5", "dopri5", "excros", "ida"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t f = 0; f < 5; f++)
            for (size_t m = 0; m < 6; m++) {
                char what[96];
                const result r = run(cases[c].problem, forms[f], methods[m], tolerance(1e-4), BOTH,
                                     cases[c].t_end);
                const result alone = run(cases[c].problem, forms[f], methods[m], tolerance(1e-4), 0,
                                         cases[c].t_end);
                snprintf(what, sizeof what, "%s %s %s", cases[c].problem, forms[f], methods[m]);
                if (alone.status)
                    assert_int_equal(alone.status, r.status);
                else
                    assert_on_constraints(&r, cases[c].scale, what);
            }
}

TEST(test_many_constraints)
{
    double p[8], u[4 * MOST_UNKNOWNS];
    const dae_problem *chain = problem_named("chain");
    default_parameters(chain, p);
    p[dae_parameter_index(chain, "N")] = 20;
    OWNED(dae_system) *sys = consistent_system(chain, "index1", p, u);
    static const char *const methods[] = {"cros", "dopri5", "radau5", "ida"};
    for (int m = 0; m < 4; m++) {
        const result r =
            run_system(sys, dae_find_method(methods[m]), tolerance(1e-5), BOTH, 0.5, u);
        assert_on_constraints(&r, 20, methods[m]);
    }
}

/* Each level by itself; only the other one drifts. */
TEST(test_one_level)
{
    const result q = run("pendulum", "index1", "cros", tolerance(1e-5), DAE_PROJECT_POSITION, 20);
    const result v = run("pendulum", "index1", "cros", tolerance(1e-5), DAE_PROJECT_VELOCITY, 20);
    assert_true(q.seen.level[0] < 5e-14 && q.seen.level[1] > 1e-9);
    assert_true(v.seen.level[1] < 5e-14 && v.seen.level[0] > 1e-9);
}

/* A start off the circle is moved onto it however far that is. */
TEST(test_start_as_given)
{
    static const char *const methods[] = {"cros", "radau5", "rk4", "dopri5", "ida"};
    for (int m = 0; m < 5; m++) {
        double u[8];
        OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
        u[0] += 0.1;
        const result r =
            run_system(sys, dae_find_method(methods[m]), tolerance(1e-5), BOTH, 2, u);
        assert_on_constraints(&r, 5, methods[m]);
    }
}

/* ---- orders --------------------------------------------------------------------------------- */

/* Global errors of (q, v) at t = 2 for two steps, against radau13 at 1e-13. */
TEST(test_orders_stay)
{
    static const struct { const char *method, *form; double order, h; } cases[] = {
        {"cros", "index1", 2, 0.01},   {"cros", "index2", 2, 0.005}, {"heun", "index1", 2, 0.01},
        {"cros4", "index1", 3, 0.02},  {"rk4", "index1", 4, 0.02},   {"rodas4", "index1", 4, 0.02},
        {"dopri5", "index1", 5, 0.05}, {"radau5", "index1", 5, 0.1}, {"radau5", "index2", 5, 0.1},
        {"radau5", "index3", 5, 0.1}};  /* raw v: 3, as its error is normal to the constraint */
    const result exact = run("pendulum", "index1", "radau13", tolerance(1e-13), 0, 2);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            dae_options options = dae_default_options();
            options.step = cases[c].h / (k + 1);
            const result r = run("pendulum", cases[c].form, cases[c].method, options, BOTH, 2);
            assert_on_constraints(&r, 5, cases[c].method);
            error[k] = distance(r.u, exact.u, 4);
        }
        const double order = log2(error[0] / error[1]);
        if (!(order > cases[c].order - 0.25))
            fail_msg("%s %s: order %g, errors %g %g", cases[c].method, cases[c].form, order,
                     error[0], error[1]);
    }
}

/* ---- between steps -------------------------------------------------------------------------- */

typedef struct {
    dae_solver *solver;
    double t_old, u_old[4], jump, error;
} between;

static int look_between(void *context, double t, const double *u)
{
    between *b = context;
    const double *p = (const double[]){1, 1, 0.6}, middle = (b->t_old + t) / 2;
    double x[4], exact[4];
    assert_int_equal(DAE_OK, dae_solver_interpolate(b->solver, b->t_old, x));
    b->jump = fmax(b->jump, distance(x, b->u_old, 4));
    assert_int_equal(DAE_OK, dae_solver_interpolate(b->solver, middle, x));
    problem_named("kepler")->first_order.exact.f(p, middle, exact);
    b->error = fmax(b->error, distance(x, exact, 4));
    b->t_old = t;
    memcpy(b->u_old, u, sizeof b->u_old);
    return 0;
}

static int has_dense_output(int m)
{
    return dae_method_describe(dae_method_at(m)).dense_output;
}

/* Dense output goes through the states before and after, and is as good with as without. */
TEST(test_dense_output)
{
    for (int m = 0; dae_method_at(m); m++) {
        double error[2];
        if (!has_dense_output(m))
            continue;
        for (int k = 0; k < 2; k++) {
            between b = {0};
            double u[4];
            OWNED(dae_system) *sys = system_at_start("kepler", "native", 0, u);
            dae_options options = tolerance(1e-6);
            options.project = k ? ON_INVARIANT : 0;
            b.solver = solver_of(sys, dae_method_at(m), &options, 0, NULL);
            memcpy(b.u_old, u, sizeof u);
            dae_solver_observe(b.solver, look_between, &b);
            assert_int_equal(DAE_OK, dae_solver_start(b.solver, 0, u));
            assert_int_equal(DAE_OK, dae_solver_advance(b.solver, 10, u));
            if (!(b.jump <= 1e-12))
                fail_msg("%s, %s: jump %g", name_at(m), k ? "held" : "loose", b.jump);
            error[k] = b.error;
            dae_solver_free(b.solver);
        }
        if (!(error[1] <= 2 * error[0] + 1e-5))
            fail_msg("%s: %g with, %g without projection", name_at(m), error[1], error[0]);
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

TEST(test_refusals)
{
    static const struct {
        const char *problem, *form;
        unsigned project;
        dae_status status;
        const char *says;
    } cases[] = {
        {"predator_prey", "native", DAE_PROJECT_POSITION, DAE_UNSUPPORTED, "of first order"},
        {"kepler", "native", DAE_PROJECT_VELOCITY | ON_INVARIANT, DAE_UNSUPPORTED,
         "of first order"},
        {"pendulum", "ode", DAE_PROJECT_VELOCITY, DAE_UNSUPPORTED, "minimal coordinates"},
        {"pendulum", "index1", ON_INVARIANT, DAE_UNSUPPORTED, "states no invariants"},
        {"robertson", "native", ON_INVARIANT, DAE_UNSUPPORTED, "states no invariants"},
        {"pendulum", "index1", 8, DAE_BAD_ARGUMENT, "DAE_PROJECT_"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int m = 0; m < 2; m++) {
            const result r = run(cases[c].problem, cases[c].form, m ? "ida" : "radau5",
                                 tolerance(1e-4), cases[c].project, 0.1);
            assert_int_equal(cases[c].status, r.status);
            if (!strstr(r.said, cases[c].says) || !strstr(r.said, c == 5 ? "8" : cases[c].problem))
                fail_msg("%s", r.said);
        }
}

/* A mode without constraints is not asked for them where another one has some. */
TEST(test_modes)
{
    dae_options options = tolerance(1e-8);
    dae_report why = {0};
    options.project = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY;
    OWNED(dae_hybrid) *hybrid = started_hybrid(problem_named("string_pendulum"), "index1", NULL,
                                                 dae_find_method("rodas4"), &options);
    assert_int_equal(DAE_OK, dae_hybrid_advance(hybrid, 0.5));
    const double *u = dae_hybrid_unknowns(hybrid);
    assert_close(u[0] * u[0] + u[1] * u[1], 1.21, 1e-14);
    assert_int_equal(DAE_EVENT, dae_hybrid_advance(hybrid, 2));
    assert_close(dae_hybrid_time(hybrid), 1.12183197981094, 1e-7);
    assert_true(dae_hybrid_statistics(hybrid).projections > 10);
    dae_hybrid_free(hybrid);
    assert_int_equal(DAE_UNSUPPORTED, dae_hybrid_create(&hybrid, problem_named("bouncing_ball"),
                                                        dae_find_formulation("index1"), NULL, NULL,
                                                        dae_find_method("rodas4"), &options, &why));
}
