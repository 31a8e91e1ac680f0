/* test_ladder.c - the ladder against its closed form; what the spherical pendulum conserves */
#include "support.h"

/* ---- the ladder --------------------------------------------------------------------------- */

/* theta from rest at theta0: l = 1 m, g = 9.81 m/s^2 */
typedef struct { double theta0, t, omega; } ladder_release;

static const ladder_release releases[] = {
    {0.52359877559829887308, 0.32503070159082072631, 2.9147399903122307704},
    {1.0471975511965977462, 0.16844882947150449221, 2.2147234590350100863},
};

typedef struct { dae_system *sys; double t_before; int passed; } wall_watch;

/* The force of the wall at a state, from the acceleration level. */
static double wall(dae_system *sys, double t, const double *u)
{
    double q[3], v[3], a[3], lambda[2];
    assert_int_equal(DAE_OK, dae_system_split(sys, t, u, q, v, lambda));
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, t, q, v, a, lambda));
    return lambda[0];
}

static int stop_when_pulled(void *context, double t, const double *u)
{
    wall_watch *w = context;
    w->passed = wall(w->sys, t, u) < 0;
    if (!w->passed)
        w->t_before = t;
    return w->passed;
}

/* Run until the wall pulls, bisect the last step; the state there in u. Answers t. */
static double release(dae_system *sys, const char *method, double *u)
{
    const dae_options options = tolerance(1e-12);
    wall_watch w = {.sys = sys};
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    dae_solver_observe(solver, stop_when_pulled, &w);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_STOPPED, dae_solver_advance(solver, 0.4, u));
    double low = w.t_before, high = dae_solver_time(solver);
    for (int i = 0; i < 60; i++) {
        const double middle = low + (high - low) / 2;
        assert_int_equal(DAE_OK, dae_solver_interpolate(solver, middle, u));
        if (wall(sys, middle, u) < 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The ladder would leave the wall where cos theta = (2/3) cos theta0. */
TEST(test_release)
{
    static const struct { const char *form, *method; } by[] = {
        {"index1", "dop853"}, {"index1", "radau"}, {"index2", "radau"}, {"ode", "radau"},
        {"index1", "ida"}, {"index2", "ida"},
    };
    for (size_t k = 0; k < sizeof by / sizeof *by; k++)
        for (int r = 0; r < 2; r++) {
            const ladder_release *exact = &releases[r];
            const double p[] = {1, 1, 9.81, exact->theta0};
            double u[MOST_UNKNOWNS], q[3], v[3], lambda[2];
            OWNED(dae_system) *sys = system_of(problem_named("ladder"), by[k].form, p, u);
            const double t = release(sys, by[k].method, u);
            dae_system_split(sys, t, u, q, v, lambda);
            assert_close(t, exact->t, 1e-8);
            assert_close(q[2], acos(2 * cos(exact->theta0) / 3), 1e-8);
            assert_close(v[2], exact->omega, 1e-8);
            assert_close(lambda[1], 9.81 / 4, 1e-6);
        }
}

/* Held from both sides it reaches the floor, theta = pi/2, at this time and speed. */
TEST(test_floor)
{
    const dae_options options = tolerance(1e-11);
    static const char *const methods[] = {"radau", "dop853", "ida"};
    double u[MOST_UNKNOWNS];
    for (int k = 0; k < 3; k++) {
        OWNED(dae_system) *sys = system_at_start("ladder", "index1", 0, u);
        solve_to(sys, methods[k], &options, 0.48106593040405318457, u);
        assert_close(u[2], asin(1), 1e-8);
        assert_close(u[5], 5.0484777540736008847, 1e-8);
        assert_close(u[0], 0.5, 1e-8);
    }
}

/* ---- the spherical pendulum --------------------------------------------------------------- */

TEST(test_conserved)
{
    static const struct { const char *form, *method; } by[] = {
        {"index1", "dop853"}, {"index1", "radau"}, {"index2", "radau"}, {"index3", "radau"},
        {"ggl", "radau"}, {"index1", "ida"}, {"index2", "ida"}, {"ggl", "ida"},
    };
    const dae_options options = tolerance(1e-10);
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        double u[MOST_UNKNOWNS], begin, end, power;
        OWNED(dae_system) *sys = system_at_start("spherical_pendulum", by[k].form, 0, u);
        assert_int_equal(1, dae_system_energy(sys, 0, u, u + 3, &begin, &power));
        solve_to(sys, by[k].method, &options, 10, u);
        dae_system_energy(sys, 10, u, u + 3, &end, &power);
        assert_close(end, begin, 1e-6);
        assert_close(u[0] * u[4] - u[1] * u[3], 6, 1e-7);
        assert_close(sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), 5, 1e-7);
    }
}

/* In a plane through the vertical it is the pendulum. */
TEST(test_in_a_plane)
{
    const double p[] = {1, 5, 9.81, 3, 0, -4, 0, 0, 0};
    double flat[] = {1, 5, 9.81, 0, 1, 3, -4, 0, 0, 0}, u[7], w[5];
    const dae_options options = tolerance(1e-11);
    OWNED(dae_system) *space = system_of(problem_named("spherical_pendulum"), "index1", p, NULL);
    OWNED(dae_system) *plane = system_of(problem_named("pendulum"), "index1", flat, NULL);
    dae_system_start(space, u, NULL);
    dae_system_start(plane, w, NULL);
    assert_int_equal(DAE_OK, dae_consistent_start(plane, 0, w, NULL, NULL));
    solve_to(space, "radau", &options, 2, u);
    solve_to(plane, "radau", &options, 2, w);
    assert_close(distance((const double[]){u[0], u[2], u[3], u[5], u[6]}, w, 5), 0, 1e-8);
    assert_close(distance((const double[]){u[1], u[4]}, (const double[]){0, 0}, 2), 0, 1e-14);
}
