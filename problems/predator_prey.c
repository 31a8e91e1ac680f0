/* predator_prey - the equations of Lotka and Volterra, whose orbits are closed curves
 *
 *   x' = a x (1 - y)        the prey
 *   y' = -c y (1 - x)       the predators        both relative to their numbers in equilibrium
 *
 * Constant along each orbit is
 *
 *   I = x^-c e^(c x) y^-a e^(a y),      dI/dt = I (c (1 - 1/x) x' + a (1 - 1/y) y') = 0
 *
 * The start (3, 1) with a = 1, c = 2 has I = e^7/9 = 121.848128714273178 and the period
 * 5.48813846813882624550304, by quadrature and by Taylor series, which agree in all digits. Most
 * methods leave the orbit, inwards or outwards; with --project invariant only the time on it is wrong.
 */
#ifndef DAE_PASS
enum { A, C, X0, Y0 };
#include <daelab/model.h>

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[0] = p[A] * (1 - u[1]);
    J[1] = p[C] * u[1];
    J[2] = -p[A] * u[0];
    J[3] = -p[C] * (1 - u[0]);
}

const dae_problem dae_predator_prey = {
    .name = "predator_prey",
    .title = "predators and prey of Lotka and Volterra, with an invariant",
    .citation = "Volterra (1926), Nature 118, 558-560; Hairer, Lubich, Wanner (2006), Geometric "
                "Numerical Integration, section I.1",
    .equations = "x' = a x (1 - y)\n"
                 "y' = -c y (1 - x)\n"
                 "constant: I = x^-c e^(c x) y^-a e^(a y)\n"
                 "period for a = 1, c = 2 from (3, 1): 5.48813846813882624550304",
    .variables = "x y",
    .units = "- -",
    .parameters = {
        {"a", 1, "1/s", "growth of the prey", DAE_POSITIVE},
        {"c", 2, "1/s", "decay of the predators", DAE_POSITIVE},
        {"x0", 3, "-", "prey at the start", DAE_POSITIVE},
        {"y0", 1, "-", "predators at the start", DAE_POSITIVE},
    },
    .first_order = {.n = 2, .index = 0, .rhs = DAE_MODEL(rhs), .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 5.48813846813882625,
    .invariants = {.n = 1, .value = DAE_MODEL(invariant), .names = "I", .units = "-"},
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = p[X0];
    u[1] = p[Y0];
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[A] * u[0] * (1 - u[1]);
    F[1] = -p[C] * u[1] * (1 - u[0]);
}

static void FN(invariant)(const param *p, real t, const real *u, real *I)
{
    I[0] = exp(p[C] * (u[0] - log(u[0])) + p[A] * (u[1] - log(u[1])));
}

#endif
