/* test_dense_stops.c - many stops do not worsen what a run finds: a mass on a ring whose radius breathes
 *
 * In index 2 and 3 a stop that lies close behind a step makes that step longer. With thousands of them, none is made
 * longer than its own error allows. With D = 1 + c cos wt and x^2 + y^2 = 1/D the angle is t + c sin(wt)/w.
 */
#ifndef DAE_PASS
enum { C, W };
#include <daelab/model.h>

#include "support.h"

#include <math.h>
#include <string.h>

static void ring_start(const double *p, double *u)
{
    u[0] = sqrt(1 / (1 + p[C]));
    u[1] = u[2] = 0;
    u[3] = u[0] * (1 + p[C]);
}

static const dae_problem ring = {
    .name = "ring", .variables = "x y vx vy l", .units = "m m m/s m/s N", .start = {ring_start}, .t_end = 10,
    .parameters = {{"c", 0.3, "-", "depth", DAE_ANY_VALUE}, {"w", 5, "1/s", "frequency", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};

/* The largest error of x and y at ten times, in tolerances; INFINITY where the run fails. */
static double error_of(dae_system *sys, const char *method, double rtol, int stops)
{
    double u[MOST_UNKNOWNS], worst = 0;
    const dae_options o = tolerance(rtol);
    dae_solver *solver;
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method(method), &o, NULL));
    dae_status status = dae_solver_start(solver, 0, u);
    for (int k = 1; !status && k <= stops; k++) {
        const double t = 10.0 * k / stops, angle = t + 0.3 * sin(5 * t) / 5, r = 1 / sqrt(1 + 0.3 * cos(5 * t));
        status = dae_solver_advance(solver, t, u);
        if (k % (stops / 10) == 0)
            worst = fmax(worst, fmax(fabs(u[0] - r * cos(angle)), fabs(u[1] - r * sin(angle))) / rtol);
    }
    dae_solver_free(solver);
    return status ? INFINITY : worst;
}

/* Of those methods that end with some digits when they stop ten times */
static int check(dae_system *sys, const dae_method *method, double rtol, double most)
{
    const dae_method_info info = dae_method_describe(method);
    const double few = info.adaptive && info.implicit && method_solves(sys, method)
                           ? error_of(sys, info.name, rtol, 10) : INFINITY;
    if (!(few * rtol <= 0.05))
        return 0;
    for (int stops = 300; stops <= 3000; stops *= 10) {
        const double many = error_of(sys, info.name, rtol, stops);
        if (!(many <= most * fmax(few, dae_system_index(sys) > 2 ? 15 : 3)))     /* few may be near by chance */
            fail_msg("index %d, %s: %d stops are off by %.3g tolerances, ten by %.3g", dae_system_index(sys), info.name,
                     stops, many, few);
    }
    return 1;
}

static void test_stops(void **state)
{
    static const struct { const char *form; double most; int methods; } forms[] = {{"index2", 3, 9}, {"index3", 8, 8}};
    double u[MOST_UNKNOWNS];
    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        dae_system *sys;
        int methods = 0;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &ring, dae_find_formulation(forms[f].form), NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        for (int m = 0; dae_method_at(m); m++)
            methods += check(sys, dae_method_at(m), 1e-5, forms[f].most);
        assert_true(methods >= forms[f].methods);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
static real FN(depth)(const param *p, real t) { return 1 + p[C] * cos(p[W] * t); }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0], r[1] = a[1]; }

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = f[1] = (real){0}; }

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1 / FN(depth)(p, t)) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const real D = FN(depth)(p, t), s = p[C] * p[W] * sin(p[W] * t);
    r[0] = q[0] * v[0] + q[1] * v[1] - s / (D * D) / 2;
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real D = FN(depth)(p, t), s = p[C] * p[W] * sin(p[W] * t), c = p[C] * p[W] * p[W] * cos(p[W] * t);
    r[0] = v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1] - (c / (D * D) + 2 * s * s / (D * D * D)) / 2;
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = q[0] * n[0];
    r[1] = q[1] * n[0];
}
#endif
