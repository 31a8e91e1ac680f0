/* test_curved_wall.c - impacts on a curved wall that take all or nearly all of the normal velocity
 *
 * A point in a circle of radius 1 flies with velocity (1, 0) from (0, h) and hits the wall at x = sqrt(1 - h^2); with
 * restitution e the normal velocity becomes -e times itself. From there it would leave the circle along its tangent,
 * though d|r|/dt is zero: it has to go on along the wall, with the tangential velocity.
 */
#ifndef DAE_PASS
#include "support.h"

enum { E, H };
#include <daelab/model.h>

static const dae_problem along = {
    .name = "along", .start = DAE_MODEL(start), .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem *const others[] = {&along, NULL};
static const dae_event hits[] = {{.name = "wall", .value = DAE_MODEL(beyond), .direction = DAE_RISING,
                                  .action = DAE_MODEL(bounce), .limit = "along"}, {0}};
static const dae_problem circle = {
    .name = "circle", .parameters = {{"e", 0, "-", "restitution", DAE_NONNEGATIVE},
                                     {"h", 0.6, "-", "height of the start", DAE_ANY_VALUE}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start), .t0 = 0, .t_end = 3, .events = hits, .mode = "inside", .modes = others};

/* The point ends on the wall; returns the number of impacts. */
static int impacts(double e, double h, double rtol)
{
    const double p[] = {e, h};
    const dae_options options = tolerance(rtol);
    OWNED(dae_hybrid) *run = started_hybrid(&circle, "index1", p, dae_find_method("radau"), &options);
    if (dae_hybrid_advance(run, 3))
        fail_msg("e = %g: %s", e, dae_hybrid_report(run)->message);
    const double *u = dae_hybrid_unknowns(run);
    const int count = dae_hybrid_events(run);
    assert_string_equal(dae_hybrid_mode_name(run, dae_hybrid_mode(run)), "along");
    assert_true(dae_hybrid_event(run, count - 1).accumulated);
    assert_true(fabs(dae_hybrid_event(run, 0).t - sqrt(1 - h * h)) < 1e-6);
    assert_true(fabs(hypot(u[0], u[1]) - 1) < 1e-5);
    if (!(fabs(hypot(u[2], u[3]) - fabs(h)) < 1e-5))
        fail_msg("e = %g: speed %.9g along the wall, expected %.9g", e, hypot(u[2], u[3]), fabs(h));
    return count;
}

TEST(test_impacts)
{
    const double heights[] = {0.6, -0.3, 0.95};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(impacts(0, heights[i], 1e-6), 2);
        assert_int_equal(impacts(0, heights[i], 1e-12), 2);
        for (double e = 1e-12; e < 0.3; e *= 30)
            assert_true(impacts(e, heights[i], 1e-9) >= 2);
    }
}

#else
#include "unit_circle.h"

static void FN(start)(const param *p, real *u)
{
    u[1] = p[H];
    u[2] = 1;
}

static real FN(beyond)(const param *p, real t, const real *x, int k) { return hypot(x[0], x[1]) - 1; }

static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k)
{
    const real lost = (1 + p[E]) * (x[0] * x[2] + x[1] * x[3]) / (x[0] * x[0] + x[1] * x[1]);
    x[2] -= lost * x[0];
    x[3] -= lost * x[1];
    return 0;
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = 0;
}

#endif
