/* linear_dae - a linear semi-explicit DAE of index 2 with a known solution, and its index-1 form
 *
 *   x1' = (a - 1/(2-t)) x1           + (2-t) a z + ((3-t)/(2-t)) e^t
 *   x2' = ((1-a)/(t-2)) x1 - x2      + (a-1) z   + 2 e^t
 *    0  = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t                        index 2
 *
 * Exact: x1 = x2 = e^t, z = -e^t/(2-t) on 0 <= t <= 1. The constraint differentiated once in time,
 * with x1' and x2' from above, determines z: index 1. All quantities are without unit. Near t = 1
 * the leading term of the error of z vanishes, so that orders look higher there than they are; t =
 * 2 is a pole.
 * Ascher, Petzold (1991), Tech. Rep. UCRL-JC-107441, Lawrence Livermore National Laboratory.
 */
#ifndef DAE_PASS
enum { A };
#include <daelab/model.h>

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    const double a = p[A], s = 2 - t, e = exp(t);
    J[0] = a - 1 / s;
    J[1] = (a - 1) / s;                                 /* (1-a)/(t-2) */
    J[2] = t + 2;
    J[4] = -1;
    J[5] = t * t - 4;
    J[6] = s * a;
    J[7] = a - 1;
    F_t[0] = -u[0] / (s * s) - a * u[2] + e / (s * s) + (3 - t) / s * e;
    F_t[1] = (a - 1) / (s * s) * u[0] + 2 * e;
    F_t[2] = u[0] + 2 * t * u[1] - (t * t + 3 * t - 1) * e;
}

const dae_problem dae_linear_dae = {
    .name = "linear_dae",
    .title = "linear DAE of index 2 with a known solution, and its index-1 form",
    .citation = "Ascher, Petzold (1991), Tech. Rep. UCRL-JC-107441, LLNL",
    .equations = "x1' = (a - 1/(2-t)) x1 + (2-t) a z + ((3-t)/(2-t)) e^t\n"
                 "x2' = ((1-a)/(t-2)) x1 - x2 + (a-1) z + 2 e^t\n"
                 "0 = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t\n"
                 "exact: x1 = x2 = e^t, z = -e^t/(2-t)",
    .variables = "x1 x2 z",
    .units = "- - -",
    .parameters = {{"a", 2, "-", "coupling of x and z", DAE_ANY_VALUE}},
    .first_order = {
        .n = 3, .index = 2,
        .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs), .reduced = DAE_MODEL(reduced),
        .exact = DAE_MODEL(exact), .jacobian = jacobian,
    },
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 0.5,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = u[1] = (real){0} + 1;
    u[2] = (real){0} - 0.5;
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = (real){0};
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real a = p[A], s = 2 - t, e = exp(t);
    F[0] = (a - 1 / s) * u[0] + s * a * u[2] + (3 - t) / s * e;
    F[1] = (a - 1) / s * u[0] - u[1] + (a - 1) * u[2] + 2 * e;
    F[2] = (t + 2) * u[0] + (t * t - 4) * u[1] - (t * t + t - 2) * e;
}

static void FN(reduced)(const param *p, real t, const real *u, real *F)
{
    FN(rhs)(p, t, u, F);
    F[2] = u[0] + (t + 2) * F[0] + 2 * t * u[1] + (t * t - 4) * F[1]
           - (t * t + 3 * t - 1) * exp(t);
}

static void FN(exact)(const param *p, real t, real *u)
{
    u[0] = u[1] = exp(t);
    u[2] = -exp(t) / (2 - t);
}

#endif
