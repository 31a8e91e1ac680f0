/* test_auto.c - auto: explicit where the system is not stiff, implicit where it is, and back
 *
 * Van der Pol's equation, mu = 1000, y(2000): the test set of Mazzia and Magherini (2008),
 * problem vdpol, in the time of the unscaled equation.
 */
#ifndef DAE_PASS
#include "support.h"

#include <daelab/model.h>

/* ---- van der Pol ---------------------------------------------------------------------------- */

/* u'' = mu (1 - u^2) u' - u */
static void begin(const double *p, double *u)
{
    u[0] = 2;
}

static const dae_problem van_der_pol = {
    .name = "van_der_pol", .title = "van der Pol's oscillator",
    .variables = "y z", .units = "- -", .parameters = {{"mu", 1000, "-", "damping", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)},
    .start = {begin}, .t_end = 2000,
};

/* ---- a bead on the circle x^2 + y^2 = 1 in honey: drag c v, a slow solution ------------------ */

static const dae_problem bead = {
    .name = "bead", .title = "bead on a circle in honey",
    .variables = "x y vx vy T", .units = "m m m/s m/s N",
    .parameters = {{"c", 1e4, "1/s", "drag", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = {start_one}, .t_end = 1,
};

/* ---- a moderate rate on the border of stability ----------------------------------------------- */

/* u' = -lambda (u - cos t) - sin t; u = cos t */
static const dae_problem follower = {
    .name = "follower", .variables = "u", .units = "-",
    .parameters = {{"lambda", 15, "1/s", "rate", DAE_POSITIVE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(follow)},
    .start = {start_one}, .t_end = 200,
};

/* Steps that h lambda = 6.1 limits, in each of which cos t changes by more than a fiftieth: only the
 * border itself tells that explicit steps are the wrong ones. */
TEST(test_border)
{
    const dae_options o = tolerance(1e-2);
    double u[1] = {1};
    OWNED(dae_system) *sys = system_of(&follower, "native", NULL, NULL);
    const dae_statistics count = solve_to(sys, "auto", &o, 200, u);
    assert_true(count.switches >= 1 && count.explicit_steps < 100);     /* 479 without */
    assert_close(u[0], cos(200), 0.05);
}

/* In index 1 there are multipliers behind the unknowns of the explicit form. */
TEST(test_constrained)
{
    const dae_options o = tolerance(1e-8);
    double u[5], v[5], g;
    OWNED(dae_system) *sys = consistent_system(&bead, "index1", NULL, u);
    memcpy(v, u, sizeof v);
    const dae_statistics a = solve_to(sys, "auto", &o, 1, u);
    const dae_statistics b = solve_to(sys, "dop853", &o, 1, v);
    assert_true(a.switches == 1 && a.explicit_steps < 100);
    assert_true(a.rhs * 10 < b.rhs);
    assert_close(distance(u, v, 4), 0, 1e-7);
    assert_close(distance(u + 4, v + 4, 1), 0, 1e-5);
    dae_system_constraint(sys, 0, 1, u, &g);
    assert_close(g, 0, 1e-7);
}

static dae_system *van_der_pol_at_start(double mu, double *u)
{
    return system_of(&van_der_pol, "native", &mu, u);
}

/* Slow phases are stiff, of length mu, jumps are not, of length 1/mu. */
TEST(test_van_der_pol)
{
    const dae_options o = tolerance(1e-7);
    double u[2];
    OWNED(dae_system) *sys = van_der_pol_at_start(1000, u);
    const dae_statistics count = solve_to(sys, "auto", &o, 2000, u);
    assert_close(u[0], 1.706167732170469, 1e-5);
    assert_close(u[1], -0.8928097010248125e-3, 1e-5);
    assert_true(count.switches >= 2);
    assert_true(count.explicit_steps > 0 && count.explicit_steps < count.steps);
}

/* mu = 1: never stiff. */
TEST(test_van_der_pol_without_stiffness)
{
    const dae_options o = tolerance(1e-7);
    double u[2];
    OWNED(dae_system) *sys = van_der_pol_at_start(1, u);
    const dae_statistics count = solve_to(sys, "auto", &o, 50, u);
    assert_int_equal(0, count.switches);
}

/* ---- the pendulum --------------------------------------------------------------------------- */

static void compare(const char *form, const char *with, int explicit_steps)
{
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    for (double rtol = 1e-4; rtol > 1e-13; rtol /= 100) {
        const dae_options o = tolerance(rtol);
        OWNED(dae_system) *sys = system_at_start("pendulum", form, 0, u);
        memcpy(v, u, sizeof v);
        dae_statistics a = solve_to(sys, "auto", &o, 20, u), b = solve_to(sys, with, &o, 20, v);
        assert_memory_equal(u, v, (size_t)dae_system_size(sys) * sizeof *u);
        assert_int_equal(explicit_steps ? a.steps : 0, a.explicit_steps);
        assert_int_equal(0, a.switches);
        assert_int_equal(0, b.explicit_steps);
        a.explicit_steps = 0;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* Not stiff: dop853 to the last bit, and at its cost. */
TEST(test_explicit_only)
{
    compare("index1", "dop853", 1);
    compare("ode", "dop853", 1);
}

/* Without an explicit form: radau to the last bit. */
TEST(test_implicit_only)
{
    compare("index2", "radau", 0);
    compare("ggl", "radau", 0);
}

TEST(test_no_fixed_steps)
{
    double u[MOST_UNKNOWNS];
    dae_solver *solver;
    dae_report why;
    dae_options o = dae_default_options();
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    o.step = 0.1;
    assert_int_equal(DAE_UNSUPPORTED, dae_solver_create(&solver, sys, dae_find_method("auto"), &o,
                                                        &why));
}

/* ---- the stiff spring ----------------------------------------------------------------------- */

static dae_system *spring(double k, double *u)
{
    const dae_problem *problem = problem_named("spring_pendulum");
    double p[MOST_PARAMETERS];
    default_parameters(problem, p);
    p[dae_parameter_index(problem, "k")] = k;
    return system_of(problem, "native", p, u);
}

/* The oscillation along the spring limits explicit steps and is not in the solution. */
TEST(test_stiff_spring)
{
    for (double k = 1e6; k < 2e8; k *= 10) {
        const dae_options o = tolerance(1e-6);
        double u[4], v[4];
        OWNED(dae_system) *sys = spring(k, u);
        memcpy(v, u, sizeof v);
        const dae_statistics a = solve_to(sys, "auto", &o, 2, u);
        const dae_statistics b = solve_to(sys, "dop853", &o, 2, v);
        assert_true(a.switches >= 1);
        assert_true(a.explicit_steps < 50);
        assert_true(a.rhs * 4 < b.rhs);
        assert_true(k < 1e8 || a.rhs * 10 < b.rhs);
        assert_close(distance(u, v, 2), 0, 1e-5);
        assert_close(distance(u, v, 4), 0, 1e-4);
    }
}

/* k = 100: the oscillation is as slow as a step of this tolerance. */
TEST(test_soft_spring)
{
    const dae_options o = tolerance(1e-6);
    double u[4];
    OWNED(dae_system) *sys = spring(100, u);
    const dae_statistics count = solve_to(sys, "auto", &o, 20, u);
    assert_int_equal(0, count.switches);
    assert_int_equal(count.steps, count.explicit_steps);
}

/* ---- runs across switches ------------------------------------------------------------------- */

typedef struct { dae_solver *solver; double t, u[2], worst; int steps; } watch;

/* Dense output begins with the step before and ends with this one, across switches, too. */
static int look(void *context, double t, const double *u)
{
    watch *w = context;
    double v[2];
    assert_int_equal(DAE_OK, dae_solver_interpolate(w->solver, w->t, v));
    w->worst = fmax(w->worst, fabs(v[0] - w->u[0]));
    assert_int_equal(DAE_OK, dae_solver_interpolate(w->solver, t, v));
    w->worst = fmax(w->worst, fabs(v[0] - u[0]));
    memcpy(w->u, u, sizeof w->u);
    w->t = t;
    w->steps++;
    return 0;
}

/* Begun again, a solver repeats itself: with both parts there from the beginning. */
TEST(test_dense_output_and_restart)
{
    const dae_options o = tolerance(1e-7);
    const dae_method *method = dae_find_method("auto");
    double start[2], u[2], first[2];
    dae_statistics count[2];
    OWNED(dae_system) *sys = van_der_pol_at_start(1000, start);
    assert_true(dae_method_describe(method).dense_output);
    OWNED(dae_solver) *solver = solver_of(sys, method, &o, 0, NULL);
    for (int round = 0; round < 2; round++) {
        watch w = {.solver = solver, .u = {start[0], start[1]}};
        dae_solver_observe(solver, look, &w);
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, start));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 2000, u));
        count[round] = dae_solver_statistics(solver);
        assert_int_equal(count[round].steps, w.steps);
        assert_close(w.worst, 0, 1e-12);
        if (round == 0)
            memcpy(first, u, sizeof first);
    }
    assert_memory_equal(first, u, sizeof u);
    assert_memory_equal(&count[0], &count[1], sizeof count[0]);
}

/* A Jacobian that the problem does not give is refused before the run. */
TEST(test_missing_jacobian)
{
    dae_options o = tolerance(1e-7);
    double u[2];
    dae_solver *solver;
    dae_report why = {0};
    OWNED(dae_system) *sys = van_der_pol_at_start(1000, u);
    o.jacobian = DAE_JACOBIAN_ANALYTIC;
    assert_int_equal(DAE_UNSUPPORTED, dae_solver_create(&solver, sys, dae_find_method("auto"), &o,
                                                        &why));
    assert_true(why.message[0]);
}

/* ---- events ----------------------------------------------------------------------------------- */

/* Events in the steps with which auto changes its method
 *
 * x' = -3 sin 3t - k (x - cos 3t), y' likewise after sin 3t, with a stiffness k(t) between e^-2 and
 * e^7 in turn: the solution stays the unit circle. */

static const dae_problem circle = {
    .name = "circle", .variables = "x y", .units = "- -", .start = {start_one}, .t_end = 30,
    .first_order = {.n = 2, .rhs = DAE_MODEL(circle)}};

static double frequency, phase, worst;
static long changes;
static int within;
static dae_solver *solver;

static dae_status wave(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = u[0] - 0.9 * sin(frequency * t + phase);
    return DAE_OK;
}

/* In the step that changes the method, which counts as one before the observer has seen its end. */
static int note(void *context, double t, const double *u, const int *fired)
{
    if (dae_solver_statistics(solver).switches != changes) {
        within++;
        worst = fmax(worst, fmax(fabs(u[0] - cos(3 * t)), fabs(u[1] - sin(3 * t))));
    }
    return 0;
}

static int count_changes(void *context, double t, const double *u)
{
    changes = dae_solver_statistics(solver).switches;
    return 0;
}

TEST(states_at_events)
{
    const dae_options options = tolerance(1e-8);
    const dae_direction any = DAE_ANY;
    const dae_watch waves = {.count = 1, .direction = &any, .values = wave, .happened = note};
    OWNED(dae_system) *sys = system_of(&circle, "native", NULL, NULL);
    solver = solver_of(sys, dae_find_method("auto"), &options, 0, NULL);
    assert_int_equal(DAE_OK, dae_solver_watch(solver, &waves));
    dae_solver_observe(solver, count_changes, NULL);
    for (frequency = 1; frequency < 12; frequency += 1)
        for (phase = 0; phase < 3; phase += 0.5) {
            double u[2] = {1, 0};
            changes = 0;
            assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
            assert_int_equal(DAE_OK, dae_solver_advance(solver, 30, u));
        }
    assert_true(within > 20);
    assert_close(worst, 0, 1e-5);
    dae_solver_free(solver);
}

#else
#include "unit_circle.h"

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = p[0] * (1 - u[0] * u[0]) * u[1] - u[0];
}

static void FN(follow)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[0] * (u[0] - cos(t)) - sin(t);
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[0] * v[0];
    f[1] = -p[0] * v[1] - 10;
}

static void FN(circle)(const param *p, real t, const real *u, real *F)
{
    const real k = exp(4.5 * cos(0.5235987755982988 * t) + 2.5);
    F[0] = -3 * sin(3 * t) - k * (u[0] - cos(3 * t));
    F[1] = 3 * cos(3 * t) - k * (u[1] - sin(3 * t));
}

#endif
