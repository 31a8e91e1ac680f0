/* test_chart_start.c - minimal coordinates of a start, and of a state after an impact: projected
 * first */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "support.h"

static double gap(const double *p, double t, const double *x, int k) { return x[1] - x[0] * x[0] / 2; }
static void start(const double *p, double *u) { u[0] = 1; u[1] = 1.5; u[2] = 1; u[3] = -2; }
static void start_on_wire(const double *p, double *u) { u[0] = 1; u[1] = 0.5; }

static const dae_event lands[] = {
    {.name = "lands", .value = {gap}, .direction = DAE_FALLING, .mode = "wire"}, {0}};
static const dae_problem wire = {
    .name = "wire", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start_on_wire},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL,
                   .minimal = {.n = 1, .acceleration = DAE_MODEL(slide), .embed = DAE_MODEL(embed),
                               .chart = DAE_MODEL(chart), .names = "x vx", .units = "m m/s"}}};
static const dae_problem *const others[] = {&wire, NULL};

/* A bead falls on the wire y = x^2/2, and stays on it. */
static const dae_problem bead = {
    .name = "bead", .variables = "x y vx vy", .units = "m m m/s m/s", .start = {start}, .t_end = 2,
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .minimal = {.n = 2, .acceleration = DAE_MODEL(fall), .embed = DAE_MODEL(same),
                               .chart = DAE_MODEL(same), .names = "x y vx vy",
                               .units = "m m m/s m/s"}},
    .events = lands, .mode = "air", .modes = others};

/* 1.5 - 2 t - g t^2/2 = (1 + t)^2/2; there v+ is the part of v along the wire. */
TEST(test_impact)
{
    static const char *const forms[] = {"index3", "index2", "index1", "ggl", "baumgarte", "ode"};
    const double a = (9.81 + 1) / 2, t = (-3 + sqrt(9 + 4 * a)) / (2 * a);
    const double x = 1 + t, vx = (1 - x * (2 + 9.81 * t)) / (1 + x * x);
    for (int f = 0; f < 6; f++) {
        const dae_options o = tolerance(1e-10);
        OWNED(dae_hybrid) *run = started_hybrid(&bead, forms[f], NULL, dae_find_method("radau"), &o);
        assert_int_equal(DAE_OK, dae_hybrid_advance(run, 0.5));
        assert_int_equal(1, dae_hybrid_events(run));
        const dae_event_record r = dae_hybrid_event(run, 0);
        assert_close(r.t, t, 1e-12);
        assert_close(r.before[2], 1, 1e-12);
        assert_close(r.after[2], vx, 1e-10);            /* -1.70654682345 */
        assert_close(r.after[3], x * vx, 1e-10);
    }
}

/* A bead on the upper half of a circle, whose chart keeps x and leads to the lower one. */
static void start_above(const double *p, double *u) { u[0] = 0.6; u[1] = 0.8; u[2] = 0.4; u[3] = -0.3; }
static const dae_problem circle = {
    .name = "circle", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start_above}, .t_end = 0.25,
    .mechanical = {.nq = 2, .nl = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .constraint = DAE_MODEL(circle_constraint), .rate = DAE_MODEL(circle_rate),
                   .acceleration = DAE_MODEL(circle_acceleration), .reaction = DAE_MODEL(circle_reaction),
                   .minimal = {.n = 1, .acceleration = DAE_MODEL(circle_slide), .embed = DAE_MODEL(circle_embed),
                               .chart = DAE_MODEL(circle_chart), .names = "x vx", .units = "m m/s"}}};

/* No reference begins elsewhere. */
TEST(test_other_branch)
{
    const double end = 0.25;
    dae_reference r;
    dae_report why = {0};
    double u[8];
    OWNED(dae_system) *sys = system_of(&circle, "index1", NULL, u);
    assert_int_equal(DAE_INCONSISTENT, dae_reference_solve(&r, sys, 0, u, &end, 1, &why));
    assert_non_null(strstr(why.message, "branch"));
}

/* z = -sqrt(1 + t) is exact, and not from z = 1. */
static const dae_problem other_root = {
    .name = "other_root", .variables = "x z", .units = "- -", .start = {start_ones}, .t_end = 1,
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(squares),
                    .exact = DAE_MODEL(negative_root)}};

TEST(test_other_exact_solution)
{
    const double end = 1;
    const double guesses[] = {1, 0.7, -1};
    for (int i = 0; i < 3; i++) {
        double u[2] = {1, guesses[i]};
        OWNED(dae_system) *sys = system_of(&other_root, "native", NULL, NULL);
        OWNED(dae_reference) r = reference_of(sys, u, &end, 1);
        assert_string_equal(r.source, i < 2 ? "collocation" : "exact");
        assert_close((double)r.q[1], i < 2 ? sqrt(2) : -sqrt(2), 1e-15);
    }
}

/* T(2) of a pendulum that starts beside its circle, the same in every form, and told. */
TEST(test_moved_start)
{
    static const char *const forms[] = {"index3", "index2", "index1", "ggl", "baumgarte", "ode"};
    static const struct { const char *name; double value; } given[] = {
        {"x0", 2.1}, {"y0", -3.1}, {"vx0", 1.3}, {"L", 4.3}};
    const dae_problem *pendulum = problem_named("pendulum");
    double p[MOST_PARAMETERS];
    dae_start_change first = {0};
    default_parameters(pendulum, p);
    for (int i = 0; i < 4; i++)
        p[dae_parameter_index(pendulum, given[i].name)] = given[i].value;
    for (int f = 0; f < 6; f++) {
        const dae_options o = tolerance(1e-10);
        dae_start_change change;
        double u[8], q[2], v[2], T[1], a[2];
        OWNED(dae_system) *sys = system_of(pendulum, forms[f], p, u);
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
        first = f ? first : change;
        assert_true(first.position > 0.4 && first.relative > 0.1 && change.changed);
        assert_close(change.position, first.position, 1e-14);
        assert_close(change.velocity, first.velocity, 1e-14);
        assert_close(change.relative, first.relative, 1e-12);
        solve_to(sys, "radau", &o, 2, u);
        assert_int_equal(DAE_OK, dae_system_split(sys, 2, u, q, v, T));
        assert_int_equal(DAE_OK, dae_system_accelerate(sys, 2, q, v, a, T));
        assert_close(T[0], 9.0855369, 2e-7);
    }
}

/* At rest straight below its pivot, 4 % off its rope: D = 0.04 L beside L, the way before it is none. */
TEST(test_start_at_rest)
{
    const dae_problem *pendulum = problem_named("pendulum");
    double p[MOST_PARAMETERS], u[8];
    dae_start_change change;
    default_parameters(pendulum, p);
    p[dae_parameter_index(pendulum, "x0")] = 0;
    p[dae_parameter_index(pendulum, "y0")] = -1.04 * p[dae_parameter_index(pendulum, "L")];
    OWNED(dae_system) *sys = system_of(pendulum, "index2", p, u);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
    assert_close(change.relative, 0.04, 1e-3);
}

/* No minimal coordinates of a place from which every way is the nearest. */
TEST(test_no_start)
{
    const dae_problem *pendulum = problem_named("pendulum");
    double p[MOST_PARAMETERS], u[8];
    dae_report why = {0};
    default_parameters(pendulum, p);
    p[dae_parameter_index(pendulum, "x0")] = p[dae_parameter_index(pendulum, "y0")] = 0;
    OWNED(dae_system) *sys = system_of(pendulum, "ode", p, NULL);
    assert_int_equal(DAE_INCONSISTENT, dae_system_start(sys, u, &why));
    assert_non_null(strstr(why.message, "positions"));
}

#else
#include "plain_terms.h"

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = 0; f[1] = -9.81; }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = q[1] - q[0] * q[0] / 2; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = v[1] - q[0] * v[0]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{ r[0] = a[1] - q[0] * a[0] - v[0] * v[0]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = -q[0] * n[0]; r[1] = n[0]; }
static void FN(slide)(const param *p, real t, const real *s, const real *w, real *a)
{ a[0] = -s[0] * (w[0] * w[0] + 9.81) / (1 + s[0] * s[0]); }
static void FN(embed)(const param *p, real t, const real *s, const real *w, real *u)
{ u[0] = s[0]; u[1] = s[0] * s[0] / 2; u[2] = w[0]; u[3] = s[0] * w[0]; }
static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{ s[0] = q[0]; s[1] = v[0]; }
static void FN(circle_constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; }
static void FN(circle_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = q[0] * v[0] + q[1] * v[1]; }
static void FN(circle_acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{ r[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]; }
static void FN(circle_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = q[0] * n[0]; r[1] = q[1] * n[0]; }
static void FN(circle_embed)(const param *p, real t, const real *s, const real *w, real *u)
{ u[0] = s[0]; u[1] = -sqrt(1 - s[0] * s[0]); u[2] = w[0]; u[3] = -s[0] * w[0] / u[1]; }
static void FN(circle_chart)(const param *p, real t, const real *q, const real *v, real *s)
{ s[0] = q[0]; s[1] = v[0]; }
static void FN(circle_slide)(const param *p, real t, const real *s, const real *w, real *a)
{
    const real c = 1 - s[0] * s[0];
    a[0] = -s[0] * w[0] * w[0] / c - 9.81 * s[0] * sqrt(c);
}
static void FN(squares)(const param *p, real t, const real *u, real *F)
{ F[0] = cos(t) + u[1] * u[1] - 1 - t; F[1] = u[1] * u[1] - 1 - t; }
static void FN(negative_root)(const param *p, real t, real *u)
{ u[0] = 1 + sin(t); u[1] = -sqrt(1 + t); }
static void FN(fall)(const param *p, real t, const real *s, const real *w, real *a)
{ a[0] = 0; a[1] = -9.81; }
static void FN(same)(const param *p, real t, const real *q, const real *v, real *x)
{ x[0] = q[0]; x[1] = q[1]; x[2] = v[0]; x[3] = v[1]; }
#endif
