/* varactor - a frequency doubler: varactor diodes, whose capacities depend on their voltages
 *
 * A source of 1 MHz drives node 1 through R0. A varactor with its cathode at node 1 leads to node 2, which a
 * bias of 4 V keeps below it, and which a diode keeps from going far below the bias; through R2 node 2 feeds a
 * second varactor at node 3, with the load beside it. The capacity of a junction at a reverse voltage v is
 *
 *     C(v) = C0 / sqrt(1 + v / phi),
 *
 * and its current C(v) v': M depends on u. Two of three nodes share a capacity with no other, so that M has rank
 * 2 and the kernel (1, 1, 0): the sum of the currents into nodes 1 and 2 has no derivative, index 1.
 */
#ifndef DAE_PASS
enum { R0, R1, R2, RL, CA, CB, PHI, UB, UA, FREQUENCY, IS, UT };
#include <daelab/model.h>

const dae_problem dae_varactor = {
    .name = "varactor",
    .title = "frequency doubler with varactor diodes, index 1, C(u) u' = f(t, u)",
    .citation = "after Guenther, Feldmann (1999), Surv. Math. Ind. 8, 97-129",
    .equations = "C1(u1 - u2) (u1' - u2') = (Ua sin(2 pi f t) - u1)/R0\n"
                 "C1(u1 - u2) (u2' - u1') = (Ub - u2)/R1 - (u2 - u3)/R2 + Id(Ub - u2)\n"
                 "C2(u3 - Ub) u3' = (u2 - u3)/R2 - (u3 - Ub)/RL\n"
                 "C1(v) = C1/sqrt(1 + v/phi),  C2(v) = C2/sqrt(1 + v/phi),  Id(v) = Is (exp(v/UT) - 1)",
    .variables = "u1 u2 u3",
    .units = "V V V",
    .parameters = {{"R0", 50, "Ohm", "resistance of the source", DAE_POSITIVE},
                   {"R1", 2000, "Ohm", "resistance of the bias", DAE_POSITIVE},
                   {"R2", 300, "Ohm", "resistance between the varactors", DAE_POSITIVE},
                   {"RL", 1000, "Ohm", "load", DAE_POSITIVE},
                   {"C1", 1e-9, "F", "capacity of the first varactor at 0 V", DAE_POSITIVE},
                   {"C2", 4e-10, "F", "capacity of the second varactor at 0 V", DAE_POSITIVE},
                   {"phi", 0.7, "V", "voltage of the junctions", DAE_POSITIVE},
                   {"Ub", -4, "V", "bias"},
                   {"Ua", 2, "V", "amplitude of the source"},
                   {"f", 1e6, "Hz", "frequency of the source", DAE_POSITIVE},
                   {"Is", 1e-9, "A", "saturation current of the diode", DAE_NONNEGATIVE},
                   {"UT", 0.05, "V", "thermal voltage times its emission coefficient", DAE_POSITIVE}},
    .first_order = {.n = 3, .index = 1, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(mass),
                    .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
    .t_end = 3e-6};
#else
static void FN(start)(const param *p, real *u) { u[1] = u[2] = p[UB]; }

static real FN(capacity)(const param *p, param at_zero, real reverse)
{
    return at_zero / sqrt(1 + reverse / p[PHI]);
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    const real current = FN(capacity)(p, p[CA], u[0] - u[1]) * (x[0] - x[1]);
    out[0] = current;
    out[1] = -current;
    out[2] = FN(capacity)(p, p[CB], u[2] - p[UB]) * x[2];
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real source = p[UA] * sin(2 * PI * p[FREQUENCY] * t);
    const real diode = p[IS] * (exp((p[UB] - u[1]) / p[UT]) - 1);
    F[0] = (source - u[0]) / p[R0];
    F[1] = (p[UB] - u[1]) / p[R1] - (u[1] - u[2]) / p[R2] + diode;
    F[2] = (u[1] - u[2]) / p[R2] - (u[2] - p[UB]) / p[RL];
}
#endif
