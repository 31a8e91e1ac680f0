/* test_project_rows.c - projections near q = 0, beside what is far away, and of any size */
#ifndef DAE_PASS
enum { X0, L, F, AT };                  /* start, length, driving force, x of the idle body */
#include <daelab/model.h>

#include "support.h"

#include "projection/manifold.h"
#include "projection/project.h"

#define PARAMETERS                                                                                \
    {{"x0", 0, "m", "", DAE_ANY_VALUE}, {"L", 1, "m", "", DAE_POSITIVE},                          \
     {"F", 0, "N", "", DAE_ANY_VALUE}, {"at", 1e8, "m", "", DAE_ANY_VALUE}}

static void start(const double *p, double *u)
{
    u[0] = p[X0];
    u[1] = p[X0] * p[X0] / (p[L] + sqrt(p[L] * p[L] - p[X0] * p[X0]));
}

/* A pendulum with its lowest point in the origin. */
static const dae_problem low = {
    .name = "low", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start},
    .parameters = PARAMETERS, .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .t_end = 10,
    .invariants = {.n = 1, .value = DAE_MODEL(energy), .names = "energy", .units = "J"}};

static void far_start(const double *p, double *u)
{
    u[0] = p[AT];
    u[1] = 3;
    u[2] = -4;
    u[3] = 7000;
}

/* A pendulum of 5 m, and a body far away that moves freely. */
static const dae_problem beside = {
    .name = "beside", .variables = "X x y V vx vy T", .units = "m m m m/s m/s m/s N",
    .start = {far_start}, .parameters = PARAMETERS, .t_end = 10,
    .mechanical = {.nq = 3, .nl = 1, .inertia = DAE_MODEL(far_inertia),
                   .force = DAE_MODEL(far_force), .constraint = DAE_MODEL(far_constraint),
                   .rate = DAE_MODEL(far_rate), .acceleration = DAE_MODEL(far_acceleration),
                   .reaction = DAE_MODEL(far_reaction)},
    .invariants = {.n = 1, .value = DAE_MODEL(far_energy), .names = "energy", .units = "J"}};

static dae_system *compose(const dae_problem *problem, const double *p, double *u)
{
    return system_of(problem, "index1", p, u);
}

/* Small swings: x0 cos(w t), or driven from rest by F sin t. */
static double small_swing(const double *p, double t)
{
    const double w = sqrt(9.81 / p[L]);
    return p[F] == 0 ? p[X0] * cos(w * t)
                     : p[F] / (w * w - 1) * (sin(t) - sin(w * t) / w);
}

TEST(test_near_zero)
{
    static const char *const methods[] = {"dop853", "dopri5", "auto", "excros", "rk4", "radau"};
    static const double cases[][4] = {
        {1e-6, 1, 0}, {1e-7, 1, 0}, {1e-9, 1, 0}, {0, 1, 0}, {0.1, 6.4e6, 0}, {10, 6.4e6, 0},
        {1e-4, 1e3, 0}, {0, 1, 1e-6}, {0, 1e3, 1e-3}, {0, 10, 1e-5}, {1e-12, 6.4e6, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int m = 0; m < 6; m++)
            for (unsigned levels = 0; levels < 8; levels += levels ? 4 : 3) {
                const double *p = cases[c];
                if (levels > 3 && p[F] != 0)
                    continue;                           /* its energy is no invariant */
                double u[5];
                dae_options o = tolerance(1e-8);
                o.atol = 1e-12;
                o.step = m == 4 ? 0.01 : 0;
                o.project = levels;
                OWNED(dae_system) *sys = compose(&low, p, u);
                const double most = fmax(fabs(p[X0]), p[F]);
                solve_to(sys, methods[m], &o, 3, u);
                assert_close(u[0], small_swing(p, 3), 1e-5 * most + 2e-10);
                if (levels || m < 4)
                    assert_close(u[1], u[0] * u[0] / (p[L] + sqrt(p[L] * p[L] - u[0] * u[0])),
                                 1e-14 * fabs(u[1]) + 1e-33 * p[L]);    /* rounding of quad */
            }
}

/* First steps so short that they show nothing: rounding inside of g is looked for later, too. */
TEST(test_long_start)
{
    const double p[] = {1e-9, 1, 0, 0};
    double u[5], t = 1e-10;
    OWNED(dae_system) *sys = compose(&low, p, u);
    dae_project_reset(sys);
    for (int k = 0; k < 11; k++, t *= 8) {
        double q[2] = {u[0], u[1]};
        q[1] += k == 10 ? 3e-18 : 0;
        assert_int_equal(DAE_OK, dae_project_positions(sys, t, q));
        assert_close(q[1], u[1], 1e-14 * u[1]);
    }
}

/* A pendulum that swings past its lowest point, which is the origin: the sums fall by 1e8 and rise again
 * between the looks that are counted. */
TEST(test_passing)
{
    const double p[] = {0.5, 1, 0, 0};
    double u[5];
    OWNED(dae_system) *sys = compose(&low, p, u);
    dae_project_reset(sys);
    for (int k = 0; k < 24; k++) {
        double q[2] = {k == 21 ? 1e-9 : u[0], k == 21 ? 3e-18 : u[1]};
        assert_int_equal(DAE_OK, dae_project_positions(sys, 0, q));
        assert_close(q[1], q[0] * q[0] / (1 + sqrt(1 - q[0] * q[0])), k == 21 ? 1e-32 : 1e-15);
    }
}

/* The same where the energy is held, too. */
TEST(test_passing_invariant)
{
    const double p[] = {0.5, 1, 0, 0}, atol[5] = {1e-12, 1e-12, 1e-12, 1e-12, 1e-12};
    double u[5];
    dae_manifold *manifold;
    dae_report why;
    OWNED(dae_system) *sys = compose(&low, p, u);
    const double fastest = sqrt(2 * 9.81 * u[1]);
    assert_int_equal(DAE_OK, dae_manifold_create(&manifold, sys, 7, 1e-8, atol, &why));
    dae_project_reset(sys);
    assert_int_equal(DAE_OK, dae_manifold_start(manifold, 0, u, &why));
    for (int k = 0; k < 24; k++) {
        double x[5] = {u[0], u[1], u[2], u[3], 0};
        const double low_point[4] = {1e-9, 3e-18, fastest, 1e-9 * fastest};
        if (k == 21)
            memcpy(x, low_point, sizeof low_point);
        assert_int_equal(DAE_OK, dae_manifold_move(manifold, 0, x));
        assert_close(x[1], x[0] * x[0] / (1 + sqrt(1 - x[0] * x[0])), k == 21 ? 1e-32 : 1e-15);
    }
    dae_manifold_free(manifold);
}

/* |g| as small as if the other were not there. */
TEST(test_beside)
{
    static const char *const methods[] = {"dop853", "cros", "radau", "ida", "rk4"};
    static const double p[] = {0, 5, 0, 1e8};
    for (int m = 0; m < 5; m++)
        for (unsigned levels = 3; levels < 8; levels += 4) {
            double u[7], g[1];
            dae_options o = tolerance(1e-6);
            o.step = m == 4 ? 0.01 : 0;
            o.project = levels;
            OWNED(dae_system) *sys = compose(&beside, p, u);
            solve_to(sys, methods[m], &o, 5, u);
            for (int level = 0; level < 2; level++) {
                assert_int_equal(1, dae_system_constraint(sys, level, 5, u, g));
                assert_close(g[0], 0, 1e-14);
            }
        }
}

/* From far the iteration goes on as long as it goes on, whatever the size of q. */
TEST(test_units)
{
    static const double sizes[] = {0x1p-100, 0x1p-40, 0x1p50, 0x1p120};
    const double one[] = {0, 1, 0, 0};
    double start_1[5], q[2] = {0.3, 0.2};
    OWNED(dae_system) *sys = compose(&low, one, start_1);
    assert_int_equal(DAE_OK, dae_project_positions(sys, 0, q));
    for (int k = 0; k < 4; k++) {
        const double s = sizes[k], scaled[] = {0, s, 0, 0};
        double start_s[5], x[2] = {0.3 * s, 0.2 * s};
        OWNED(dae_system) *other = compose(&low, scaled, start_s);
        assert_int_equal(DAE_OK, dae_project_positions(other, 0, x));
        assert_true(x[0] == q[0] * s && x[1] == q[1] * s);
    }
}

/* No circle reaches a place where its gradient vanishes, nor is rounding an excuse for that. */
TEST(test_nothing_there)
{
    const double p[] = {0, 1, 0, 0};
    double u[5], pivot[2] = {0, 1};
    OWNED(dae_system) *sys = compose(&low, p, u);
    assert_int_equal(DAE_SINGULAR, dae_project_positions(sys, 0, pivot));
}

#else
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = p[F] * sin(t); f[1] = -9.81; }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = (q[0] * q[0] + (q[1] - p[L]) * (q[1] - p[L]) - p[L] * p[L]) / 2; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = q[0] * v[0] + (q[1] - p[L]) * v[1]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{ r[0] = q[0] * a[0] + (q[1] - p[L]) * a[1] + v[0] * v[0] + v[1] * v[1]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = q[0] * n[0]; r[1] = (q[1] - p[L]) * n[0]; }
static void FN(energy)(const param *p, real t, const real *x, real *e)
{ e[0] = (x[2] * x[2] + x[3] * x[3]) / 2 + 9.81 * x[1]; }

static void FN(far_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; r[2] = a[2]; }
static void FN(far_force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = f[1] = 0; f[2] = -9.81; }
static void FN(far_constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = (q[1] * q[1] + q[2] * q[2] - 25) / 10; }
static void FN(far_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = (q[1] * v[1] + q[2] * v[2]) / 5; }
static void FN(far_acceleration)(const param *p, real t, const real *q, const real *v,
                                 const real *a, real *r)
{ r[0] = (q[1] * a[1] + q[2] * a[2] + v[1] * v[1] + v[2] * v[2]) / 5; }
static void FN(far_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = 0; r[1] = q[1] / 5 * n[0]; r[2] = q[2] / 5 * n[0]; }
static void FN(far_energy)(const param *p, real t, const real *x, real *e)
{ e[0] = (x[4] * x[4] + x[5] * x[5]) / 2 + 9.81 * x[2]; }
#endif
