/* test_projection.c - steps moved onto constraints and invariants, by every method */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOTH = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY, ON_INVARIANT = DAE_PROJECT_INVARIANT };

/* ---- largest residuals along a run ---------------------------------------------------------- */

typedef struct {
    dae_system *sys;
    double level[2];            /* max |g|, max |dg/dt| */
    double invariant;           /* max |I - I0|/(1 + |I0|) */
    double first[4];
    long looks;
} watched;

static int look(void *context, double t, const double *u)
{
    watched *w = context;
    const dae_problem *problem = dae_system_problem(w->sys);
    double out[4 * MOST_UNKNOWNS], x[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS];
    for (int k = 0; k < 2 && dae_system_positions(w->sys); k++)
        for (int i = dae_system_constraint(w->sys, k, t, u, out) - 1; i >= 0; i--)
            w->level[k] = fmax(w->level[k], fabs(out[i]));
    if (problem->invariants.n) {
        const int nq = dae_system_positions(w->sys);
        if (nq)
            dae_system_split(w->sys, t, u, x, x + nq, lambda);
        problem->invariants.value.f(dae_system_parameters(w->sys), t, nq ? x : u, out);
        for (int i = 0; i < problem->invariants.n; i++) {
            if (w->looks == 0)
                w->first[i] = out[i];
            w->invariant = fmax(w->invariant,
                                fabs(out[i] - w->first[i]) / (1 + fabs(w->first[i])));
        }
    }
    w->looks++;
    return 0;
}

typedef struct {
    dae_status status;
    char said[320];
    watched seen;
    dae_statistics count;
    double u[4 * MOST_UNKNOWNS];
} result;

static result run_system(dae_system *sys, const dae_method *method, dae_options options,
                         unsigned project, double t_end, const double *start)
{
    result r = {.seen = {.sys = sys}};
    dae_report why = {0};
    dae_solver *solver;
    const double t0 = dae_system_problem(sys)->t0;
    options.project = project;
    memcpy(r.u, start, (size_t)dae_system_size(sys) * sizeof *start);
    r.status = dae_solver_create(&solver, sys, method, &options, &why);
    if (!r.status) {
        look(&r.seen, t0, r.u);
        r.seen.level[0] = r.seen.level[1] = 0;          /* a start may lie off */
        dae_solver_observe(solver, look, &r.seen);
        r.status = dae_solver_start(solver, t0, r.u);
        if (!r.status)
            r.status = dae_solver_advance(solver, t_end, r.u);
        why = *dae_solver_report(solver);
        r.count = dae_solver_statistics(solver);
    }
    snprintf(r.said, sizeof r.said, "%s", why.message);
    dae_solver_free(solver);
    return r;
}

static result run(const char *problem, const char *form, const char *method, dae_options options,
                  unsigned project, double t_end)
{
    double u[4 * MOST_UNKNOWNS];
    dae_system *sys = system_at_start(problem, form, 0, u);
    const result r = run_system(sys, dae_find_method(method), options, project, t_end, u);
    dae_system_free(sys);
    return r;
}

static const char *name_at(int m) { return dae_method_describe(dae_method_at(m)).name; }

/* Both levels at rounding; scale: of |q| and |v|. */
static void assert_on_constraints(const result *r, double scale, const char *what)
{
    if (r->status)
        fail_msg("%s: %s", what, r->said);
    if (!(r->seen.level[0] <= 1e-14 * scale && r->seen.level[1] <= 1e-14 * scale))
        fail_msg("%s: |g| = %g, |dg/dt| = %g", what, r->seen.level[0], r->seen.level[1]);
}

/* ---- constraints ---------------------------------------------------------------------------- */

/* L = 5, |v| < 7. Without projection rk4 and IDA leave the circle. On the circle explicit Euler gains
 * energy without end: it needs small steps to come to t = 1000. */
static void test_every_method_stays(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const double rtol = strcmp(name_at(m), "euler") ? 1e-4 : 1e-6;
        const result r = run("pendulum", "index1", name_at(m), tolerance(rtol), BOTH, 1000);
        assert_on_constraints(&r, 5, name_at(m));
        assert_true(r.count.projections > 0 && r.count.projections <= r.count.steps);
        assert_true(r.count.correction > 0 && r.count.correction < 1e-2);
    }
    assert_true(run("pendulum", "index1", "rk4", tolerance(1e-4), 0, 100).seen.level[0] > 1e-6);
    assert_true(run("pendulum", "index1", "ida", tolerance(1e-4), 0, 100).seen.level[0] > 1e-6);
}

static void test_fixed_steps_stay(void **state)
{
    (void)state;
    dae_options options = dae_default_options();
    for (int m = 0; dae_method_at(m); m++) {
        const int euler = strcmp(name_at(m), "euler") == 0;     /* gains energy without end */
        options.step = euler ? 1e-3 : 1e-2;
        if (dae_method_describe(dae_method_at(m)).fixed) {
            const result r =
                run("pendulum", "index1", name_at(m), options, BOTH, euler ? 10 : 100);
            assert_on_constraints(&r, 5, name_at(m));
            assert_int_equal(0, r.count.too_far);
        }
    }
}

/* Chains of 20 links have a banded S, slider_crank carries accelerations. */
static void test_every_form_stays(void **state)
{
    (void)state;
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

static void test_many_constraints(void **state)
{
    (void)state;
    double p[8], u[4 * MOST_UNKNOWNS];
    dae_report why = {0};
    dae_system *sys;
    const dae_problem *chain = problem_named("chain");
    for (int i = 0; i < dae_parameter_count(chain); i++)
        p[i] = chain->parameters[i].value;
    p[dae_parameter_index(chain, "N")] = 20;
    if (dae_system_create(&sys, chain, dae_find_formulation("index1"), p, NULL, &why)
        || dae_system_start(sys, u, &why) || dae_consistent_start(sys, 0, u, NULL, &why))
        fail_msg("%s", why.message);
    static const char *const methods[] = {"cros", "dopri5", "radau5", "ida"};
    for (int m = 0; m < 4; m++) {
        const result r =
            run_system(sys, dae_find_method(methods[m]), tolerance(1e-5), BOTH, 0.5, u);
        assert_on_constraints(&r, 20, methods[m]);
    }
    dae_system_free(sys);
}

/* Each level by itself; only the other one drifts. */
static void test_one_level(void **state)
{
    (void)state;
    const result q = run("pendulum", "index1", "cros", tolerance(1e-5), DAE_PROJECT_POSITION, 20);
    const result v = run("pendulum", "index1", "cros", tolerance(1e-5), DAE_PROJECT_VELOCITY, 20);
    assert_true(q.seen.level[0] < 5e-14 && q.seen.level[1] > 1e-9);
    assert_true(v.seen.level[1] < 5e-14 && v.seen.level[0] > 1e-9);
}

/* A start off the circle is moved onto it however far that is. */
static void test_start_as_given(void **state)
{
    (void)state;
    static const char *const methods[] = {"cros", "radau5", "rk4", "dopri5", "ida"};
    for (int m = 0; m < 5; m++) {
        double u[8];
        dae_system *sys = system_at_start("pendulum", "index1", 0, u);
        u[0] += 0.1;
        const result r =
            run_system(sys, dae_find_method(methods[m]), tolerance(1e-5), BOTH, 2, u);
        assert_on_constraints(&r, 5, methods[m]);
        dae_system_free(sys);
    }
}

/* ---- orders --------------------------------------------------------------------------------- */

/* Global errors of (q, v) at t = 2 for two steps, against radau13 at 1e-13. */
static void test_orders_stay(void **state)
{
    (void)state;
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

/* ---- invariants ----------------------------------------------------------------------------- */

static const double period = 5.48813846813882624550304;

/* Over whole periods of predator_prey the exact state is the start (3, 1). */
static void test_predator_prey(void **state)
{
    (void)state;
    static const char *const methods[] = {"cros", "cros4", "radau5", "dopri5", "ida"};
    const double start[2] = {3, 1};
    for (int m = 0; m < 5; m++) {
        const double rtol = m == 0 ? 1e-6 : 1e-8;       /* cros is of order 2 */
        const result free_run = run("predator_prey", "native", methods[m], tolerance(rtol), 0,
                                    20 * period);
        const result ten = run("predator_prey", "native", methods[m], tolerance(rtol), 0,
                               10 * period);
        const result held = run("predator_prey", "native", methods[m], tolerance(rtol),
                                ON_INVARIANT, 20 * period);
        assert_false(free_run.status || ten.status || held.status);
        assert_true(held.seen.invariant < 1e-14);
        assert_true(free_run.seen.invariant > 1e-9);
        assert_true(free_run.seen.invariant > 1.5 * ten.seen.invariant);
        assert_true(distance(held.u, start, 2) <= distance(free_run.u, start, 2));
        assert_true(distance(held.u, start, 2) < 1e-3);
    }
}

/* Every method, energy and angular momentum, an eccentric and a circular orbit; in the circular one
 * both gradients are parallel, and only the energy is held. */
static void test_kepler(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++)
        for (int m = 0; dae_method_at(m); m++) {
            const double p[3] = {1, 1, circle ? 0 : 0.6};
            double u[4], exact[4];
            dae_system *sys;
            const dae_problem *kepler = problem_named("kepler");
            assert_int_equal(DAE_OK, dae_system_create(&sys, kepler, dae_find_formulation("native"),
                                                       p, NULL, NULL));
            assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
            const double t_end = 6 * 3.14159265358979324;
            kepler->first_order.exact.f(p, t_end, exact);
            const result held =
                run_system(sys, dae_method_at(m), tolerance(1e-6), ON_INVARIANT, t_end, u);
            const result loose = run_system(sys, dae_method_at(m), tolerance(1e-6), 0, t_end, u);
            if (held.status)
                fail_msg("%s: %s", name_at(m), held.said);
            if (!(held.seen.invariant < (circle ? loose.seen.invariant : 1e-14)))
                fail_msg("%s: invariants %g", name_at(m), held.seen.invariant);
            assert_true(loose.seen.invariant > 1e-9);
            assert_true(distance(held.u, exact, 4) <= fmax(distance(loose.u, exact, 4), 1e-4));
            dae_system_free(sys);
        }
}

/* Constraints and invariants of a mechanical problem together. */
static void test_all_levels(void **state)
{
    (void)state;
    static const char *const methods[] = {"cros", "cros4", "rk4", "rodas4", "radau5", "dopri5",
                                          "dop853", "ida"};
    for (int m = 0; m < 8; m++) {
        const result r = run("spherical_pendulum", "index1", methods[m], tolerance(1e-5),
                             BOTH | ON_INVARIANT, 50);
        assert_on_constraints(&r, 5, methods[m]);
        assert_true(r.seen.invariant < 1e-14);
        assert_true(run("spherical_pendulum", "index1", methods[m], tolerance(1e-5), BOTH, 50)
                        .seen.invariant > 1e-8);
    }
}

static void energy_of(const double *p, double t, const double *x, double *I)
{
    const dae_problem *d = problem_named("double_pendulum");
    d->mechanical.energy.f(p, t, x, x + d->mechanical.nq, I);
}

static void energy_of_dual(const double *p, dae_dual t, const dae_dual *x, dae_dual *I)
{
    const dae_problem *d = problem_named("double_pendulum");
    d->mechanical.energy.dual(p, t, x, x + d->mechanical.nq, I);
}

/* In minimal coordinates s the invariant is that of (q, v)(s, s'). */
static void test_minimal_coordinates(void **state)
{
    (void)state;
    dae_problem problem = *problem_named("double_pendulum");
    problem.invariants = (dae_invariants){1, {energy_of, energy_of_dual, NULL}, "energy", "J"};
    static const char *const forms[] = {"ode", "index1"};
    for (int f = 0; f < 2; f++) {
        double u[16];
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &problem, dae_find_formulation(forms[f]),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
        for (int m = 0; dae_method_at(m); m++) {
            const result r =
                run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
            if (r.status)
                fail_msg("%s: %s", name_at(m), r.said);
            if (!(r.seen.invariant < 1e-13))
                fail_msg("%s %s: %g", forms[f], name_at(m), r.seen.invariant);
        }
        dae_system_free(sys);
    }
}

/* ---- too far -------------------------------------------------------------------------------- */

static void one(const double *p, double t, const double *u, double *F)
{
    (void)p, (void)t, (void)u;
    F[0] = 1;
}

static void one_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    (void)p, (void)t, (void)u;
    F[0] = 1;
}

static void itself(const double *p, double t, const double *u, double *I)
{
    (void)p, (void)t;
    I[0] = u[0];
}

static void itself_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *I)
{
    (void)p, (void)t;
    I[0] = u[0];
}

static void jump(const double *p, double t, const double *u, double *I)
{
    (void)p;
    I[0] = u[0] - t + (t > 0.5);
}

static void jump_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *I)
{
    (void)p;
    I[0] = u[0] - t + (dae_dual_value(t) > 0.5);
}

static void start_at_one(const double *p, double *u)
{
    (void)p;
    u[0] = 1;
}

static const dae_problem standing = {
    .name = "standing", .title = "x' = 1 held on x = 1", .variables = "x", .units = "-",
    .first_order = {.n = 1, .rhs = {one, one_dual, NULL}}, .start = start_at_one, .t_end = 0.1,
    .invariants = {1, {itself, itself_dual, NULL}, "x", "-"}};

static const dae_problem jumping = {
    .name = "jumping", .title = "x' = 1 held on x - t, which jumps", .variables = "x",
    .units = "-", .first_order = {.n = 1, .rhs = {one, one_dual, NULL}}, .start = start_at_one,
    .t_end = 1, .invariants = {1, {jump, jump_dual, NULL}, "I", "-"}};

/* x' = 1 is solved without error by any step. Held on x = 1 each step of size h is moved by h, which
 * must not exceed the tolerance, 2e-3. */
static void test_too_far(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &standing, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        const result r = run_system(sys, dae_method_at(m), tolerance(1e-3), ON_INVARIANT, 0.1, u);
        if (r.status)
            fail_msg("%s: %s", name_at(m), r.said);
        assert_close(r.u[0], 1, 1e-15);
        assert_true(r.count.too_far > 0 && r.count.too_far <= r.count.rejected);
        assert_true(r.count.steps >= 50);
        assert_int_equal(r.count.steps, r.seen.looks - 1);
        assert_int_equal(r.count.steps, r.count.projections);
        dae_options options = dae_default_options();    /* fixed steps are moved however far */
        options.step = 0.01;
        if (dae_method_describe(dae_method_at(m)).fixed) {
            const result fixed = run_system(sys, dae_method_at(m), options, ON_INVARIANT, 0.1, u);
            assert_int_equal(DAE_OK, fixed.status);
            assert_close(fixed.u[0], 1, 1e-15);
            assert_close(fixed.count.correction, 0.01, 1e-14);
            assert_int_equal(10, fixed.count.steps);
        }
        dae_system_free(sys);
    }
}

static void test_in_vain(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &jumping, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        const result r = run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
        if (r.status != DAE_SMALL_STEP || !strstr(r.said, "times the tolerance"))
            fail_msg("%s: %s, %s", name_at(m), dae_status_name(r.status), r.said);
        assert_close(r.u[0], 1.5, 1e-2);
        dae_system_free(sys);
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
static void test_dense_output(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double error[2];
        if (!has_dense_output(m))
            continue;
        for (int k = 0; k < 2; k++) {
            between b = {0};
            double u[4];
            dae_system *sys = system_at_start("kepler", "native", 0, u);
            dae_options options = tolerance(1e-6);
            options.project = k ? ON_INVARIANT : 0;
            assert_int_equal(DAE_OK, dae_solver_create(&b.solver, sys, dae_method_at(m), &options,
                                                       NULL));
            memcpy(b.u_old, u, sizeof u);
            dae_solver_observe(b.solver, look_between, &b);
            assert_int_equal(DAE_OK, dae_solver_start(b.solver, 0, u));
            assert_int_equal(DAE_OK, dae_solver_advance(b.solver, 10, u));
            if (!(b.jump <= 1e-12))
                fail_msg("%s, %s: jump %g", name_at(m), k ? "held" : "loose", b.jump);
            error[k] = b.error;
            dae_solver_free(b.solver);
            dae_system_free(sys);
        }
        if (!(error[1] <= 2 * error[0] + 1e-5))
            fail_msg("%s: %g with, %g without projection", name_at(m), error[1], error[0]);
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_stays),
        cmocka_unit_test(test_fixed_steps_stay),
        cmocka_unit_test(test_every_form_stays),
        cmocka_unit_test(test_many_constraints),
        cmocka_unit_test(test_one_level),
        cmocka_unit_test(test_start_as_given),
        cmocka_unit_test(test_orders_stay),
        cmocka_unit_test(test_predator_prey),
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_all_levels),
        cmocka_unit_test(test_minimal_coordinates),
        cmocka_unit_test(test_too_far),
        cmocka_unit_test(test_in_vain),
        cmocka_unit_test(test_dense_output),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
