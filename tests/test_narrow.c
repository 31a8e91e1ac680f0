/* test_narrow.c - narrow features, numbers that are not finite, starts that are rounded, runs that are
 * watched: references find them, or there is none
 *
 * u' = -u + b(t), u(0) = 1, b a bump of area A and half width w at c:
 *
 *     exp(-((t - c)/w)^2)/w     A = sqrt pi     u(1) = e^-1 + A e^-(1-c) e^(w^2/4)
 *     hat of slopes 1/w^2       A = 1           u(1) = e^-1 + e^-(1-c) (1 + w^2/12 ...)
 *
 * A number on the command line makes so many random ones of each (scripts/narrow).
 */
#include <daelab/quad_reference.h>

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE, WIDTH, HAT };
static int many;

#define BUMP(real, param, exponential)                                                            \
    static void bump_##real(const param *p, real t, const real *u, real *F)                      \
    {                                                                                             \
        const real x = (t - p[PLACE]) / p[WIDTH];                                                 \
        const double far = dae_value(x) < 0 ? -dae_value(x) : dae_value(x);                       \
        const real hat = dae_value(x) < 0 ? 1 + x : 1 - x;                                        \
        F[0] = -u[0];                                                                             \
        if (p[HAT] > 0 && far < 1)                                                                \
            F[0] += hat / p[WIDTH];                                                               \
        if (!(p[HAT] > 0) && far < 100)                                                           \
            F[0] += exponential(-x * x) / (p[HAT] < 0 ? 1 : p[WIDTH]);                            \
    }                                                                                             \
    static void bump_and_copy_##real(const param *p, real t, const real *u, real *F)             \
    {                                                                                             \
        bump_##real(p, t, u, F);                                                                  \
        F[1] = u[0] - u[1];                                                                       \
    }                                                                                             \
    static void mass_##real(const param *p, real t, const real *u, const real *x, real *Mx)      \
    {                                                                                             \
        Mx[0] = x[0];                                                                             \
        Mx[1] = 0;                                                                                \
    }

static dae_dual dual_exponential(dae_dual x)
{
    return dae_dual_make(exp(dae_dual_value(x)), exp(dae_dual_value(x)) * dae_dual_derivative(x));
}

BUMP(double, double, exp)
BUMP(dae_dual, double, dual_exponential)
BUMP(dae_quad, dae_quad, dae_quad_exp)

#define PARAMETERS {{"c", 0.3141, "s", "place", DAE_ANY_VALUE}, {"w", 1e-4, "s", "width", DAE_POSITIVE},  \
                    {"hat", 0, "-", "a hat; below 0: height 1", DAE_ANY_VALUE}}

static const dae_problem bump = {
    .name = "bump", .title = "a bump", .citation = "a test", .equations = "u' = -u + b",
    .variables = "u", .units = "-", .parameters = PARAMETERS, .start = {start_one}, .t_end = 1,
    .first_order = {.n = 1, .rhs = {bump_double, bump_dae_dual, bump_dae_quad}}};

static const dae_problem bump_dae = {
    .name = "bump_dae", .title = "a bump", .citation = "a test", .equations = "u' = -u + b, v = u",
    .variables = "u v", .units = "- -", .parameters = PARAMETERS, .start = {start_ones}, .t_end = 1,
    .first_order = {.n = 2, .index = 1, .mass = {mass_double, mass_dae_dual, mass_dae_quad},
                    .rhs = {bump_and_copy_double, bump_and_copy_dae_dual,
                            bump_and_copy_dae_quad}}};

/* The first unknown at t = 1; NaN where there is no reference. */
static double refer(const dae_problem *problem, const double *p, dae_report *why, char *source)
{
    double u[4], x = NAN;
    const double end = 1;
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_reference) r = {0};
    *why = (dae_report){0};
    assert_int_equal(dae_system_create(&sys, problem, dae_find_formulation("native"), p, NULL, why),
                     DAE_OK);
    assert_int_equal(dae_system_start(sys, u, why), DAE_OK);
    if (dae_reference_solve(&r, sys, 0, u, &end, 1, why) == DAE_OK) {
        x = (double)r.q[0];
        strcpy(source, r.source);
    }
    return x;
}

static void find(const dae_problem *problem, double place, double width, int hat, int must)
{
    const double p[] = {place, width, hat}, w = width;
    const double area = hat > 0 ? 1 + w * w / 12 : sqrt(acos(-1)) * exp(w * w / 4) * (hat < 0 ? w : 1);
    const double right = exp(-1) + area * exp(place - 1);
    char source[64];
    dae_report why;
    const double u = refer(problem, p, &why, source);
    if (isnan(u) && (must || !why.message[0]))
        fail_msg("%s at %g, width %g: %s", problem->name, place, width, why.message);
    if (fabs(u - right) > 1e-7 * width + 1e-13)
        fail_msg("%s at %.17g, width %.17g: %.17g, not %.17g", problem->name, place, width, u, right);
}

TEST(bumps_are_found)
{
    static const double places[] = {0.3141, 0.5, 1.0 / 3, 0.0123, 0.97713, 0.61803};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        find(&bump, places[i], i % 2 ? 1e-4 : 3e-5, 0, 1);
    find(&bump_dae, 0.3141, 1e-4, 0, 1);
    find(&bump_dae, 0.598576, 8.39e-6, -1, 0);              /* of height 1; seen, and then passed over by both runs */
    find(&bump, 0.3141, 1e-4, 1, 0);
    find(&bump, 0.7777, 5e-5, 1, 0);
}

TEST(many_of_them)
{
    srand(1);
    for (int i = 0; i < many; i++) {
        const double place = 0.01 + 0.98 * rand() / RAND_MAX;
        const double width = pow(10, -4.3 + 3 * (double)rand() / RAND_MAX);
        find(&bump, place, fmin(width, 1e-3), 0, 0);
        find(&bump, place, fmin(width, 1e-3), 1, 0);
        find(&bump_dae, place, fmin(width, 1e-3), 0, 0);
    }
}

/* ---- equations that have no value beyond the solution -------------------------------------- */

#define ROOT(real, param, root)                                                                   \
    static void root_##real(const param *p, real t, const real *u, real *F)                      \
    {                                                                                             \
        F[0] = -40 * (u[0] - root(u[0]) * (1 - u[0]) * 1e-3);                                     \
    }

static dae_dual dual_root(dae_dual x)
{
    const double y = sqrt(dae_dual_value(x));
    return dae_dual_make(y, dae_dual_derivative(x) / (2 * y));
}

ROOT(double, double, sqrt)
ROOT(dae_dual, double, dual_root)
ROOT(dae_quad, dae_quad, dae_quad_sqrt)

static const dae_problem root = {
    .name = "root", .title = "a root", .citation = "a test", .equations = "u' = -40 (u - ...)",
    .variables = "u", .units = "-", .start = {start_one}, .t_end = 1,
    .first_order = {.n = 1, .rhs = {root_double, root_dae_dual, root_dae_quad}}};

/* Long steps overshoot to u < 0. The rest state: sqrt u = 1e-3 (1 - u). */
TEST(trial_iterates_may_have_no_value)
{
    char source[64];
    dae_report why;
    const double u = refer(&root, NULL, &why, source);
    if (isnan(u))
        fail_msg("%s", why.message);
    assert_true(u > 0 && u < 2e-6);
}

/* ---- exact solutions ---------------------------------------------------------------------- */

/* The start of kepler is rounded: its reference is no longer the exact one. */
TEST(rounded_start_is_not_the_exact_one)
{
    double u[4];
    const double end = 1, exact_end = end;
    dae_quad exact[4];
    OWNED(dae_reference) r = {0};
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start("kepler", "native", 1, u);
    const dae_problem *problem = dae_system_problem(sys);
    dae_quad p[MOST_PARAMETERS];
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_system_parameters(sys)[i];
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, &end, 1, &why), DAE_OK);
    assert_string_equal(r.source, "extrapolation");
    problem->first_order.exact.quad(p, exact_end, exact);
    const double apart = (double)dae_quad_fabs(exact[0] - r.q[0]);
    assert_true(apart < 1e-13 && apart > 1e-18);            /* 2e-15 to 9e-13, by the interval */
}

#define SMALL(real, param)                                                                        \
    static void small_##real(const param *p, real t, const real *u, real *F)                      \
    {                                                                                             \
        F[0] = u[0];                                                                              \
        F[1] = u[1];                                                                              \
    }
SMALL(double, double)
SMALL(dae_dual, double)
SMALL(dae_quad, dae_quad)

static void small_exact_double(const double *p, double t, double *u)
{
    u[0] = exp(t);
    u[1] = 0x1p-60 * exp(t);
}

static void small_exact_quad(const dae_quad *p, dae_quad t, dae_quad *u)
{
    u[0] = dae_quad_exp(t);
    u[1] = 0x1p-60 * dae_quad_exp(t);
}

static void twice_the_small(const double *p, double *u)
{
    u[0] = 1;
    u[1] = 0x1p-59;
}

/* The second unknown starts at twice its exact value, which is below the rounding of the first. */
TEST(small_unknown_counts)
{
    const dae_problem small = {
        .name = "small", .title = "two sizes", .citation = "a test", .equations = "u' = u",
        .variables = "u v", .units = "- -", .start = {twice_the_small}, .t_end = 1,
        .first_order = {.n = 2, .rhs = {small_double, small_dae_dual, small_dae_quad},
                        .exact = {small_exact_double, NULL, small_exact_quad}}};
    double u[2];
    const double end = 1;
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = NULL;
    assert_int_equal(dae_system_create(&sys, &small, dae_find_formulation("native"), NULL, NULL,
                                       NULL), DAE_OK);
    assert_int_equal(dae_system_start(sys, u, NULL), DAE_OK);
    assert_int_equal(dae_reference_solve(&r, sys, 0, u, &end, 1, NULL), DAE_OK);
    assert_string_equal(r.source, "extrapolation");
    assert_close((double)r.q[1] * 0x1p59, exp(1), 1e-14);
}

/* ---- runs that are watched ---------------------------------------------------------------- */

typedef struct { int calls, most; double last; } watcher;

static int tell(void *context, double t)
{
    watcher *w = context;
    w->last = t;
    return ++w->calls >= w->most;
}

TEST(watched_runs_tell_and_stop)
{
    static const char *const problems[] = {"pendulum", "akzo_nobel"};
    for (int i = 0; i < 2; i++)
        for (int most = 2; most <= 1000000; most += 999998) {
            double u[MOST_UNKNOWNS];
            OWNED(dae_reference) r = {0};
            dae_report why = {0};
            watcher w = {.most = most};
            const dae_reference_watch watch = {tell, &w};
            OWNED(dae_system) *sys = system_at_start(problems[i], i ? "native" : "index3", 0, u);
            const double end = dae_system_problem(sys)->t_end / (i ? 16 : 1);
            const dae_status status = dae_reference_solve_watched(&r, sys, 0, u, &end, 1, &watch,
                                                                  &why);
            assert_int_equal(status, most == 2 ? DAE_STOPPED : DAE_OK);
            assert_true(most == 2 ? w.calls == 2 && strstr(why.message, "stopped") : w.calls > 2);
            assert_true(w.last >= 0 && w.last <= end);
        }
}

int main(int argc, char **argv)
{
    many = argc > 1 ? atoi(argv[1]) : 0;
    return run_all(NULL, NULL);
}
