/* test_unconstrained.c - mechanical problems without constraints: every formulation is the same ODE
 *
 *   ball    m v' = -m g e_y - k exp(-y/H) |v| v                                   M = m
 *   bead    isotropic oscillator x'' = -w^2 x in the plane, in the coordinates (r, s) of
 *           x = r (cos psi, sin psi),  psi = s + c r + W t                         M(q) full
 *
 * The ball is compared with Runge-Kutta in long double, the bead with x0 cos wt + v0 sin(wt)/w.
 */
#ifndef DAE_PASS
enum { MASS, DRAG, HEIGHT, TWIST = 0, SPIN, OMEGA };
enum { COUNT };
#include <daelab/model.h>

#include "support.h"

#include "projection/project.h"
#include "run/monitor.h"

static void ball_start(const double *p, double *u)
{
    u[1] = 2;
    u[2] = 6;
    u[3] = 3;
}

static void ball_partials(const double *p, double t, const double *q, const double *v,
                          const double *a, const double *lambda, dae_partials *d)
{
    const double k = p[DRAG] * exp(-q[1] / p[HEIGHT]), speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    for (int i = 0; i < 2; i++) {
        d->f_q[2 * i + 1] = k / p[HEIGHT] * speed * v[i];
        for (int j = 0; j < 2; j++)
            d->f_v[2 * i + j] = -k * ((i == j) * speed + v[i] * v[j] / speed);
    }
}

static void bead_start(const double *p, double *u)
{
    u[0] = 1;
    u[2] = 0.25;
    u[3] = 0.5;
}

static const dae_problem ball = {
    .name = "ball", .variables = "x y vx vy", .units = "m m m/s m/s",
    .parameters = {{"m", 0.5, "kg", "mass", DAE_POSITIVE},
                   {"k", 0.05, "kg/m", "drag", DAE_NONNEGATIVE},
                   {"H", 8, "m", "height of the atmosphere", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(ball_inertia), .force = DAE_MODEL(ball_force),
                   .partials = ball_partials},
    .start = {ball_start}, .t_end = 1};

static const dae_problem bead = {
    .name = "bead", .variables = "r s vr vs", .units = "m - m/s 1/s",
    .parameters = {{"c", 0.7, "1/m", "twist", DAE_ANY_VALUE},
                   {"W", 0.4, "1/s", "rotation", DAE_ANY_VALUE},
                   {"w", 2, "1/s", "frequency", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(bead_inertia), .force = DAE_MODEL(bead_force),
                   .energy = DAE_MODEL(bead_energy)},
    .start = {bead_start}, .t_end = 1};

static const dae_problem *const problems[] = {&ball, &bead};
enum { PROBLEMS = 2, FORMS = 5 };
static const char *const forms[FORMS] = {"index1", "index2", "index3", "baumgarte", "ggl"};

/* ---- the solutions, independently ------------------------------------------------------------ */

static void ball_slope(const long double *y, long double *dy)
{
    const long double speed = sqrtl(y[2] * y[2] + y[3] * y[3]);
    const long double k = 0.05L / 0.5L * expl(-y[1] / 8) * speed;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -k * y[2];
    dy[3] = -9.81L - k * y[3];
}

/* x y vx vy of the ball at t. */
static void ball_at(double t, double *x)
{
    enum { STEPS = 4000 };
    const long double h = (long double)t / STEPS;
    long double y[4] = {0, 2, 6, 3}, k[4][4], z[4];
    for (int n = 0; n < STEPS; n++) {
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++)
                z[i] = y[i] + (stage ? h * k[stage - 1][i] / (stage < 3 ? 2 : 1) : 0);
            ball_slope(z, k[stage]);
        }
        for (int i = 0; i < 4; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    for (int i = 0; i < 4; i++)
        x[i] = (double)y[i];
}

/* x y and their rates from (r, s, r', s'): psi' = s' + c r' + W. */
static void unwind(double t, const double *u, double *x)
{
    const double psi = u[1] + 0.7 * u[0] + 0.4 * t, turning = u[3] + 0.7 * u[2] + 0.4;
    x[0] = u[0] * cos(psi);
    x[1] = u[0] * sin(psi);
    x[2] = u[2] * cos(psi) - x[1] * turning;
    x[3] = u[2] * sin(psi) + x[0] * turning;
}

static void bead_at(double t, double *x)
{
    const double w = 2, start[4] = {1, 0, 0.25, 0.5};
    double x0[4];
    unwind(0, start, x0);
    for (int i = 0; i < 2; i++) {
        x[i] = x0[i] * cos(w * t) + x0[2 + i] / w * sin(w * t);
        x[2 + i] = x0[2 + i] * cos(w * t) - w * x0[i] * sin(w * t);
    }
}

/* The largest error of a state (q, v) at t. */
static double error_of(const dae_problem *problem, double t, const double *u)
{
    double x[4], y[4];
    (problem == &ball ? ball_at : bead_at)(t, x);
    if (problem == &bead)
        unwind(t, u, y);
    return distance(problem == &bead ? y : u, x, 4);
}

/* ---- systems --------------------------------------------------------------------------------- */

static dae_system *created(const dae_problem *problem, const char *form, double *u)
{
    dae_start_change change;
    double start[MOST_UNKNOWNS];
    dae_report why = {0};
    dae_system *sys = system_of(problem, form, NULL, u);
    memcpy(start, u, sizeof start);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, &why));
    assert_memory_equal(start, u, 4 * sizeof *u);       /* (q, v) was consistent */
    assert_int_equal(problem == &bead, change.changed); /* accelerations are unknowns */
    return sys;
}

TEST(test_sizes)
{
    double u[MOST_UNKNOWNS], none = 7;
    for (int k = 0; k < PROBLEMS; k++)
        for (int f = 0; f < FORMS; f++) {
            OWNED(dae_system) *sys = created(problems[k], forms[f], u);
            assert_int_equal(k ? 6 : 4, dae_system_size(sys));
            assert_int_equal(k, dae_system_index(sys));
            assert_int_equal(0, dae_system_multipliers(sys));
            for (int level = 0; level < 3; level++)
                assert_int_equal(0, dae_system_constraint(sys, level, 0, u, &none));
        }
    assert_true(none == 7);
    assert_false(dae_formulation_applies(dae_find_formulation("ode"), &ball));
}

/* M a = f; (q, v) out of u; nothing to project on. */
TEST(test_accelerations)
{
    double u[MOST_UNKNOWNS], q[2], v[2], a[2], Ma[2], f[2];
    for (int k = 0; k < PROBLEMS; k++)
        for (int i = 0; i < FORMS; i++) {
            const dae_mechanical *m = &problems[k]->mechanical;
            OWNED(dae_system) *sys = created(problems[k], forms[i], u);
            assert_int_equal(DAE_OK, dae_system_split(sys, 0, u, q, v, NULL));
            assert_memory_equal(u, q, sizeof q);
            assert_memory_equal(u + 2, v, sizeof v);
            assert_int_equal(DAE_OK, dae_project(sys, 0, q, v));
            assert_memory_equal(u, q, sizeof q);
            assert_memory_equal(u + 2, v, sizeof v);
            assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, q, v, a, NULL));
            m->inertia.f(dae_system_parameters(sys), 0, q, a, Ma);
            m->force.f(dae_system_parameters(sys), 0, q, v, f);
            assert_close(Ma[0], f[0], 1e-15);
            assert_close(Ma[1], f[1], 1e-15);
            if (k)
                assert_memory_equal(u + 4, a, sizeof a);
        }
}

/* Analytic, dual and difference quotients agree, dF/dq not zero. */
TEST(test_jacobians)
{
    double u[MOST_UNKNOWNS], J[3][36], F_t[3][6];
    for (int k = 0; k < PROBLEMS; k++)
        for (int f = 0; f < FORMS; f++) {
            OWNED(dae_system) *sys = created(problems[k], forms[f], u);
            const int n = dae_system_size(sys);
            const dae_jacobian_kind kinds[3] = {DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD,
                                                DAE_JACOBIAN_ANALYTIC};
            for (int i = 0; i < 3; i++)
                assert_int_equal(k && i == 2 ? DAE_UNSUPPORTED : DAE_OK,
                                 dae_system_jacobian(sys, kinds[i], 0, u, J[i], F_t[i], NULL));
            assert_true(fabs(J[0][(k ? 0 : n) + n - 1]) > 0.01);        /* dr_s/dr, df_y/dy */
            assert_close(distance(J[1], J[0], n * n), 0, 1e-6);
            if (!k)
                assert_close(distance(J[2], J[0], n * n), 0, 1e-15);
        }
}

/* ---- methods --------------------------------------------------------------------------------- */

/* (q, v) at t_end in u. 0: the method does not take these options. */
static int solved(const dae_problem *problem, const char *form, const dae_method *method,
                  const dae_options *o, double *u)
{
    dae_report why = {0};
    OWNED(dae_system) *sys = created(problem, form, u);
    OWNED(dae_solver) *solver = NULL;
    const dae_status status = dae_solver_create(&solver, sys, method, o, &why);
    if (status == DAE_UNSUPPORTED)
        return 0;
    if (status || dae_solver_start(solver, 0, u)
        || dae_solver_advance(solver, problem->t_end, u))
        fail_msg("%s %s %s: %s", problem->name, form, dae_method_describe(method).name,
                 status ? why.message : dae_solver_report(solver)->message);
    return 1;
}

/* One set of options: every formulation takes the same steps, to the same numbers. */
static double same_in_all_forms(const dae_problem *problem, const dae_method *method,
                                const dae_options *o, int *runs)
{
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    if (!solved(problem, forms[0], method, o, u))
        fail_msg("%s does not solve %s", dae_method_describe(method).name, problem->name);
    for (int f = 1; f < FORMS; f++) {
        assert_true(solved(problem, forms[f], method, o, v));
        if (memcmp(u, v, 4 * sizeof *u) != 0)
            fail_msg("%s %s: %s differs from index1 by %g", problem->name,
                     dae_method_describe(method).name, forms[f], distance(u, v, 4));
    }
    *runs += FORMS;
    return error_of(problem, problem->t_end, u);
}

/* Fixed steps show the order declared for the system's index, whatever the matrices. */
static void check_fixed(const dae_problem *problem, const dae_method *method, dae_options o,
                        int *runs)
{
    const dae_formulation *form = dae_find_formulation("index1");
    const int index = problem == &bead;
    const double p = fmin(dae_method_order(method, form, index, DAE_POSITION),
                          dae_method_order(method, form, index, DAE_VELOCITY));
    double error[2];
    for (int k = 0; k < 2; k++) {
        o.step = problem->t_end / (p > 4 ? 8 : 64) / (1 << k);
        error[k] = same_in_all_forms(problem, method, &o, runs);
    }
    if (!(log2(error[0] / error[1]) > p - 0.4 || error[1] < 2e-13) || !(error[1] < 0.1))
        fail_msg("%s %s: order %.2f, declared %g; error %g", problem->name,
                 dae_method_describe(method).name, log2(error[0] / error[1]), p, error[1]);
}

static void check_chosen(const dae_problem *problem, const dae_method *method, dae_options o,
                         int *runs)
{
    const dae_method_info info = dae_method_describe(method);
    const int low = info.order[0][DAE_VELOCITY] <= 2;   /* steps as sqrt(rtol) */
    o.rtol = o.atol = low ? 1e-6 : 1e-8;
    const double error = same_in_all_forms(problem, method, &o, runs);
    if (!(error < (low ? 1e-2 : 3e-6)))
        fail_msg("%s %s, rtol %g: error %g", problem->name, info.name, o.rtol, error);
}

static void check_options(const dae_problem *problem, const dae_method *method,
                          dae_jacobian_kind jacobian, dae_linear_kind linear, int *runs)
{
    dae_options o = dae_default_options();
    o.jacobian = jacobian;
    o.linear = linear;
    if (dae_method_describe(method).fixed)
        check_fixed(problem, method, o, runs);
    if (dae_method_describe(method).adaptive)
        check_chosen(problem, method, o, runs);
}

TEST(test_methods)
{
    int runs = 0;
    for (int k = 0; k < PROBLEMS; k++)
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method *method = dae_method_at(m);
            check_options(problems[k], method, DAE_JACOBIAN_BEST, DAE_LINEAR_BEST, &runs);
            if (!dae_method_describe(method).implicit)
                continue;
            for (dae_jacobian_kind j = DAE_JACOBIAN_DUAL; j <= DAE_JACOBIAN_FD; j++)
                for (dae_linear_kind l = DAE_LINEAR_DENSE; l <= DAE_LINEAR_KLU; l++)
                    check_options(problems[k], method, j, l, &runs);
        }
    assert_true(runs > 1000);
}

/* Between the ends of a step accelerations that are unknowns are M^-1 f of the (q, v) there, for
 * implicit methods with what the ends are off. */
TEST(test_inside)
{
    double u[MOST_UNKNOWNS], x[MOST_UNKNOWNS], a[2];
    dae_options o = dae_default_options();
    o.step = 0.25;
    for (int k = 0; k < 3; k++) {
        const char *method = (const char *[]){"cros", "cros4", "dopri5"}[k];
        OWNED(dae_system) *sys = created(&bead, "ggl", u);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &o, 0, u);
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.5, u));
        assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 0.35, x));
        assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0.35, x, x + 2, a, NULL));
        if (k == 2)
            assert_close(distance(x + 4, a, 2), 0, 1e-14);
        assert_close(error_of(&bead, 0.35, x), 0, k ? 1e-2 : 0.1);
        assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 0.5 - 1e-9, x));
        assert_close(distance(x, u, 6), 0, 1e-7);
    }
}

/* ---- references, drift ----------------------------------------------------------------------- */

TEST(test_reference)
{
    const double times[2] = {0.3, 1};
    double u[MOST_UNKNOWNS];
    for (int k = 0; k < PROBLEMS; k++) {
        OWNED(dae_system) *sys = created(problems[k], "ggl", u);
        OWNED(dae_reference) r = reference_of(sys, u, times, 2);
        assert_true(r.digits > 25 && r.nq == 2 && r.nl == 0);
        for (int i = 0; i < 2; i++) {
            const double x[4] = {(double)r.q[2 * i], (double)r.q[2 * i + 1], (double)r.v[2 * i],
                                 (double)r.v[2 * i + 1]};
            assert_close(error_of(problems[k], times[i], x), 0, 2e-14);
        }
    }
}

static int watch(void *context, double t, const double *u)
{
    monitor_observe(context, t, u);
    return 0;
}

/* Nothing drifts where there is no constraint; energy, where stated, is kept to the tolerance. */
TEST(test_drift)
{
    double u[MOST_UNKNOWNS];
    const dae_options o = tolerance(1e-9);
    for (int k = 0; k < PROBLEMS; k++) {
        monitor m;
        OWNED(dae_system) *sys = created(problems[k], "index2", u);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("radau"), &o, 0, NULL);
        monitor_begin(&m, sys, 0, 1, u);
        dae_solver_observe(solver, watch, &m);
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
        for (int level = 0; level < DRIFT_LEVELS; level++)
            assert_true(isnan(m.largest[level]));
        assert_true(k ? m.largest[DRIFT_LEVELS] < 1e-7 : isnan(m.largest[DRIFT_LEVELS]));
        monitor_free(&m);
    }
}

/* ---- many positions --------------------------------------------------------------------------- */

/* Many positions without a constraint, and the orders declared for them
 *
 *     q_i'' = q_(i-1) - 2 q_i + q_(i+1),  q_0 = q_(N+1) = 0:  masses on springs between walls, with
 *     q_i = sin(k pi i/(N+1)) cos(2 sin(k pi/(2 (N+1))) t)
 */

static const double pi = DAE_PI_DOUBLE;
enum { MASSES = 399, MODE = 100 };

static void string_start(const double *p, double *u)
{
    for (int i = 0; i < MASSES; i++)
        u[i] = sin(MODE * pi * (i + 1) / (MASSES + 1));
}

static const dae_problem string = {
    .name = "string", .title = "masses on springs", .citation = "-", .equations = "-",
    .variables = "q v", .units = "m m/s", .parameters = {{"N", MASSES, "-", "masses", DAE_COUNT}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(string_inertia), .force = DAE_MODEL(string_force)},
    .start = {string_start}, .t_end = 2};

/* Many positions, sparse: no matrix of n^2 entries is needed. */
TEST(test_many)
{
    static const struct { const char *form, *method; } by[] = {
        {"index3", "radau"}, {"ggl", "ida"}, {"baumgarte", "dop853"}, {"index2", "excros"}};
    static double u[2 * MASSES], exact[MASSES];
    const dae_options o = tolerance(1e-8);
    const double w = 2 * sin(MODE * pi / (2 * (MASSES + 1)));
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        OWNED(dae_system) *sys = system_of(&string, by[k].form, NULL, NULL);
        assert_int_equal(2 * MASSES, dae_system_size(sys));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        for (int i = 0; i < MASSES; i++)
            exact[i] = u[i] * cos(w * string.t_end);
        const dae_statistics count = solve_to(sys, by[k].method, &o, string.t_end, u);
        assert_true(count.nonzeros < 10 * MASSES);
        assert_close(distance(u, exact, MASSES), 0, 3e-6);
    }
}

/* Orders of an ODE are those of an ODE in a formulation that has others, too. */
TEST(test_declared)
{
    const dae_method *excros = dae_find_method("excros");
    const dae_formulation *ggl = dae_find_formulation("ggl");
    assert_true(dae_method_order(excros, ggl, 0, DAE_VELOCITY)
                == dae_method_order(excros, dae_find_formulation("ode"), 0, DAE_VELOCITY));
    assert_true(dae_method_order(excros, ggl, 0, DAE_VELOCITY)
                > dae_method_order(excros, ggl, 2, DAE_VELOCITY));
}

#else
#include "unconstrained_models.h"

static void FN(string_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++)
        r[i] = a[i];
}

static void FN(string_force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[COUNT]);
    for (int i = 0; i < n; i++) {
        f[i] = -2 * q[i];
        if (i > 0)
            f[i] += q[i - 1];
        if (i < n - 1)
            f[i] += q[i + 1];
    }
}

#endif
