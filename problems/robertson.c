/* robertson - three chemical reactions whose rates lie nine decades apart, as a DAE of index 1
 *
 *   A -> B (k1),   B + B -> C + B (k2),   B + C -> A + C (k3)
 *
 *   y1' = -k1 y1 + k3 y2 y3
 *   y2' =  k1 y1 - k3 y2 y3 - k2 y2^2
 *     0 = y1 + y2 + y3 - 1
 *
 * The time scales change by ten decades on the way to y = (0, 0, 1). An absolute tolerance that is
 * not small beside y2 ~ 1e-5 ... 1e-13 lets y2 become negative, from where the solution explodes.
 */
#ifndef DAE_PASS
enum { K1, K2, K3 };
#include <daelab/model.h>

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[0] = -p[K1];
    J[1] = p[K1];
    J[3] = p[K3] * u[2];
    J[4] = -p[K3] * u[2] - 2 * p[K2] * u[1];
    J[6] = p[K3] * u[1];
    J[7] = -p[K3] * u[1];
    J[2] = J[5] = J[8] = 1;
}

const dae_problem dae_robertson = {
    .name = "robertson",
    .title = "Robertson's three reactions, with the conserved mass as an equation",
    .citation = "Robertson (1966), in Walsh (ed.), Numerical Analysis: An Introduction, 178-182; "
                "Mazzia, Magherini (2008), Test Set for IVP Solvers 2.4",
    .equations = "y1' = -k1 y1 + k3 y2 y3\n"
                 "y2' =  k1 y1 - k3 y2 y3 - k2 y2^2\n"
                 "0 = y1 + y2 + y3 - 1",
    .variables = "y1 y2 y3",
    .units = "- - -",
    .parameters = {
        {"k1", 0.04, "1/s", "rate of A -> B", DAE_NONNEGATIVE},
        {"k2", 3e7, "1/s", "rate of B + B -> C + B", DAE_NONNEGATIVE},
        {"k3", 1e4, "1/s", "rate of B + C -> A + C", DAE_NONNEGATIVE},
    },
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs),
                    .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 1e11,
};

#else

static void FN(start)(const param *p, real *u) { u[0] = (real){0} + 1; }

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = (real){0};
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real forth = p[K1] * u[0], back = p[K3] * u[1] * u[2];
    F[0] = back - forth;
    F[1] = forth - back - p[K2] * u[1] * u[1];
    F[2] = u[0] + u[1] + u[2] - 1;
}

#endif
