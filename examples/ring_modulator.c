/* ring_modulator - four diodes in a ring mix two signals: a stiff ODE that oscillates
 *
 * The signal Uin1 of 1 kHz comes in by one transformer, the carrier Uin2 of 10 kHz by the midpoints of both,
 * and what leaves by the other transformer, U2, is much like their product. Voltages U1, ..., U7 of capacities,
 * currents I1, ..., I8 of inductors:
 *
 *      C U1' = I1 - I3/2 + I4/2 + I7 - U1/R           Lh I1' = -U1
 *      C U2' = I2 - I5/2 + I6/2 + I8 - U2/R           Lh I2' = -U2
 *     Cs U3' = I3 - q(D1) + q(D4)                    Ls2 I3' = U1/2 - U3 - Rg2 I3
 *     Cs U4' = -I4 + q(D2) - q(D3)                   Ls3 I4' = -U1/2 + U4 - Rg3 I4
 *     Cs U5' = I5 + q(D1) - q(D3)                    Ls2 I5' = U2/2 - U5 - Rg2 I5
 *     Cs U6' = -I6 - q(D2) + q(D4)                   Ls3 I6' = -U2/2 + U6 - Rg3 I6
 *     Cp U7' = -U7/Rp + q(D1) + q(D2) - q(D3) - q(D4)
 *                                                    Ls1 I7' = -U1 + Uin1(t) - (Ri + Rg1) I7
 *                                                    Ls1 I8' = -U2 - (Rc + Rg1) I8
 *
 * with the diodes q(D) = gamma (exp(delta D) - 1) at the voltages
 *
 *     D1 = U3 - U5 - U7 - Uin2(t)        D3 = U4 + U5 + U7 + Uin2(t)
 *     D2 = -U4 + U6 - U7 - Uin2(t)       D4 = -U3 - U6 + U7 + Uin2(t).
 *
 * The stray capacity Cs makes parasitic oscillations of Ls2 and Ls3 with it, of 5 MHz, which no method may
 * skip while the diodes block; it is stiff while they conduct. Cs = 0 would be a DAE of index 2.
 * Where delta D exceeds 709 q is infinite, and the step that came there is undone.
 *
 *     daelab solve ./ring_modulator.c --method radau --rtol 1e-9 --atol 1e-12
 *
 * It is a file of its own, beside the problems that daelab knows by name, as a reference in quad precision, from
 * which the other commands measure errors, takes more steps than they allow.
 */
#ifndef DAE_PASS
enum { C, CS, CP, R, RP, LH, LS1, LS2, LS3, RG1, RG2, RG3, RI, RC, GAMMA, DELTA, SIGNAL, SIGNAL_FREQUENCY,
       CARRIER, CARRIER_FREQUENCY };
enum { U1, U2, U3, U4, U5, U6, U7, I1, I2, I3, I4, I5, I6, I7, I8, UNKNOWNS };
#include <daelab/model.h>

const dae_problem dae_ring_modulator = {
    .name = "ring_modulator",
    .title = "four diodes in a ring mix two signals, a stiff ODE that oscillates",
    .citation = "Horneber (1976), Analyse nichtlinearer RLCUe-Netzwerke mit Hilfe der gemischten "
                "Potentialfunktion, Univ. Kaiserslautern; Hairer, Wanner (1996), Solving Ordinary Differential "
                "Equations II; Mazzia, Magherini (2008), Test Set for IVP Solvers 2.4",
    .equations = "C U1' = I1 - I3/2 + I4/2 + I7 - U1/R,   C U2' = I2 - I5/2 + I6/2 + I8 - U2/R\n"
                 "Cs U3' = I3 - q(D1) + q(D4),   Cs U4' = -I4 + q(D2) - q(D3)\n"
                 "Cs U5' = I5 + q(D1) - q(D3),   Cs U6' = -I6 - q(D2) + q(D4)\n"
                 "Cp U7' = -U7/Rp + q(D1) + q(D2) - q(D3) - q(D4)\n"
                 "Lh I1' = -U1,   Lh I2' = -U2\n"
                 "Ls2 I3' = U1/2 - U3 - Rg2 I3,   Ls3 I4' = -U1/2 + U4 - Rg3 I4\n"
                 "Ls2 I5' = U2/2 - U5 - Rg2 I5,   Ls3 I6' = -U2/2 + U6 - Rg3 I6\n"
                 "Ls1 I7' = -U1 + Uin1 - (Ri + Rg1) I7,   Ls1 I8' = -U2 - (Rc + Rg1) I8\n"
                 "q(D) = gamma (exp(delta D) - 1)\n"
                 "D1 = U3 - U5 - U7 - Uin2,   D2 = -U4 + U6 - U7 - Uin2\n"
                 "D3 = U4 + U5 + U7 + Uin2,   D4 = -U3 - U6 + U7 + Uin2\n"
                 "Uin1 = A1 sin(2 pi f1 t),   Uin2 = A2 sin(2 pi f2 t)",
    .variables = "U1 U2 U3 U4 U5 U6 U7 I1 I2 I3 I4 I5 I6 I7 I8",
    .units = "V V V V V V V A A A A A A A A",
    .parameters = {
        {"C", 1.6e-8, "F", "capacity of either transformer", DAE_POSITIVE},
        {"Cs", 2e-12, "F", "stray capacities of the ring", DAE_POSITIVE},
        {"Cp", 1e-8, "F", "capacity in series with the carrier", DAE_POSITIVE},
        {"R", 25e3, "Ohm", "resistance of either transformer", DAE_POSITIVE},
        {"Rp", 50, "Ohm", "resistance beside Cp", DAE_POSITIVE},
        {"Lh", 4.45, "H", "main inductance of either transformer", DAE_POSITIVE},
        {"Ls1", 0.002, "H", "stray inductance of the outer windings", DAE_POSITIVE},
        {"Ls2", 5e-4, "H", "stray inductance of the first of two inner windings", DAE_POSITIVE},
        {"Ls3", 5e-4, "H", "stray inductance of the second of two inner windings", DAE_POSITIVE},
        {"Rg1", 36.3, "Ohm", "resistance of the outer windings", DAE_NONNEGATIVE},
        {"Rg2", 17.3, "Ohm", "resistance of the first of two inner windings", DAE_NONNEGATIVE},
        {"Rg3", 17.3, "Ohm", "resistance of the second of two inner windings", DAE_NONNEGATIVE},
        {"Ri", 50, "Ohm", "resistance of the signal's source", DAE_NONNEGATIVE},
        {"Rc", 600, "Ohm", "load", DAE_NONNEGATIVE},
        {"gamma", 40.67286402e-9, "A", "saturation current of the diodes", DAE_NONNEGATIVE},
        {"delta", 17.7493332, "1/V", "inverse of the diodes' thermal voltage", DAE_POSITIVE},
        {"A1", 0.5, "V", "amplitude of the signal", DAE_ANY_VALUE},
        {"f1", 1000, "Hz", "frequency of the signal", DAE_ANY_VALUE},
        {"A2", 2, "V", "amplitude of the carrier", DAE_ANY_VALUE},
        {"f2", 10000, "Hz", "frequency of the carrier", DAE_ANY_VALUE},
    },
    .first_order = {.n = UNKNOWNS, .index = 0, .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 1e-3,
};
DAE_PLUGIN_PROBLEMS(&dae_ring_modulator);

#else

/* Nothing flows at the start. */
static void FN(start)(const param *p, real *u) {}

/* the current q(D) of a diode */
static real FN(diode)(const param *p, real D)
{
    return p[GAMMA] * (exp(p[DELTA] * D) - 1);
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real Uin1 = p[SIGNAL] * sin(2 * PI * p[SIGNAL_FREQUENCY] * t);
    const real Uin2 = p[CARRIER] * sin(2 * PI * p[CARRIER_FREQUENCY] * t);
    const real q1 = FN(diode)(p, u[U3] - u[U5] - u[U7] - Uin2);
    const real q2 = FN(diode)(p, -u[U4] + u[U6] - u[U7] - Uin2);
    const real q3 = FN(diode)(p, u[U4] + u[U5] + u[U7] + Uin2);
    const real q4 = FN(diode)(p, -u[U3] - u[U6] + u[U7] + Uin2);
    F[U1] = (u[I1] - u[I3] / 2 + u[I4] / 2 + u[I7] - u[U1] / p[R]) / p[C];
    F[U2] = (u[I2] - u[I5] / 2 + u[I6] / 2 + u[I8] - u[U2] / p[R]) / p[C];
    F[U3] = (u[I3] - q1 + q4) / p[CS];
    F[U4] = (-u[I4] + q2 - q3) / p[CS];
    F[U5] = (u[I5] + q1 - q3) / p[CS];
    F[U6] = (-u[I6] - q2 + q4) / p[CS];
    F[U7] = (-u[U7] / p[RP] + q1 + q2 - q3 - q4) / p[CP];
    F[I1] = -u[U1] / p[LH];
    F[I2] = -u[U2] / p[LH];
    F[I3] = (u[U1] / 2 - u[U3] - p[RG2] * u[I3]) / p[LS2];
    F[I4] = (-u[U1] / 2 + u[U4] - p[RG3] * u[I4]) / p[LS3];
    F[I5] = (u[U2] / 2 - u[U5] - p[RG2] * u[I5]) / p[LS2];
    F[I6] = (-u[U2] / 2 + u[U6] - p[RG3] * u[I6]) / p[LS3];
    F[I7] = (-u[U1] + Uin1 - (p[RI] + p[RG1]) * u[I7]) / p[LS1];
    F[I8] = (-u[U2] - (p[RC] + p[RG1]) * u[I8]) / p[LS1];
}

#endif
