/* transistor_amplifier - eight node voltages; M is singular and not diagonal, index 1
 *
 *   C (U2' - U1')   = (U1 - Ue)/R0                         Ue(t) = A sin(2 pi f t)
 *   C (U1' - U2')   = U2/R + (U2 - Ub)/R + (1 - a) h(U2 - U3)
 *    -2 C U3'       = U3/R - h(U2 - U3)                    h(U) = b (exp(U/UF) - 1)
 *   3 C (U5' - U4') = (U4 - Ub)/R + a h(U2 - U3)
 *   3 C (U4' - U5') = U5/R + (U5 - Ub)/R + (1 - a) h(U5 - U6)
 *    -4 C U6'       = U6/R - h(U5 - U6)
 *   5 C (U8' - U7') = (U7 - Ub)/R + a h(U5 - U6)
 *   5 C (U7' - U8') = U8/R
 *
 * Rows 1 + 2, 4 + 5 and 7 + 8 of M are zero: three algebraic equations, which no row states alone.
 * The signal at U1 leaves at U8, amplified. Where U/UF exceeds 709 h is infinite, and the step that
 * came there is undone.
 */
#ifndef DAE_PASS
enum { UB, UF, ALPHA, BETA, R0, R, C, AMPLITUDE, FREQUENCY };
#include <daelab/model.h>

const dae_problem dae_transistor_amplifier = {
    .name = "transistor_amplifier",
    .title = "amplifier of two transistors, its M singular and not diagonal",
    .citation = "Rentrop, Roche, Steinebach (1989), Numer. Math. 55, 545-563; Hairer, Lubich, "
                "Roche (1989), Lect. Notes Math. 1409; Mazzia, Magherini (2008), Test Set for IVP "
                "Solvers 2.4",
    .equations = "C (U2' - U1') = (U1 - Ue)/R0,   Ue = A sin(2 pi f t)\n"
                 "C (U1' - U2') = U2/R + (U2 - Ub)/R + (1 - alpha) h(U2 - U3)\n"
                 "-2 C U3' = U3/R - h(U2 - U3),   h(U) = beta (exp(U/UF) - 1)\n"
                 "3 C (U5' - U4') = (U4 - Ub)/R + alpha h(U2 - U3)\n"
                 "3 C (U4' - U5') = U5/R + (U5 - Ub)/R + (1 - alpha) h(U5 - U6)\n"
                 "-4 C U6' = U6/R - h(U5 - U6)\n"
                 "5 C (U8' - U7') = (U7 - Ub)/R + alpha h(U5 - U6)\n"
                 "5 C (U7' - U8') = U8/R",
    .variables = "U1 U2 U3 U4 U5 U6 U7 U8",
    .units = "V V V V V V V V",
    .parameters = {
        {"Ub", 6, "V", "operating voltage", DAE_ANY_VALUE},
        {"UF", 0.026, "V", "scale of the transistors' exponential", DAE_POSITIVE},
        {"alpha", 0.99, "-", "part of the current that the collector takes", DAE_NONNEGATIVE},
        {"beta", 1e-6, "A", "saturation current of the transistors", DAE_NONNEGATIVE},
        {"R0", 1000, "Ohm", "resistor of the source", DAE_POSITIVE},
        {"R", 9000, "Ohm", "the other nine resistors", DAE_POSITIVE},
        {"C", 1e-6, "F", "the first of the capacitors C, 2 C, ..., 5 C", DAE_POSITIVE},
        {"amplitude", 0.1, "V", "amplitude A of the signal", DAE_ANY_VALUE},
        {"frequency", 100, "Hz", "frequency f of the signal", DAE_ANY_VALUE},
    },
    .first_order = {.n = 8, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 0.2,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[1] = u[2] = u[4] = u[5] = p[UB] / 2;
    u[3] = u[6] = p[UB];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int k = 0; k < 3; k++) {                       /* capacitors C, 3 C, 5 C join two nodes */
        const int i = 3 * k;
        out[i] = (2 * k + 1) * p[C] * (x[i + 1] - x[i]);
        out[i + 1] = -out[i];
    }
    out[2] = -2 * p[C] * x[2];
    out[5] = -4 * p[C] * x[5];
}

/* the current h(U) */
static real FN(current)(const param *p, real U)
{
    return p[BETA] * (exp(U / p[UF]) - 1);
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real Ue = p[AMPLITUDE] * sin(2 * PI * p[FREQUENCY] * t);
    const real h1 = FN(current)(p, u[1] - u[2]), h2 = FN(current)(p, u[4] - u[5]);
    F[0] = (u[0] - Ue) / p[R0];
    F[1] = u[1] / p[R] + (u[1] - p[UB]) / p[R] + (1 - p[ALPHA]) * h1;
    F[2] = u[2] / p[R] - h1;
    F[3] = (u[3] - p[UB]) / p[R] + p[ALPHA] * h1;
    F[4] = u[4] / p[R] + (u[4] - p[UB]) / p[R] + (1 - p[ALPHA]) * h2;
    F[5] = u[5] / p[R] - h2;
    F[6] = (u[6] - p[UB]) / p[R] + p[ALPHA] * h2;
    F[7] = u[7] / p[R];
}

#endif
