/* pollution - the chemistry of polluted air: 25 reactions of 20 species, a stiff ODE
 *
 *    1  NO2 -> NO + O3P              10  C2O3 + NO2 -> PAN           19  O1D -> O3P
 *    2  NO + O3 -> NO2               11  PAN -> C2O3 + NO2           20  SO2 + OH -> SO4 + HO2
 *    3  HO2 + NO -> NO2 + OH         12  MEO2 + NO -> CH3O + NO2     21  NO3 -> NO
 *    4  HCHO -> 2 HO2 + CO           13  CH3O -> HCHO + HO2          22  NO3 -> NO2 + O3P
 *    5  HCHO -> CO                   14  NO2 + OH -> HNO3            23  NO2 + O3 -> NO3
 *    6  HCHO + OH -> HO2 + CO        15  O3P -> O3                   24  NO3 + NO2 -> N2O5
 *    7  ALD -> MEO2 + HO2 + CO       16  O3 -> O1D                   25  N2O5 -> NO3 + NO2
 *    8  ALD + OH -> C2O3             17  O3 -> O3P
 *    9  C2O3 + NO -> NO2 + MEO2 + CO2    18  O1D -> 2 OH
 *
 * of mass action, with rates k1 ... k25. What else takes part, oxygen and water among it, is there in plenty.
 * Each reaction keeps nitrogen, carbon and sulphur; no other combination of the species is kept by all.
 */
#ifndef DAE_PASS
enum { K };                     /* p[K + i - 1] is the rate of reaction i */
enum { NO2, NO, O3P, O3, HO2, OH, HCHO, CO, ALD, MEO2, C2O3, CO2, PAN, CH3O, HNO3, O1D, SO2, SO4, NO3, N2O5,
       SPECIES };
#include <daelab/model.h>

const dae_problem dae_pollution = {
    .name = "pollution",
    .title = "chemistry of polluted air: 25 reactions of 20 species, a stiff ODE",
    .citation = "Verwer (1994), SIAM J. Sci. Comput. 15, 1243-1250; Mazzia, Magherini (2008), Test Set for IVP "
                "Solvers 2.4",
    .equations = "u' = S r(u), of mass action:\n"
                 " 1 NO2 -> NO + O3P        2 NO + O3 -> NO2         3 HO2 + NO -> NO2 + OH\n"
                 " 4 HCHO -> 2 HO2 + CO     5 HCHO -> CO             6 HCHO + OH -> HO2 + CO\n"
                 " 7 ALD -> MEO2 + HO2 + CO                          8 ALD + OH -> C2O3\n"
                 " 9 C2O3 + NO -> NO2 + MEO2 + CO2                  10 C2O3 + NO2 -> PAN\n"
                 "11 PAN -> C2O3 + NO2     12 MEO2 + NO -> CH3O + NO2\n"
                 "13 CH3O -> HCHO + HO2    14 NO2 + OH -> HNO3      15 O3P -> O3\n"
                 "16 O3 -> O1D             17 O3 -> O3P             18 O1D -> 2 OH\n"
                 "19 O1D -> O3P            20 SO2 + OH -> SO4 + HO2 21 NO3 -> NO\n"
                 "22 NO3 -> NO2 + O3P      23 NO2 + O3 -> NO3       24 NO3 + NO2 -> N2O5\n"
                 "25 N2O5 -> NO3 + NO2;    constant: nitrogen, carbon, sulphur",
    .variables = "NO2 NO O3P O3 HO2 OH HCHO CO ALD MEO2 C2O3 CO2 PAN CH3O HNO3 O1D SO2 SO4 NO3 N2O5",
    .units = "ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm ppm",
    .parameters = {
        {"k1", 0.35, "1/min", "NO2 -> NO + O3P", DAE_NONNEGATIVE},
        {"k2", 26.6, "1/ppm/min", "NO + O3 -> NO2", DAE_NONNEGATIVE},
        {"k3", 1.23e4, "1/ppm/min", "HO2 + NO -> NO2 + OH", DAE_NONNEGATIVE},
        {"k4", 8.6e-4, "1/min", "HCHO -> 2 HO2 + CO", DAE_NONNEGATIVE},
        {"k5", 8.2e-4, "1/min", "HCHO -> CO", DAE_NONNEGATIVE},
        {"k6", 1.5e4, "1/ppm/min", "HCHO + OH -> HO2 + CO", DAE_NONNEGATIVE},
        {"k7", 1.3e-4, "1/min", "ALD -> MEO2 + HO2 + CO", DAE_NONNEGATIVE},
        {"k8", 2.4e4, "1/ppm/min", "ALD + OH -> C2O3", DAE_NONNEGATIVE},
        {"k9", 1.65e4, "1/ppm/min", "C2O3 + NO -> NO2 + MEO2 + CO2", DAE_NONNEGATIVE},
        {"k10", 9e3, "1/ppm/min", "C2O3 + NO2 -> PAN", DAE_NONNEGATIVE},
        {"k11", 0.022, "1/min", "PAN -> C2O3 + NO2", DAE_NONNEGATIVE},
        {"k12", 1.2e4, "1/ppm/min", "MEO2 + NO -> CH3O + NO2", DAE_NONNEGATIVE},
        {"k13", 1.88, "1/min", "CH3O -> HCHO + HO2", DAE_NONNEGATIVE},
        {"k14", 1.63e4, "1/ppm/min", "NO2 + OH -> HNO3", DAE_NONNEGATIVE},
        {"k15", 4.8e6, "1/min", "O3P -> O3", DAE_NONNEGATIVE},
        {"k16", 3.5e-4, "1/min", "O3 -> O1D", DAE_NONNEGATIVE},
        {"k17", 0.0175, "1/min", "O3 -> O3P", DAE_NONNEGATIVE},
        {"k18", 1e8, "1/min", "O1D -> 2 OH", DAE_NONNEGATIVE},
        {"k19", 4.44e11, "1/min", "O1D -> O3P", DAE_NONNEGATIVE},
        {"k20", 1.24e3, "1/ppm/min", "SO2 + OH -> SO4 + HO2", DAE_NONNEGATIVE},
        {"k21", 2.1, "1/min", "NO3 -> NO", DAE_NONNEGATIVE},
        {"k22", 5.78, "1/min", "NO3 -> NO2 + O3P", DAE_NONNEGATIVE},
        {"k23", 0.0474, "1/ppm/min", "NO2 + O3 -> NO3", DAE_NONNEGATIVE},
        {"k24", 1.78e3, "1/ppm/min", "NO3 + NO2 -> N2O5", DAE_NONNEGATIVE},
        {"k25", 3.12, "1/min", "N2O5 -> NO3 + NO2", DAE_NONNEGATIVE},
    },
    .first_order = {.n = SPECIES, .index = 0, .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 60,
    .invariants = {.n = 3, .value = DAE_MODEL(elements), .names = "nitrogen carbon sulphur", .units = "ppm ppm ppm"},
};

#else

static void FN(start)(const param *p, real *u)
{
    u[NO] = (real){0} + 0.2;
    u[O3] = (real){0} + 0.04;
    u[HCHO] = (real){0} + 0.1;
    u[CO] = (real){0} + 0.3;
    u[ALD] = (real){0} + 0.01;
    u[SO2] = (real){0} + 0.007;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const param *k = p + K - 1;
    const real r1 = k[1] * u[NO2], r2 = k[2] * u[NO] * u[O3], r3 = k[3] * u[HO2] * u[NO];
    const real r4 = k[4] * u[HCHO], r5 = k[5] * u[HCHO], r6 = k[6] * u[HCHO] * u[OH];
    const real r7 = k[7] * u[ALD], r8 = k[8] * u[ALD] * u[OH], r9 = k[9] * u[C2O3] * u[NO];
    const real r10 = k[10] * u[C2O3] * u[NO2], r11 = k[11] * u[PAN], r12 = k[12] * u[MEO2] * u[NO];
    const real r13 = k[13] * u[CH3O], r14 = k[14] * u[NO2] * u[OH], r15 = k[15] * u[O3P];
    const real r16 = k[16] * u[O3], r17 = k[17] * u[O3], r18 = k[18] * u[O1D], r19 = k[19] * u[O1D];
    const real r20 = k[20] * u[SO2] * u[OH], r21 = k[21] * u[NO3], r22 = k[22] * u[NO3];
    const real r23 = k[23] * u[NO2] * u[O3], r24 = k[24] * u[NO3] * u[NO2], r25 = k[25] * u[N2O5];
    F[NO2] = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25;
    F[NO] = -r2 - r3 - r9 - r12 + r1 + r21;
    F[O3P] = -r15 + r1 + r17 + r19 + r22;
    F[O3] = -r2 - r16 - r17 - r23 + r15;
    F[HO2] = -r3 + 2 * r4 + r6 + r7 + r13 + r20;
    F[OH] = -r6 - r8 - r14 - r20 + r3 + 2 * r18;
    F[HCHO] = -r4 - r5 - r6 + r13;
    F[CO] = r4 + r5 + r6 + r7;
    F[ALD] = -r7 - r8;
    F[MEO2] = -r12 + r7 + r9;
    F[C2O3] = -r9 - r10 + r8 + r11;
    F[CO2] = r9;
    F[PAN] = -r11 + r10;
    F[CH3O] = -r13 + r12;
    F[HNO3] = r14;
    F[O1D] = -r18 - r19 + r16;
    F[SO2] = -r20;
    F[SO4] = r20;
    F[NO3] = -r21 - r22 - r24 + r23 + r25;
    F[N2O5] = -r25 + r24;
}

/* Atoms of each element, of carbon but for the CO2 of the air. */
static void FN(elements)(const param *p, real t, const real *u, real *I)
{
    I[0] = u[NO2] + u[NO] + u[PAN] + u[HNO3] + u[NO3] + 2 * u[N2O5];
    I[1] = u[HCHO] + u[CO] + 2 * u[ALD] + u[MEO2] + 2 * u[C2O3] + u[CO2] + 2 * u[PAN] + u[CH3O];
    I[2] = u[SO2] + u[SO4];
}

#endif
