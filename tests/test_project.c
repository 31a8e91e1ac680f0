/* test_project.c - several constraints: L D L^T, projection in the mass norm, and a long run */
#ifndef DAE_PASS
#include "support.h"

#include <daelab/model.h>

#include "projection/project.h"
#include "base/small_dense.h"

TEST(test_small_ldl)
{
    /* A = L D L^T with L = (1; 2 1; -1 3 1), D = (4, 1, 0.5) */
    double A[9] = {4, 8, -4, 8, 17, -5, -4, -5, 13.5}, b[3] = {4 * 1 + 8 * 2 - 4 * 3, 27, 26.5};
    assert_int_equal(-1, dae_small_factor(3, A));
    assert_close(A[3], 2, 1e-15);
    assert_close(A[7], 3, 1e-15);
    assert_close(A[8], 0.5, 1e-15);
    dae_small_solve(3, A, b);                           /* x = (1, 2, 3) */
    for (int i = 0; i < 3; i++)
        assert_close(b[i], i + 1, 1e-13);
    double singular[4] = {1, 2, 2, 4}, bad[4] = {1, 0, NAN, 1}, negative[1] = {-1};
    assert_int_equal(1, dae_small_factor(2, singular));
    assert_true(dae_small_factor(2, bad) >= 0);
    assert_int_equal(0, dae_small_factor(1, negative));
}

/* A bead with three different inertias on the circle |q| = 1, z = x under unit gravity. */
static void start(const double *p, double *u)
{
    u[1] = 1;                                           /* q = (0, 1, 0) */
    u[3] = u[5] = 0.5;                                  /* v = (1, 0, 1)/2 */
}

static const dae_problem ring = {
    .name = "ring", .title = "bead on a tilted circle", .citation = "none", .equations = "none",
    .variables = "x y z vx vy vz n1 n2", .units = "- - - - - - - -", .start = {start}, .t_end = 10,
    .mechanical = {.nq = 3, .nl = 2, DAE_MECHANICAL_MODEL}};

static dae_system *ring_system(double *u)
{
    return system_of(&ring, "index1", NULL, u);
}

static double energy(const double *u)
{
    const double *v = u + 3;
    return (v[0] * v[0] + 2 * v[1] * v[1] + 3 * v[2] * v[2]) / 2 + u[2];
}

TEST(test_long_run)
{
    const char *const methods[] = {"dopri5", "dop853"};
    for (int m = 0; m < 2; m++) {
        dae_options o = tolerance(1e-9);
        double u[8], g[2];
        OWNED(dae_system) *sys = ring_system(u);
        const double before = energy(u);
        solve_to(sys, methods[m], &o, 100, u);
        assert_close(energy(u), before, 1e-7);
        for (int level = 0; level < 3; level++) {
            assert_int_equal(2, dae_system_constraint(sys, level, 100, u, g));
            assert_close(g[0], 0, 4e-15);
            assert_close(g[1], 0, 4e-15);
        }
    }
}

/* The correction of q and v is M^-1 G^T kappa: orthogonal in the mass norm to the tangent of the
 * circle, (q_y, -2 q_x, q_y), to first order in its size. */
TEST(test_mass_norm)
{
    double u[8], g[2];
    OWNED(dae_system) *sys = ring_system(u);
    const double q0[3] = {0.501, 0.7, 0.498}, v0[3] = {0.3, 0.1, 0.2};
    double q[3] = {q0[0], q0[1], q0[2]}, v[3] = {v0[0], v0[1], v0[2]}, along_q = 0, along_v = 0;
    assert_int_equal(DAE_OK, dae_project(sys, 0, q, v));
    ring.mechanical.constraint.f(NULL, 0, q, g);
    assert_close(g[0], 0, 4e-16);
    assert_close(g[1], 0, 4e-16);
    ring.mechanical.rate.f(NULL, 0, q, v, g);
    assert_close(g[0], 0, 4e-16);
    assert_close(g[1], 0, 4e-16);
    const double tangent[3] = {q[1], -2 * q[0], q[1]};
    for (int i = 0; i < 3; i++) {
        along_q += (i + 1) * tangent[i] * (q[i] - q0[i]);
        along_v += (i + 1) * tangent[i] * (v[i] - v0[i]);
    }
    assert_close(along_q, 0, 1e-4);                     /* q moved by 0.01 */
    assert_close(along_v, 0, 1e-15);
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = (i + 1) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[1] = 0;
    f[2] = -1;
}

static real FN(dot)(const real *x, const real *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (FN(dot)(q, q) - 1) / 2;
    g[1] = q[2] - q[0];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = FN(dot)(q, v);
    r[1] = v[2] - v[0];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v,
                         const real *a, real *r)
{
    r[0] = FN(dot)(q, a) + FN(dot)(v, v);
    r[1] = a[2] - a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = q[0] * n[0] - n[1];
    r[1] = q[1] * n[0];
    r[2] = q[2] * n[0] + n[1];
}

#endif
