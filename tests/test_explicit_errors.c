/* test_explicit_errors.c - what explicit methods measure: errors against rtol |u_i| + atol_i,
 * those of DOP853 in its own combination of two estimates, and what a projection has to correct
 */
#ifndef DAE_PASS
enum { WRONG };
#include <daelab/model.h>

#include "support.h"

#include "methods/explicit_stepper.h"
#include "stepper/solver.h"

static const char *const methods[] = {"dopri5", "dop853"};
enum { METHODS = 2 };

/* ---- atol ----------------------------------------------------------------------------------- */

static void two_start(const double *p, double *u)
{
    memcpy(u, (double[]){1, 0, 1e-14, 0}, 4 * sizeof *u);
}

/* Beside cos t one of 1e-14 cos 5t, of which atol asks nothing. */
static const dae_problem two = {
    .name = "two", .variables = "x v y w", .units = "- - - -", .start = {two_start}, .t_end = 10,
    .first_order = {.n = 4, .rhs = DAE_MODEL(oscillators)}};

static long steps_with(const char *method, double atol_of_small)
{
    dae_options o = tolerance(1e-9);
    const double atols[] = {1e-9, 1e-9, atol_of_small, atol_of_small};
    double u[4];
    o.atols = atols;
    OWNED(dae_system) *sys = system_of(&two, "native", NULL, u);
    const dae_statistics count = solve_to(sys, method, &o, 10, u);
    assert_close(u[0], cos(10), 1e-6);
    return count.steps;
}

/* The frequency is 5 times as large: so are the steps, where the small one counts. */
TEST(test_atol_counts)
{
    for (int m = 0; m < METHODS; m++) {
        const long without = steps_with(methods[m], 1e-9), with = steps_with(methods[m], 1e-23);
        if (!(2 * without < with))
            fail_msg("%s: %ld steps, and %ld where the small one counts", methods[m], without,
                     with);
    }
}

/* ---- the estimate of DOP853 ----------------------------------------------------------------- */

static const dae_problem decay = {
    .name = "decay", .variables = "u", .units = "-", .start = {start_one}, .t_end = 4,
    .first_order = {.n = 1, .rhs = DAE_MODEL(decaying)}};

/* Of one step of size h from u = 1, by the formula of Hairer, Norsett, Wanner (1993), Solving ODEs
 * I, II.10: err = e5^2/sqrt(e5^2 + 0.01 e3^2) with e5, e3 over their tolerances. */
static double error_of_step(double h, double tol)
{
    const dae_tableau *T = dae_find_method("dop853")->tableau;
    double k[DAE_RK_STAGES] = {0}, e[2] = {0}, y = 1;
    for (int i = 0; i <= T->stages; i++) {
        y = 1;
        for (int j = 0; j < i; j++)
            y += h * T->A[i][j] * k[j];
        k[i] = -y;
    }
    for (int row = 0; row < 2; row++)
        for (int j = 0; j <= T->stages; j++)
            e[row] += h * T->E[row][j] * k[j] / (tol + tol * fmax(1, fabs(y)));
    return e[0] * e[0] / sqrt(e[0] * e[0] + 0.01 * e[1] * e[1]);
}

TEST(test_two_estimates)
{
    const double tol = 1e-10;
    dae_options o = tolerance(tol);
    double u[1];
    OWNED(dae_system) *sys = system_of(&decay, "native", NULL, NULL);
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method("dop853"), &o, 0, NULL);
    for (double h = 0.05; h < 0.3; h *= 1.3) {
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_solver_start(s, 0, u));
        s->t_new = h;
        assert_int_equal(DAE_OK, s->method->step(s, h, h));
        const double expected = error_of_step(h, tol);
        assert_close(s->error, expected, 1e-3 * expected);
    }
}

/* ---- what a projection corrects ------------------------------------------------------------ */

static void swing_start(const double *p, double *u)
{
    memcpy(u, (double[]){1, 0, 0, 0, 0}, 5 * sizeof *u);
}

/* A pendulum whose d2g/dt2 may be off by a thousandth of v v. */
static const dae_problem swing = {
    .name = "swing", .variables = "x y vx vy T", .units = "m m m/s m/s N", .start = {swing_start},
    .t_end = 2, .parameters = {{"wrong", 0, "-", "error of d2g/dt2", DAE_ANY_VALUE}},
    .mechanical = {.nq = 2, .nl = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .constraint = DAE_MODEL(constraint), .rate = DAE_MODEL(rate),
                   .acceleration = DAE_MODEL(wrong_acceleration), .reaction = DAE_MODEL(reaction)}};

/* Steps end where d2g/dt2 leads; what it is wrong by, the projection takes away, and no estimate of
 * the method sees: only that correction keeps the steps short. */
static long steps_of_swing(const char *method, double wrong)
{
    dae_options o = tolerance(1e-8);
    double u[5];
    OWNED(dae_system) *sys = system_of(&swing, "index1", &wrong, u);
    const dae_statistics count = solve_to(sys, method, &o, 2, u);
    assert_close(hypot(u[0], u[1]), 1, 1e-14);
    return count.steps;
}

TEST(test_corrections_count)
{
    for (int m = 0; m < METHODS; m++) {
        const long right = steps_of_swing(methods[m], 0), wrong = steps_of_swing(methods[m], 1e-3);
        if (!(wrong > 4 * right))
            fail_msg("%s: %ld steps, %ld with a wrong d2g/dt2", methods[m], right, wrong);
    }
}

#else
#include "unit_circle.h"

static void FN(oscillators)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -u[0];
    F[2] = 5 * u[3];
    F[3] = -5 * u[2];
}

static void FN(decaying)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0 * q[0];
    f[1] = -10 + 0 * q[0];
}

static void FN(wrong_acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                                   real *ddg)
{
    ddg[0] = q[0] * a[0] + q[1] * a[1] + (1 + p[WRONG]) * (v[0] * v[0] + v[1] * v[1]);
}

#endif
