/* test_assembly.c - positions between which the gradient of a constraint turns around are two assemblies
 *
 *     x'' = -G lambda,  y'' = -1,  0 = x^3 - x,  G = 3 x^2 - 1
 *
 * has x = -1, 0 and 1. G < 0 at x = 0.55 and 0, and G > 0 at 0.62 and 1.
 */
#ifndef DAE_PASS
enum { X };
#include <daelab/model.h>

#include "support.h"

#include "system/system.h"
#include "verify/subject.h"

static const dae_problem cubic = {
    .name = "cubic", .variables = "x y vx vy lambda", .units = "m m m/s m/s N",
    .parameters = {{"x0", 0.55, "m", "", DAE_ANY_VALUE}}, .start = DAE_MODEL(start), .t_end = 1,
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};

static int differs(double from, double to)
{
    const dae_subject subject = {.problem = cubic, .places = {.nq = 2, .nl = 1, .holonomic = 1}};
    const double q[2] = {from, 7}, r[2] = {to, -7};
    return dae_assembly_differs(&subject, q, r);
}

TEST(test_sides)
{
    assert_true(differs(0.55, 1));
    assert_true(differs(0, -1));
    assert_false(differs(0.55, 0));
    assert_false(differs(0.62, 1));
    assert_false(differs(1, -1));
}

/* A start is in the assembly of itself, whatever its masses and however many constraints. */
TEST(test_starts)
{
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = dae_problems[i];
        dae_subject s = {.problem = *problem};
        double u[MOST_UNKNOWNS] = {0};
        double p[MOST_PARAMETERS];
        default_parameters(problem, p);
        s.p = p;
        s.places.nq = problem->mechanical.nq;
        s.places.nl = problem->mechanical.nl;
        s.places.holonomic = problem->mechanical.nl - problem->mechanical.nonholonomic;
        if (!s.places.nl || dae_problem_copies(problem, s.p) > 1)
            continue;
        problem->start.f(s.p, u);
        assert_false(dae_assembly_differs(&s, u, u));
    }
}

#else

static void FN(start)(const param *p, real *u) { u[0] = p[X]; }
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = 0; f[1] = -1; }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = q[0] * q[0] * q[0] - q[0]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = (3 * q[0] * q[0] - 1) * v[0]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{ r[0] = (3 * q[0] * q[0] - 1) * a[0] + 6 * q[0] * v[0] * v[0]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = (3 * q[0] * q[0] - 1) * n[0]; r[1] = 0; }

#endif
