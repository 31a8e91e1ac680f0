/* test_spring_pendulum.c - the stiff spring: start, the rigid limit, and steps */
#include "support.h"

enum { M, L, K, G0, G1, FREQUENCY, THETA0, OMEGA0, PARAMETERS };

/* The system with spring constant k and change of gravity g1, at its start. */
static dae_system *spring(const char *problem, double k, double g1, double *u)
{
    double p[PARAMETERS];
    assert_int_equal(PARAMETERS, dae_parameter_count(problem_named(problem)));
    default_parameters(problem_named(problem), p);
    p[K] = k;
    p[G1] = g1;
    return system_of(problem_named(problem), "native", p, u);
}

/* (x, y, vx, vy) of the rigid pendulum at t = 2, in quad precision. */
static void rigid(double *end)
{
    double u[MOST_UNKNOWNS];
    const double t = 2;
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    OWNED(dae_reference) r = reference_of(sys, u, &t, 1);
    for (int i = 0; i < 2; i++) {
        end[i] = (double)r.q[i];
        end[2 + i] = (double)r.v[i];
    }
}

TEST(test_reference)
{
    const char *const methods[] = {"ida", "rodas4", "rodas5p"};
    const dae_options options = tolerance(1e-10);
    const double t = 2;
    double start[5], u[5], end[4];
    OWNED(dae_system) *sys = spring("spring_pendulum", 1e4, 0.05, start);
    OWNED(dae_reference) r = reference_of(sys, start, &t, 1);
    assert_string_equal(r.source, "extrapolation");
    for (int i = 0; i < 4; i++)
        end[i] = (double)r.q[i];
    for (int m = 0; m < 3; m++) {
        memcpy(u, start, sizeof u);
        solve_to(sys, methods[m], &options, 2, u);
        assert_close(distance(u, end, 4), 0, 1e-7);
    }
}

/* m v^2/2 + k (r - L)^2/2 + m g0 y, m = 1 */
static double energy(const double *u, double k)
{
    const double stretch = hypot(u[0], u[1]) - 5;
    return (u[2] * u[2] + u[3] * u[3]) / 2 + k * stretch * stretch / 2 + 9.81 * u[1];
}

TEST(test_energy)
{
    double u[5];
    const dae_options options = tolerance(1e-11);
    OWNED(dae_system) *sys = spring("spring_pendulum", 1e3, 0, u);
    u[0] += 0.05;                                       /* oscillating */
    const double begin = energy(u, 1e3);
    solve_to(sys, "ida", &options, 2, u);
    assert_close(energy(u, 1e3), begin, 1e-6);
}

/* Both forms are one problem. */
TEST(test_forms_agree)
{
    const dae_options options = tolerance(1e-9);
    double u[5], v[5];
    OWNED(dae_system) *ode = spring("spring_pendulum", 1e5, 0.05, u);
    OWNED(dae_system) *dae = spring("spring_tension", 1e5, 0.05, v);
    assert_close(distance(u, v, 4), 0, 1e-15);
    assert_close(1e5 * (hypot(u[0], u[1]) - 5), v[4], 1e-9);
    solve_to(ode, "rodas5p", &options, 2, u);
    solve_to(dae, "rodas5p", &options, 2, v);
    assert_close(distance(u, v, 4), 0, 1e-7);
}

/* |T - m (r theta'^2 + g cos theta)| = m |r''|: the oscillation, were there one, of the force. */
typedef struct { double worst; } slow_check;

static int compare_force(void *context, double t, const double *u)
{
    slow_check *c = context;
    const double g = 9.81 + 0.05 * sin(2 * 3.14159265358979324 * t), r = hypot(u[0], u[1]);
    const double across = (u[0] * u[3] - u[1] * u[2]) / r;
    c->worst = fmax(c->worst, fabs(u[4] - across * across / r + g * u[1] / r));
    return 0;
}

/* k = 1e4: r'' of the slow motion is S''/k < 100/k, while a start at r = L would make it 8. */
TEST(test_slow_start)
{
    const dae_options options = tolerance(1e-9);
    slow_check check = {0};
    double u[5];
    OWNED(dae_system) *sys = spring("spring_tension", 1e4, 0.05, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("rodas5p"), &options, 0, NULL);
    dae_solver_observe(solver, compare_force, &check);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 2, u));
    assert_close(check.worst, 0, 0.01);
}

/* u - rigid = O(1/k) */
TEST(test_rigid_limit)
{
    const dae_options options = tolerance(1e-10);
    double end[4], u[5], apart[3];
    rigid(end);
    for (int i = 0; i < 3; i++) {
        OWNED(dae_system) *sys = spring("spring_pendulum", pow(10, 4 + i), 0.05, u);
        solve_to(sys, "radau", &options, 2, u);
        apart[i] = distance(u, end, 4);
    }
    assert_close(log10(apart[0] / apart[1]), 1, 0.02);
    assert_close(log10(apart[1] / apart[2]), 1, 0.02);
}

/* With the force an unknown, fixed steps of CROS keep their error, and rodas5p its steps. */
TEST(test_steps_are_kept)
{
    double end[4], u[5];
    long steps[2];
    rigid(end);
    for (int i = 0; i < 2; i++) {
        dae_options options = tolerance(1e-5);
        OWNED(dae_system) *sys = spring("spring_tension", i ? 1e12 : 1e8, 0.05, u);
        options.error_test = DAE_TEST_DIFFERENTIAL;
        steps[i] = solve_to(sys, "rodas5p", &options, 2, u).steps;
        assert_close(distance(u, end, 4), 0, 2e-4);
        options.step = 0.01;
        dae_system_start(sys, u, NULL);
        solve_to(sys, "cros", &options, 2, u);
        assert_close(distance(u, end, 2), 0, 1e-4);
    }
    assert_true(steps[1] < 1000 && 2 * steps[1] < 3 * steps[0]);
}

/* Errors of (x, y), (vx, vy) and T at t = 2 with steps h. */
static void errors_at_end(dae_system *sys, const char *method, double h, const double *start,
                          const double *end, double *error)
{
    dae_options options = dae_default_options();
    double u[5];
    options.step = h;
    memcpy(u, start, sizeof u);
    solve_to(sys, method, &options, 2, u);
    error[0] = distance(u, end, 2);
    error[1] = distance(u + 2, end + 2, 2);
    error[2] = distance(u + 4, end + 4, 1);
}

/* Slopes between steps h and h/4 of the errors of (x, y), (vx, vy), T. */
static void observe_orders(dae_system *sys, const char *method, double h, const double *start,
                           const double *end, double *order)
{
    double error[2][3];
    for (int i = 0; i < 2; i++)
        errors_at_end(sys, method, i ? h / 4 : h, start, end, error[i]);
    for (int j = 0; j < 3; j++)
        order[j] = log2(error[0][j] / error[1][j]) / 2;
}

/* h sqrt(k) > 1000: orders are those of index 3; for the Rosenbrock methods, made for index 1, what
 * is left of them there. (x, y) may do better. Of excros, rounding adds 1e-11/h to (x, y). */
TEST(test_orders_of_the_limit)
{
    static const struct { const char *method; double h, order[3]; } known[] = {
        {"radau5", 0.02, {-1}}, {"cros", 0.005, {-1}}, {"cros4", 0.005, {-1}},
        {"excros", 0.04, {-1}}, {"rodas4", 0.005, {1, 1, 0}}, {"rodas5p", 0.005, {2, 2, 1}}};
    const double t = 2;
    double start[5], end[5], observed[3];
    OWNED(dae_system) *sys = spring("spring_tension", 1e12, 0.05, start);
    OWNED(dae_reference) r = reference_of(sys, start, &t, 1);
    for (int i = 0; i < 5; i++)
        end[i] = (double)r.q[i];
    for (size_t m = 0; m < sizeof known / sizeof *known; m++) {
        const double *order = known[m].order;
        const dae_method *method = dae_find_method(known[m].method);
        const double index3[] = {dae_method_order(method, NULL, 3, DAE_POSITION),
                                 dae_method_order(method, NULL, 3, DAE_VELOCITY),
                                 dae_method_order(method, NULL, 3, DAE_MULTIPLIER)};
        if (order[0] < 0)
            order = index3;
        observe_orders(sys, known[m].method, known[m].h, start, end, observed);
        assert_true(observed[0] > order[0] - 0.15);
        assert_close(observed[1], order[1], 0.15);
        assert_close(observed[2], order[2], 0.15);
    }
}

/* Newton's iteration ends at rounding, eps L/h^2 of T, with any step and stiffness. */
TEST(test_newton_ends)
{
    const char *const methods[] = {"radau5", "radau9", "radau13"};
    dae_options options = dae_default_options();
    double u[5];
    for (double k = 1e4; k < 2e12; k *= 10) {
        OWNED(dae_system) *sys = spring("spring_tension", k, 0.05, u);
        for (int m = 0; m < 3; m++)
            for (options.step = 0.04; options.step > 5e-4; options.step /= 2) {
                dae_system_start(sys, u, NULL);
                solve_to(sys, methods[m], &options, 0.32, u);
            }
    }
}
