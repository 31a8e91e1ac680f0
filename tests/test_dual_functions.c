/* test_dual_functions.c - dual numbers function by function give the derivatives of the composed F, also where
 * the force begins to see positions or velocities after it did not */
#ifndef DAE_PASS
enum { COUNT, DIMENSION };
#include <daelab/model.h>

#include "support.h"

#include "jacobian/jacobian.h"

OWNED_BY_POINTER(dae_jacobian)

static void beads_start(const double *p, double *u) { u[0] = 0.5; }

/* Beads on curves that move, in the plane or in space; beyond x = 1 a spring pushes them, beyond a speed of 1
 * a brake holds them. */
static const dae_problem plane = {
    .name = "plane", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {beads_start}, .t_end = 1,
    .parameters = {{"count", 1, "-", "", DAE_COUNT}, {"dimension", 2, "-", "", DAE_ANY_VALUE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem space = {
    .name = "space", .variables = "x y z vx vy vz N", .units = "m m m m/s m/s m/s N", .start = {beads_start},
    .t_end = 1, .parameters = {{"count", 1, "-", "", DAE_COUNT}, {"dimension", 3, "-", "", DAE_ANY_VALUE}},
    .mechanical = {.nq = 3, .nl = 1, DAE_MECHANICAL_MODEL}};

enum { MOST = 24 };             /* of three beads in space, with auxiliary multipliers */

/* Column j of J, or F_t for j = n, from F itself. */
static void of_F(dae_system *sys, int j, double t, const double *u, double *column)
{
    dae_dual x[MOST], F[MOST];
    for (int i = 0; i < sys->n; i++)
        x[i] = dae_dual_make(u[i], i == j);
    sys->compose->rhs_dual(sys, dae_dual_make(t, j == sys->n), x, F);
    for (int i = 0; i < sys->n; i++)
        column[i] = dae_dual_derivative(F[i]);
}

static void compare(dae_jacobian *jac, double t, const double *u)
{
    dae_system *sys = jac->sys;
    const int n = sys->n;
    double F[MOST], F_t[MOST], column[MOST], largest = 0;
    dae_linearise(jac, t, u, F, F_t);
    for (int k = 0; k < n * n; k++)
        largest = fmax(largest, fabs(jac->pair.J[k]));
    for (int j = 0; j <= n; j++) {
        of_F(sys, j, t, u, column);
        for (int i = 0; i < n; i++)
            if (!(fabs((j < n ? jac->pair.J[j * n + i] : F_t[i]) - column[i]) <= 20 * DBL_EPSILON * largest))
                fail_msg("%s %s: row %d, column %d is %.17g, not %.17g", sys->problem->name, sys->form->info.name,
                         i, j, j < n ? jac->pair.J[j * n + i] : F_t[i], column[i]);
    }
}

/* One Jacobian from state to state: at first the force sees nothing; then positions, velocities, or both. */
static void visit(const dae_problem *problem, const dae_formulation *form, double count, int first)
{
    static const struct { double x, v; } states[] = {{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}, {1.5, 1.5}, {0.5, 0.5}};
    enum { STATES = sizeof states / sizeof *states };
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_jacobian) *jac = NULL;
    double u[MOST];
    const double p[] = {count, problem->mechanical.nq};
    assert_int_equal(DAE_OK, dae_system_create(&sys, problem, form, p, NULL, NULL));
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, DAE_JACOBIAN_DUAL, 0, NULL));
    for (int k = 0; k < STATES; k++) {
        const int s = k == 0 ? 0 : (first + k - 1) % STATES;
        for (int i = 0; i < sys->n; i++)
            u[i] = (i < sys->nq ? states[s].x : states[s].v) + 0.01 * i;
        compare(jac, 0.1 + 0.2 * k, u);
    }
}

TEST(test_late_force)
{
    static const dae_problem *const problems[] = {&plane, &space};
    int forms = 0;
    for (int p = 0; p < 2; p++)
        for (int f = 0; dae_formulation_at(f); f++)
            if (dae_formulation_applies(dae_formulation_at(f), problems[p]))
                for (int count = 1; count <= 3; count += 2)
                    for (int first = 1; first <= 3; first++, forms++)
                        visit(problems[p], dae_formulation_at(f), count, first);
    assert_true(forms >= 2 * 5 * 2 * 3);
}

#else

/* g = y - (1 + t) x^2/2 - x z/3, in the plane without z */
#define FOR_BEADS(i) for (int D = (int)value(p[DIMENSION]), i = 0; i < dae_count(p[COUNT]); i++)
#define Z(x) (D > 2 ? (x)[D * i + 2] : 0 * (x)[D * i])

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    FOR_BEADS(i)
        for (int k = 0; k < D; k++)
            r[D * i + k] = 2 * a[D * i + k];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    FOR_BEADS(i)
        for (int k = 0; k < D; k++) {
            const real x = q[D * i + k], speed = v[D * i + k];
            f[D * i + k] = sin(3 * t) - 9.81;
            if (value(x) > 1)
                f[D * i + k] -= 50 * (x - 1) * (x - 1);
            if (value(speed) > 1)
                f[D * i + k] -= 0.3 * (speed - 1) * speed;
        }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    FOR_BEADS(i)
        g[i] = q[D * i + 1] - (1 + t) * q[D * i] * q[D * i] / 2 - q[D * i] * Z(q) / 3;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    FOR_BEADS(i) {
        const real x = q[D * i], vx = v[D * i];
        dg[i] = v[D * i + 1] - (1 + t) * x * vx - x * x / 2 - (vx * Z(q) + x * Z(v)) / 3;
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    FOR_BEADS(i) {
        const real x = q[D * i], vx = v[D * i], ax = a[D * i];
        ddg[i] = a[D * i + 1] - (1 + t) * (vx * vx + x * ax) - 2 * x * vx
                 - (ax * Z(q) + 2 * vx * Z(v) + x * Z(a)) / 3;
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    FOR_BEADS(i) {
        r[D * i] = -lambda[i] * ((1 + t) * q[D * i] + Z(q) / 3);
        r[D * i + 1] = lambda[i];
        if (D > 2)
            r[D * i + 2] = -lambda[i] * q[D * i] / 3;
    }
}

#endif
