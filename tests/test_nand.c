/* test_nand.c - the NAND gate of the test set, C(y) y' = f(t, y) with 14 node potentials, against published values
 *
 * Three MOS transistors, the depletion-type load and two enhancement-type switches in series, driven by pulses of
 * 5 V. Between bulk, source and drain are junctions with capacities of their voltages; the potentials in V, times
 * in ns, resistances in kOhm, currents in mA.
 *
 * Guenther, Rentrop (1996), The NAND-gate, a benchmark for the numerical simulation of digital circuits; Mazzia,
 * Magherini (2008), Test Set for IVP Solvers 2.4. In the code of the test set the current of an enhancement-type
 * transistor from source to drain has a tenth of the factor of that from drain to source; so have the published
 * values, from which those with the same factor differ by 6e-3.
 */
#ifndef DAE_PASS
enum { NODES = 14 };

typedef struct { double threshold, gamma, phi, forward, reverse; } transistor;
static const transistor load = {-2.43, 0.2, 1.28, 5.35e-4, 5.35e-4};
static const transistor enhancement = {0.2, 0.035, 1.01, 1.748e-3, 1.748e-4};

static const double R = 4, R_BULK = 10, C_GATE = 0.6e-4, C_JUNCTION = 2.4e-5, C_NODE = 0.5e-4, V_JUNCTION = 0.87,
                    SATURATION = 1e-14, V_THERMAL = 25.85, V_SUPPLY = 5, V_BULK = -2.5;

#include <daelab/model.h>

#include "support.h"

static const dae_problem nand = {
    .name = "nand", .variables = "y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14",
    .units = "V V V V V V V V V V V V V V", .start = DAE_MODEL(start), .t_end = 80,
    .first_order = {.n = NODES, .mass_kind = DAE_MASS_VARIES, .mass = DAE_MODEL(charges),
                    .rhs = DAE_MODEL(currents)}};

/* PSIDE with tolerances of 1e-16 on a Cray C90, at the end of the last pulse */
static const double published[NODES] = {
    4.971088699385777, 4.999752103929311, -2.499998781491227, -2.499999999999975, 4.970837023296724,
    -0.2091214032073855, 4.970593243278363, -2.500077409198803, -2.499998781491227, -0.2090289583878100,
    -0.2399999999966269e-3, -0.2091214032073855, -2.499999999999991, -2.500077409198803};

/* Piece by piece, as the pulses begin and end at multiples of 5 ns. */
static void solve(const char *method, double rtol, double *u)
{
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = system_of(&nand, "native", NULL, NULL);
    assert_int_equal(2 * NODES, dae_system_size(sys));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    for (int k = 0; k < 16; k++) {
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 5.0 * k, u, NULL, NULL));
        if (dae_solver_start(solver, 5.0 * k, u) || dae_solver_advance(solver, 5.0 * (k + 1), u))
            fail_msg("%s: %s", method, dae_solver_report(solver)->message);
    }
}

TEST(published_values_are_met)
{
    static const struct { const char *method; double rtol, most; } runs[] = {
        {"radau", 1e-9, 1e-6}, {"radau5", 1e-8, 1e-6}, {"rodas5p", 1e-8, 1e-6}, {"ida", 1e-7, 1e-4}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double u[2 * NODES];
        solve(runs[i].method, runs[i].rtol, u);
        for (int k = 0; k < NODES; k++)
            assert_close(u[k], published[k], runs[i].most);
    }
}

#else

static void FN(start)(const param *p, real *u)
{
    static const double y[NODES] = {5, 5, -2.5, -2.5, 5, 3.62385, 5, -2.5, -2.5, 3.62385, 0, 3.62385, -2.5, -2.5};
    for (int i = 0; i < NODES; i++)
        u[i] = y[i];
}

/* of a junction with the voltage v */
static real FN(capacity)(real v)
{
    return value(v) <= 0 ? C_JUNCTION / sqrt(1 - v / V_JUNCTION) : C_JUNCTION * (1 + v / (2 * V_JUNCTION));
}

static void FN(charges)(const param *p, real t, const real *y, const real *x, real *r)
{
    const real load_bulk = FN(capacity)(y[2] - y[4]) * (x[2] - x[4]);
    const real upper_drain = FN(capacity)(y[8] - y[4]) * (x[8] - x[4]);
    const real upper_bulk = FN(capacity)(y[7] - y[9]) * (x[7] - x[9]);
    const real lower_drain = FN(capacity)(y[13] - y[9]) * (x[13] - x[9]);
    r[0] = C_GATE * (x[0] - x[4]);
    r[1] = C_GATE * (x[1] - x[4]);
    r[2] = load_bulk;
    r[3] = FN(capacity)(y[3] - V_SUPPLY) * x[3];
    r[4] = C_NODE * x[4] - r[0] - r[1] - load_bulk - upper_drain;
    r[5] = C_GATE * x[5];
    r[6] = C_GATE * x[6];
    r[7] = upper_bulk;
    r[8] = upper_drain;
    r[9] = C_NODE * x[9] - upper_bulk - lower_drain;
    r[10] = C_GATE * x[10];
    r[11] = C_GATE * x[11];
    r[12] = FN(capacity)(y[12]) * x[12];
    r[13] = lower_drain;
}

/* Shichman and Hodges: the current of a transistor with the voltages v > 0 along it, from its gate and from its
 * bulk to the end where it leaves */
static real FN(channel)(const transistor *of, double beta, real v, real gate, real bulk)
{
    const real over = gate - of->threshold - of->gamma * (sqrt(of->phi - bulk) - sqrt(of->phi));
    const real along = 1 + 0.02 * v;
    if (value(over) <= 0)
        return 0 * v;
    return value(over) <= value(v) ? beta * over * over * along : beta * v * (2 * over - v) * along;
}

/* from drain to source, of the voltages at both, of gate and bulk */
static real FN(drain)(const transistor *of, real drain, real source, real gate, real bulk_source, real bulk_drain)
{
    const real v = drain - source;
    return value(v) > 0 ? FN(channel)(of, of->forward, v, gate - source, bulk_source)
                        : -FN(channel)(of, of->reverse, -v, gate - drain, bulk_drain);
}

static real FN(junction)(real v)
{
    return value(v) <= 0 ? SATURATION * (1 - exp(v / V_THERMAL)) : 0 * v;
}

/* A pulse of 5 V that rises for 5 ns after so many, and falls in the last 5 of its period; its slope. */
static real FN(pulse)(real t, double delay, double period, real *slope)
{
    const real in = t - period * floor((double)value(t) / period);
    *slope = 0 * t;
    if (value(in) <= delay)
        return 0 * t;
    if (value(in) <= delay + 5) {
        *slope = 1 + 0 * t;
        return in - delay;
    }
    if (value(in) <= period - 5)
        return V_SUPPLY + 0 * t;
    *slope = -1 + 0 * t;
    return period - in;
}

static void FN(currents)(const param *p, real t, const real *y, real *F)
{
    real upper_slope, lower_slope;
    const real upper = FN(pulse)(t, 5, 20, &upper_slope), lower = FN(pulse)(t, 15, 40, &lower_slope);
    const real at_load = FN(drain)(&load, y[1], y[0], y[4], y[2] - y[4], y[3] - V_SUPPLY);
    const real at_upper = FN(drain)(&enhancement, y[6], y[5], upper, y[7] - y[9], y[8] - y[4]);
    const real at_lower = FN(drain)(&enhancement, y[11], y[10], lower, y[12], y[13] - y[9]);
    F[0] = (y[4] - y[0]) / R + at_load;
    F[1] = (V_SUPPLY - y[1]) / R - at_load;
    F[2] = (V_BULK - y[2]) / R_BULK + FN(junction)(y[2] - y[4]);
    F[3] = (V_BULK - y[3]) / R_BULK + FN(junction)(y[3] - V_SUPPLY);
    F[4] = (y[0] - y[4]) / R + (y[6] - y[4]) / R - FN(junction)(y[2] - y[4]) - FN(junction)(y[8] - y[4]);
    F[5] = C_GATE * upper_slope + (y[9] - y[5]) / R + at_upper;
    F[6] = C_GATE * upper_slope + (y[4] - y[6]) / R - at_upper;
    F[7] = (V_BULK - y[7]) / R_BULK + FN(junction)(y[7] - y[9]);
    F[8] = (V_BULK - y[8]) / R_BULK + FN(junction)(y[8] - y[4]);
    F[9] = (y[5] - y[9]) / R + (y[11] - y[9]) / R - FN(junction)(y[7] - y[9]) - FN(junction)(y[13] - y[9]);
    F[10] = C_GATE * lower_slope - y[10] / R + at_lower;
    F[11] = C_GATE * lower_slope + (y[9] - y[11]) / R - at_lower;
    F[12] = (V_BULK - y[12]) / R_BULK + FN(junction)(y[12]);
    F[13] = (V_BULK - y[13]) / R_BULK + FN(junction)(y[13] - y[9]);
}
#endif
