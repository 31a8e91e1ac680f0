/* test_mixed_unknowns.c - Hessenberg systems of index 2 and 3 where M sees combinations of unknowns,
 * M = S diag(I, 0) T: runs, starts and a reference as in unknowns of their own, against closed forms
 *
 *     index 2   x' = A sin x + B phi(z) + r(t),                     0 = C x + Q x^2 - c(t)
 *     index 3   q' = v, v' = A sin q - A^T v/4 + G^T phi(l) + r(t), 0 = C q + Q q^2 - c(t),   G = C + 2 Q diag(q)
 *
 * phi(z) = z + beta z^3 (1 + 0.3 cos x_i), and r, c such that w_i = d_i + a_i sin(b_i t + f_i) solves it; the unknowns
 * are u = T^-1 w.
 */
#ifndef DAE_PASS
enum { MOST = 12, POSITIONS = 3, FREE = 2 };
static int N, nx, order;                    /* unknowns; those with a derivative; index */
static int rounded;                         /* 1: M is given by its entries in doubles */
static double beta;
static double A[POSITIONS][POSITIONS], B[POSITIONS][FREE], C[FREE][POSITIONS], Q[FREE][POSITIONS];
static double S[MOST][MOST], T[MOST][MOST], V[MOST][MOST], product[MOST][MOST];
static double mean[MOST], height[MOST], rate[MOST], phase[MOST], start[MOST];
#include <daelab/model.h>

#include "support.h"

#include "base/numbers.h"

static void mixed_start(const double *p, double *u)
{
    memcpy(u, start, (size_t)N * sizeof *u);
}

static dae_problem mixed = {.name = "mixed", .start = {mixed_start}, .t_end = 1,
                            .first_order = {.n = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)}};

static uint64_t seed;

/* w at t */
static void exact(double t, double *w)
{
    for (int i = 0; i < N; i++) {
        const int k = order == 2 || i < POSITIONS ? i : i - POSITIONS;
        const int slope = order == 3 && i >= POSITIONS && i < nx;
        w[i] = slope ? height[k] * rate[k] * cos(rate[k] * t + phase[k])
                     : mean[k] + height[k] * sin(rate[k] * t + phase[k]);
    }
}

static void multiply(double X[MOST][MOST], const double *x, double *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < N; j++)
            y[i] += X[i][j] * x[j];
    }
}

/* V := T^-1, by Gauss and Jordan; the diagonal is large enough */
static void invert(void)
{
    double X[MOST][MOST];
    memcpy(X, T, sizeof X);
    for (int i = 0; i < N * N; i++)
        V[i / N][i % N] = i / N == i % N;
    for (int k = 0; k < N; k++)
        for (int i = -1; i < N; i++) {            /* first row k itself */
            const int row = i < 0 ? k : i;
            const double by = i < 0 ? 1 / X[k][k] - 1 : i == k ? 0 : -X[i][k];
            for (int j = 0; j < N; j++) {
                X[row][j] += by * X[k][j];
                V[row][j] += by * V[k][j];
            }
        }
}

static void draw_equations(void)
{
    for (int i = 0; i < POSITIONS; i++) {
        for (int j = 0; j < POSITIONS; j++)
            A[i][j] = dae_random(&seed);
        for (int k = 0; k < FREE; k++) {
            C[k][i] = (i == k) + 0.4 * dae_random(&seed);
            Q[k][i] = 0.2 * dae_random(&seed);
            B[i][k] = C[k][i] + 0.2 * dae_random(&seed);
        }
    }
    for (int i = 0; i < MOST; i++) {
        mean[i] = 0.5 * dae_random(&seed);
        height[i] = 0.3 + 0.2 * dae_random(&seed);
        rate[i] = 2 + dae_random(&seed);
        phase[i] = 3 * dae_random(&seed);
    }
}

/* Problem number of an index, mixed: S and T are not I */
static void draw(int number, int index, int is_mixed)
{
    seed = (uint64_t)number * 7919 + 13;
    order = index;
    nx = index == 2 ? POSITIONS : 2 * POSITIONS;
    N = nx + FREE;
    draw_equations();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            S[i][j] = (i == j) * (is_mixed ? 2.5 : 1) + is_mixed * 0.8 * dae_random(&seed);
            T[i][j] = (i == j) * (is_mixed ? 2.5 : 1) + is_mixed * 0.8 * dae_random(&seed);
        }
    invert();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            product[i][j] = 0;
            for (int k = 0; k < nx; k++)
                product[i][j] += S[i][k] * T[k][j];
        }
    mixed.first_order.n = N;
    mixed.first_order.index = index;
}

/* A system at its start, w at 0 but with what has no derivative off by this part of it; made consistent,
 * unless change is NULL */
static dae_system *begin(double off, double *u, dae_start_change *change)
{
    dae_report why = {0};
    double w[MOST];
    exact(0, w);
    for (int i = nx; i < N; i++)
        w[i] *= 1 + (i % 2 ? off : -off);
    multiply(V, w, start);
    dae_system *sys = system_of(&mixed, "native", NULL, u);
    if (change && dae_consistent_start(sys, 0, u, change, &why))
        fail_msg("index %d: %s", order, why.message);
    return sys;
}

/* The largest error of w from component first to before last */
static double error_of(double t, const double *u, int first, int last)
{
    double w[MOST], expected[MOST], most = 0;
    multiply(T, u, w);
    exact(t, expected);
    for (int i = first; i < last; i++)
        most = fmax(most, fabs(w[i] - expected[i]));
    return most;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The error at t = 1 of what is of index 1, x or q, in tolerances; infinite where the run is refused */
static double run(const dae_method *method, double rtol, long *steps)
{
    double u[MOST];
    OWNED(dae_system) *sys = begin(0, u, NULL);
    dae_options options = tolerance(rtol);
    options.max_steps = 5000;
    OWNED(dae_solver) *solver = solver_of(sys, method, &options, 0, NULL);
    const int refused = dae_solver_start(solver, 0, u) || dae_solver_advance(solver, 1, u);
    const double error = refused ? INFINITY : error_of(1, u, 0, POSITIONS) / rtol;
    *steps += refused ? 0 : dae_solver_statistics(solver).steps;
    return error;
}

/* The error at t = 1 of all that has a derivative, with steps of h */
static double error_with_steps(const char *method, double h)
{
    double u[MOST];
    OWNED(dae_system) *sys = begin(0, u, NULL);
    const dae_options options = {.step = h, .max_steps = 1000};
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, u);
    assert_int_equal(dae_solver_advance(solver, 1, u), DAE_OK);
    return error_of(1, u, 0, nx);
}

/* Of Radau IIA what has a derivative is no better than velocities, in index 3 of order s. */
TEST(test_declared_orders)
{
    static const struct { const char *method; double h; } cases[] = {{"radau5", 0.01}, {"radau9", 0.1}};
    for (int i = 0; i < 2; i++)
        for (int index = 2; index <= 3; index++) {
            const dae_method *method = dae_find_method(cases[i].method);
            const double declared = dae_method_order(method, dae_find_formulation("native"), index, DAE_DIFFERENTIAL);
            const double h = index == 2 ? 5 * cases[i].h : cases[i].h;
            draw(1, index, 0);
            const double seen = log2(error_with_steps(cases[i].method, h) / error_with_steps(cases[i].method, h / 2));
            if (!(fabs(seen - declared) < 0.4))
                fail_msg("%s, index %d: order %g, and %g is declared", cases[i].method, index, seen, declared);
        }
}

static int solves_dae(const dae_method *method)
{
    double u[MOST];
    const dae_method_info info = dae_method_describe(method);
    if (!info.implicit || !info.adaptive)
        return 0;
    draw(1, 2, 1);
    OWNED(dae_system) *sys = begin(0, u, NULL);
    return method_solves(sys, method);
}

/* Mixing costs a factor of the tolerance that its condition explains, and hardly a step. */
static void as_in_unknowns_of_their_own(const dae_method *method, int index, double rtol)
{
    long steps[2] = {0, 0};
    for (int number = 1; number <= 2; number++) {
        double error[2];
        for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
            draw(number, index, is_mixed);
            error[is_mixed] = run(method, rtol, &steps[is_mixed]);
        }
        if (!(error[1] <= fmax(30, 5 * error[0])))
            fail_msg("%s, index %d, problem %d, rtol %g: %g tolerances, and %g in unknowns of their own",
                     dae_method_describe(method).name, index, number, rtol, error[1], error[0]);
    }
    if (steps[1] > 2 * steps[0])
        fail_msg("%s, index %d, rtol %g: %ld steps, and %ld in unknowns of their own",
                 dae_method_describe(method).name, index, rtol, steps[1], steps[0]);
}

TEST(test_all_implicit_methods)
{
    int methods = 0;
    for (int i = 0; dae_method_at(i); i++) {
        if (!solves_dae(dae_method_at(i)))
            continue;
        methods++;
        for (int index = 2; index <= 3; index++)
            for (double rtol = 1e-3; rtol > 5e-5; rtol /= 10)
                as_in_unknowns_of_their_own(dae_method_at(i), index, rtol);
    }
    assert_true(methods >= 8);
}

/* ---- starts and a reference -------------------------------------------------------------------- */

static void solved_start(double off, double may)
{
    double u[MOST];
    dae_start_change change;
    OWNED(dae_system) *sys = begin(off, u, &change);
    if (change.open || error_of(0, u, 0, N) > may)
        fail_msg("index %d, beta %g: open %d, off by %g", order, beta, change.open, error_of(0, u, 0, N));
    assert_true(change.relative < 1e-13 && change.changed == (off > 0));
}

/* A consistent one stays; unknowns without a derivative that are off by 30 % are found, nonlinear ones, too. */
TEST(test_starts)
{
    for (int index = 2; index <= 3; index++)
        for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
            draw(2, index, is_mixed);
            beta = 0;
            solved_start(0, 1e-14);
            solved_start(0.3, 1e-13);
            beta = 0.5;
            solved_start(0.3, 1e-13);
            beta = 0;
        }
}

/* An M whose rank is that of its entries before they were rounded */
TEST(test_rounded_mass)
{
    long steps = 0;
    rounded = 1;
    for (int index = 2; index <= 3; index++) {
        draw(2, index, 1);
        solved_start(0.3, 1e-12);
        assert_true(run(dae_find_method("radau"), 1e-6, &steps) < 30);
    }
    rounded = 0;
}

TEST(test_reference)
{
    double u[MOST];
    dae_start_change change;
    dae_reference reference = {0};
    draw(2, 3, 1);
    OWNED(dae_system) *sys = begin(0.3, u, &change);
    reference = reference_of(sys, u, (const double[]){1}, 1);
    for (int i = 0; i < N; i++)
        u[i] = (double)reference.q[i];
    assert_true(reference.digits > 16);
    assert_close(error_of(1, u, 0, N), 0, 1e-14);
    dae_reference_free(&reference);
}

#else
static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    for (int i = 0; i < N; i++)
        r[i] = 0;
    for (int j = 0; rounded && j < N; j++)
        for (int i = 0; i < N; i++)
            r[i] = r[i] + product[i][j] * x[j];
    for (int k = 0; !rounded && k < nx; k++) {
        real y = 0 * x[0];
        for (int j = 0; j < N; j++)
            y = y + T[k][j] * x[j];
        for (int i = 0; i < N; i++)
            r[i] = r[i] + S[i][k] * y;
    }
}

/* w_k, or its derivatives */
static real FN(solution)(int k, real t, int derivatives)
{
    const real angle = rate[k] * t + phase[k];
    if (derivatives == 0)
        return mean[k] + height[k] * sin(angle);
    return derivatives == 1 ? height[k] * rate[k] * cos(angle) : -height[k] * rate[k] * rate[k] * sin(angle);
}

/* What determines x', or v', and the constraints, of (x, z) or (q, v, l), without r and c */
static void FN(parts)(const real *x, const real *v, const real *z, real *f, real *g)
{
    for (int i = 0; i < POSITIONS; i++) {
        f[i] = 0;
        for (int j = 0; j < POSITIONS; j++)
            f[i] = f[i] + A[i][j] * sin(x[j]) - (order == 3 ? 0.25 * A[j][i] * v[j] : 0 * x[0]);
        for (int k = 0; k < FREE; k++) {
            const real phi = (z[k] + beta * z[k] * z[k] * z[k]) * (1 + 0.3 * cos(x[i]));
            f[i] = f[i] + (order == 2 ? B[i][k] + 0 * x[i] : C[k][i] + 2 * Q[k][i] * x[i]) * phi;
        }
    }
    for (int k = 0; k < FREE; k++) {
        g[k] = 0;
        for (int i = 0; i < POSITIONS; i++)
            g[k] = g[k] + C[k][i] * x[i] + Q[k][i] * x[i] * x[i];
    }
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    real w[MOST], e[MOST], f[POSITIONS], g[FREE], x[POSITIONS], v[POSITIONS], z[FREE], r[POSITIONS], c[FREE];
    const int slopes = order - 2;
    for (int i = 0; i < N; i++) {
        w[i] = 0;
        for (int j = 0; j < N; j++)
            w[i] = w[i] + T[i][j] * u[j];
    }
    for (int i = 0; i < POSITIONS; i++) {
        x[i] = FN(solution)(i, t, 0);
        v[i] = FN(solution)(i, t, 1);
    }
    for (int k = 0; k < FREE; k++)
        z[k] = FN(solution)(POSITIONS + k, t, 0);
    FN(parts)(w, w + slopes * POSITIONS, w + nx, f, g);
    FN(parts)(x, v, z, r, c);
    for (int i = 0; i < POSITIONS; i++) {
        e[i] = w[slopes * POSITIONS + i];
        e[slopes * POSITIONS + i] = f[i] - r[i] + FN(solution)(i, t, order - 1);
    }
    for (int k = 0; k < FREE; k++)
        e[nx + k] = g[k] - c[k];
    for (int i = 0; i < N; i++) {
        F[i] = 0;
        for (int j = 0; j < N; j++)
            F[i] = F[i] + S[i][j] * e[j];
    }
}
#endif
