/* van_der_pol - the oscillator that rests near a slow curve and jumps between its branches
 *
 *   y1' = y2,   epsilon y2' = (1 - y1^2) y2 - y1
 *
 * Time is scaled by mu = epsilon^(-1/2): z'' - mu (1 - z^2) z' + z = 0 has epsilon = 1/mu^2. For
 * epsilon -> 0 it is a DAE of index 1, whose Jacobian is singular where |y1| = 1: there it jumps.
 */
#ifndef DAE_PASS
enum { EPSILON, Y10, Y20 };
#include <daelab/model.h>

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[1] = (-2 * u[0] * u[1] - 1) / p[EPSILON];
    J[2] = 1;
    J[3] = (1 - u[0] * u[0]) / p[EPSILON];
}

const dae_problem dae_van_der_pol = {
    .name = "van_der_pol",
    .title = "van der Pol's relaxation oscillator, a stiff ODE",
    .citation = "van der Pol (1926), Phil. Mag. 2, 978-992; Hairer, Wanner (1996), Solving "
                "Ordinary Differential Equations II, section IV.10",
    .equations = "y1' = y2\n"
                 "y2' = ((1 - y1^2) y2 - y1)/epsilon",
    .variables = "y1 y2",
    .units = "- -",
    .parameters = {
        {"epsilon", 1e-6, "-", "small parameter, 1/mu^2", DAE_POSITIVE},
        {"y10", 2, "-", "start of y1", DAE_ANY_VALUE},
        {"y20", 0, "-", "start of y2", DAE_ANY_VALUE},
    },
    .first_order = {.n = 2, .index = 0, .rhs = DAE_MODEL(rhs), .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 2,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = p[Y10];
    u[1] = p[Y20];
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = ((1 - u[0] * u[0]) * u[1] - u[0]) / p[EPSILON];
}

#endif
