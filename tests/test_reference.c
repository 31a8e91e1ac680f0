/* test_reference.c - extrapolation and reference solutions in quad precision
 *
 * The values of the pendulum (m = 1, L = 5, g(t) = 9.81 + 0.05 sin(2 pi t), from (3, -4) at rest)
 * belong to 9.81 and 0.05 as decimal numbers, and are compared to 27 decimals with an integration
 * here that has these. A system has its parameters as doubles and moves a little differently: by
 * less than 1e-15 at t = 2 and 1e-13 at t = 100.
 */


#include "support.h"

#include "daelab/functions.h"
#include "reference/extrapolation.h"
#include "reference/reference.h"

extern const dae_problem dae_pendulum, dae_linear_dae;

enum { TIMES = 3 };
static const double times[TIMES] = {2, 10, 100};
static const dae_quad quad_times[TIMES] = {2, 10, 100};

/* x, y, vx, vy, T at these times */
static const char *const known[TIMES][5] = {
    {"-2.78455740343261397833134901895", "-4.15285926404791842890668085671",
     "-1.44252782029712829109682979111", "0.96723757446829082741070638645",
     "8.75119688362091325671539199868"},
    {"1.50243988536651036062807942147", "-4.76892801275715077308506796085",
     "-3.70162432494447239492891246461", "-1.16618829463607324291505358516",
     "12.3690403173428925636240470171"},
    {"-0.655980968123855156629025422888", "-4.95678211841707742062348471555",
     "4.29381951763561342541786062214", "-0.568244441017956506683299430854",
     "13.4771640752895742599157416120"}};

/* Row i of a mechanical reference, (q, v, lambda) */
static dae_quad entry(const dae_reference *r, int i, int j)
{
    return j < r->nq ? r->q[i * r->nq + j] : j < 2 * r->nq ? r->v[i * r->nq + j - r->nq]
           : r->lambda[i * r->nl + j - 2 * r->nq];
}

/* ---- extrapolation ------------------------------------------------------------------------ */

static dae_status identity(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    memcpy(z, y, (size_t)*(const int *)context * sizeof *z);
    return DAE_OK;
}

static int one = 1, two = 2;

static dae_status oscillator(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = y[1];
    dy[1] = -y[0];
    return DAE_OK;
}

/* |y(2) - cos 2| with k columns and a basic step H */
static double oscillator_error(int k, double H)
{
    const dae_quad_ode ode = {2, 2, oscillator, identity, &two, NULL};
    const dae_quad_rule rule = {.columns = k, .step = H, .most = 1e6};
    const dae_quad end = 2;
    const dae_quad_grid grid = {.t0 = 0, .times = &end, .count = 1};
    const dae_quad y0[2] = {1, 0};
    dae_quad y[2], size[2] = {0};
    assert_int_equal(dae_extrapolate(&ode, &rule, &grid, y0, y, size, NULL), DAE_OK);
    return (double)dae_quad_hypot(y[0] - dae_quad_cos(2), y[1] + dae_quad_sin(2));
}

TEST(order_is_twice_the_columns)
{
    for (int k = 2; k <= 6; k++) {
        const double order = log2(oscillator_error(k, 0.25) / oscillator_error(k, 0.125));
        if (fabs(order - 2 * k) > 0.2)
            fail_msg("%d columns: order %.2f", k, order);
    }
}

/* theta'' = -g(t)/L sin theta with decimal g; z = (x, y, vx, vy, T) */
static dae_quad gravity(dae_quad t)
{
    return DAE_QUAD_C(9.81) + DAE_QUAD_C(0.05) * dae_quad_sin(2 * DAE_PI_QUAD * t);
}

static dae_status decimal_pendulum(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = y[1];
    dy[1] = -gravity(t) / 5 * dae_quad_sin(y[0]);
    return DAE_OK;
}

static dae_status pendulum_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    const dae_quad s = dae_quad_sin(y[0]), c = dae_quad_cos(y[0]);
    z[0] = 5 * s;
    z[1] = -5 * c;
    z[2] = 5 * c * y[1];
    z[3] = 5 * s * y[1];
    z[4] = 5 * y[1] * y[1] + gravity(t) * c;
    return DAE_OK;
}

TEST(known_digits_with_decimal_parameters)
{
    const dae_quad_ode ode = {2, 5, decimal_pendulum, pendulum_outputs, NULL, NULL};
    const dae_quad_grid grid = {.t0 = 0, .times = quad_times, .count = TIMES};
    const dae_quad y0[2] = {dae_quad_atan2(3, 4), 0};
    dae_quad z[TIMES][5];
    double digits;
    assert_int_equal(dae_extrapolate_pair(&ode, &grid, y0, z[0], &digits, NULL), DAE_OK);
    assert_true(digits >= 26);
    for (int i = 0; i < TIMES; i++)
        for (int j = 0; j < 5; j++)
            assert_near(z[i][j], dae_quad_parse(known[i][j], NULL), 1e-27);
}

static dae_status explosion(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = y[0] * y[0];
    return DAE_OK;
}

/* 0 to t = 1, no number behind it */
static dae_status edge(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = 0 * dae_quad_sqrt(1 - t);
    return DAE_OK;
}

static dae_status very_stiff(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = -1e6 * (y[0] - dae_quad_cos(t));
    return DAE_OK;
}

/* cos t, from which errors depart as e^(growth t) */
static double growth;

static dae_status departure(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dy[0] = growth * (y[0] - dae_quad_cos(t)) - dae_quad_sin(t);
    return DAE_OK;
}

static dae_status run_pair(dae_quad_rhs *f, int *n, dae_quad end, double *digits, dae_report *why)
{
    const dae_quad_ode ode = {*n, *n, f, identity, n, NULL};
    const dae_quad_grid grid = {.t0 = 0, .times = &end, .count = 1};
    const dae_quad y0[] = {1, 1};
    dae_quad y[2];
    *why = (dae_report){DAE_OK, ""};
    return dae_extrapolate_pair(&ode, &grid, y0, y, digits, why);
}

TEST(failures_are_typed)
{
    double digits;
    dae_report why;
    const dae_status blown = run_pair(explosion, &one, 2, &digits, &why);
    assert_true(blown == DAE_NO_CONVERGENCE || blown == DAE_NOT_FINITE);
    assert_true(strstr(why.message, "t = 0.99") || strstr(why.message, "t = 1:"));
    assert_int_equal(run_pair(edge, &one, 2, &digits, &why), DAE_NOT_FINITE);
    assert_non_null(strstr(why.message, "not finite"));
    assert_int_equal(run_pair(very_stiff, &one, 1000, &digits, &why), DAE_NO_CONVERGENCE);
    assert_true(why.message[0]);
}

TEST(sensitive_solutions_have_fewer_digits)
{
    double digits;
    dae_report why;
    growth = 25;
    assert_int_equal(run_pair(departure, &one, 1, &digits, &why), DAE_OK);
    assert_true(digits >= 18 && digits < 24);
    assert_string_equal(why.message, "");
    growth = 60;
    assert_int_equal(run_pair(departure, &one, 1, &digits, &why), DAE_NO_CONVERGENCE);
    assert_true(digits < 18);
    assert_non_null(strstr(why.message, "digits only"));
}

/* ---- references --------------------------------------------------------------------------- */

TEST(minimal_and_cartesian_agree)
{
    static const double as_doubles[TIMES] = {1e-15, 1e-14, 1e-13};
    dae_reference a, b;
    double u[8];
    OWNED(dae_system) *sys = system_of(&dae_pendulum, "index3", NULL, u);
    assert_int_equal(dae_reference_solve(&a, sys, 0, u, times, TIMES, NULL), DAE_OK);
    assert_int_equal(dae_reference_solve_in(&b, sys, DAE_REFERENCE_CARTESIAN, 0, u, times, TIMES,
                                            NULL), DAE_OK);
    assert_string_equal(a.source, "minimal coordinates");
    assert_string_equal(b.source, "Cartesian coordinates");
    assert_true(a.digits >= 24 && a.digits <= 33);
    assert_true(b.digits >= 24 && b.digits <= 33);
    for (int i = 0; i < TIMES; i++)
        for (int j = 0; j < 5; j++) {
            assert_near(entry(&a, i, j), entry(&b, i, j), 1e-24);
            assert_near(entry(&a, i, j), dae_quad_parse(known[i][j], NULL), as_doubles[i]);
        }
    assert_near(a.lambda[0], DAE_QUAD_C(8.75119688362091), 5e-15);
    dae_reference_free(&a);
    dae_reference_free(&b);
}

/* The start of `ode` is (3, -4) rounded to an angle. */
TEST(every_formulation_starts_it)
{
    for (int i = 0; dae_formulation_at(i); i++) {
        const dae_formulation *form = dae_formulation_at(i);
        if (!dae_formulation_applies(form, &dae_pendulum))
            continue;
        double u[8];
        dae_reference a, b;
        OWNED(dae_system) *sys = system_of(&dae_pendulum, dae_formulation_describe(form).name, NULL, u);
        assert_int_equal(dae_reference_solve(&a, sys, 0, u, times, 1, NULL), DAE_OK);
        assert_int_equal(dae_reference_solve_in(&b, sys, DAE_REFERENCE_CARTESIAN, 0, u, times, 1,
                                                NULL), DAE_OK);
        for (int j = 0; j < 5; j++) {
            assert_near(entry(&a, 0, j), dae_quad_parse(known[0][j], NULL), 2e-15);
            assert_near(entry(&a, 0, j), entry(&b, 0, j), 1e-26);
        }
        dae_reference_free(&a);
        dae_reference_free(&b);
    }
}

/* A start 1e-6 off the circle, and with a velocity along the rope, comes onto the constraints. */
TEST(cartesian_start_is_made_consistent)
{
    double u[8];
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = system_of(&dae_pendulum, "index2", NULL, u);
    u[0] += 1e-6;
    u[2] += 1e-6;
    assert_int_equal(dae_reference_solve_in(&r, sys, DAE_REFERENCE_CARTESIAN, 0, u, times, 1, NULL),
                     DAE_OK);
    assert_near(r.q[0] * r.q[0] + r.q[1] * r.q[1], 25, 1e-27);
    assert_near(r.q[0] * r.v[0] + r.q[1] * r.v[1], 0, 1e-27);
}

TEST(exact_solution_is_evaluated)
{
    static const double at[] = {0, 0.25, 1};
    double u[3];
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = system_of(&dae_linear_dae, "native", NULL, u);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, at, 3, NULL), DAE_OK);
    assert_string_equal(r.source, "exact");
    assert_true(r.digits == 33);
    assert_int_equal(r.nq, 3);
    assert_int_equal(r.nl, 0);
    assert_null(r.v);
    for (int i = 0; i < 3; i++) {
        assert_near(r.q[3 * i], dae_quad_exp(at[i]), 1e-32);
        assert_near(r.q[3 * i + 1], dae_quad_exp(at[i]), 1e-32);
        assert_near(r.q[3 * i + 2], -dae_quad_exp(at[i]) / (2 - at[i]), 1e-32);
    }
}

#define OSCILLATOR(real, param)                                                                   \
    static void oscillator_##real(const param *p, real t, const real *u, real *F)                 \
    {                                                                                             \
        F[0] = u[1];                                                                              \
        F[1] = -u[0];                                                                             \
    }
OSCILLATOR(double, double)
OSCILLATOR(dae_dual, double)
OSCILLATOR(dae_quad, dae_quad)

static void oscillator_start(const double *p, double *u)
{
    u[0] = 1;
    u[1] = 0;
}

TEST(identity_mass_is_integrated)
{
    const dae_problem problem = {.name = "oscillator", .start = {oscillator_start},
                                 .first_order = {.n = 2, .rhs = {oscillator_double,
                                                                 oscillator_dae_dual,
                                                                 oscillator_dae_quad}}};
    const double at[] = {0, 1, 10};
    double u[2];
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = system_of(&problem, "native", NULL, u);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, at, 3, NULL), DAE_OK);
    assert_string_equal(r.source, "extrapolation");
    assert_true(r.digits >= 24);
    for (int i = 0; i < 3; i++)
        assert_near(r.q[2 * i], dae_quad_cos(at[i]), 1e-28);
}

extern const dae_problem dae_uncharged;                 /* unusual/uncharged.c */

/* Of index 2, with differential unknowns that are zero at the start: it is consistent, whatever 1e-30 is beside 0. */
TEST(zeros_are_a_start)
{
    const dae_quad C = 0x1p-20, w = 6283;
    const double at[] = {1e-3, 5e-3};
    double u[2];
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = system_of(&dae_uncharged, "native", NULL, u);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, at, 2, NULL), DAE_OK);
    assert_true(r.digits >= 22);
    for (int i = 0; i < 2; i++) {
        const dae_quad v = 5 * dae_quad_sin(w * at[i]);
        assert_near(r.q[2 * i], v, 1e-24);
        assert_near(r.q[2 * i + 1], 5 * C * w * dae_quad_cos(w * at[i]) + v / 10, 1e-22);
    }
}

static void assert_refused(const dae_problem *problem, dae_reference_kind kind, double shift,
                           dae_status expected)
{
    const double at = 1;
    double u[3];
    dae_reference r;
    dae_report why = {DAE_OK, ""};
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, u);
    u[0] += shift;
    assert_int_equal(dae_reference_solve_in(&r, sys, kind, 0, u, &at, 1, &why), expected);
    assert_int_equal(why.status, expected);
    assert_non_null(strstr(why.message, problem->name));
    assert_null(r.q);
}

TEST(what_does_not_exist_is_refused)
{
    assert_refused(&dae_linear_dae, DAE_REFERENCE_EXACT, 1e-3, DAE_UNSUPPORTED);
    assert_refused(&dae_linear_dae, DAE_REFERENCE_MINIMAL, 0, DAE_UNSUPPORTED);
    assert_refused(&dae_linear_dae, DAE_REFERENCE_EXPLICIT, 0, DAE_UNSUPPORTED);
}

TEST(times_must_increase)
{
    static const double back[] = {2, 1};
    double u[8];
    dae_reference r;
    OWNED(dae_system) *sys = system_of(&dae_pendulum, "index3", NULL, u);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, back, 2, NULL), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_reference_solve(&r, sys, 3, u, back, 1, NULL), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, back, 0, NULL), DAE_BAD_ARGUMENT);
    assert_null(r.q);
}
