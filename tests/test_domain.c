/* test_domain.c - methods whose first steps lead to where F is not defined shorten them: y' = -y + k y (-t - log y)
 * from y = 1, which is exp(-t), and y' = 10 y sqrt(1 - y), which rises to 1 and ends there
 */
#ifndef DAE_PASS
enum { RATE };
#include <daelab/model.h>

#include "support.h"

static void start_small(const double *p, double *u) { u[0] = 0.1; }

static const dae_problem kinetic = {
    .name = "kinetic", .variables = "y", .units = "-", .start = {start_one}, .t_end = 0.01,
    .parameters = {{"k", 1e6, "-", "rate", DAE_ANY_VALUE}}, .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}};
static const dae_problem logistic = {
    .name = "logistic", .variables = "y", .units = "-", .start = {start_small}, .t_end = 1,
    .parameters = {{"k", 0, "-", "rate", DAE_ANY_VALUE}}, .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}};

static double exact(const dae_problem *problem, double t)
{
    if (problem == &kinetic)
        return exp(-t);
    const double root = tanh(fmax(atanh(sqrt(0.9)) - 5 * t, 0));       /* sqrt(1 - y) */
    return 1 - root * root;
}

static void check(const dae_problem *problem, const char *method, double rtol)
{
    const dae_options o = tolerance(rtol);
    double u[1];
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, u);
    solve_to(sys, method, &o, problem->t_end, u);
    if (!(fabs(u[0] - exact(problem, problem->t_end)) <= 30 * rtol))
        fail_msg("%s, %s, rtol %g: %.9g for %.9g", problem->name, method, rtol, u[0], exact(problem, problem->t_end));
}

TEST(test_domain)
{
    static const char *const methods[] = {"erk", "dopri5", "dop853", "dirk", "cvode", "radau", "rodas4"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double rtol = 1e-2; rtol > 1e-7; rtol /= 10) {
            check(&kinetic, methods[m], rtol);
            if (!dae_method_describe(dae_find_method(methods[m])).implicit)
                check(&logistic, methods[m], rtol);         /* its slope has no derivative at 1 */
        }
}

#else
static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = value(p[RATE]) > 0 ? -u[0] + p[RATE] * u[0] * (-t - log(u[0])) : 10 * u[0] * sqrt(1 - u[0]);
}
#endif
