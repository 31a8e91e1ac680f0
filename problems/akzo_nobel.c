/* akzo_nobel - a reactor of Akzo Nobel Central Research: five reactions and an equilibrium, index 1
 *
 *   r1 = k1 y1^4 sqrt(y2)    r2 = k2 y3 y4    r3 = (k2/K) y1 y5    r4 = k3 y1 y4^2
 *   r5 = k4 y6^2 sqrt(y2)    Fin = klA (pCO2/H - y2), the carbon dioxide that flows in
 *
 *   y1' = -2 r1 + r2 - r3 - r4           y4' = -r2 + r3 - 2 r4
 *   y2' = -r1/2 - r4 - r5/2 + Fin        y5' = r2 - r3 + r5
 *   y3' = r1 - r2 + r3                     0 = Ks y1 y4 - y6
 *
 * The root is real for y2 >= 0 only; a step that leads out of this answers NaN and is undone.
 */
#ifndef DAE_PASS
enum { K1, K2, K3, K4, K, KLA, KS, PCO2, H };
#include <daelab/model.h>

const dae_problem dae_akzo_nobel = {
    .name = "akzo_nobel",
    .title = "chemical Akzo Nobel problem: five reactions and an equilibrium",
    .citation = "Stortelder (1998), Parameter Estimation in Nonlinear Dynamical Systems, thesis, "
                "Amsterdam; Mazzia, Magherini (2008), Test Set for IVP Solvers 2.4",
    .equations = "y1' = -2 r1 + r2 - r3 - r4,   y2' = -r1/2 - r4 - r5/2 + klA (pCO2/H - y2)\n"
                 "y3' = r1 - r2 + r3,   y4' = -r2 + r3 - 2 r4,   y5' = r2 - r3 + r5\n"
                 "0 = Ks y1 y4 - y6\n"
                 "r1 = k1 y1^4 sqrt(y2),   r2 = k2 y3 y4,   r3 = (k2/K) y1 y5\n"
                 "r4 = k3 y1 y4^2,   r5 = k4 y6^2 sqrt(y2);   y2 >= 0",
    .variables = "y1 y2 y3 y4 y5 y6",
    .units = "mol/L mol/L mol/L mol/L mol/L mol/L",
    .parameters = {
        {"k1", 18.7, "L^3.5/mol^3.5/min", "rate of reaction 1", DAE_NONNEGATIVE},
        {"k2", 0.58, "L/mol/min", "rate of reactions 2 and 3", DAE_NONNEGATIVE},
        {"k3", 0.09, "L^2/mol^2/min", "rate of reaction 4", DAE_NONNEGATIVE},
        {"k4", 0.42, "L^1.5/mol^1.5/min", "rate of reaction 5", DAE_NONNEGATIVE},
        {"K", 34.4, "-", "equilibrium of reactions 2 and 3", DAE_POSITIVE},
        {"klA", 3.3, "1/min", "mass transfer of carbon dioxide", DAE_NONNEGATIVE},
        {"Ks", 115.83, "L/mol", "equilibrium y6/(y1 y4)", DAE_POSITIVE},
        {"pCO2", 0.9, "bar", "pressure of carbon dioxide", DAE_NONNEGATIVE},
        {"H", 737, "bar L/mol", "Henry's constant", DAE_POSITIVE},
    },
    .first_order = {.n = 6, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 180,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = (real){0} + 0.444;
    u[1] = (real){0} + 0.00123;
    u[3] = (real){0} + 0.007;
    u[5] = p[KS] * u[0] * u[3];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < 5; i++)
        out[i] = x[i];
    out[5] = (real){0};
}

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    const real root = sqrt(y[1]), square = y[0] * y[0];
    const real r1 = p[K1] * square * square * root;
    const real r2 = p[K2] * y[2] * y[3];
    const real r3 = p[K2] / p[K] * y[0] * y[4];
    const real r4 = p[K3] * y[0] * y[3] * y[3];
    const real r5 = p[K4] * y[5] * y[5] * root;
    F[0] = -2 * r1 + r2 - r3 - r4;
    F[1] = -r1 / 2 - r4 - r5 / 2 + p[KLA] * (p[PCO2] / p[H] - y[1]);
    F[2] = r1 - r2 + r3;
    F[3] = -r2 + r3 - 2 * r4;
    F[4] = r2 - r3 + r5;
    F[5] = p[KS] * y[0] * y[3] - y[5];
}

#endif
