/* test_stiff_springs.c - a mass on a spring so stiff that the equations, an ODE, are near to index 3:
 * r'' = -k (|r| - 1) r/|r|, on the circle where k (|r| - 1) = |r| */
#ifndef DAE_PASS
enum { K };
enum { A, B, W };
#include <daelab/model.h>

#include "support.h"

static const long MOST_STEPS = 21000;

static void on_circle(const double *p, double *u)
{
    u[0] = u[3] = p[K] / (p[K] - 1);
    u[1] = u[2] = 0;
}

static const dae_problem circle = {
    .name = "circle", .title = "", .citation = "", .equations = "", .variables = "x y vx vy", .units = "- - - -",
    .parameters = {{"k", 1e8, "", "", DAE_POSITIVE}},
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(attract)}, .start = {on_circle}, .t_end = 10};

/* The largest error at the end, in tolerances of numbers of size 1; NAN where the run says itself that it failed, or
 * takes more steps */
static double error_within(long most_steps, const dae_method *method, double k, double rtol, char *why_not)
{
    double u[4], largest = 0;
    dae_options o = tolerance(rtol);
    o.max_steps = most_steps;
    OWNED(dae_system) *sys = system_of(&circle, "native", &k, u);
    OWNED(dae_solver) *s = solver_of(sys, method, &o, 0, u);
    const dae_status status = dae_solver_advance(s, 10, u);
    snprintf(why_not, 320, "%s", dae_solver_report(s)->message);
    const double r = k / (k - 1), exact[4] = {r * cos(10), r * sin(10), -r * sin(10), r * cos(10)};
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(u[i] - exact[i]) / (2 * rtol));
    return status ? NAN : largest;
}

static double error_of(const dae_method *method, double k, double rtol, char *why_not)
{
    return error_within(MOST_STEPS, method, k, rtol, why_not);
}

/* Errors of 1e4 steps in one direction were up to 10000 tolerances, the size of the motion. Explicit methods let
 * oscillations grow that they do not resolve: dopri5 those of h w > 1, of which it estimates a thousandth. */
TEST(test_circle)
{
    char why[320];
    const dae_formulation *form = dae_find_formulation("native");
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const int low = !info.implicit && dae_method_order(dae_method_at(m), form, 0, DAE_DIFFERENTIAL) < 4;
        for (double k = 1e4; info.adaptive && !low && k < 1e13; k *= 100)
            for (double rtol = 1e-3; rtol > 5e-8; rtol /= 10) {
                const double error = error_of(dae_method_at(m), k, rtol, why);
                if (error > 100)
                    fail_msg("%s, k = %g, rtol %g: %g tolerances", info.name, k, rtol, error);
            }
    }
}

/* What holds is not refused, and what is refused says why. */
TEST(test_verdicts)
{
    char why[320];
    assert_true(error_of(dae_find_method("radau"), 1e8, 1e-5, why) <= 20);
    assert_true(error_of(dae_find_method("rodas5p"), 1e6, 1e-5, why) <= 30);
    assert_true(error_of(dae_find_method("dirk"), 1e6, 1e-4, why) <= 30);
    assert_true(isnan(error_of(dae_find_method("ida"), 1e6, 1e-3, why)));
    assert_non_null(strstr(why, "ida and radau are"));
    assert_non_null(strstr(why, "stiff oscillates"));
    assert_true(isnan(error_of(dae_find_method("cvode"), 1e4, 1e-4, why)));
}

/* With the J of the begin for all stages Newton's iteration converges for h^4 k w^2 < 1, here h < 1e-3: 10 000
 * steps. */
TEST(test_few_steps)
{
    static const char *const methods[] = {"radau5", "radau9", "radau13", "radau"};
    char why[320];
    for (int m = 0; m < 4; m++)
        for (double k = 1e4; k < 1e13; k *= 100)
            for (double rtol = 1e-3; rtol > 5e-9; rtol /= 10) {
                const double error = error_within(1200, dae_find_method(methods[m]), k, rtol, why);
                if (!(error <= 30))
                    fail_msg("%s, k = %g, rtol %g: %g tolerances; %s", methods[m], k, rtol, error, why);
            }
}

/* What is hindered little, or by something else, keeps the one J of a step: those of all stages cost three times the
 * F. */
TEST(test_one_jacobian)
{
    static const struct { const char *problem, *form; int most; } of[] = {{"andrews", "index1", 1},
                                                                            {"transistor_amplifier", "native", 2}};
    for (int k = 0; k < 2; k++)
        for (double rtol = 1e-3; rtol > 5e-7; rtol /= 10) {
            const dae_problem *p = problem_named(of[k].problem);
            double u[MOST_UNKNOWNS];
            const dae_options o = tolerance(rtol);
            OWNED(dae_system) *sys = consistent_system(p, of[k].form, NULL, u);
            const dae_statistics c = solve_to(sys, "radau", &o, p->t_end, u);
            if (c.jacobians > of[k].most * c.steps)
                fail_msg("%s, rtol %g: %ld J in %ld steps", p->name, rtol, c.jacobians, c.steps);
        }
}

/* ---- what is stiff is forced ------------------------------------------------------------------ */

/* The ends of steps are right where what is stiff is forced, and the order reduced
 *
 * Solutions that are known, with eigenvalues between the real and the imaginary axis far to the left of them, and stiff
 * unknowns beside slow and algebraic ones, by Radau IIA at tolerances from loose to tight.
 */

static const double ALLOWED = 10, VARYING = 30; /* tolerances; where rates change by a factor of 4 in a step */

static void beside_start(const double *p, double *u) { u[1] = p[W]; }

#define PARAMETERS .parameters = {{"a", 1, "1/s", "damping", DAE_POSITIVE}, {"b", 0, "1/s", "frequency"},            \
                                  {"w", 1, "1/s", "frequency of what forces it", DAE_POSITIVE}}
static const dae_problem pair = {                       /* x = sin wt, y = cos wt; eigenvalues -a + ib, -a - ib */
    .name = "pair", .variables = "x y", .units = "- -", .start = {start_slope}, .t_end = 10, PARAMETERS,
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
    ends e = {.w = parameters[W], .pair = p == &pair};
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = system_of(p, "native", parameters, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    dae_solver_observe(solver, compare, &e);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, p->t_end, u));
    if (!(e.error <= (e.pair ? ALLOWED : VARYING) * 2 * rtol))               /* rtol |u| + atol, where |u| is 1 */
        fail_msg("%s with a = %g, b = %g, w = %g, %s, rtol %g: an error of %.3g tolerances", p->name, parameters[A],
                 parameters[B], parameters[W], method, rtol, e.error / (2 * rtol));
}

static void check_all(const dae_problem *p, const double *parameters)
{
    static const char *const methods[] = {"radau", "radau5", "radau9", "radau13", "auto"};
    for (int m = 0; m < 5; m++)
        for (double rtol = 1e-4; rtol > 0.9e-10; rtol /= 10)
            check(p, parameters, methods[m], rtol);
}

TEST(test_pairs)
{
    static const double rates[][3] = {{10, 0, 1}, {1e3, 0, 1}, {1e5, 0, 20}, {1e8, 0, 3}, {1e12, 0, 1}, {1e3, 1e3, 1},
                                      {1e4, 1e5, 1}, {20, 1e3, 2}, {1e2, 1e6, 1}};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
        check_all(&pair, rates[k]);
}

TEST(test_beside_others)
{
    for (double a = 1e2; a < 2e8; a *= 100)
        check_all(&beside, (const double[]){a, 0, 1});
}

#else

static void FN(attract)(const param *p, real t, const real *u, real *F)
{
    const real r = sqrt(u[0] * u[0] + u[1] * u[1]), f = -p[K] * (r - 1) / r;
    F[0] = u[2];
    F[1] = u[3];
    F[2] = f * u[0];
    F[3] = f * u[1];
}

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
