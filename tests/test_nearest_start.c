/* test_nearest_start.c - consistent starts: the nearest, of any size, beside anything, in any
 * units */
#ifndef DAE_PASS
enum { X0, Y0, U, B };                  /* x0, y0, the unit of length, that of the constraints */
enum { MANY = 14 };
#include <daelab/model.h>

#include "support.h"

#include "base/numbers.h"

static void start(const double *p, double *u) { u[0] = p[X0] * p[U]; u[1] = p[Y0] * p[U]; }

#define PLACE_AND_UNITS                                                                                 \
    .parameters = {{"x0", 0, "m", "", DAE_ANY_VALUE}, {"y0", 1, "m", "", DAE_ANY_VALUE},                 \
                   {"u", 1, "-", "", DAE_POSITIVE}, {"b", 1, "-", "", DAE_POSITIVE}}

/* x^2/25 + y^2 = 1 under gravity; mass 1 */
static const dae_problem ellipse = {
    .name = "ellipse", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start},
    PLACE_AND_UNITS,
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .t_end = 10};

/* Two walls that meet in the origin: nothing moves there. */
static const dae_problem notch = {
    .name = "notch", .variables = "x y vx vy N1 N2", .units = "m m m/s m/s N N", .start = {start},
    PLACE_AND_UNITS,
    .mechanical = {.nq = 2, .nl = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .constraint = DAE_MODEL(walls), .rate = DAE_MODEL(walls_rate),
                   .acceleration = DAE_MODEL(walls_acceleration),
                   .reaction = DAE_MODEL(walls_reaction)}, .t_end = 1};

/* The ellipse, and another 2^30 times as large with 2^20 times the mass. */
static const dae_problem both = {
    .name = "both", .variables = "x y X Y vx vy VX VY N M", .units = "- - - - - - - - - -",
    .start = {start}, .t_end = 10,
    PLACE_AND_UNITS,
    .mechanical = {.nq = 4, .nl = 2, .inertia = DAE_MODEL(both_inertia),
                   .force = DAE_MODEL(both_force), .constraint = DAE_MODEL(both_constraint),
                   .rate = DAE_MODEL(both_rate), .acceleration = DAE_MODEL(both_acceleration),
                   .reaction = DAE_MODEL(both_reaction)}};

/* cos(10 x) = y/10 near its crests: steps of Gauss-Newton overshoot */
static const dae_problem comb = {
    .name = "comb", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start},
    PLACE_AND_UNITS,
    .mechanical = {.nq = 2, .nl = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .constraint = DAE_MODEL(teeth), .rate = DAE_MODEL(teeth_rate),
                   .acceleration = DAE_MODEL(teeth_acceleration),
                   .reaction = DAE_MODEL(teeth_reaction)}, .t_end = 1};

/* The ellipse as M u' = F of index 2. */
static const dae_problem track = {
    .name = "track", .variables = "x y z", .units = "m m -", .start = {start}, .t_end = 1,
    PLACE_AND_UNITS,
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three),
                    .rhs = DAE_MODEL(track_rhs)}};

/* So many ellipses side by side that no matrix is formed, each 16 times as large as the one
 * before. */
static const dae_problem many = {
    .name = "many", .variables = "", .units = "", .start = {start}, .t_end = 10,
    PLACE_AND_UNITS,
    .mechanical = {.nq = 2 * MANY, .nl = MANY, .inertia = DAE_MODEL(many_inertia),
                   .force = DAE_MODEL(many_force), .constraint = DAE_MODEL(many_constraint),
                   .rate = DAE_MODEL(many_rate), .acceleration = DAE_MODEL(many_acceleration),
                   .reaction = DAE_MODEL(many_reaction)}};

static dae_status make(const dae_problem *problem, const double *p, double *u,
                       dae_start_change *change)
{
    dae_report why = {0};
    const char *form = problem->first_order.n ? "native" : "index2";
    OWNED(dae_system) *sys = system_of(problem, form, p, NULL);
    dae_status status = dae_consistent_start(sys, 0, u, change, &why);
    if (status)
        print_error("%s\n", why.message);
    return status;
}

/* ---- the nearest ----------------------------------------------------------------------------- */

static double nearest_on_ellipse(double x, double y)
{
    double best = INFINITY;
    for (int i = 0; i < 4000; i++) {
        const double a = i * (DAE_PI_DOUBLE / 2000);
        best = fmin(best, hypot(5 * cos(a) - x, sin(a) - y));
    }
    return best;
}

/* Inside of the ellipse most places have several stationary points. */
static void check_ellipse(const dae_problem *problem)
{
    static const double places[][2] = {{-0.504491, 0.00339347}, {-0.5, 0}, {4.7, 0}, {0, 0.5},
                                       {0, -1e-9}, {2, 1e-6}, {-4, 3}, {0.01, 50}};
    uint64_t random = 3;
    for (int i = 0; i < 200; i++) {
        const int given = i < 8;
        const double x = given ? places[i][0] : 6 * dae_random(&random);
        const double y = given ? places[i][1] : 2 * dae_random(&random);
        const double p[] = {x, y, 1, 1};
        double u[5] = {x, y};
        dae_start_change change;
        assert_int_equal(DAE_OK, make(problem, p, u, &change));
        const double moved = hypot(u[0] - x, u[1] - y), nearest = nearest_on_ellipse(x, y);
        if (moved > nearest * (1 + 1e-5) + 1e-9)
            fail_msg("from (%g, %g) to (%g, %g): moved %g, nearest %g", x, y, u[0], u[1], moved,
                     nearest);
        assert_close(u[0] * u[0] / 25 + u[1] * u[1], 1, 1e-14);
        assert_close((u[0] - x) * 2 * u[1] - (u[1] - y) * 2 * u[0] / 25, 0,
                     (problem == &track ? 1e-8 : 1e-12) * (1 + moved));
    }
}

TEST(test_ellipse)
{
    check_ellipse(&ellipse);
    check_ellipse(&track);
}

/* Of a comb with crests 0.63 apart the next one. */
TEST(test_comb)
{
    for (int i = 0; i < 40; i++) {
        const double x = 0.0003 + 0.037 * i, p[] = {x, 0, 1, 1};
        double u[5] = {x, 0};
        assert_int_equal(DAE_OK, make(&comb, p, u, NULL));
        assert_close(cos(10 * u[0]), u[1] / 10, 1e-13);
        assert_true(hypot(u[0] - x, u[1]) < 0.16);
    }
}

/* ---- a solution of zero ---------------------------------------------------------------------- */

TEST(test_notch)
{
    uint64_t random = 5;
    const double p[] = {0, 0, 1, 1};
    for (int i = 0; i < 300; i++) {
        const double size = i % 3 ? 1 : ldexp(1, i - 150);
        double u[6] = {0, 0, size * dae_random(&random), size * dae_random(&random)};
        assert_int_equal(DAE_OK, make(&notch, p, u, NULL));
        assert_close(hypot(u[2], u[3]), 0, 1e-15 * size);
        assert_close(0.6 * u[4] - 0.7 * u[5], 0, 1e-14);    /* f = (0, -9.81) = G^T lambda */
        assert_close(-0.8 * u[4] - 0.9 * u[5], -9.81, 1e-14);
    }
}

TEST(test_radial_velocity)
{
    uint64_t random = 7;
    double u[8];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 0, u);
    for (int i = 0; i < 1000; i++) {
        const double a = 3.2 * dae_random(&random), w = 5 * dae_random(&random);
        double x[8] = {5 * sin(a), -5 * cos(a), w * sin(a), -w * cos(a)};
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, x, NULL, NULL));
        assert_close(hypot(x[2], x[3]), 0, 1e-14);
    }
}

/* ---- units and company ----------------------------------------------------------------------- */

TEST(test_units)
{
    static const double units[] = {0x1p-80, 0x1p-33, 0x1p40, 0x1p100};
    uint64_t random = 11;
    for (int i = 0; i < 30; i++) {
        const double x = 6 * dae_random(&random), y = 2 * dae_random(&random);
        const double v = dae_random(&random), p[] = {x, y, 1, 1};
        double u[5] = {x, y, v, 1};
        dae_start_change change, moved;
        assert_int_equal(DAE_OK, make(&ellipse, p, u, &change));
        for (int k = 0; k < 4; k++) {
            const double s = units[k], b = units[3 - k], scaled[] = {x, y, s, b};
            double w[5] = {x * s, y * s, v * s, s};
            assert_int_equal(DAE_OK, make(&ellipse, scaled, w, &moved));
            for (int j = 0; j < 4; j++)
                assert_true(w[j] == u[j] * s);
            assert_true(w[4] * b == u[4] * s * s);
            assert_true(moved.position == change.position * s);
            assert_true(moved.relative == change.relative);
        }
    }
}

TEST(test_company)
{
    uint64_t random = 13;
    const double s = 0x1p30, p[] = {0, 0, 1, 1};
    for (int i = 0; i < 100; i++) {
        double x[4], u[5] = {0}, w[5] = {0};
        for (int j = 0; j < 4; j++)
            x[j] = (j % 2 ? 2 : 6) * dae_random(&random);
        if (i % 4 == 0)
            x[1] = 0;                                   /* a saddle beside what is large */
        u[0] = x[0], u[1] = x[1], u[2] = u[3] = 1;
        w[0] = x[2], w[1] = x[3], w[2] = 1;
        double z[10] = {x[0], x[1], x[2] * s, x[3] * s, 1, 1, s, 0};
        assert_int_equal(DAE_OK, make(&ellipse, p, u, NULL));
        assert_int_equal(DAE_OK, make(&ellipse, p, w, NULL));
        assert_int_equal(DAE_OK, make(&both, p, z, NULL));
        for (int j = 0; j < 2; j++) {
            assert_close(z[j], u[j], 1e-12);
            assert_close(z[2 + j] / s, w[j], 1e-12);
            assert_close(z[4 + j], u[2 + j], 1e-12);
            assert_close(z[6 + j] / s, w[2 + j], 1e-12);
        }
        assert_close(z[0] * z[0] / 25 + z[1] * z[1], 1, 1e-14);
        assert_close(z[4] * z[0] / 25 + z[5] * z[1], 0, 1e-15);
    }
}

/* Each at a point of its ellipse where the distance is stationary; velocities along it. */
TEST(test_many)
{
    uint64_t random = 17;
    const double p[] = {0, 0, 1, 1};
    double u[5 * MANY], x[2 * MANY];
    for (int k = 0; k < MANY; k++) {
        const double angle = 3 * dae_random(&random), off = 1 + 0.4 * dae_random(&random);
        u[2 * k] = x[2 * k] = ldexp(5 * off * cos(angle), 4 * k);
        u[2 * k + 1] = x[2 * k + 1] = ldexp(off * sin(angle), 4 * k);
        u[2 * MANY + 2 * k] = u[2 * MANY + 2 * k + 1] = ldexp(1, 4 * k);
        u[4 * MANY + k] = 0;
    }
    u[6] = x[6] = ldexp(-0.5, 12);                      /* a saddle among them */
    u[7] = x[7] = 0;
    assert_int_equal(DAE_OK, make(&many, p, u, NULL));
    for (int k = 0; k < MANY; k++) {
        const double a = ldexp(u[2 * k], -4 * k), b = ldexp(u[2 * k + 1], -4 * k);
        const double x0 = ldexp(x[2 * k], -4 * k), y0 = ldexp(x[2 * k + 1], -4 * k);
        const double *v = u + 2 * MANY + 2 * k;
        assert_close(a * a / 25 + b * b, 1, 1e-14);
        assert_close((a - x0) * b - (b - y0) * a / 25, 0, 3e-9);
        assert_close((v[0] * a / 25 + v[1] * b) / ldexp(1, 4 * k), 0, 1e-15);
        assert_true(hypot(a - x0, b - y0) <= nearest_on_ellipse(x0, y0) + 1e-5);
    }
}

/* ---- how far --------------------------------------------------------------------------------- */

TEST(test_relative)
{
    const double p[] = {0, 0, 1, 1};
    dae_start_change change;
    double on[5] = {3, 0.8, 0, 0}, near[5] = {3, 0.81, 0, 0}, far[5] = {-0.5, 0.003, 0, 0};
    assert_int_equal(DAE_OK, make(&ellipse, p, on, &change));
    assert_true(change.relative == 0);
    assert_int_equal(DAE_OK, make(&ellipse, p, near, &change));
    assert_true(change.relative > 1e-3 && change.relative < 0.1);
    assert_int_equal(DAE_OK, make(&ellipse, p, far, &change));
    assert_true(change.relative > 0.5);
}

#else
#include "plain_terms.h"

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = 0; f[1] = -9.81 * p[U]; }

/* q in units of u, the constraint in units of b */
static real FN(on)(const real *q, real u)
{ return q[0] / u * (q[0] / u) / 25 + q[1] / u * (q[1] / u) - 1; }
static real FN(along)(const real *q, const real *v, real u)
{ return 2 * (q[0] / u * (v[0] / u) / 25 + q[1] / u * (v[1] / u)); }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = FN(on)(q, p[U]) * p[B]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = FN(along)(q, v, p[U]) * p[B]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{ r[0] = (FN(along)(q, a, p[U]) + FN(along)(v, v, p[U])) * p[B]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = 2 * (q[0] / p[U]) / 25 / p[U] * p[B] * n[0];
    r[1] = 2 * (q[1] / p[U]) / p[U] * p[B] * n[0];
}

static void FN(walls)(const param *p, real t, const real *q, real *g)
{ g[0] = 0.6 * q[0] - 0.8 * q[1]; g[1] = -0.7 * q[0] - 0.9 * q[1]; }
static void FN(walls_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ FN(walls)(p, t, v, r); }
static void FN(walls_acceleration)(const param *p, real t, const real *q, const real *v,
                                   const real *a, real *r)
{ FN(walls)(p, t, a, r); }
static void FN(walls_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = 0.6 * n[0] - 0.7 * n[1]; r[1] = -0.8 * n[0] - 0.9 * n[1]; }

#define LARGE 0x1p30
static void FN(both_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = a[0]; r[1] = a[1]; r[2] = 0x1p20 * a[2]; r[3] = 0x1p20 * a[3]; }
static void FN(both_force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = f[2] = 0; f[1] = -9.81; f[3] = -9.81 * 0x1p20; }
static void FN(both_constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = FN(on)(q, 1); g[1] = FN(on)(q + 2, LARGE); }
static void FN(both_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = FN(along)(q, v, 1); r[1] = FN(along)(q + 2, v + 2, LARGE); }
static void FN(both_acceleration)(const param *p, real t, const real *q, const real *v,
                                  const real *a, real *r)
{
    r[0] = FN(along)(q, a, 1) + FN(along)(v, v, 1);
    r[1] = FN(along)(q + 2, a + 2, LARGE) + FN(along)(v + 2, v + 2, LARGE);
}
static void FN(both_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = 2 * q[0] / 25 * n[0];
    r[1] = 2 * q[1] * n[0];
    r[2] = 2 * (q[2] / LARGE) / 25 / LARGE * n[1];
    r[3] = 2 * (q[3] / LARGE) / LARGE * n[1];
}
#undef LARGE

static void FN(track_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[1] - 2 * u[0] / 25 * u[2];
    F[1] = u[0] - 2 * u[1] * u[2];
    F[2] = u[0] * u[0] / 25 + u[1] * u[1] - 1;
}

static void FN(many_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ for (int i = 0; i < 2 * MANY; i++) r[i] = a[i]; }
static void FN(many_force)(const param *p, real t, const real *q, const real *v, real *f)
{ for (int i = 0; i < 2 * MANY; i++) f[i] = -i; }
static void FN(many_constraint)(const param *p, real t, const real *q, real *g)
{ for (int k = 0; k < MANY; k++) g[k] = FN(on)(q + 2 * k, (real)ldexp(1, 4 * k)); }
static void FN(many_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ for (int k = 0; k < MANY; k++) r[k] = FN(along)(q + 2 * k, v + 2 * k, (real)ldexp(1, 4 * k)); }
static void FN(many_acceleration)(const param *p, real t, const real *q, const real *v,
                                  const real *a, real *r)
{
    for (int k = 0; k < MANY; k++)
        r[k] = FN(along)(q + 2 * k, a + 2 * k, (real)ldexp(1, 4 * k))
               + FN(along)(v + 2 * k, v + 2 * k, (real)ldexp(1, 4 * k));
}
static void FN(many_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    for (int k = 0; k < MANY; k++) {
        const double s = ldexp(1, -8 * k);
        r[2 * k] = 2 * s * q[2 * k] / 25 * n[k];
        r[2 * k + 1] = 2 * s * q[2 * k + 1] * n[k];
    }
}

static void FN(teeth)(const param *p, real t, const real *q, real *g)
{ g[0] = cos(10 * q[0]) - q[1] / 10; }
static void FN(teeth_rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = -10 * sin(10 * q[0]) * v[0] - v[1] / 10; }
static void FN(teeth_acceleration)(const param *p, real t, const real *q, const real *v,
                                   const real *a, real *r)
{ r[0] = -10 * sin(10 * q[0]) * a[0] - a[1] / 10 - 100 * cos(10 * q[0]) * v[0] * v[0]; }
static void FN(teeth_reaction)(const param *p, real t, const real *q, const real *n, real *r)
{ r[0] = -10 * sin(10 * q[0]) * n[0]; r[1] = -n[0] / 10; }
#endif
