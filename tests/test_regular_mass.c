/* test_regular_mass.c - CVODE and ARKODE on M u' = F with a regular M, and what they say of others
 *
 *   pair      M (x', y') = M (-x, -sin t - 5 (y - cos t)),  x = e^-t, y = cos t, for two M
 *   hollow    M = I but for a block of ones: singular, which 120 unknowns show only when M is factored
 */
#ifndef DAE_PASS
enum { HOLLOW = 120, ONE = 5 };
#include <daelab/model.h>

#include "support.h"

static void zero_start(const double *p, double *u) { (void)p, (void)u; }

static const dae_problem full = {
    .name = "full", .first_order = {.n = 2, .mass = DAE_MODEL(full_mass), .rhs = DAE_MODEL(full_rhs)},
    .start = {start_ones}, .t_end = 2,
};
static const dae_problem scaled = {
    .name = "scaled",
    .first_order = {.n = 2, .mass = DAE_MODEL(scaled_mass), .rhs = DAE_MODEL(scaled_rhs)},
    .start = {start_ones}, .t_end = 2,
};
static const dae_problem hollow = {
    .name = "hollow",
    .first_order = {.n = HOLLOW, .mass = DAE_MODEL(hollow_mass), .rhs = DAE_MODEL(hollow_rhs)},
    .start = {zero_start}, .t_end = 1,
};
static const dae_problem wall = {
    .name = "wall", .first_order = {.n = 1, .rhs = DAE_MODEL(wall_rhs)}, .start = {zero_start}, .t_end = 2,
};

static const char *const methods[] = {"cvode", "erk", "dirk"};
enum { METHODS = sizeof methods / sizeof *methods };

/* The error at the end of a pair. */
static double error_of(const dae_problem *problem, const char *method, dae_options options,
                       dae_statistics *count)
{
    double u[2];
    const double exact[2] = {exp(-2), cos(2)};
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, u);
    *count = solve_to(sys, method, &options, 2, u);
    return distance(u, exact, 2);
}

TEST(masses)
{
    const dae_problem *const problems[] = {&full, &scaled};
    static const dae_linear_kind linear[] = {DAE_LINEAR_DENSE, DAE_LINEAR_KLU};
    static const dae_jacobian_kind jacobian[] = {DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < METHODS; m++)
            for (int how = 0; how < 4; how++) {
                dae_statistics count;
                dae_options options = tolerance(1e-8);
                options.linear = linear[how / 2];
                options.jacobian = jacobian[how % 2];
                const double error = error_of(problems[k], methods[m], options, &count);
                if (!(error < 1e-6))
                    fail_msg("%s %s: off by %.3g", problems[k]->name, methods[m], error);
                assert_true(count.steps > 10 && count.rhs > count.steps);
                assert_int_equal(count.jacobians > 0, m != 1);
                assert_int_equal(count.factorizations > 0, m != 1);
            }
}

/* Their orders, 5 and 4, with M and without one. */
TEST(fixed_steps)
{
    const dae_problem *const problems[] = {&full, &scaled};
    for (int k = 0; k < 2; k++)
        for (int m = 1; m < METHODS; m++) {
            const double order = m == 1 ? 5 : 4;
            dae_options options = dae_default_options();
            dae_statistics count;
            double error[2];
            for (int i = 0; i < 2; i++) {
                options.step = 0.04 / (1 << i);
                error[i] = error_of(problems[k], methods[m], options, &count);
                assert_int_equal(count.steps, 50 << i);
            }
            if (!(fabs(log2(error[0] / error[1]) - order) < 0.2))
                fail_msg("%s %s: order %.3g", problems[k]->name, methods[m],
                         log2(error[0] / error[1]));
        }
}

/* The same tableau in two hands. */
TEST(the_steps_of_dormand_and_prince)
{
    static const char *const where[][2] = {{"pendulum", "ode"}, {"predator_prey", "native"},
                                           {"hires", "native"}};
    for (int k = 0; k < 3; k++) {
        double u[2][MOST_UNKNOWNS], size = 0;
        dae_options options = dae_default_options();
        options.step = 0.01;
        for (int m = 0; m < 2; m++) {
            OWNED(dae_system) *sys = system_at_start(where[k][0], where[k][1], 0, u[m]);
            const dae_statistics count = solve_to(sys, m ? "erk" : "dopri5", &options, 1, u[m]);
            assert_int_equal(count.steps, 100);
            for (int i = 0; i < dae_system_size(sys); i++)
                size = fmax(size, fabs(u[m][i]));
            if (m)
                assert_close(distance(u[0], u[1], dae_system_size(sys)), 0, 1e-13 * size);
        }
    }
}

/* Against radau at 1e-12; the explicit method where that is no matter of a million steps. */
TEST(known_problems)
{
    static const struct { const char *problem, *form; int stiff; } runs[] = {
        {"van_der_pol", "native", 1}, {"hires", "native", 1}, {"oregonator", "native", 1},
        {"kepler", "native", 0}, {"predator_prey", "native", 0}, {"pendulum", "ode", 0},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double right[MOST_UNKNOWNS], u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = system_at_start(runs[k].problem, runs[k].form, 0, right);
        const int n = dae_system_size(sys);
        const double t_end = dae_system_problem(sys)->t_end;
        dae_options options = tolerance(1e-12);
        solve_to(sys, "radau", &options, t_end, right);
        for (int m = 0; m < METHODS; m++) {
            double error[2];
            for (int i = 0; i < 2 && !(runs[k].stiff && m == 1); i++) {
                options = tolerance(i ? 1e-9 : 1e-5);
                assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
                solve_to(sys, methods[m], &options, t_end, u);
                error[i] = 0;
                for (int j = 0; j < n; j++)
                    error[i] = fmax(error[i], fabs(u[j] - right[j]) / (1 + fabs(right[j])));
                if (!(error[i] < (i ? 1e-5 : 0.05)))
                    fail_msg("%s %s: off by %.3g", runs[k].problem, methods[m], error[i]);
            }
        }
    }
}

static void refuse(dae_system *sys, const char *words)
{
    for (int m = 0; m < METHODS; m++) {
        const dae_options options = tolerance(1e-6);
        dae_solver *solver = NULL;
        dae_report why = {0};
        assert_int_equal(DAE_UNSUPPORTED, dae_solver_create(&solver, sys, dae_find_method(methods[m]),
                                                            &options, &why));
        assert_null(solver);
        if (!strstr(why.message, methods[m]) || !strstr(why.message, words))
            fail_msg("%s: '%s' is not in: %s", methods[m], words, why.message);
    }
    dae_system_free(sys);
}

TEST(a_singular_mass_is_refused)
{
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
    double u[MOST_UNKNOWNS];
    for (int f = 0; f < 5; f++)
        refuse(system_at_start("pendulum", forms[f], 0, u), "minimal coordinates");
    refuse(system_at_start("robertson", "native", 0, u), "method for differential-algebraic");
    refuse(system_at_start("transistor_amplifier", "native", 0, u), "M is singular");
}

/* What is known only when M is factored, or where F ends. */
TEST(failures)
{
    for (int m = 0; m < METHODS; m++)
        for (int k = 0; k < 2; k++) {
            double u[HOLLOW];
            const dae_options options = tolerance(1e-6);
            OWNED(dae_system) *sys = system_of(k ? &wall : &hollow, "native", NULL, u);
            OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &options, 0, NULL);
            dae_status status = dae_solver_start(solver, 0, u);
            if (!status)
                status = dae_solver_advance(solver, k ? 2 : 1, u);
            const char *said = dae_solver_report(solver)->message;
            if (k ? status != DAE_NOT_FINITE : status != DAE_SINGULAR || !strstr(said, "M is singular"))
                fail_msg("%s: %s: %s", methods[m], dae_status_name(status), said);
        }
}

TEST(only_bdf_has_no_fixed_steps)
{
    double u[2];
    dae_options options = dae_default_options();
    dae_solver *solver;
    dae_report why = {0};
    OWNED(dae_system) *sys = system_of(&full, "native", NULL, u);
    options.step = 0.1;
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_solver_create(&solver, sys, dae_find_method("cvode"), &options, &why));
    assert_non_null(strstr(why.message, "chooses its own steps"));
}

#else

static inline void FN(slope)(real t, const real *u, real *du)
{
    du[0] = -u[0];
    du[1] = -sin(t) - 5 * (u[1] - cos(t));
}

static void FN(full_mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = 2 * x[0] + x[1];
    out[1] = 5 * x[0] + 3 * x[1];
}

static void FN(full_rhs)(const param *p, real t, const real *u, real *F)
{
    real du[2];
    FN(slope)(t, u, du);
    FN(full_mass)(p, t, u, du, F);
}

static void FN(scaled_mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = 1000 * x[0];
    out[1] = 1e-3 * x[1];
}

static void FN(scaled_rhs)(const param *p, real t, const real *u, real *F)
{
    real du[2];
    FN(slope)(t, u, du);
    FN(scaled_mass)(p, t, u, du, F);
}

static void FN(hollow_mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < HOLLOW; i++)
        out[i] = x[i];
    out[ONE] = out[ONE + 1] = x[ONE] + x[ONE + 1];
}

static void FN(hollow_rhs)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < HOLLOW; i++)
        F[i] = 1 - u[i];
}

static void FN(wall_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = sqrt(1 - t);
}

#endif
