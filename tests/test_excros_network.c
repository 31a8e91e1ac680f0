/* test_excros_network.c - excros on stiff networks of index 2: voltages follow the tolerance
 *
 * Coils L i_k' = v_(k-1) - v_k - R i_k in a row, and from each joint one with a resistor to the
 * ground, S j_k' = v_k - R_k j_k; 0 = i_k - i_(k+1) - j_k determines v in index 2. At t > 1 nothing
 * is left of the start, and with v_0 = sin 3t + sin(20 t)/2 the solution is a sum of Im(X e^(iwt))
 * over w = 3, 20. What is right of coil k has the impedance Z_k,
 *
 *     1/Z_k = 1/(R_k + iwS) + 1/(R + iwL + Z_(k+1)),    v_k = v_(k-1) Z_k/(R + iwL + Z_k) */
#ifndef DAE_PASS
enum { STIFFNESS };
enum { N = 6, I = 0, J = N, V = 2 * N, ALL = 3 * N };
#include <daelab/model.h>

#include "support.h"

#include <complex.h>

static void start(const double *p, double *u) { }

static const dae_problem ladder = {
    .name = "ladder", .variables = "i1 i2 i3 i4 i5 i6 j1 j2 j3 j4 j5 j6 v1 v2 v3 v4 v5 v6",
    .units = "A A A A A A A A A A A A V V V V V V", .start = {start}, .t_end = 5,
    .parameters = {{"R", 1, "Ohm", "the least resistance", DAE_ANY_VALUE}},
    .first_order = {.n = ALL, .index = 2, .mass = DAE_MODEL(coils), .rhs = DAE_MODEL(ladder)}};
static const dae_problem joint = {
    .name = "joint", .variables = "i j v", .units = "A A V", .start = {start}, .t_end = 5,
    .parameters = {{"R", 1, "Ohm", "the resistance", DAE_ANY_VALUE}},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(coil), .rhs = DAE_MODEL(joint)}};

static const dae_problem switched = {
    .name = "switched", .variables = "i j v", .units = "A A V", .start = {start}, .t_end = 5,
    .parameters = {{"R", 1, "Ohm", "the resistance", DAE_ANY_VALUE}},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(coil), .rhs = DAE_MODEL(switched)}};

/* v[count] at t */
static void voltages(int count, double least, double t, double *v)
{
    const double w[2] = {3, 20}, amplitude[2] = {1, 0.5};
    for (int k = 0; k < count; k++)
        v[k] = 0;
    for (int m = 0; m < 2; m++) {
        double complex Z[N + 1], x = amplitude[m] * (cos(w[m] * t) + sin(w[m] * t) * _Complex_I);
        const double complex coil = 0.5 + 0.01 * w[m] * _Complex_I;
        for (int k = count - 1; k >= 0; k--) {
            double complex Y = 1 / (least * pow(10, k) + 0.02 * w[m] * _Complex_I);
            Z[k] = 1 / (k < count - 1 ? Y + 1 / (coil + Z[k + 1]) : Y);
        }
        for (int k = 0; k < count; k++) {
            x *= Z[k] / (coil + Z[k]);
            v[k] += cimag(x);
        }
    }
}

typedef struct { int count; double least, worst; } look;

static int observe(void *context, double t, const double *u)
{
    look *l = context;
    double v[N];
    voltages(l->count, l->least, t, v);
    for (int k = 0; t > 1 && k < l->count; k++)
        l->worst = fmax(l->worst, fabs(u[2 * l->count + k] - v[k]) / (1 + fabs(v[k])));
    return 0;
}

/* The largest error of voltages at steps in units of the tolerance; stops[] end with 0. */
static double error_of(const dae_problem *p, double least, double rtol, const double *stops)
{
    double u[ALL];
    look l = {.count = p->first_order.n / 3, .least = least};
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = consistent_system(p, "native", &least, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("excros"), &o, 0, NULL);
    dae_solver_observe(solver, observe, &l);
    dae_status status = dae_solver_start(solver, 0, u);
    for (; !status && *stops > 0; stops++)
        status = dae_solver_advance(solver, *stops, u);
    if (status)
        fail_msg("%g Ohm, rtol %g: %s", least, rtol, dae_solver_report(solver)->message);
    return l.worst / rtol;
}

static const double END[] = {5, 0};

/* Before: 245 at 1e-4, 401 at 1e-7, 293 at 1e-9 */
TEST(test_joint)
{
    for (double least = 1e4; least < 1e9; least *= 100)
        for (double rtol = 1e-4; rtol > 5e-11; rtol /= 10) {
            const double times = error_of(&joint, least, rtol, END);
            if (!(times < 40))
                fail_msg("%g Ohm, rtol %g: %g times the tolerance", least, rtol, times);
        }
}

TEST(test_ladder)
{
    for (double rtol = 1e-4; rtol > 5e-8; rtol /= 10) {
        const double times = error_of(&ladder, 1, rtol, END);
        if (!(times < 40))
            fail_msg("rtol %g: %g times the tolerance", rtol, times);
    }
}

/* Stops close by, where v is rounding over h, and a jump of v: such runs come to their end. */
TEST(test_rounding)
{
    static const double close[] = {2, 2 + 1e-12, 2 + 1e-9, 2 + 1e-6, 2 + 1e-3, 3, 3 + 1e-8, 5, 0};
    for (double rtol = 1e-6; rtol > 5e-13; rtol /= 100)
        error_of(&joint, 1e6, rtol, close);
}

TEST(test_jump)
{
    for (double least = 1; least < 1e7; least *= 100)
        for (double rtol = 1e-4; rtol > 5e-11; rtol /= 10)
            error_of(&switched, least, rtol, END);
}

#else
static void FN(coils)(const param *p, real t, const real *u, const real *x, real *Mx)
{
    for (int k = 0; k < N; k++) {
        Mx[I + k] = 0.01 * x[I + k];
        Mx[J + k] = 0.02 * x[J + k];
        Mx[V + k] = 0 * x[V + k];
    }
}

static void FN(ladder)(const param *p, real t, const real *u, real *F)
{
    const real *i = u + I, *j = u + J, *v = u + V;
    for (int k = 0; k < N; k++) {
        F[I + k] = (k ? v[k - 1] : sin(3 * t) + 0.5 * sin(20 * t)) - v[k] - 0.5 * i[k];
        F[J + k] = v[k] - p[STIFFNESS] * pow(10, k) * j[k];
        F[V + k] = i[k] - j[k];
        if (k < N - 1)
            F[V + k] = F[V + k] - i[k + 1];
    }
}

static void FN(coil)(const param *p, real t, const real *u, const real *x, real *Mx)
{
    Mx[0] = 0.01 * x[0];
    Mx[1] = 0.02 * x[1];
    Mx[2] = 0 * x[2];
}

static void FN(joint)(const param *p, real t, const real *u, real *F)
{
    F[0] = sin(3 * t) + 0.5 * sin(20 * t) - u[2] - 0.5 * u[0];
    F[1] = u[2] - p[STIFFNESS] * u[1];
    F[2] = u[0] - u[1];
}

static void FN(switched)(const param *p, real t, const real *u, real *F)
{
    FN(joint)(p, t, u, F);
    if (value(t) > 2.345)
        F[0] = F[0] + 1;
}
#endif
