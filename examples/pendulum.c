/* pendulum.c - a model and a program in one file: solve a pendulum, and see which multiplier is right
 *
 * Shows: a problem record; create, start, advance, free; two formulations of one model; what a raw multiplier of
 * index 3 is worth. The tension at t = 2 is 8.75119688362091 N.
 *
 *     cmake -S examples -B build/examples -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build/examples
 *     build/examples/pendulum
 */
#ifndef DAE_PASS
enum { M, L };
#include <daelab/daelab.h>
#include <daelab/model.h>
#include <stdio.h>

static const dae_problem pendulum = {
    .name = "pendulum", .title = "a mass on a rope, gravity varying in time", .citation = "a textbook",
    .equations = "m x'' = -x/L T,  m y'' = -y/L T - m g(t),  0 = (x^2 + y^2 - L^2)/(2 L)",
    .variables = "x y vx vy T", .units = "m m m/s m/s N",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"L", 5, "m", "length of the rope", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 2};

/* T(2) by a method in a form, with fixed steps where step > 0; the status of the run. */
static dae_status tension(const char *form, const char *method, double step, double *T)
{
    dae_report why = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_options options = dae_default_options();
    double u[5];
    options.step = step;
    options.rtol = options.atol = 1e-8;
    dae_status status = dae_system_create(&sys, &pendulum, dae_find_formulation(form), NULL, NULL, &why);
    if (!status)
        status = dae_system_start(sys, u, &why);
    if (!status)
        status = dae_consistent_start(sys, 0, u, NULL, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, dae_find_method(method), &options, &why);
    if (!status) {
        status = dae_solver_start(solver, 0, u);
        if (!status)
            status = dae_solver_advance(solver, 2, u);
        why = *dae_solver_report(solver);
    }
    if (status)
        printf("%s: %s\n", dae_status_name(status), why.message);
    *T = u[4];
    dae_solver_free(solver);
    dae_system_free(sys);
    return status;
}

int main(void)
{
    double good, coarse, fine;
    if (tension("index2", "radau", 0, &good) || tension("index3", "cros", 1e-3, &coarse)
        || tension("index3", "cros", 1e-4, &fine))
        return 1;
    printf("index2, radau, rtol 1e-8:  T(2) = %.6f N\n", good);
    printf("index3, cros, h = 0.001:   T(2) = %.6f N\n", coarse);
    printf("index3, cros, h = 0.0001:  T(2) = %.6f N, no better\n", fine);
    return 0;
}
#else
static void FN(start)(const param *p, real *u) { u[0] = 0.6 * p[L]; u[1] = -0.8 * p[L]; }
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{ r[0] = p[M] * a[0]; r[1] = p[M] * a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = 0; f[1] = -p[M] * (EXACT(9.81) + EXACT(0.05) * sin(2 * PI * t)); }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]); }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = (q[0] * v[0] + q[1] * v[1]) / p[L]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{ r[0] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[L]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{ r[0] = q[0] / p[L] * T[0]; r[1] = q[1] / p[L] * T[0]; }
#endif
