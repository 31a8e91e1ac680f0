/* test_invariants.c - steps moved onto invariants, and what becomes of moves that are too large */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "projections.h"

#include "small_models.h"

/* ---- invariants ----------------------------------------------------------------------------- */

static const double period = 5.48813846813882624550304;

/* Over whole periods of predator_prey the exact state is the start (3, 1). */
TEST(test_predator_prey)
{
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
TEST(test_kepler)
{
    for (int circle = 0; circle < 2; circle++)
        for (int m = 0; dae_method_at(m); m++) {
            const double p[3] = {1, 1, circle ? 0 : 0.6};
            double u[4], exact[4];
            const dae_problem *kepler = problem_named("kepler");
            OWNED(dae_system) *sys = system_of(kepler, "native", p, u);
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
            if (!(distance(held.u, exact, 4) <= fmax(3 * distance(loose.u, exact, 4), 1e-4)))
                fail_msg("%s: off by %g, not held by %g", name_at(m), distance(held.u, exact, 4),
                         distance(loose.u, exact, 4));
        }
}

TEST(test_no_gradient_at_the_start)
{
    static const char *const methods[] = {"cros", "rodas5p", "radau5", "dopri5", "dop853", "ida"};
    for (int m = 0; m < 6; m++) {
        double u[2];
        OWNED(dae_system) *sys = system_of(&dae_wave, "native", NULL, u);
        const dae_method *method = dae_find_method(methods[m]);
        const result held = run_system(sys, method, tolerance(1e-5), ON_INVARIANT, 20, u);
        const result loose = run_system(sys, method, tolerance(1e-5), 0, 20, u);
        if (held.status)
            fail_msg("%s: %s", methods[m], held.said);
        if (!(held.seen.invariant < 4e-15))
            fail_msg("%s: off by %g", methods[m], held.seen.invariant);
        assert_true(loose.seen.invariant > 1e-11);
        assert_close(held.u[0], sin(20), 1e-14);
        assert_close(held.u[1], 1 - cos(20), 1e-3);
    }
}

/* Constraints and invariants of a mechanical problem together. */
TEST(test_all_levels)
{
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
TEST(test_minimal_coordinates)
{
    dae_problem problem = *problem_named("double_pendulum");
    problem.invariants = (dae_invariants){
        1, {.f = energy_of, .dual = energy_of_dual}, "energy", "J"};
    static const char *const forms[] = {"ode", "index1"};
    for (int f = 0; f < 2; f++) {
        double u[16];
        OWNED(dae_system) *sys = consistent_system(&problem, forms[f], NULL, u);
        for (int m = 0; dae_method_at(m); m++) {
            const result r =
                run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
            if (r.status == DAE_UNSUPPORTED)
                continue;
            if (r.status)
                fail_msg("%s: %s", name_at(m), r.said);
            if (!(r.seen.invariant < 1e-13))
                fail_msg("%s %s: %g", forms[f], name_at(m), r.seen.invariant);
        }
    }
}

/* ---- too far -------------------------------------------------------------------------------- */

/* x' = 1 is solved without error by any step. Held on x = 1 each step of size h is moved by h,
 * which must not exceed the tolerance, 2e-3. */
TEST(test_too_far)
{
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        OWNED(dae_system) *sys = system_of(&dae_standing, "native", NULL, NULL);
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
    }
}

TEST(test_in_vain)
{
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        OWNED(dae_system) *sys = system_of(&dae_jumping, "native", NULL, NULL);
        const result r = run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
        if (r.status != DAE_SMALL_STEP || !strstr(r.said, "times the tolerance"))
            fail_msg("%s: %s, %s", name_at(m), dae_status_name(r.status), r.said);
        assert_close(r.u[0], 1.5, 1e-2);
    }
}

/* ---- algebraic unknowns ----------------------------------------------------------------------- */

/* An invariant that algebraic unknowns enter is held by the others:
 * what an equation determines is not moved
 *
 *     x' = y z,   y' = -x z,   0 = z - 1,     I = x^2 + y^2 + z
 */

static void start(const double *p, double *u)
{
    memcpy(u, (double[]){0.6, 0.8, 1}, 3 * sizeof *u);
}

static const dae_problem rotation = {
    .name = "rotation", .variables = "x y z", .units = "- - -", .start = {start}, .t_end = 3,
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(rhs)},
    .invariants = {.n = 1, .value = DAE_MODEL(invariant), .names = "I", .units = "-"}};

/* z = 1 is linear: every method has it to rounding, whatever its tolerance. */
TEST(test_algebraic_stays)
{
    int runs = 0, drifted = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        double u[3];
        if (!info.implicit || !info.adaptive)
            continue;
        OWNED(dae_system) *sys = system_of(&rotation, "native", NULL, u);
        const result held =
            run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 3, u);
        const result loose = run_system(sys, dae_method_at(m), tolerance(1e-4), 0, 3, u);
        if (held.status == DAE_UNSUPPORTED) {           /* an algebraic equation is too much */
            continue;
        }
        if (held.status)
            fail_msg("%s: %s", info.name, held.said);
        drifted += loose.seen.invariant > 1e-9;
        if (!(held.seen.invariant < 64 * DBL_EPSILON))
            fail_msg("%s: the invariant is off by %.3g", info.name, held.seen.invariant);
        assert_close(held.u[2], 1, 64 * DBL_EPSILON);
        runs++;
    }
    assert_true(runs >= 5 && drifted >= 5);
}

#else
#include "plain_terms.h"

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
