/* test_nonholonomic.c - constraints on velocities only, 0 = A(t, q) v + b(t, q), alone and beside others
 *
 * Against closed forms: a skate, an upright disc that rolls, a coin that rolls on a circle (unusual/coin.c),
 * whose mass matrix is full and whose height is a constraint on positions. Many of them in sparse matrices:
 * unusual/skaters.c.
 */
#ifndef DAE_PASS
enum { VY };
#include <daelab/model.h>
#include <daelab/check.h>
#include <daelab/hybrid.h>
#include <daelab/method.h>
#include <daelab/reference.h>
#include <daelab/sensitivity.h>

#include "support.h"

#include "projection/project.h"

#include <math.h>
#include <string.h>

extern const dae_problem dae_skate, dae_rolling_disc, dae_coin, dae_skaters;

enum { MOST = 256 };

static void pushed(const double *p, double *u) { u[2] = 1; }

static double parameter(const dae_problem *problem, const char *name)
{
    return problem->parameters[dae_parameter_index(problem, name)].value;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* u' = pull cos(phi) of a body that keeps its direction, phi = phi0 + w t, and x' = u cos(phi) */
typedef struct { double phi, u, x, y, du; } glide;

static glide glide_at(double pull, double phi0, double u0, double w, double t)
{
    const double phi = phi0 + w * t, c0 = cos(phi0), s0 = sin(phi0), c = cos(phi), s = sin(phi);
    const double rest = u0 - pull / w * s0;             /* u = rest + pull/w sin(phi) */
    return (glide){
        .phi = phi, .u = rest + pull / w * s, .du = pull * c,
        .x = rest / w * (s - s0) + pull / (2 * w * w) * (s * s - s0 * s0),
        .y = -rest / w * (c - c0) + pull / (2 * w * w) * (w * t - s * c + s0 * c0)};
}

static void skate_at(double t, double *u)
{
    const dae_problem *p = &dae_skate;
    const double pull = parameter(p, "g") * sin(parameter(p, "slope")), w = parameter(p, "omega0");
    const glide at = glide_at(pull, parameter(p, "phi0"), parameter(p, "u0"), w, t);
    const double c = cos(at.phi), s = sin(at.phi);
    const double right[] = {at.x, at.y, at.phi, at.u * c, at.u * s, w,
                            parameter(p, "m") * (w * at.u + pull * s)};
    memcpy(u, right, sizeof right);
}

static void disc_at(double t, double *u)
{
    const dae_problem *p = &dae_rolling_disc;
    const double m = parameter(p, "m"), r = parameter(p, "r"), w = parameter(p, "omega0");
    const double pull = parameter(p, "g") * sin(parameter(p, "slope"));
    const double phi0 = parameter(p, "phi0"), u0 = parameter(p, "u0");
    const double part = 1 / (1 + parameter(p, "J") / (m * r * r));
    const glide at = glide_at(part * pull, phi0, u0, w, t);
    const double c = cos(at.phi), s = sin(at.phi);
    const double rolled = (u0 - part * pull / w * sin(phi0)) * t - part * pull / (w * w) * (c - cos(phi0));
    const double right[] = {at.x, at.y, at.phi, rolled / r, at.u * c, at.u * s, w, at.u / r,
                            m * (pull - at.du * c + at.u * w * s), -m * (at.du * s + at.u * w * c)};
    memcpy(u, right, sizeof right);
}

/* Forces of the table: m a is gravity less the reaction. */
static void coin_at(double t, double *u)
{
    const dae_problem *p = &dae_coin;
    const double m = parameter(p, "m"), r = parameter(p, "r"), A = parameter(p, "A"), C = parameter(p, "C");
    const double g = parameter(p, "g"), lean = parameter(p, "theta0"), Omega = parameter(p, "Omega");
    const double c = cos(lean), s = sin(lean), phi = Omega * t;
    const double w = (A * Omega * Omega * s * c - m * g * r * c) / ((C + m * r * r) * Omega * s);
    const double v = -r * w, R = v / Omega;
    const double right[] = {R * sin(phi), R * (1 - cos(phi)), r * s, phi, lean, (w - Omega * c) * t,
                            v * cos(phi), v * sin(phi), 0, Omega, 0, w - Omega * c,
                            -m * g, m * v * Omega * sin(phi), -m * v * Omega * cos(phi)};
    memcpy(u, right, sizeof right);
}

typedef struct {
    const dae_problem *problem;
    void (*at)(double t, double *u);
    int n;
} closed_form;

static const closed_form closed[] = {
    {&dae_skate, skate_at, 7}, {&dae_rolling_disc, disc_at, 10}, {&dae_coin, coin_at, 15}};
enum { CLOSED = sizeof closed / sizeof *closed };

static dae_system *make(const dae_problem *problem, const char *form, double *u)
{
    dae_system *sys;
    dae_report why = {0};
    if (dae_system_create(&sys, problem, dae_find_formulation(form), NULL, NULL, &why)
        || dae_system_start(sys, u, &why) || dae_consistent_start(sys, problem->t0, u, NULL, &why))
        fail_msg("%s %s: %s", problem->name, form, why.message);
    return sys;
}

/* Every form that there is, by every method that chooses its steps: as near as its tolerance says. */
static void test_closed_forms(void **state)
{
    enum { RUNS = 40 };
    const double rtol = 1e-8;
    int runs = 0;
    (void)state;
    for (int k = 0; k < CLOSED; k++)
        for (int f = 0; dae_formulation_at(f); f++)
            for (int i = 0; dae_method_at(i); i++) {
                double u[MOST], right[MOST];
                const dae_method *method = dae_method_at(i);
                const dae_options options = tolerance(rtol);
                const dae_formulation *of = dae_formulation_at(f);
                const int index = dae_formulation_describe(of).index;
                const double near = dae_method_order(method, of, index, DAE_VELOCITY) < 2 ? 1e-2 : 3e-5;
                if (!dae_formulation_applies(of, closed[k].problem)
                    || !dae_method_describe(method).adaptive)
                    continue;
                const char *form = dae_formulation_describe(of).name;
                dae_system *sys = make(closed[k].problem, form, u);
                if (method_solves(sys, method)) {
                    const double t_end = closed[k].problem->t_end;
                    solve_to(sys, dae_method_describe(method).name, &options, t_end, u);
                    closed[k].at(t_end, right);
                    const double off = distance(u, right, closed[k].n);
                    if (!(off <= near))
                        fail_msg("%s %s %s: off by %g", closed[k].problem->name, form,
                                 dae_method_describe(method).name, off);
                    runs++;
                }
                dae_system_free(sys);
            }
    assert_true(runs > RUNS);
}

/* ---- levels ---------------------------------------------------------------------------------- */

static double largest(const double *x, int n)
{
    const double zero[MOST] = {0};
    return distance(x, zero, n);
}

/* |A v + b| and the other rows of that level after a run with fixed steps */
static double rate_after(const dae_problem *problem, const char *form, const char *method, double step,
                         unsigned project, double t)
{
    double u[MOST], out[MOST];
    dae_options options = tolerance(1e-6);
    dae_system *sys = make(problem, form, u);
    options.step = step;
    options.project = project;
    solve_to(sys, method, &options, t, u);
    const int rows = dae_system_constraint(sys, 1, t, u, out);
    assert_int_equal(rows, problem->mechanical.nl);
    dae_system_free(sys);
    return largest(out, rows);
}

/* In index 2 the velocities stay; in index 1 they leave, with the order of the method, and come back where a step
 * is projected. */
static void test_drift(void **state)
{
    (void)state;
    for (int k = 0; k < CLOSED; k++) {
        const dae_problem *p = closed[k].problem;
        const double coarse = rate_after(p, "index1", "rk4", 0.02, 0, 1);
        const double fine = rate_after(p, "index1", "rk4", 0.01, 0, 1);
        assert_true(rate_after(p, "index2", "radau5", 0.01, 0, 1) < 1e-13);
        assert_true(rate_after(p, "index1", "rk4", 0.02, DAE_PROJECT_VELOCITY, 1) < 1e-14);
        if (p == &dae_coin)
            continue;                                   /* in steady motion nothing drives it off */
        assert_true(coarse > 1e-9 && fine > 1e-11);
        assert_close(log2(coarse / fine), 4, 0.6);
        assert_true(rate_after(p, "index1", "euler", 0.01, 0, 1) > 1e-3);
    }
}

/* With both parameters alpha: r decays as exp(-2 alpha t), g as (1 + alpha t) exp(-alpha t). */
static void test_feedback(void **state)
{
    const double alpha = 3, t = 0.75;
    const dae_formulation_options feedback = {.alpha = alpha, .beta = alpha};
    const dae_options options = tolerance(1e-11);
    (void)state;
    for (int k = 0; k < CLOSED; k++) {
        const dae_problem *p = closed[k].problem;
        const int nq = p->mechanical.nq, nl = p->mechanical.nl, holonomic = nl - p->mechanical.nonholonomic;
        double u[MOST], before[MOST], after[MOST], g[MOST];
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, p, dae_find_formulation("baumgarte"), NULL,
                                                   &feedback, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        u[nq] += 0.02;
        u[nq + 1] -= 0.05;
        if (holonomic)
            u[2] += 0.03;
        dae_system_constraint(sys, 1, 0, u, before);
        solve_to(sys, "radau", &options, t, u);
        dae_system_constraint(sys, 1, t, u, after);
        for (int i = holonomic; i < nl; i++) {
            assert_true(fabs(before[i]) > 1e-3);
            assert_close(after[i], before[i] * exp(-2 * alpha * t), 1e-9);
        }
        assert_int_equal(dae_system_constraint(sys, 0, t, u, g), holonomic);
        if (holonomic)
            assert_close(g[0], 0.03 * (1 + alpha * t) * exp(-alpha * t), 1e-9);
        dae_system_free(sys);
    }
}

static void test_rows_of_levels(void **state)
{
    (void)state;
    for (int k = 0; k < CLOSED; k++) {
        const dae_mechanical *m = &closed[k].problem->mechanical;
        const int holonomic = m->nl - m->nonholonomic;
        double u[MOST], out[MOST], by_p[MOST * 8];
        dae_report why = {0};
        dae_system *sys = make(closed[k].problem, "index2", u);
        for (int level = 0; level < 3; level++) {
            const int rows = level ? m->nl : holonomic;
            out[rows] = 7;
            assert_int_equal(rows, dae_system_constraint(sys, level, 0, u, out));
            assert_true(largest(out, rows) < 1e-13);
            assert_true(out[rows] == 7);
            const dae_status status = dae_system_constraint_parameters(sys, level, 0, u, by_p, &why);
            assert_int_equal(status, rows ? DAE_OK : DAE_UNSUPPORTED);
        }
        dae_system_free(sys);
    }
}

/* ---- projections ----------------------------------------------------------------------------- */

/* Velocities along A^T, in the norm of M; positions along G^T, whatever A says. */
static void test_project(void **state)
{
    double u[MOST], v[6], g[MOST];
    (void)state;
    dae_system *skate = make(&dae_skate, "index2", u);
    const double q[] = {0.3, -0.2, 0.7}, given[] = {1, 2, 3}, c = cos(q[2]), s = sin(q[2]);
    memcpy(v, given, sizeof given);
    assert_int_equal(DAE_OK, dae_project(skate, 0, (double[]){0.3, -0.2, 0.7}, v));
    const double along = given[0] * c + given[1] * s, right[] = {along * c, along * s, 3};
    assert_true(distance(v, right, 3) < 1e-15);
    dae_system_free(skate);

    dae_system *coin = make(&dae_coin, "index1", u);
    double moved[MOST];
    memcpy(moved, u, 12 * sizeof *u);
    moved[2] += 1e-2;
    moved[4] -= 1e-2;
    for (int i = 6; i < 12; i++)
        moved[i] += 0.1 * (i - 8);
    memcpy(v, moved + 6, sizeof v);
    const double stays[] = {moved[0], moved[1], moved[3], moved[5]};
    assert_int_equal(DAE_OK, dae_project(coin, 0, moved, moved + 6));
    assert_true(moved[0] == stays[0] && moved[1] == stays[1]);
    assert_close(moved[3], stays[2], 1e-15);
    assert_close(moved[5], stays[3], 1e-15);
    assert_int_equal(1, dae_system_constraint(coin, 0, 0, moved, g));
    assert_true(largest(g, 1) < 1e-16);
    assert_int_equal(3, dae_system_constraint(coin, 1, 0, moved, g));
    assert_true(largest(g, 3) < 1e-15);
    double Mdv[6], w[6];                                /* no allowed velocity sees the impulse M dv */
    for (int i = 0; i < 6; i++)
        v[i] = moved[6 + i] - v[i];
    dae_coin.mechanical.inertia.f(dae_system_parameters(coin), 0, moved, v, Mdv);
    for (int k = 3; k < 6; k++) {
        double power = 0;
        memset(w, 0, sizeof w);
        w[k] = 1;
        dae_coin.mechanical.rate.f(dae_system_parameters(coin), 0, moved, w, g);
        w[2] -= g[0];
        w[0] -= g[1];
        w[1] -= g[2];
        for (int i = 0; i < 6; i++)
            power += w[i] * Mdv[i];
        assert_close(power, 0, 1e-15);
    }
    dae_system_free(coin);
}

static dae_status create_with(const dae_problem *problem, unsigned project, dae_report *why)
{
    double u[MOST];
    dae_options options = tolerance(1e-6);
    dae_solver *solver = NULL;
    dae_system *sys = make(problem, "index1", u);
    options.project = project;
    const dae_status status = dae_solver_create(&solver, sys, dae_find_method("radau"), &options, why);
    dae_solver_free(solver);
    dae_system_free(sys);
    return status;
}

static void test_projections_that_exist(void **state)
{
    const unsigned both = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY;
    dae_report why = {0};
    (void)state;
    assert_int_equal(DAE_OK, create_with(&dae_skate, DAE_PROJECT_VELOCITY, &why));
    assert_int_equal(DAE_OK, create_with(&dae_coin, both, &why));
    assert_int_equal(DAE_OK, create_with(&dae_skate, DAE_PROJECT_VELOCITY | DAE_PROJECT_INVARIANT, &why));
    assert_int_equal(DAE_UNSUPPORTED, create_with(&dae_skate, both, &why));
    assert_non_null(strstr(why.message, "nonholonomic"));
}

/* Energy and spin stay, too, where they are projected on together with the velocities. */
static void test_invariants(void **state)
{
    double u[MOST], out[2], I[2], I0[2];
    dae_options options = tolerance(1e-6);
    (void)state;
    for (int k = 0; k < 2; k++) {
        const dae_problem *p = closed[k].problem;
        dae_system *sys = make(p, "index2", u);
        options.step = 0.05;
        options.project = DAE_PROJECT_VELOCITY | DAE_PROJECT_INVARIANT;
        p->invariants.value.f(dae_system_parameters(sys), 0, u, I0);
        solve_to(sys, "cros4", &options, 1, u);
        p->invariants.value.f(dae_system_parameters(sys), 1, u, I);
        assert_close(I[0], I0[0], 1e-13);
        assert_close(I[1], I0[1], 1e-13);
        dae_system_constraint(sys, 1, 1, u, out);
        assert_true(largest(out, p->mechanical.nl) < 1e-14);
        dae_system_free(sys);
    }
}

/* ---- many ------------------------------------------------------------------------------------ */

/* The bowl, too, as a constraint of velocities: it holds them as well as positions that begin on it. */
static dae_problem without_positions(void)
{
    dae_problem p = dae_skaters;
    p.mechanical.nonholonomic = p.mechanical.nl;
    p.mechanical.constraint = (dae_map1){0};
    return p;
}

static dae_system *make_many(const dae_problem *problem, int count, const char *form, double *u)
{
    double p[MOST_PARAMETERS];
    dae_system *sys;
    dae_report why = {0};
    for (int i = 0; i < dae_parameter_count(&dae_skaters); i++)
        p[i] = dae_skaters.parameters[i].value;
    p[0] = count;
    if (dae_system_create(&sys, problem, dae_find_formulation(form), p, NULL, &why)
        || dae_system_start(sys, u, &why))
        fail_msg("%d skaters: %s", count, why.message);
    return sys;
}

static dae_system *make_skaters(int count, const char *form, double *u)
{
    return make_many(&dae_skaters, count, form, u);
}

/* The end of u is that of the reference. */
static void compare_many(int count, const double *u, const dae_plain_reference *right)
{
    for (int k = 0; k < 4 * count; k++) {
        assert_close(u[k], right->q[k].high, 1e-6);
        assert_close(u[4 * count + k], right->v[k].high, 1e-6);
    }
    for (int k = 0; k < 2 * count; k++)
        assert_close(u[8 * count + k], right->lambda[k].high, 1e-5);
}

/* Dense, and with more than 12 constraints in a band: as near to the reference in quad. */
static void test_many(void **state)
{
    static const struct { const char *form, *method; } runs[] = {
        {"index1", "dop853"}, {"index2", "radau"}, {"index2", "ida"}, {"index2", "excros"},
        {"baumgarte", "radau9"}, {"index1", "rodas5p"}};
    (void)state;
    for (int count = 3; count <= 7; count += 4) {
        double u[MOST], t_end = 1;
        dae_report why = {0};
        dae_plain_reference right;
        dae_system *first = make_skaters(count, "index1", u);
        if (dae_plain_reference_solve(&right, first, 0, u, &t_end, 1, NULL, &why))
            fail_msg("%d skaters: %s", count, why.message);
        dae_system_free(first);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            const dae_options options = tolerance(1e-9);
            const dae_problem problems[] = {dae_skaters, without_positions()};
            for (int j = 0; j < 2; j++) {
                dae_system *sys = make_many(&problems[j], count, runs[i].form, u);
                assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, &why));
                solve_to(sys, runs[i].method, &options, 1, u);
                compare_many(count, u, &right);
                dae_system_free(sys);
            }
        }
        dae_plain_reference_free(&right);
    }
}

/* The residuals of a level at x of the last step are between those at its ends: a, b. */
static void compare_residuals(dae_solver *s, int level, double x, const double *a, const double *b)
{
    double u[MOST], out[MOST];
    const double t = (1 - x) * s->t_old + x * s->t;
    assert_int_equal(DAE_OK, dae_solver_interpolate(s, t, u));
    const int rows = dae_system_constraint(s->sys, level, t, u, out);
    for (int k = 0; k < rows; k++)
        assert_close(out[k], (1 - x) * a[k] + x * b[k], 1e-13);
}

static void residuals_between(dae_system *sys, const char *method, double *u)
{
    const dae_options options = tolerance(1e-5);
    dae_solver *s;
    dae_report why = {0};
    double a[MOST], b[MOST];
    if (dae_solver_create(&s, sys, dae_find_method(method), &options, &why))
        fail_msg("%s: %s", method, why.message);
    assert_int_equal(DAE_OK, dae_solver_start(s, 0, u));
    for (int stop = 1; stop <= 4; stop++) {
        assert_int_equal(DAE_OK, dae_solver_advance(s, 0.2 * stop, u));
        for (int level = 0; level < 2; level++) {
            dae_system_constraint(sys, level, s->t_old, s->u_old, a);
            dae_system_constraint(sys, level, s->t, s->u, b);
            compare_residuals(s, level, 0.3, a, b);
            compare_residuals(s, level, 0.8, a, b);
        }
    }
    dae_solver_free(s);
}

/* What is shown inside of steps is as near to the constraints as their ends are. */
static void test_between(void **state)
{
    static const char *const methods[] = {"radau", "radau5", "rodas5p"};
    double u[MOST];
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int count = 0; count <= 7; count += 7) {
            dae_system *sys = count ? make_skaters(count, "index2", u) : make(&dae_coin, "index2", u);
            if (!count)
                u[10] = 0.5;                            /* it tilts: the motion is not steady */
            assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
            residuals_between(sys, methods[i], u);
            dae_system_free(sys);
        }
}

/* The nearest start: positions on the bowl along G^T, M (q - q0) + G^T kappa = 0; heading and place of the edges
 * have no part in it; then velocities. */
static void test_starts_of_many(void **state)
{
    (void)state;
    for (int count = 3; count <= 7; count += 4) {
        double u[MOST], given[MOST], out[MOST];
        dae_start_change change;
        dae_report why = {0};
        dae_system *sys = make_skaters(count, "index2", u);
        for (int i = 0; i < 8 * count; i++)
            u[i] += 0.01 * sin(3 * i);
        memcpy(given, u, sizeof u);
        if (dae_consistent_start(sys, 0, u, &change, &why))
            fail_msg("%s", why.message);
        assert_int_equal(count, dae_system_constraint(sys, 0, 0, u, out));
        assert_true(largest(out, count) < 1e-15);
        assert_int_equal(2 * count, dae_system_constraint(sys, 1, 0, u, out));
        assert_true(largest(out, 2 * count) < 1e-15);
        for (int i = 0; i < count; i++) {
            const double *q = u + 4 * i, *q0 = given + 4 * i, kappa = q[2] - q0[2];
            assert_close(q[0] - q0[0], -kappa * q[0] / 4, 1e-8);
            assert_close(q[1] - q0[1], -kappa * q[1] / 4, 1e-8);
            assert_true(q[3] == q0[3]);
        }
        dae_system_free(sys);
    }
}

/* Those of the bowl come first, of all skates. */
static void test_names(void **state)
{
    double u[MOST];
    char name[32], unit[32];
    dae_system *sys = make_skaters(2, "index2", u);
    static const char *const right[] = {"x1", "y1", "z1", "phi1", "x2", "y2", "z2", "phi2", "vx1", "vy1",
                                        "vz1", "omega1", "vx2", "vy2", "vz2", "omega2", "B1", "B2", "E1", "E2"};
    (void)state;
    assert_int_equal(20, dae_system_size(sys));
    for (int i = 0; i < 20; i++) {
        dae_system_unknown(sys, i, name, unit, (int)sizeof name);
        assert_string_equal(right[i], name);
    }
    assert_string_equal("N", unit);
    dae_system_free(sys);
}

/* ---- b(t) -------------------------------------------------------------------------------------- */

/* 0 = y' - t x' - sin(t), of a point mass that nothing else moves */
static const dae_problem driven = {
    .name = "driven", .variables = "x y vx vy l", .units = "m m m/s m/s N", .start = {pushed}, .t_end = 3,
    .mechanical = {.nq = 2, .nl = 1, .nonholonomic = 1, .inertia = DAE_MODEL(inertia),
                   .force = DAE_MODEL(force), .rate = DAE_MODEL(rate),
                   .acceleration = DAE_MODEL(acceleration), .reaction = DAE_MODEL(reaction)}};

/* x' sqrt(1 + t^2) = 1 - the integral of s cos(s)/sqrt(1 + s^2), by Simpson's rule */
static double driven_velocity(double t)
{
    enum { PARTS = 2000 };
    double sum = 0;
    for (int i = 0; i <= PARTS; i++) {
        const double s = t * i / PARTS, weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
        sum += weight * s * cos(s) / sqrt(1 + s * s);
    }
    return (1 - sum * t / PARTS / 3) / sqrt(1 + t * t);
}

static void test_driven(void **state)
{
    static const struct { const char *form, *method; } runs[] = {
        {"index1", "dop853"}, {"index1", "ida"}, {"index2", "radau"}, {"index2", "excros"},
        {"baumgarte", "radau"}, {"index1", "rodas5p"}};
    const double v = driven_velocity(3);
    const double right[] = {v, 3 * v + sin(3), -(v + cos(3)) / 10};
    double u[MOST];
    int count = 1;
    (void)state;
    assert_int_equal(DAE_OK, dae_check_model(&driven, NULL, NULL, NULL, NULL, 0, &count, NULL));
    assert_int_equal(count, 0);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const dae_options options = tolerance(1e-9);
        dae_system *sys = make(&driven, runs[i].form, u);
        assert_true(u[2] == 1 && u[3] == 0);            /* consistent: not a bit is changed */
        solve_to(sys, runs[i].method, &options, 3, u);
        assert_true(distance(u + 2, right, 3) < 1e-7);
        dae_system_free(sys);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

static void refused(const dae_problem *problem, const char *words)
{
    dae_system *sys;
    dae_report why = {0};
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_system_create(&sys, problem, dae_find_formulation("index2"), NULL, NULL, &why));
    if (!strstr(why.message, words))
        fail_msg("\"%s\" does not say \"%s\"", why.message, words);
}

static void test_records(void **state)
{
    dae_problem p = dae_coin;
    dae_system *sys;
    dae_report why = {0};
    (void)state;
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
static void test_not_linear(void **state)
{
    enum { MOST_FINDINGS = 8 };
    (void)state;
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

static void test_landing(void **state)
{
    static const char *const methods[] = {"radau", "dop853", "ida", "auto"};
    dae_problem ice = dae_skate, air = dae_skate;
    const dae_problem *others[] = {&ice, NULL};
    (void)state;
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
        dae_hybrid *run;
        dae_report why = {0};
        double x[MOST];
        dae_options options = tolerance(1e-10);
        options.project = i ? 0 : DAE_PROJECT_VELOCITY; /* on what one of the modes has */
        if (dae_hybrid_create(&run, &air, dae_find_formulation("index1"), NULL, NULL,
                              dae_find_method(methods[i]), &options, &why))
            fail_msg("%s: %s", methods[i], why.message);
        dae_status status = dae_hybrid_start(run, 0, NULL);
        if (!status)
            status = dae_hybrid_advance(run, 2);
        if (status)
            fail_msg("%s: %s", methods[i], dae_hybrid_report(run)->message);
        assert_int_equal(1, dae_hybrid_mode(run));
        assert_int_equal(DAE_OK, dae_hybrid_state(run, 2, dae_hybrid_unknowns(run), x));
        const double u = cos(0.75) + 2 * sin(0.75);     /* along the edge, as it touches */
        assert_close(x[3], u * cos(1.0), 1e-8);
        assert_close(x[4], u * sin(1.0), 1e-8);
        assert_close(x[0], 1 + u / 0.25 * (sin(1.0) - sin(0.75)), 1e-8);
        dae_hybrid_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_rows_of_levels),
        cmocka_unit_test(test_project),
        cmocka_unit_test(test_projections_that_exist),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_starts_of_many),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_not_linear),
        cmocka_unit_test(test_landing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
    r[1] = a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[1] = (real){0};
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[1] - t * v[0] - sin(t);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = a[1] - t * a[0] - v[0] - cos(t);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *l, real *r)
{
    r[0] = -t * l[0];
    r[1] = l[0];
}

static void FN(speed)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[0] * v[0] + v[1] * v[1] - 1;
}

static void FN(speed_change)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = 2 * (v[0] * a[0] + v[1] * a[1]);
}

#endif
