/* test_nonholonomic.c - constraints on velocities only, 0 = A(t, q) v + b(t, q), alone and beside others
 *
 * Against closed forms: a skate, an upright disc that rolls, a coin that rolls on a circle (unusual/coin.c),
 * whose mass matrix is full and whose height is a constraint on positions.
 */
#ifndef DAE_PASS
#include <daelab/model.h>
#include <daelab/check.h>
#include <daelab/method.h>
#include <daelab/sensitivity.h>

#include "nonholonomic.h"

#include "projection/project.h"

static void pushed(const double *p, double *u) { u[2] = 1; }

static double parameter(const dae_problem *problem, const char *name)
{
    return dae_parameter_default(problem, dae_parameter_index(problem, name));
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

/* Every form that there is, by every method that chooses its steps: as near as its tolerance says. */
TEST(test_closed_forms)
{
    enum { RUNS = 40 };
    const double rtol = 1e-8;
    int runs = 0;
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
                OWNED(dae_system) *sys = make(closed[k].problem, form, u);
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
            }
    assert_true(runs > RUNS);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* |A v + b| and the other rows of that level after a run with fixed steps */
static double rate_after(const dae_problem *problem, const char *form, const char *method, double step,
                         unsigned project, double t)
{
    double u[MOST], out[MOST];
    dae_options options = tolerance(1e-6);
    OWNED(dae_system) *sys = make(problem, form, u);
    options.step = step;
    options.project = project;
    solve_to(sys, method, &options, t, u);
    const int rows = dae_system_constraint(sys, 1, t, u, out);
    assert_int_equal(rows, problem->mechanical.nl);
    return largest(out, rows);
}

/* In index 2 the velocities stay; in index 1 they leave, with the order of the method, and come back where a step
 * is projected. */
TEST(test_drift)
{
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
TEST(test_feedback)
{
    const double alpha = 3, t = 0.75;
    const dae_formulation_options feedback = {.alpha = alpha, .beta = alpha};
    const dae_options options = tolerance(1e-11);
    for (int k = 0; k < CLOSED; k++) {
        const dae_problem *p = closed[k].problem;
        const int nq = p->mechanical.nq, nl = p->mechanical.nl, holonomic = nl - p->mechanical.nonholonomic;
        double u[MOST], before[MOST], after[MOST], g[MOST];
        OWNED(dae_system) *sys = NULL;
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
    }
}

TEST(test_rows_of_levels)
{
    for (int k = 0; k < CLOSED; k++) {
        const dae_mechanical *m = &closed[k].problem->mechanical;
        const int holonomic = m->nl - m->nonholonomic;
        double u[MOST], out[MOST], by_p[MOST * 8];
        dae_report why = {0};
        OWNED(dae_system) *sys = make(closed[k].problem, "index2", u);
        for (int level = 0; level < 3; level++) {
            const int rows = level ? m->nl : holonomic;
            out[rows] = 7;
            assert_int_equal(rows, dae_system_constraint(sys, level, 0, u, out));
            assert_true(largest(out, rows) < 1e-13);
            assert_true(out[rows] == 7);
            const dae_status status = dae_system_constraint_parameters(sys, level, 0, u, by_p, &why);
            assert_int_equal(status, rows ? DAE_OK : DAE_UNSUPPORTED);
        }
    }
}

/* ---- projections ----------------------------------------------------------------------------- */

/* Velocities along A^T, in the norm of M; positions along G^T, whatever A says. */
TEST(test_project)
{
    double u[MOST], v[6], g[MOST];
    OWNED(dae_system) *skate = make(&dae_skate, "index2", u);
    const double q[] = {0.3, -0.2, 0.7}, given[] = {1, 2, 3}, c = cos(q[2]), s = sin(q[2]);
    memcpy(v, given, sizeof given);
    assert_int_equal(DAE_OK, dae_project(skate, 0, (double[]){0.3, -0.2, 0.7}, v));
    const double along = given[0] * c + given[1] * s, right[] = {along * c, along * s, 3};
    assert_true(distance(v, right, 3) < 1e-15);

    OWNED(dae_system) *coin = make(&dae_coin, "index1", u);
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
}

static dae_status create_with(const dae_problem *problem, unsigned project, dae_report *why)
{
    double u[MOST];
    dae_options options = tolerance(1e-6);
    OWNED(dae_system) *sys = make(problem, "index1", u);
    OWNED(dae_solver) *solver = NULL;
    options.project = project;
    return dae_solver_create(&solver, sys, dae_find_method("radau"), &options, why);
}

TEST(test_projections_that_exist)
{
    const unsigned both = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY;
    dae_report why = {0};
    assert_int_equal(DAE_OK, create_with(&dae_skate, DAE_PROJECT_VELOCITY, &why));
    assert_int_equal(DAE_OK, create_with(&dae_coin, both, &why));
    assert_int_equal(DAE_OK, create_with(&dae_skate, DAE_PROJECT_VELOCITY | DAE_PROJECT_INVARIANT, &why));
    assert_int_equal(DAE_UNSUPPORTED, create_with(&dae_skate, both, &why));
    assert_non_null(strstr(why.message, "nonholonomic"));
}

/* Energy and spin stay, too, where they are projected on together with the velocities. */
TEST(test_invariants)
{
    double u[MOST], out[2], I[2], I0[2];
    dae_options options = tolerance(1e-6);
    for (int k = 0; k < 2; k++) {
        const dae_problem *p = closed[k].problem;
        OWNED(dae_system) *sys = make(p, "index2", u);
        options.step = 0.05;
        options.project = DAE_PROJECT_VELOCITY | DAE_PROJECT_INVARIANT;
        p->invariants.value.f(dae_system_parameters(sys), 0, u, I0);
        solve_to(sys, "cros4", &options, 1, u);
        p->invariants.value.f(dae_system_parameters(sys), 1, u, I);
        assert_close(I[0], I0[0], 1e-13);
        assert_close(I[1], I0[1], 1e-13);
        dae_system_constraint(sys, 1, 1, u, out);
        assert_true(largest(out, p->mechanical.nl) < 1e-14);
    }
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

TEST(test_driven)
{
    static const struct { const char *form, *method; } runs[] = {
        {"index1", "dop853"}, {"index1", "ida"}, {"index2", "radau"}, {"index2", "excros"},
        {"baumgarte", "radau"}, {"index1", "rodas5p"}};
    const double v = driven_velocity(3);
    const double right[] = {v, 3 * v + sin(3), -(v + cos(3)) / 10};
    double u[MOST];
    int count = 1;
    assert_int_equal(DAE_OK, dae_check_model(&driven, NULL, NULL, NULL, NULL, 0, &count, NULL));
    assert_int_equal(count, 0);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const dae_options options = tolerance(1e-9);
        OWNED(dae_system) *sys = make(&driven, runs[i].form, u);
        assert_true(u[2] == 1 && u[3] == 0);            /* consistent: not a bit is changed */
        solve_to(sys, runs[i].method, &options, 3, u);
        assert_true(distance(u + 2, right, 3) < 1e-7);
    }
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

#endif
