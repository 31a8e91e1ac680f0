/* test_slider_crank.c - mass matrices that are not diagonal or depend on the state */
#ifndef DAE_PASS
enum { SKEW };
#include <daelab/model.h>

#include "support.h"

/* ---- the slider-crank --------------------------------------------------------------------- */

static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
enum { FORMS = sizeof forms / sizeof *forms };

/* The defaults of problems/slider_crank.c, and the crank's speed at t = 0. */
static const double l1 = 0.15, l2 = 0.3, m1 = 0.36, m2 = 0.151104, m3 = 0.075552, omega0 = 150;

/* Twice the kinetic energy for phi' = 1: bodies turn about their centres, which move as the ends of
 * crank and rod do; sin psi = -(l1/l2) sin phi. */
static double inertia_of(double phi)
{
    const double s = -l1 / l2 * sin(phi), turn = -l1 * cos(phi) / (l2 * sqrt(1 - s * s));
    const double joint[2] = {-l1 * sin(phi), l1 * cos(phi)};
    const double slider = joint[0] - l2 * s * turn;             /* its velocity */
    const double centre[2] = {(joint[0] + slider) / 2, joint[1] / 2};
    return m1 * l1 * l1 / 3 + m2 * (centre[0] * centre[0] + centre[1] * centre[1])
           + m2 * l2 * l2 / 12 * turn * turn + m3 * slider * slider;
}

/* t(phi) = integral of dphi/phi', phi' = omega0 sqrt(I(0)/I(phi)): Gauss-Legendre, three points. */
static double time_of(double phi)
{
    enum { PANELS = 4000 };
    const double h = phi / PANELS, node = sqrt(0.6) / 2;
    double sum = 0;
    for (int i = 0; i < PANELS; i++) {
        const double middle = (i + 0.5) * h;
        sum += 8 * sqrt(inertia_of(middle)) + 5 * sqrt(inertia_of(middle - node * h))
               + 5 * sqrt(inertia_of(middle + node * h));
    }
    return sum * h / 18 / (omega0 * sqrt(inertia_of(0)));
}

/* phi(t) by Newton's method; dt/dphi = sqrt(I/I(0))/omega0. */
static double angle_at(double t)
{
    double phi = omega0 * t;
    for (int i = 0; i < 20; i++)
        phi -= (time_of(phi) - t) * omega0 * sqrt(inertia_of(0) / inertia_of(phi));
    return phi;
}

typedef struct { const char *method; double rtol; } method_run;

static const method_run methods[] = {{"radau", 1e-13}, {"ida", 1e-12}, {"dop853", 1e-12}};

static int solves(const char *form, const char *method)
{
    return strcmp(method, "dop853") != 0 || strcmp(form, "index1") == 0;
}

/* Every formulation reaches the angle of the energy integral, and keeps the energy. */
TEST(test_energy_integral)
{
    const double phi = angle_at(0.1);
    assert_close(time_of(phi), 0.1, 1e-15);
    for (int f = 0; f < FORMS; f++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const int lax = strcmp(methods[m].method, "ida") == 0;      /* errors add up */
            double u[MOST_UNKNOWNS], begin, end, power;
            dae_options options = tolerance(methods[m].rtol);
            if (!solves(forms[f], methods[m].method)
                || (lax && strcmp(forms[f], "index3") == 0))
                continue;
            OWNED(dae_system) *sys = system_at_start("slider_crank", forms[f], 0, u);
            assert_int_equal(1, dae_system_energy(sys, 0, u, u + 2, &begin, &power));
            assert_close(begin, inertia_of(0) * omega0 * omega0 / 2, 1e-12 * begin);
            solve_to(sys, methods[m].method, &options, 0.1, u);
            assert_int_equal(1, dae_system_energy(sys, 0.1, u, u + 2, &end, &power));
            assert_close(u[0], phi, lax ? 1e-7 : 1e-9);
            assert_close(end / begin, 1, lax ? 1e-8 : 1e-9);
        }
}

/* The reference in quad precision does so, too, and all formulations reach it. */
TEST(test_reference)
{
    const double end = 0.1;
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("slider_crank", "index1", 0, u);
    OWNED(dae_reference) r = reference_of(sys, u, &end, 1);
    assert_true(r.digits > 20);
    assert_close((double)r.q[0], angle_at(0.1), 1e-13);
    for (int f = 0; f < FORMS; f++) {
        const dae_options options = tolerance(1e-13);
        const int raw = strcmp(forms[f], "index3") == 0;        /* the order falls with the index */
        double q[2], v[2], lambda[1];
        dae_system_free(sys);
        sys = system_at_start("slider_crank", forms[f], 0, u);
        solve_to(sys, "radau", &options, end, u);
        assert_int_equal(DAE_OK, dae_system_split(sys, end, u, q, v, lambda));
        for (int i = 0; i < 2; i++) {
            assert_close(q[i], (double)r.q[i], 1e-9);
            assert_close(v[i] / (double)r.v[i], 1, raw ? 1e-8 : 1e-9);
        }
        assert_close(lambda[0] / (double)r.lambda[0], 1, raw ? 1e-5 : 1e-7);
    }
}

/* M a + G^T lambda = f and d2g/dt2 = 0 at states on no constraint in particular. */
TEST(test_accelerate)
{
    const dae_mechanical *m = &problem_named("slider_crank")->mechanical;
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("slider_crank", "index1", 0, u);
    const double *p = dae_system_parameters(sys);
    for (int k = 0; k < 20; k++) {
        const double q[2] = {0.7 * k, sin(3.0 * k)}, v[2] = {150 - 20 * k, 11 * k - 70};
        double a[2], lambda[1], Ma[2], force[2], reaction[2], dd[1];
        assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, q, v, a, lambda));
        m->inertia.f(p, 0, q, a, Ma);
        m->force.f(p, 0, q, v, force);
        m->reaction.f(p, 0, q, lambda, reaction);
        m->acceleration.f(p, 0, q, v, a, dd);
        const double size = fabs(force[0]) + fabs(force[1]) + fabs(Ma[0]) + fabs(Ma[1]) + 1;
        for (int i = 0; i < 2; i++)
            assert_close(Ma[i] + reaction[i], force[i], 1e-13 * size);
        assert_close(dd[0], 0, 1e-9);                   /* of terms of 1e4 */
    }
}

/* Accelerations are unknowns here: u = (q, v, lambda[, mu], a), a from the start on. */
TEST(test_carried)
{
    for (int f = 0; f < FORMS; f++) {
        const int n = strcmp(forms[f], "ggl") == 0 ? 8 : 7;
        double u[MOST_UNKNOWNS], a[2], lambda[1], F[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = system_at_start("slider_crank", forms[f], 0, u);
        assert_int_equal(n, dae_system_size(sys));
        assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, u, u + 2, a, lambda));
        assert_close(u[4], lambda[0], 1e-10 * fabs(lambda[0]) + 1e-10);
        assert_close(u[n - 2], a[0], 1e-9);
        assert_close(u[n - 1], a[1], 1e-9);
        dae_system_rhs(sys, 0, u, F);
        assert_close(distance(F, u + 2, 2), 0, 1e-12);          /* q' = v */
        assert_close(distance(F + 2, u + n - 2, 2), 0, 1e-9);   /* v' = a */
    }
}

/* ---- a constant mass matrix that is not diagonal ------------------------------------------ */

/* A unit mass on the circle x^2 + y^2 = 1 under gravity, in coordinates q = S^-1 (x, y) with
 * S = (1, SKEW; 0, 1): M = S^T S, f = S^T (0, -1), g(q) = (|S q|^2 - 1)/2. */
static void start_skew(const double *p, double *u)
{
    u[0] = 0.8 + 0.6 * p[SKEW];
    u[1] = -0.6;
}

static dae_problem skewed(double skew)
{
    const dae_problem problem = {
        .name = "skewed", .variables = "x y vx vy T", .units = "m m m/s m/s N",
        .parameters = {{"skew", skew, "-", "of the coordinates", DAE_ANY_VALUE}},
        .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
        .start = {start_skew}, .t_end = 3,
    };
    return problem;
}

/* (x, y, vx, vy, T) at t = 3 in coordinates of this skew; by steps of a size where step > 0 */
static void solve_skewed(double skew, const char *form, const char *method, double step, double *w)
{
    const dae_problem problem = skewed(skew);
    dae_options options = tolerance(1e-11);
    double u[MOST_UNKNOWNS];
    options.step = step;
    OWNED(dae_system) *sys = system_of(&problem, form, NULL, NULL);
    assert_int_equal((skew != 0 ? 7 : 5) + (strcmp(form, "ggl") == 0), dae_system_size(sys));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
    solve_to(sys, method, &options, 3, u);
    for (int k = 0; k < 4; k += 2) {
        w[k] = u[k] + skew * u[k + 1];
        w[k + 1] = u[k + 1];
    }
    w[4] = u[4];
}

/* It shows the solution of its twin with M = I. */
TEST(test_twin)
{
    for (int f = 0; f < FORMS; f++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const int lax = strcmp(methods[m].method, "ida") == 0;
            double u[5], w[5];
            if (!solves(forms[f], methods[m].method)
                || (lax && strcmp(forms[f], "index3") == 0))
                continue;
            solve_skewed(0, forms[f], methods[m].method, 0, u);
            solve_skewed(0.75, forms[f], methods[m].method, 0, w);
            assert_close(distance(u, w, 4), 0, lax ? 1e-7 : 1e-8);
            assert_close(u[4], w[4], 1e-6);
        }
}

/* Steps that linear changes of coordinates do not touch are those of the twin. Where rounding, raw
 * accelerations or ggl, q' = v - G^T mu, are touched, the solution is near. */
TEST(test_twin_steps)
{
    static const struct { const char *form, *method; double tolerance; } by[] = {
        {"index1", "rk4", 1e-12}, {"index1", "dop853", 1e-12}, {"index1", "radau5", 1e-9},
        {"index2", "radau5", 1e-9}, {"index1", "excros", 1e-8}, {"index2", "excros", 1e-8},
        {"ggl", "excros", 1e-8},
    };
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        double u[5], w[5];
        solve_skewed(0, by[k].form, by[k].method, 0.01, u);
        solve_skewed(0.75, by[k].form, by[k].method, 0.01, w);
        assert_close(distance(u, w, 4), 0, by[k].tolerance);
    }
}

/* Raw index 3 at loose tolerances: the crank angle at 0.1 s, from the quad reference. What Newton's
 * iteration leaves in q shows in the multiplier divided by h^2, and must not make steps smaller. */
TEST(test_loose_tolerances)
{
    const char *const radau[] = {"radau5", "radau9", "radau13", "radau"};
    double u[MOST_UNKNOWNS];
    for (size_t m = 0; m < sizeof radau / sizeof *radau; m++)
        for (double rtol = 1e-4; rtol > 1e-6; rtol /= 10) {
            const dae_options options = tolerance(rtol);
            OWNED(dae_system) *sys = system_at_start("slider_crank", "index3", 0, u);
            const dae_statistics count = solve_to(sys, radau[m], &options, 0.1, u);
            assert_close(u[0], 12.135878188, 100 * rtol * 12.14);
            assert_true(count.steps < 150);
        }
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const real x = a[0] + p[SKEW] * a[1];
    r[0] = x;
    r[1] = p[SKEW] * x + a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -1;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[0] + p[SKEW] * q[1];
    g[0] = (x * x + q[1] * q[1] - 1) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = (q[0] + p[SKEW] * q[1]) * (v[0] + p[SKEW] * v[1]) + q[1] * v[1];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    const real vx = v[0] + p[SKEW] * v[1];
    ddg[0] = (q[0] + p[SKEW] * q[1]) * (a[0] + p[SKEW] * a[1]) + q[1] * a[1] + vx * vx
             + v[1] * v[1];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    const real x = q[0] + p[SKEW] * q[1];
    r[0] = x * T[0];
    r[1] = (p[SKEW] * x + q[1]) * T[0];
}

#endif
