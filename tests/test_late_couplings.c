/* test_late_couplings.c - constraints that couple more positions than they do near the start: beads
 * on rods that the next bead lifts, from a place on, or as time goes by */
#ifndef DAE_PASS
enum { COUNT, KIND };
enum { FROM_A_PLACE, IN_TIME };
enum { MOST = 14, FEW = 3 };
#include <daelab/model.h>

#include "support.h"

static void beads_start(const double *p, double *u)
{
    for (int i = 0; i < (int)p[COUNT]; i++)
        u[2 * (int)p[COUNT] + 2 * i] = 1;
}

static const dae_problem beads = {
    .name = "beads", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {beads_start},
    .t_end = 2,
    .parameters = {{"count", MOST, "-", "", DAE_COUNT}, {"kind", 0, "-", "", DAE_ANY_VALUE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};

/* All beads move alike. u of the first one at t = 2, by a method; with few beads S is dense. */
static void solve(int count, int kind, const char *method, const char *form, double rtol,
                  dae_linear_kind linear, double bead[4])
{
    const double p[] = {count, kind};
    double u[6 * MOST];
    dae_options options = tolerance(rtol);
    options.linear = linear;
    OWNED(dae_system) *sys = system_of(&beads, form, p, u);
    solve_to(sys, method, &options, 2, u);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            const double x = u[i < 2 ? 2 * k + i : 2 * count + 2 * k + i - 2];
            bead[i] = k == 0 ? x : bead[i];
            assert_close(x, bead[i], 1e-9);
        }
}

static void refer(double count, double right[3])
{
    const double p[] = {count, IN_TIME}, end = 2;
    double u[6 * MOST];
    OWNED(dae_system) *sys = system_of(&beads, "index1", p, u);
    OWNED(dae_reference) reference = reference_of(sys, u, &end, 1);
    right[0] = (double)reference.q[0];
    right[1] = (double)reference.q[1];
    right[2] = (double)reference.lambda[0];
}

TEST(reference_of_many)
{
    double few[3], many[3], u[4];
    refer(FEW, few);
    refer(MOST, many);
    solve(FEW, IN_TIME, "dop853", "index1", 1e-12, DAE_LINEAR_BEST, u);
    for (int i = 0; i < 3; i++)
        assert_close(many[i], few[i], 1e-14);
    assert_close(u[0], few[0], 1e-9);
    assert_close(u[1], few[1], 1e-9);
}

typedef struct { const char *method, *form; double rtol, right; } run;

TEST(beads_by_all_methods)
{
    static const run runs[] = {
        {"dop853", "index1", 1e-8, 1e-6}, {"dopri5", "index1", 1e-8, 1e-6},
        {"auto", "index1", 1e-8, 1e-6},   {"excros", "index1", 1e-7, 1e-5},
        {"radau", "index1", 1e-8, 1e-5},  {"radau", "index2", 1e-8, 1e-6},
        {"rodas5p", "index2", 1e-8, 1e-6},{"cros", "index2", 1e-5, 1e-4},
        {"ida", "index1", 1e-7, 1e-5},
        {"ida", "index2", 1e-7, 1e-5},    {"auto", "index2", 1e-8, 1e-5}};
    for (int kind = FROM_A_PLACE; kind <= IN_TIME; kind++) {
        double right[4], u[4];
        solve(FEW, kind, "dop853", "index1", 1e-12, DAE_LINEAR_BEST, right);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
            for (dae_linear_kind linear = i % 2 ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
                 linear <= DAE_LINEAR_KLU; linear++) {
                solve(MOST, kind, runs[i].method, runs[i].form, runs[i].rtol, linear, u);
                for (int k = 0; k < 4; k++)
                    if (!(fabs(u[k] - right[k]) < runs[i].right))
                        fail_msg("%s %s %d: u%d = %.9g, %.9g is right", runs[i].method,
                                 runs[i].form, kind, k + 1, u[k], right[k]);
            }
        if (kind == FROM_A_PLACE)
            assert_close(right[0], 0.516072, 1e-6);
    }
}

static int asked;

static void counted(const double *p, double t, const double *q, const double *n, double *r)
{
    asked++;
    reaction_double(p, t, q, n, r);
}

/* Accelerations of beads that are not coupled: the model's reaction is asked for the entries of G, which
 * have one colour, for the direction in which they are tried, and for G^T lambda. */
TEST(work_of_accelerations)
{
    const double p[] = {MOST, FROM_A_PLACE};
    dae_problem problem = beads;
    problem.mechanical.reaction.f = counted;
    double u[6 * MOST], a[2 * MOST], lambda[MOST];
    OWNED(dae_system) *sys = system_of(&problem, "index1", p, u);
    asked = 0;
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, u, u + 2 * MOST, a, lambda));
    assert_int_equal(3, asked);
}

#else

/* Bead i lies on y_i = h(t, x_j), j the next one: h = max(0, x - 0.6)^3/2, or t^2 x^2/10. The
 * derivatives of h: */
typedef struct { real h, x, t, xx, xt, tt; } FN(height);

static FN(height) FN(lift)(const param *p, real t, real x)
{
    FN(height) h;
    if (p[KIND] == IN_TIME) {
        h.h = t * t * x * x / 10;
        h.x = t * t * x / 5;
        h.t = t * x * x / 5;
        h.xx = t * t / 5;
        h.xt = t * x * 0.4;
        h.tt = x * x / 5;
        return h;
    }
    const real z = value(x) > 0.6 ? x - 0.6 : 0 * x;
    h.h = z * z * z / 2;
    h.x = 1.5 * z * z;
    h.xx = 3 * z;
    h.t = h.xt = h.tt = 0 * x;
    return h;
}

#define FOR_BEADS(i, j) for (int i = 0, n = dae_count(p[COUNT]), j = 1 % n; i < n; i++, j = (i + 1) % n)

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[COUNT]); i++)
        r[i] = a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++) {
        f[2 * i] = -0.3 * q[2 * i];
        f[2 * i + 1] = -9.81;
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    FOR_BEADS(i, j)
        g[i] = q[2 * i + 1] - FN(lift)(p, t, q[2 * j]).h;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    FOR_BEADS(i, j) {
        const FN(height) h = FN(lift)(p, t, q[2 * j]);
        dg[i] = v[2 * i + 1] - h.x * v[2 * j] - h.t;
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    FOR_BEADS(i, j) {
        const FN(height) h = FN(lift)(p, t, q[2 * j]);
        const real w = v[2 * j];
        ddg[i] = a[2 * i + 1] - h.x * a[2 * j] - h.xx * w * w - 2 * h.xt * w - h.tt;
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *N, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[COUNT]); i++)
        r[i] = 0 * q[i];
    FOR_BEADS(i, j) {
        r[2 * i + 1] += N[i];
        r[2 * j] -= FN(lift)(p, t, q[2 * j]).x * N[i];
    }
}

#endif
