/* test_network.c - a ladder of resistors and coils, stiff and of index 2, with events
 *
 * Coils L i_k' = v_(k-1) - v_k - R i_k in a row, and from each of their joints to the ground one
 * with a resistor of 1 to 1e5 Ohm, S j_k' = v_k - R_k j_k. No joint stores charge: 0 = i_k -
 * i_(k+1) - j_k, which determines v in index 2. A charge q' = i_1 - q/100 s makes 49 unknowns. */
#ifndef DAE_PASS
enum { N = 16, I = 0, J = N, V = 2 * N, Q = 3 * N, ALL = 3 * N + 1 };
#include <daelab/model.h>

#include "support.h"

#define TO_16(x) x "1 " x "2 " x "3 " x "4 " x "5 " x "6 " x "7 " x "8 " x "9 " x "10 "            \
                  x "11 " x "12 " x "13 " x "14 " x "15 " x "16 "

static const char names[] = TO_16("i") TO_16("j") TO_16("v") "q";
static const char units[] = "A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A "
                            "V V V V V V V V V V V V V V V V C";

static void start(const double *p, double *u) { }
static double third(const double *p, double t, const double *x, int k) { return x[J + 2] - 0.02; }
static double high(const double *p, double t, const double *x, int k) { return x[J + 2] - 1e-3; }
static double low(const double *p, double t, const double *x, int k) { return x[J + 2] + 1e-3; }

static const dae_event stops[] = {
    {.name = "third", .value = {third}, .direction = DAE_ANY, .terminal = 1}, {0}};
static const dae_event ups[] = {
    {.name = "high", .value = {high}, .direction = DAE_RISING, .mode = "down"}, {0}};
static const dae_event downs[] = {
    {.name = "low", .value = {low}, .direction = DAE_FALLING, .mode = "up"}, {0}};

static const dae_problem waves = {
    .name = "waves", .variables = names, .units = units, .start = {start}, .t_end = 20,
    .first_order = {.n = ALL, .index = 2, .mass = DAE_MODEL(coils), .rhs = DAE_MODEL(waves)}};
static const dae_problem down = {
    .name = "down", .variables = names, .units = units, .start = {start}, .events = downs,
    .first_order = {.n = ALL, .index = 2, .mass = DAE_MODEL(coils), .rhs = DAE_MODEL(down)}};
static const dae_problem *const others[] = {&down, NULL};
static const dae_problem relay = {
    .name = "relay", .variables = names, .units = units, .start = {start}, .events = ups,
    .mode = "up", .modes = others, .t_end = 20,
    .first_order = {.n = ALL, .index = 2, .mass = DAE_MODEL(coils), .rhs = DAE_MODEL(up)}};

static dae_hybrid *run_to(const dae_problem *problem, const char *method, double t_end)
{
    const dae_options options = tolerance(1e-6);
    return hybrid_ending(problem, "native", NULL, method, &options, t_end, DAE_OK);
}

static const char *const methods[] = {"radau", "radau5", "rodas5p", "excros", "cros4", "ida"};
enum { METHODS = 6 };

/* A stop that is never reached costs no step. */
TEST(never_reached)
{
    dae_problem watched = waves;
    watched.events = stops;
    for (int m = 0; m < METHODS; m++) {
        dae_hybrid *alone = run_to(&waves, methods[m], 5), *run = run_to(&watched, methods[m], 5);
        assert_int_equal(dae_hybrid_events(run), 0);
        assert_int_equal(dae_hybrid_statistics(run).steps, dae_hybrid_statistics(alone).steps);
        dae_hybrid_free(alone);
        dae_hybrid_free(run);
    }
}

/* The voltage changes its sign whenever the current through 100 Ohm comes to 1 mA. */
TEST(switches)
{
    OWNED(dae_hybrid) *first = run_to(&relay, "radau5", 1);
    assert_true(dae_hybrid_events(first) > 18);
    const double t_end = (dae_hybrid_event(first, 17).t + dae_hybrid_event(first, 18).t) / 2;
    for (int m = 0; m < METHODS; m++) {
        OWNED(dae_hybrid) *run = run_to(&relay, methods[m], t_end);
        assert_int_equal(dae_hybrid_events(run), 18);
        if (dae_hybrid_statistics(run).steps > 18 * 80)
            fail_msg("%s: %ld steps", methods[m], dae_hybrid_statistics(run).steps);
        for (int i = 0; i < 18; i++) {
            assert_string_equal(dae_hybrid_event(run, i).name, i % 2 ? "low" : "high");
            assert_close(dae_hybrid_event(run, i).t, dae_hybrid_event(first, i).t, 1e-5);
        }
    }
}

#else
static void FN(coils)(const param *p, real t, const real *u, const real *x, real *Mx)
{
    for (int k = 0; k < N; k++) {
        Mx[I + k] = 0.01 * x[I + k];
        Mx[J + k] = 0.02 * x[J + k];
        Mx[V + k] = 0;
    }
    Mx[Q] = x[Q];
}

static void FN(ladder)(real source, const real *u, real *F)
{
    const real *i = u + I, *j = u + J, *v = u + V;
    for (int k = 0; k < N; k++) {
        F[I + k] = (k ? v[k - 1] : source) - v[k] - 0.5 * i[k];
        F[J + k] = v[k] - pow(10, k % 6) * j[k];
        F[V + k] = i[k] - j[k] - (k < N - 1 ? i[k + 1] : 0);
    }
    F[Q] = i[0] - 0.01 * u[Q];
}

static void FN(waves)(const param *p, real t, const real *u, real *F)
{
    FN(ladder)(sin(3 * t) + 0.5 * sin(20 * t), u, F);
}

static void FN(up)(const param *p, real t, const real *u, real *F) { FN(ladder)(1, u, F); }
static void FN(down)(const param *p, real t, const real *u, real *F) { FN(ladder)(-1, u, F); }
#endif
