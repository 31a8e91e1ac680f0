/* own_method.c - Kutta's method of order 3, which daelab does not have, from its coefficients
 *
 * Shows: a method of one's own beside those of the tables, and its order: half the step, an eighth of the error. As a
 * file for the program it would be these coefficients and a last line DAE_PLUGIN_METHODS(&kutta3):
 * docs/own_methods.md.
 */
#ifndef DAE_PASS
enum { W };
#include <daelab/daelab.h>
#include <daelab/model.h>
#include <daelab/tableau.h>
#include <math.h>
#include <stdio.h>

/* Kutta (1901), Z. Math. Phys. 46, 435-453 */
static const dae_butcher coefficients = {
    .stages = 3, .c = {0, 1. / 2, 1}, .A = {{0}, {1. / 2}, {-1, 2}}, .b = {1. / 6, 2. / 3, 1. / 6}};
static const dae_method kutta3 = {
    .info = {.name = "kutta3", .title = "Kutta's method of order 3", .stages = 3, .fixed = 1, .order = DAE_ORDERS(3)},
    DAE_EXPLICIT_METHOD(coefficients, 0)};              /* 0: without an error estimate, for fixed steps only */

static const dae_problem oscillator = {
    .name = "oscillator", .title = "x'' = -w^2 x", .citation = "a textbook", .equations = "x'' = -w^2 x",
    .variables = "x v", .units = "m m/s", .parameters = {{"w", 1, "1/s", "frequency", DAE_POSITIVE}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}, .start = DAE_MODEL(start),
    .t_end = 1};

/* |x(1) - cos(1)| with steps of this size, or NAN. */
static double error_of(double step)
{
    dae_report why = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_options options = dae_default_options();
    double u[2] = {1, 0};
    options.step = step;
    dae_status status = dae_system_create(&sys, &oscillator, dae_find_formulation("index1"), NULL, NULL, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, &kutta3, &options, &why);
    if (!status)
        status = dae_solver_start(solver, 0, u);
    if (!status)
        status = dae_solver_advance(solver, 1, u);
    if (status)
        printf("%s: %s\n", dae_status_name(status), solver ? dae_solver_report(solver)->message : why.message);
    dae_solver_free(solver);
    dae_system_free(sys);
    return status ? NAN : fabs(u[0] - cos(1));
}

int main(void)
{
    double last = NAN;
    for (double step = 0.1; step > 0.01; step /= 2) {
        const double error = error_of(step);
        if (isnan(error))
            return 1;
        printf("h = %-6g  error %.3e", step, error);
        if (!isnan(last))
            printf("  order %.2f", log2(last / error));
        printf("\n");
        last = error;
    }
    return 0;
}
#else
static void FN(start)(const param *p, real *u) { u[0] = 1; }
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = -p[W] * p[W] * q[0]; }
#endif
