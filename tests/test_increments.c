/* test_increments.c - difference Jacobians and sparse patterns in any units: states of 1e-12, times
 * of 1e9, intervals of 5e-4 and 1e9 behave as states of 1 and intervals of 1 */
#ifndef DAE_PASS
enum { SIZE, RATE, BEGIN };
enum { RING = 60, RODS = 300 };
#include <daelab/model.h>

#include "support.h"

static void decay_start(const double *p, double *u)
{
    u[0] = p[SIZE];
}

static void ring_start(const double *p, double *u)
{
    for (int i = 0; i < RING; i++)
        u[i] = p[SIZE] * (1 + 0.5 * sin(i));
}

static void rod_start(const double *p, double *u)
{
    for (int i = 0; i < RODS; i++)
        u[i] = sin(3.14159 * (i + 1) / (RODS + 1));
}

#define PARAMETERS                                                                                \
    {{"size", 1, "-", "", DAE_ANY_VALUE}, {"rate", 1, "1/s", "", DAE_ANY_VALUE},                  \
     {"t0", 0, "s", "", DAE_ANY_VALUE}}

static const dae_problem decay = {.name = "decay", .variables = "u w", .units = "- -",
                                  .parameters = PARAMETERS, .start = {decay_start}, .t_end = 2,
                                  .first_order = {.n = 2, .rhs = DAE_MODEL(decay)}};
static const dae_problem ring = {.name = "ring", 
                                 .parameters = PARAMETERS, .start = {ring_start}, .t_end = 1,
                                 .first_order = {.n = RING, .rhs = DAE_MODEL(ring)}};
static const dae_problem rod = {.name = "rod", 
                                .parameters = PARAMETERS, .start = {rod_start},
                                .first_order = {.n = RODS, .rhs = DAE_MODEL(rod)}};

static const dae_problem cancelling = {
    .name = "cancelling", .parameters = PARAMETERS, .start = {ring_start}, .t_end = 1,
    .first_order = {.n = RING, .rhs = DAE_MODEL(cancelling)}};

static dae_statistics solve(const dae_problem *problem, const double *p, const char *method,
                            dae_options options, double t_end, double *u)
{
    OWNED(dae_system) *sys = system_of(problem, "native", p, u);
    return solve_to(sys, method, &options, t_end, u);
}

/* u_0' = -u_0^2/s beside a stiff u_1 that follows s sin t, from t0 on: u_0 = s/(1 + t - t0). With
 * differences as many steps as with dual numbers, and as right. */
TEST(any_size_and_time)
{
    static const double sets[][3] = {{1, 1, 0}, {1e-12, 1, 0}, {1e-6, 1, 0}, {1e9, 1, 0},
                                     {1, 1e9, 0}, {1, 1e-9, 0}, {1, 1, 1e6}};
    static const char *const methods[] = {"radau5", "rodas5p", "cros4", "excros", "cros", "ida"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const double *p = sets[k], end = 2 / p[RATE];
            dae_problem problem = decay;
            double u[2], v[2];
            dae_options options = tolerance(m == 4 ? 1e-5 : 1e-6);
            options.atol = 1e-3 * options.rtol * p[SIZE];
            problem.t0 = p[BEGIN];
            problem.t_end = p[BEGIN] + end;
            options.jacobian = DAE_JACOBIAN_DUAL;
            const long steps = solve(&problem, p, methods[m], options, problem.t_end, u).steps;
            options.jacobian = DAE_JACOBIAN_FD;
            const long fd = solve(&problem, p, methods[m], options, problem.t_end, v).steps;
            if (fd > steps + steps / 5 + 2)
                fail_msg("%s, %g %g %g: %ld steps, not %ld", methods[m], p[0], p[1], p[2], fd,
                         steps);
            if (!(fabs(v[0] / p[SIZE] * 3 - 1) < 100 * options.rtol))
                fail_msg("%s, %g %g %g: off by %g", methods[m], p[0], p[1], p[2],
                         v[0] / p[SIZE] * 3 - 1);
        }
}

/* Fixed steps have no tolerances: the states themselves say how large they are. */
TEST(fixed_steps)
{
    static const double sizes[] = {1, 1e-12, 1e12};
    for (int k = 0; k < 3; k++) {
        const double p[] = {sizes[k], 1, 0};
        dae_options options = dae_default_options();
        double u[2];
        options.step = 0.01;
        options.jacobian = DAE_JACOBIAN_FD;
        solve(&decay, p, "cros", options, 2, u);
        assert_close(u[0] / sizes[k], 1. / 3, 1e-4);
        assert_close(u[1] / sizes[k], sin(2), 1e-2);
    }
}

/* With sparse matrices too: no row is suspected of an entry that it has not. */
TEST(any_size_in_a_ring)
{
    static const char *const methods[] = {"radau5", "rodas5p", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double first[RING];
        long steps = 0;
        for (double size = 1; size > 1e-13; size /= 1e4) {
            const double p[] = {size, 1, 0};
            dae_options options = tolerance(1e-6);
            double u[RING];
            options.atol = 1e-9 * size;
            options.linear = DAE_LINEAR_KLU;
            options.jacobian = DAE_JACOBIAN_FD;
            const dae_statistics count = solve(&ring, p, methods[m], options, 1, u);
            assert_int_equal(3 * RING, count.nonzeros);
            for (int i = 0; size == 1 && i < RING; i++)
                first[i] = u[i];
            steps = size == 1 ? count.steps : steps;
            assert_in_range(count.steps, steps - 2 - steps / 10, steps + 2 + steps / 10);
            for (int i = 0; i < RING; i++)
                assert_close(u[i] / size, first[i], 1e-5);
        }
    }
}

/* Derivatives that cancel by ten decades leave other rounding in every direction: no reason to look
 * for an entry in vain again and again, or to stop. */
TEST(cancelling_derivatives)
{
    static const char *const methods[] = {"radau5", "rodas5p", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (dae_jacobian_kind kind = DAE_JACOBIAN_DUAL; kind <= DAE_JACOBIAN_FD; kind++) {
            const double p[] = {1, 1, 0};
            dae_options options = tolerance(1e-4);
            double u[RING];
            options.linear = DAE_LINEAR_KLU;
            options.jacobian = kind;
            assert_int_equal(2 * RING, solve(&cancelling, p, methods[m], options, 1, u).nonzeros);
            for (int i = 0; i < RING; i++)
                assert_true(fabs(u[i]) < 2);
        }
}

/* The heat equation with a conductivity sqrt(end - t): a pattern of 3 n - 2 entries, whatever the
 * unit of time is. */
TEST(any_interval)
{
    for (double end = 5e-4; end < 1e10; end *= 1e4)
        for (int later = 0; later < 2; later++) {
            const double p[] = {1, 1 / end, later ? end * 1e3 : 0};
            dae_problem problem = rod;
            dae_options options = tolerance(1e-4);
            double u[RODS];
            problem.t0 = p[BEGIN];
            problem.t_end = p[BEGIN] + 0.9 * end;
            options.linear = DAE_LINEAR_BEST;
            const dae_statistics count = solve(&problem, p, "radau5", options, problem.t_end, u);
            assert_int_equal(3 * RODS - 2, count.nonzeros);
        }
}

/* Without a solver: a Jacobian at states of any size, zeros among them. */
TEST(without_a_run)
{
    for (double size = 1e-200; size < 1e200; size *= 1e50) {
        const double p[] = {size, 1, 0}, u[2] = {size, 0};
        double J[4], F_t[2];
        OWNED(dae_system) *sys = system_of(&decay, "native", p, NULL);
        assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_FD, 0, u, J, F_t, NULL));
        assert_close(J[0], -2, 1e-6);
        assert_close(J[1], 0, 1e-6);
        assert_close(J[2], 0, 1e-6);
        assert_close(J[3], -300, 1e-4);
        assert_close(F_t[1] / size, 300, 1e-4);
    }
}

/* Nothing tells a size where all unknowns are zero and none moves: an increment is there all the same. */
TEST(of_zeros)
{
    static double J[RODS * RODS], F_t[RODS], u[RODS];
    const double p[] = {1, 1, 0};
    OWNED(dae_system) *sys = system_of(&rod, "native", p, NULL);
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_FD, 0, u, J, F_t, NULL));
    for (int j = 0; j < RODS; j++)
        for (int i = 0; i < RODS; i++)
            assert_close(J[j * RODS + i], i == j ? -200 : i == j + 1 || i == j - 1 ? 100 : 0, 1e-4);
}

#else

static void FN(decay)(const param *p, real t, const real *u, real *F)
{
    const real angle = p[RATE] * (t - p[BEGIN]);
    F[0] = -p[RATE] * u[0] * (u[0] / p[SIZE]);
    F[1] = p[RATE] * (-300 * (u[1] - p[SIZE] * sin(angle)) + p[SIZE] * cos(angle));
}

static void FN(ring)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < RING; i++) {
        const int next = (i + 1) % RING, before = (i + RING - 1) % RING;
        F[i] = u[before] * (u[before] / p[SIZE]) / 2 - u[i] * (u[next] / p[SIZE]);
    }
}

static void FN(cancelling)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < RING; i++) {
        const real s = sin(u[i]), c = cos(u[i]);
        F[i] = 0.1 * u[(i + 1) % RING] - u[i] + 1e8 * (s * s + c * c - 1);
    }
}

static void FN(rod)(const param *p, real t, const real *u, real *F)
{
    const real k = p[RATE] * 100 * sqrt(1 - p[RATE] * (t - p[BEGIN]));
    for (int i = 0; i < RODS; i++) {
        F[i] = -2 * k * u[i];
        if (i > 0)
            F[i] += k * u[i - 1];
        if (i < RODS - 1)
            F[i] += k * u[i + 1];
    }
}

#endif
