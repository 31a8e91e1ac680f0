/* test_cros_errors.c - cros, cros4 and excros with chosen steps: the error of stiff and algebraic
 * unknowns at all steps is that of the tolerance, also where F has corners, pulses, jumps in
 * time */
#ifndef DAE_PASS
enum { L };
enum { OMEGA };
enum { TAU };
enum { W };
#include <daelab/model.h>

#include "support.h"

static void at_zero(const double *p, double *u)
{
    u[0] = u[1] = 0;
}

/* Prothero, Robinson (1974), Math. Comp. 28, 145-162: u = cos t. */
static const dae_problem stiff = {
    .name = "stiff", .title = "", .citation = "", .equations = "", .variables = "u", .units = "-",
    .parameters = {{"L", 1e6, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 1, .index = 0, .rhs = DAE_MODEL(robinson)}, .start = {start_one}, .t_end = 10};

/* y' = -y/10, z = sin(omega t) */
static const dae_problem output = {
    .name = "output", .title = "", .citation = "", .equations = "", .variables = "y z",
    .units = "- -", .parameters = {{"omega", 3, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(put_out)},
    .start = {at_zero}, .t_end = 10};

/* tau y' = z - y, z a pulse between ramps, or between jumps */
static const dae_problem ramps = {
    .name = "ramps", .title = "", .citation = "", .equations = "", .variables = "y z",
    .units = "V V", .parameters = {{"tau", 1, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(ramp)},
    .start = {at_zero}, .t_end = 4};
static const dae_problem jumps = {
    .name = "jumps", .title = "", .citation = "", .equations = "", .variables = "y z",
    .units = "V V", .parameters = {{"tau", 1, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(jump)},
    .start = {at_zero}, .t_end = 4};

/* y' = -y + cos t; z'' + 2 z' + w^2 z = 0, which has died away at t = 15 */
static void at_amplitude(const double *p, double *u)
{
    u[0] = u[1] = 1;
    u[2] = 0;
}
static const dae_problem ringing = {
    .name = "ringing", .title = "", .citation = "", .equations = "", .variables = "y z v",
    .units = "- - -", .parameters = {{"w", 1000, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 3, .index = 0, .rhs = DAE_MODEL(ring)}, .start = {at_amplitude}, .t_end = 30};

static double cosine(double p, double t)
{
    return cos(t);
}
static double sine(double p, double t) { return sin(p * t); }
static double ramp_at(double p, double t)
{
    return t < 1 ? 0 : t < 1.01 ? 500 * (t - 1) : t < 2 ? 5 : t < 2.01 ? 5 - 500 * (t - 2) : 0;
}
/* What is nearest to z where t is as good as that of a jump */
static double jump_at(double z, double t)
{
    const int jumps_here = fabs(t - 1) < 1e-10 || fabs(t - 2) < 1e-10;
    return jumps_here ? z : t > 1 && t < 2 ? 5 : 0;
}

typedef struct {
    int last;                   /* the unknown looked at */
    double p, worst, at, (*exact)(double p, double t);
} look;

static int observe(void *context, double t, const double *u)
{
    look *l = context;
    const double x = l->exact(l->exact == jump_at ? u[l->last] : l->p, t);
    const double error = fabs(u[l->last] - x) / (1 + fabs(x));
    if (error > l->worst) {
        l->worst = error;
        l->at = t;
    }
    return 0;
}

/* The largest error of the last unknown at a step is within so many times the tolerance. */
static dae_statistics within(double times, const dae_problem *p, const char *method,
                             double parameter, double rtol, double (*exact)(double, double))
{
    double u[2];
    look l = {.last = p->first_order.n - 1, .p = parameter, .exact = exact};
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = system_of(p, "native", &parameter, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    dae_solver_observe(solver, observe, &l);
    if (dae_solver_start(solver, 0, u) || dae_solver_advance(solver, p->t_end, u))
        fail_msg("%s %s %g: %s", method, p->name, parameter, dae_solver_report(solver)->message);
    const dae_statistics count = dae_solver_statistics(solver);
    if (!(l.worst <= times * rtol))
        fail_msg("%s %s %g, rtol %g: error %g at t = %.12g", method, p->name, parameter, rtol,
                 l.worst, l.at);
    return count;
}

static const char *const methods[] = {"cros", "cros4"};

TEST(test_stiff)
{
    for (int m = 0; m < 2; m++)
        for (double lambda = 1e2; lambda < 2e9; lambda *= 10)
            for (double rtol = 1e-3; rtol > 1e-6; rtol /= 100)
                within(5, &stiff, methods[m], lambda, rtol, cosine);
}

TEST(test_algebraic)
{
    for (int m = 0; m < 2; m++)
        for (double omega = 1; omega < 10; omega += 2)
            for (double rtol = 1e-3; rtol > 1e-6; rtol /= 100) {
                const dae_statistics c = within(5, &output, methods[m], omega, rtol, sine);
                assert_true(10 * c.rejected < c.steps + 20);
            }
}

/* cros before: 5 V off from the first corner on; cros4: 5 V off at some. */
TEST(test_ramps_and_jumps)
{
    for (int m = 0; m < 2; m++)
        for (double tau = 1; tau > 1e-7; tau /= 10)
            for (double rtol = 1e-3; rtol > 1e-6; rtol /= 100) {
                within(10, &ramps, methods[m], tau, rtol, ramp_at);
                within(10, &jumps, methods[m], tau, rtol, jump_at);
            }
}

/* excros before: up to 5 V off where a ramp or a jump is in the last step of all columns. */
TEST(test_excros)
{
    for (double tau = 1; tau > 1e-7; tau /= 10)
        for (double rtol = 1e-3; rtol > 1e-8; rtol /= 10) {
            within(10, &ramps, "excros", tau, rtol, ramp_at);
            within(10, &jumps, "excros", tau, rtol, jump_at);
        }
}

/* The largest |z| and |v| from t = 15 on */
static double rings_at(double w, double rtol)
{
    double u[3], largest = 0;
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = system_of(&ringing, "native", &w, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("excros"), &o, 0, u);
    for (int k = 0; k <= 30; k++) {
        if (dae_solver_advance(solver, 15 + k / 2.0, u))
            fail_msg("w %g, rtol %g: %s", w, rtol, dae_solver_report(solver)->message);
        largest = fmax(largest, fmax(fabs(u[1]), fabs(u[2])));
    }
    return largest;
}

/* Where the combination of the columns does not damp, an oscillation went on at 60 to 1e13 tolerances. */
TEST(test_excros_ringing)
{
    for (double w = 100; w < 2000; w *= 10)
        for (double rtol = 0.1; rtol > 5e-7; rtol /= 10) {
            const double left = rings_at(w, rtol);
            if (!(left <= 30 * rtol))
                fail_msg("w %g, rtol %g: %g is left", w, rtol, left);
        }
}

#else
#include "plain_terms.h"

static void FN(robinson)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[L] * (u[0] - cos(t)) - sin(t);
}

static void FN(ring)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0] + cos(t);
    F[1] = p[W] * u[2];
    F[2] = -p[W] * u[1] - 2 * u[2];
}

static void FN(put_out)(const param *p, real t, const real *u, real *F)
{
    F[0] = -0.1 * u[0];
    F[1] = u[1] - sin(p[OMEGA] * t);
}

static void FN(ramp)(const param *p, real t, const real *u, real *F)
{
    const real x = value(t) < 1 ? 0 * t : value(t) < 1.01 ? 500 * (t - 1) : value(t) < 2 ? 5 + 0 * t
                   : value(t) < 2.01 ? 5 - 500 * (t - 2) : 0 * t;
    F[0] = (u[1] - u[0]) / p[TAU];
    F[1] = u[1] - x;
}

static void FN(jump)(const param *p, real t, const real *u, real *F)
{
    F[0] = (u[1] - u[0]) / p[TAU];
    F[1] = u[1] - (value(t) > 1 && value(t) < 2 ? 5 : 0);
}
#endif
