/* test_mass.c - mass matrices that change where nothing near the start tells: declared, every
 * method and the reference are right; not declared, each of them fails and says what to declare */
#ifndef DAE_PASS
enum { KIND };
enum { ROCKET, BARREL };
#include <daelab/model.h>

#include "support.h"

static void at_rest(const double *p, double *u)
{
    u[0] = 0;
    u[1] = p[KIND] == BARREL;
}

/* Thrust 1, and from t = 3/2 on the mass falls by 1/2 in a unit of time; or a barrel that fills
 * with water where it is pushed beyond x = 3/2. */
static dae_problem body(dae_mass_kind mass, double kind)
{
    return (dae_problem){.name = "body", .variables = "x v", .units = "m m/s", .start = {at_rest},
                         .t_end = 2, .parameters = {{"kind", kind, "-", "", DAE_ANY_VALUE}},
                         .mechanical = {.nq = 1, .mass = mass, .inertia = DAE_MODEL(inertia),
                                        .force = DAE_MODEL(thrust)}};
}

/* The same by M u' = F with M(t): what is not allowed. */
static const dae_problem tank = {
    .name = "tank", .variables = "x v", .units = "m m/s", .start = {at_rest}, .t_end = 2,
    .parameters = {{"kind", ROCKET, "-", "", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .mass = DAE_MODEL(weight), .rhs = DAE_MODEL(flow)}};

typedef struct { const char *method; double rtol, step, right; } run;

static const run runs[] = {
    {"dop853", 1e-10, 0, 1e-6}, {"dopri5", 1e-10, 0, 1e-6}, {"radau", 1e-10, 0, 1e-6},
    {"rodas5p", 1e-10, 0, 1e-6}, {"ida", 1e-7, 0, 1e-4}, {"auto", 1e-10, 0, 1e-6},
    {"excros", 0, 0.125, 1e-6}, {"cros", 0, 0.005, 1e-4}, {"cros4", 0, 0.01, 1e-5},
    {"rk4", 0, 0.01, 1e-6}, {"heun", 0, 0.005, 1e-4}};

static dae_status solve(const dae_problem *problem, const char *form, const run *r, double *u,
                        dae_report *why)
{
    dae_options options = tolerance(r->rtol > 0 ? r->rtol : 1e-6);
    options.step = r->step;
    OWNED(dae_system) *sys = system_of(problem, form, NULL, u);
    const dae_status status = try_to(sys, r->method, &options, 2, u, why);
    assert_int_not_equal(DAE_UNSUPPORTED, status);
    return status;
}

static dae_status refer(const dae_problem *problem, const char *form, dae_reference *reference,
                        dae_report *why)
{
    double u[3] = {0};
    const double end = 2;
    OWNED(dae_system) *sys = system_of(problem, form, NULL, u);
    return dae_reference_solve(reference, sys, 0, u, &end, 1, why);
}

/* v(2) = 3/2 + 2 ln(4/3) of the rocket */
TEST(declared_is_right)
{
    const dae_problem rocket = body(DAE_MASS_VARIES, ROCKET);
    dae_report why = {0};
    OWNED(dae_reference) reference = {0};
    double u[3];
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_int_equal(DAE_OK, solve(&rocket, "index1", &runs[i], u, &why));
        if (!(fabs(u[1] - 1.5 - 2 * log(4. / 3)) < runs[i].right))
            fail_msg("%s: v(2) = %.12g", runs[i].method, u[1]);
    }
    assert_int_equal(DAE_OK, refer(&rocket, "index1", &reference, &why));
    assert_close((double)reference.v[0], 1.5 + 2 * log(4. / 3), 1e-15);
}

TEST(undeclared_is_told)
{
    dae_report why = {0};
    dae_reference reference;
    double u[3];
    for (int kind = ROCKET; kind <= BARREL; kind++) {
        const dae_problem problem = body(DAE_MASS_TRIED, kind);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            if (solve(&problem, "index1", &runs[i], u, &why) != DAE_BAD_ARGUMENT)
                fail_msg("%s: v = %.9g", runs[i].method, u[1]);
            assert_non_null(strstr(why.message, "DAE_MASS_VARIES"));
        }
        assert_int_equal(DAE_BAD_ARGUMENT, refer(&problem, "index1", &reference, &why));
        assert_non_null(strstr(why.message, "DAE_MASS_VARIES"));
    }
}

TEST(first_order_mass_is_constant)
{
    dae_report why = {0};
    dae_reference reference;
    double u[3];
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        if (dae_method_describe(dae_find_method(runs[i].method)).implicit == 0)
            continue;
        if (solve(&tank, "native", &runs[i], u, &why) != DAE_BAD_ARGUMENT)
            fail_msg("%s: v = %.9g", runs[i].method, u[1]);
        assert_non_null(strstr(why.message, ".mass_kind = DAE_MASS_VARIES"));
    }
    assert_int_equal(DAE_BAD_ARGUMENT, refer(&tank, "native", &reference, &why));
}

/* Wherever accelerations are unknowns, the end of a run holds those of its own (q, v). */
TEST(accelerations_at_the_end)
{
    static const char *const forms[] = {"index1", "index2", "ggl"};
    for (int m = 0; dae_method_at(m); m++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            const dae_method *method = dae_method_at(m);
            const dae_method_info info = dae_method_describe(method);
            double u[MOST_UNKNOWNS], a[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS];
            dae_options options = tolerance(1e-9);
            OWNED(dae_system) *sys = system_at_start("slider_crank", forms[f], 0, u);
            OWNED(dae_solver) *solver = NULL;
            const int nq = dae_system_positions(sys), at = dae_system_size(sys) - nq;
            options.step = info.adaptive && strcmp(info.name, "cros") != 0 ? 0 : 5e-5;
            if (!dae_solver_create(&solver, sys, method, &options, NULL)) {
                assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
                assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.01, u));
                dae_system_accelerate(sys, 0.01, u, u + nq, a, lambda);
                for (int i = 0; i < nq; i++)        /* of 2e4 rad/s^2 in the motion */
                    if (!(fabs(u[at + i] - a[i]) < 20))
                        fail_msg("%s %s: a%d = %g, by its state %g", info.name, forms[f], i + 1,
                                 u[at + i], a[i]);
            }
        }
}

TEST(kinds_are_checked)
{
    const dae_problem problem = body((dae_mass_kind)7, ROCKET);
    dae_report why = {0};
    dae_system *sys;
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_create(&sys, &problem,
                                                         dae_find_formulation("index1"),
                                                         NULL, NULL, &why));
    assert_non_null(strstr(why.message, "mass = 7"));
}

#else

static real FN(mass_of)(const param *p, real t, real x)
{
    if (p[KIND] == BARREL)
        return value(x) > 1.5 ? 1 + (x - 1.5) * (x - 1.5) : 1 + 0 * x;
    return value(t) > 1.5 ? 1 - (t - 1.5) / 2 : 1 + 0 * t;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = FN(mass_of)(p, t, q[0]) * a[0];
}

static void FN(thrust)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 1 + 0 * q[0];
}

static void FN(weight)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = FN(mass_of)(p, t, x[0]) * x[1];
}

static void FN(flow)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = 1 + 0 * u[0];
}

#endif
