/* test_stiff_forcing.c - the ends of steps are right where what is stiff is forced, and the order reduced
 *
 * Solutions that are known, with eigenvalues between the real and the imaginary axis far to the left of them, and stiff
 * unknowns beside slow and algebraic ones, by Radau IIA at tolerances from loose to tight.
 */
#ifndef DAE_PASS
enum { A, B, W };
#include <daelab/model.h>

#include "support.h"

#include <math.h>

static const double ALLOWED = 10, VARYING = 30; /* tolerances; where rates change by a factor of 4 in a step */

static void pair_start(const double *p, double *u) { u[1] = 1; }
static void beside_start(const double *p, double *u) { u[1] = p[W]; }

#define PARAMETERS .parameters = {{"a", 1, "1/s", "damping", DAE_POSITIVE}, {"b", 0, "1/s", "frequency"},            \
                                  {"w", 1, "1/s", "frequency of what forces it", DAE_POSITIVE}}
static const dae_problem pair = {                       /* x = sin wt, y = cos wt; eigenvalues -a + ib, -a - ib */
    .name = "pair", .variables = "x y", .units = "- -", .start = {pair_start}, .t_end = 10, PARAMETERS,
    .first_order = {.n = 2, .rhs = DAE_MODEL(pair)}};
static const dae_problem beside = {                     /* x = y = z = sin wt, v = w cos wt */
    .name = "beside", .variables = "x v y z", .units = "- 1/s - -", .start = {beside_start}, .t_end = 10, PARAMETERS,
    .first_order = {.n = 4, .index = 1, .mass = DAE_MODEL(three), .rhs = DAE_MODEL(beside)}};

typedef struct { double w, error; int pair; } ends;

static int compare(void *context, double t, const double *u)
{
    ends *e = context;
    const double off = e->pair ? fmax(fabs(u[0] - sin(e->w * t)), fabs(u[1] - cos(e->w * t)))
                               : fmax(fabs(u[2] - u[0]), fabs(u[3] - u[0]));    /* they follow x, which swings on */
    e->error = fmax(e->error, off);
    return 0;
}

static void check(const dae_problem *p, const double *parameters, const char *method, double rtol)
{
    double u[4];
    dae_system *sys;
    dae_solver *solver;
    ends e = {.w = parameters[W], .pair = p == &pair};
    const dae_options o = tolerance(rtol);
    assert_int_equal(DAE_OK, dae_system_create(&sys, p, dae_find_formulation("native"), parameters, NULL, NULL));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method(method), &o, NULL));
    dae_solver_observe(solver, compare, &e);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, p->t_end, u));
    if (!(e.error <= (e.pair ? ALLOWED : VARYING) * 2 * rtol))               /* rtol |u| + atol, where |u| is 1 */
        fail_msg("%s with a = %g, b = %g, w = %g, %s, rtol %g: an error of %.3g tolerances", p->name, parameters[A],
                 parameters[B], parameters[W], method, rtol, e.error / (2 * rtol));
    dae_solver_free(solver);
    dae_system_free(sys);
}

static void check_all(const dae_problem *p, const double *parameters)
{
    static const char *const methods[] = {"radau", "radau5", "radau9", "radau13", "auto"};
    for (int m = 0; m < 5; m++)
        for (double rtol = 1e-4; rtol > 0.9e-10; rtol /= 10)
            check(p, parameters, methods[m], rtol);
}

static void test_pairs(void **state)
{
    static const double rates[][3] = {{10, 0, 1}, {1e3, 0, 1}, {1e5, 0, 20}, {1e8, 0, 3}, {1e12, 0, 1}, {1e3, 1e3, 1},
                                      {1e4, 1e5, 1}, {20, 1e3, 2}, {1e2, 1e6, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
        check_all(&pair, rates[k]);
}

static void test_beside_others(void **state)
{
    (void)state;
    for (double a = 1e2; a < 2e8; a *= 100)
        check_all(&beside, (const double[]){a, 0, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_beside_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
static void FN(pair)(const param *p, real t, const real *u, real *F)
{
    const real x = u[0] - sin(p[W] * t), y = u[1] - cos(p[W] * t);
    F[0] = -p[A] * x - p[B] * y + p[W] * cos(p[W] * t);
    F[1] = p[B] * x - p[A] * y - p[W] * sin(p[W] * t);
}
static void FN(three)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = x[2];
    out[3] = 0;
}
static void FN(beside)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[W] * p[W] * u[0];
    F[2] = -p[A] * (2 * u[2] + u[2] * u[2] * u[2] - u[3] - u[0] - u[0] * u[0] * u[0]) + u[1];
    F[3] = u[3] + u[3] * u[3] * u[3] - u[2] - u[0] * u[0] * u[0];
}
#endif
