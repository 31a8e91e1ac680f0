/* test_jumps.c - explicit methods across a jump of F, which nobody has told them of, after a rest in which their steps
 * have grown: u' = L (f(t) - u), w' = u, where f jumps, or bends, at a hundred times without a pattern
 */
#ifndef DAE_PASS
enum { RATE, WHEN, BEND };
#include <daelab/model.h>

#include "support.h"

#include <daelab/tableau.h>

static void rest(const double *p, double *u) { }

static const dae_problem jump = {
    .name = "jump", .variables = "u w", .units = "- -", .start = {rest}, .t_end = 10,
    .parameters = {{"L", 10, "-", "rate", DAE_POSITIVE}, {"T", 3, "-", "when", DAE_POSITIVE},
                   {"bend", 0, "-", "1: f bends", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)}};

typedef struct {
    const double *p;
    double t, tolerance, ends, between;         /* worst errors in tolerances */
    dae_solver *solver;
} comparison;

/* u of f = 1 behind 0, and its integral; the latter is that of a bend */
static void exact(const double *p, double t, double *u)
{
    const double s = fmax(t - p[WHEN], 0), response = -expm1(-p[RATE] * s), integral = s - response / p[RATE];
    u[0] = p[BEND] != 0 ? integral : response;
    u[1] = p[BEND] != 0 ? s * s / 2 - integral / p[RATE] : integral;
}

static double error_of(const comparison *c, double t, const double *u)
{
    double e[2], worst = 0;
    exact(c->p, t, e);
    for (int i = 0; i < 2; i++)
        worst = fmax(worst, fabs(u[i] - e[i]) / (c->tolerance * (1 + fabs(e[i]))));
    return worst;
}

static int compare_step(void *context, double t, const double *u)
{
    enum { ROWS = 5 };
    comparison *c = context;
    double row[2];
    for (int k = 1; k < ROWS; k++) {
        const double x = c->t + (t - c->t) * k / ROWS;
        assert_int_equal(DAE_OK, dae_solver_interpolate(c->solver, x, row));
        c->between = fmax(c->between, error_of(c, x, row));
    }
    c->ends = fmax(c->ends, error_of(c, t, u));
    c->t = t;
    return 0;
}

static comparison run(const dae_method *method, const double *p, double rtol)
{
    comparison c = {.p = p, .tolerance = rtol};
    const dae_options o = tolerance(rtol);
    double u[2];
    OWNED(dae_system) *sys = system_of(&jump, "native", p, u);
    c.solver = solver_of(sys, method, &o, 0, NULL);
    dae_solver_observe(c.solver, compare_step, &c);
    assert_int_equal(DAE_OK, dae_solver_start(c.solver, 0, u));
    if (dae_solver_advance(c.solver, jump.t_end, u))
        fail_msg("%s, rtol %g: %s", dae_method_describe(method).name, rtol, dae_solver_report(c.solver)->message);
    dae_solver_free(c.solver);
    return c;
}

static void check(const dae_method *method, const double *p, double rtol)
{
    const comparison c = run(method, p, rtol);
    if (!(c.ends <= 30 && c.between <= 100))
        fail_msg("%s, rtol %g: f %s at %.9g, rate %g: %g tolerances off, %g between steps",
                 dae_method_describe(method).name, rtol, p[BEND] != 0 ? "bends" : "jumps", p[WHEN], p[RATE], c.ends,
                 c.between);
}

static void check_all(const dae_method *method, const double *rtols, int count)
{
    static const double rates[] = {1, 10, 100};
    enum { TIMES = 12 };
    for (int k = 0; k < 2 * 3 * count * TIMES; k++) {
        const double golden = (k + 1) * 0.6180339887498949;
        const double p[] = {rates[k / (count * TIMES) % 3], 0.2 + 9.6 * (golden - floor(golden)),
                            k / (3 * count * TIMES)};
        check(method, p, rtols[k / TIMES % count]);
    }
}

TEST(test_jumps)
{
    static const char *const methods[] = {"heun", "auto", "dop853", "dopri5", "rk4", "erk"};
    static const double rtols[] = {1e-2, 1e-3, 1e-6, 1e-10};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        check_all(dae_find_method(methods[m]), rtols, m < 2 ? 3 : 4);
}

/* Kutta's method of order 4, with an estimate of order 3, from its coefficients: all pairs of orders 4 and 3 at 0, 1/2
 * and 1 are blind for F that depends on t alone. */
TEST(test_given_coefficients)
{
    static const dae_butcher kutta = {
        .stages = 5, .c = {0, 0.5, 0.5, 1, 1},
        .A = {[1] = {0.5}, {0, 0.5}, {0, 0, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}},
        .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, .b_hat = {1. / 6, 1. / 3, 1. / 3, 0, 1. / 6}};
    static const dae_method method = {
        .info = {.name = "kutta", .title = "", .citation = "", .adaptive = 1, .order = DAE_ORDERS(4)},
        DAE_EXPLICIT_METHOD(kutta, 3)};
    static const double tight = 1e-10;
    check_all(&method, &tight, 1);
}

#else
static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    real f = (real){0};
    if (value(t) > value(p[WHEN]))
        f = value(p[BEND]) != 0 ? t - p[WHEN] : f + 1;
    F[0] = p[RATE] * (f - u[0]);
    F[1] = u[0];
}
#endif
