/* test_explicit.c - explicit Runge-Kutta: order, dense output, projection, retries, counts
 *
 * A tableau has order p where sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree of up to
 * p nodes; a continuous one where sum_i b_i(s) Phi_i(tree) = s^nodes/gamma(tree) (Hairer, Norsett,
 * Wanner (1993), Solving ODEs I, II.2 and II.6): 200 trees for order 8.
 */
#include "support.h"

#include "methods/explicit_stepper.h"
#include "projection/project.h"
#include "trees.h"

/* ---- order conditions ---------------------------------------------------------------------- */

/* Phi[i] and gamma of a tree: leaves first, each node times its parent. */
static void elementary_weights(const dae_tableau *T, const tree *t, long double *Phi,
                               long double *gamma)
{
    long double value[MOST_NODES][DAE_RK_STAGES];
    int size[MOST_NODES];
    *gamma = 1;
    for (int n = 0; n < t->nodes; n++) {
        size[n] = 1;
        for (int i = 0; i < DAE_RK_STAGES; i++)
            value[n][i] = 1;
    }
    for (int n = t->nodes - 1; n > 0; n--) {
        const int up = parent(t, n);
        size[up] += size[n];
        *gamma *= size[n];
        for (int i = 0; i < DAE_RK_STAGES; i++) {
            long double sum = 0;
            for (int j = 0; j < DAE_RK_STAGES; j++)
                sum += (long double)T->A[i][j] * value[n][j];
            value[up][i] *= sum;
        }
    }
    *gamma *= size[0];
    memcpy(Phi, value[0], DAE_RK_STAGES * sizeof *Phi);
}

/* The largest |sum_i b_i Phi_i - s^nodes/gamma|, relative to its terms, over trees of p nodes or
 * less; s = 0: the sum itself, as for the weights of an error estimate. */
static double defect(const dae_tableau *T, const long double *b, int p, long double s)
{
    double largest = 0;
    for (int nodes = 1; nodes <= p; nodes++) {
        tree t;
        first_tree(&t, nodes);
        do {
            long double Phi[DAE_RK_STAGES], gamma, sum = 0, size = 1;
            elementary_weights(T, &t, Phi, &gamma);
            for (int i = 0; i <= T->last; i++) {
                sum += b[i] * Phi[i];
                size += fabsl(b[i] * Phi[i]);
            }
            largest = fmax(largest, (double)(fabsl(sum - powl(s, nodes) / gamma) / size));
        } while (next_tree(&t));
    }
    return largest;
}

TEST(test_number_of_trees)
{
    const int expected[MOST_NODES + 1] = {0, 1, 1, 2, 4, 9, 20, 48, 115};
    for (int nodes = 1; nodes <= MOST_NODES; nodes++) {
        tree t;
        int count = 1;
        for (first_tree(&t, nodes); next_tree(&t); count++) { }
        assert_int_equal(expected[nodes], count);
    }
}

static void weights(const double *row, long double *b)
{
    for (int i = 0; i < DAE_RK_STAGES; i++)
        b[i] = row[i];
}

/* b_i(s) of the dense output, from its form in r. */
static void dense_weights(const dae_tableau *T, long double s, long double *b)
{
    for (int i = 0; i < DAE_RK_STAGES; i++) {
        const long double r0 = T->A[T->stages][i], r1 = (i == 0) - r0,
                          r2 = r0 - (i == T->stages) - r1;
        long double r[3 + DAE_RK_DENSE] = {r0, r1, r2};
        for (int d = 0; d < T->dense; d++)
            r[3 + d] = T->D[d][i];
        b[i] = 0;
        for (int d = T->dense + 2; d >= 0; d--)
            b[i] = (r[d] + b[i]) * (d % 2 ? 1 - s : s);
    }
}

/* ---- tableaus ----------------------------------------------------------------------------- */

typedef struct {
    const char *method;
    int order, dense_order, estimate_order[DAE_RK_ESTIMATES];
} expected_orders;

static const expected_orders expected[] = {
    {"euler", 1, 1, {1}}, {"heun", 2, 2, {1}},   {"rk4", 4, 3, {3, 2}},
    {"dopri5", 5, 4, {4}}, {"dop853", 8, 7, {5, 3}},
};
enum { METHODS = sizeof expected / sizeof *expected };

/* To 1e-14 up to the order, and not beyond it. */
TEST(test_order_conditions)
{
    for (int m = 0; m < METHODS; m++) {
        const expected_orders *x = &expected[m];
        const dae_tableau *T = dae_find_method(x->method)->tableau;
        long double b[DAE_RK_STAGES];
        for (int i = 0; i <= T->last; i++) {
            double sum = 0;
            for (int j = 0; j < DAE_RK_STAGES; j++)
                sum += T->A[i][j];
            assert_close(sum, T->c[i], 1e-14);
        }
        weights(T->A[T->stages], b);
        assert_close(defect(T, b, x->order, 1), 0, 1e-14);
        if (x->order < MOST_NODES)
            assert_true(defect(T, b, x->order + 1, 1) > 1e-6);
        for (int e = 0; e < 1 + (T->coarse > 0); e++) {
            weights(T->E[e], b);
            assert_close(defect(T, b, x->estimate_order[e], 0), 0, 1e-14);
            assert_true(defect(T, b, x->estimate_order[e] + 1, 0) > 1e-6);
        }
        for (long double s = 0.0625L; s < 1; s += 0.0625L) {
            dense_weights(T, s, b);
            assert_close(defect(T, b, x->dense_order, s), 0, 1e-14);
        }
    }
}

/* ---- runs --------------------------------------------------------------------------------- */

/* |(x, y)| at t = 2 of the pendulum against the quad reference. */
static double position_error(const double *u)
{
    return hypot(u[0] - pendulum_at_2[0], u[1] - pendulum_at_2[1]);
}

/* Continuous over a step's ends, on the constraints inside, three stages once for each step. */
TEST(test_dense_output)
{
    double u[5], v[5], g;
    const dae_options o = dae_default_options();
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("dop853"), &o, 0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
    const long before = dae_solver_statistics(solver).rhs;
    assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 1, v));
    assert_memory_equal(u, v, sizeof u);
    assert_int_equal(before, dae_solver_statistics(solver).rhs);
    assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 1 - 1e-13, v));
    for (int i = 0; i < 5; i++)
        assert_close(u[i], v[i], 1e-11);
    assert_int_equal(before + 4, dae_solver_statistics(solver).rhs);
    assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 0.97, v));
    assert_int_equal(before + 5, dae_solver_statistics(solver).rhs);
    for (int level = 0; level < 2; level++) {
        assert_int_equal(1, dae_system_constraint(sys, level, 0.97, v, &g));
        assert_close(g, 0, 1e-14);
    }
}

/* ---- projection --------------------------------------------------------------------------- */

typedef struct { dae_system *sys; double worst[3]; } drift;

static int watch(void *context, double t, const double *u)
{
    drift *d = context;
    for (int level = 0; level < 3; level++) {
        double g;
        dae_system_constraint(d->sys, level, t, u, &g);
        d->worst[level] = fmax(d->worst[level], fabs(g));
    }
    return 0;
}

TEST(test_long_run)
{
    const char *const methods[] = {"dopri5", "dop853"};
    for (int m = 0; m < 2; m++) {
        dae_options o = dae_default_options();
        double u[5];
        drift d = {0};
        d.sys = system_at_start("pendulum", "index1", 0, u);
        o.rtol = o.atol = 1e-8;
        OWNED(dae_solver) *solver = solver_of(d.sys, dae_find_method(methods[m]), &o, 0, u);
        dae_solver_observe(solver, watch, &d);
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 100, u));
        assert_true(d.worst[0] < 4e-15 && d.worst[1] < 8e-15 && d.worst[2] < 2e-14);
        assert_close(u[0], pendulum_at_100[0], 100 * 1e-8 * 5);
        assert_close(u[1], pendulum_at_100[1], 100 * 1e-8 * 5);
        dae_system_free(d.sys);
    }
}

/* From a state off the constraints: the nearest point of the circle lies on the same ray, the
 * nearest velocity has lost its radial part; what is there stays bit for bit. */
TEST(test_projection)
{
    double u[5], q[2] = {3.3, -4.4}, v[2] = {1 + 0.6, 2 - 0.8}, again[2];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    assert_int_equal(DAE_OK, dae_project(sys, 0, q, v));
    assert_close(q[0], 3, 2e-15);
    assert_close(q[1], -4, 2e-15);
    const double radial = (1.6 * 3 - 1.2 * 4) / 5;
    assert_close(v[0], 1.6 - radial * 0.6, 1e-15);
    assert_close(v[1], 1.2 + radial * 0.8, 1e-15);
    memcpy(again, q, sizeof again);
    assert_int_equal(DAE_OK, dae_project(sys, 0, q, v));
    assert_memory_equal(again, q, sizeof again);
    q[0] = q[1] = 0;                                    /* the gradient vanishes at the pivot */
    assert_int_equal(DAE_SINGULAR, dae_project(sys, 0, q, v));
    q[0] = NAN;
    assert_int_equal(DAE_SINGULAR, dae_project(sys, 0, q, v));
}

/* ---- retries ------------------------------------------------------------------------------ */

/* u' = -u, but NaN when it is evaluated for the 20th time. */
static int calls;

static void once_double(const double *p, double t, const double *u, double *F)
{
    F[0] = ++calls == 20 ? NAN : -u[0];
}

static void once_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    F[0] = -u[0];
}

static const dae_problem once = {
    .name = "once", .title = "NaN once", .citation = "none", .equations = "u' = -u",
    .variables = "u", .units = "-", .start = {start_one}, .t_end = 1,
    .first_order = {.n = 1, .rhs = {.f = once_double, .dual = once_dual}}};

TEST(test_nan_is_retried)
{
    const char *const methods[] = {"dopri5", "dop853"};
    for (int m = 0; m < 2; m++) {
        dae_options o = dae_default_options();
        double u[1] = {1};
        o.rtol = o.atol = 1e-10;
        OWNED(dae_system) *sys = system_of(&once, "native", NULL, NULL);
        calls = 0;
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &o, 0, u);
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
        assert_int_equal(1, dae_solver_statistics(solver).rejected);
        assert_int_equal(calls, dae_solver_statistics(solver).rhs);
        assert_close(u[0], exp(-1), 1e-9);
    }
}

/* A rejected step repeats no k_0, and dop853 neither projects it nor evaluates k_S. Long runs look at
 * rounding in F where they end, 7 times or a few times that; what was rejected, and few other steps, is looked at
 * between its ends. */
TEST(test_counts)
{
    const struct { const char *method; int kept, undone, looked; } rows[] = {{"dopri5", 6, 6, 2},
                                                                             {"dop853", 12, 11, 5}};
    for (int m = 0; m < 2; m++)
        for (double rtol = 1e-3; rtol > 1e-12; rtol /= 10) {
            dae_options o = tolerance(rtol);
            double u[5];
            OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
            const dae_statistics c = solve_to(sys, rows[m].method, &o, 2, u);
            const long own = 2 + c.steps * rows[m].kept + c.rejected * rows[m].undone;
            assert_in_range(c.rhs - own, 0, (own < 140 ? 0 : 28) + (c.rejected + c.steps / 10) * rows[m].looked);
            assert_true(position_error(u) < 100 * rtol);
        }
}

/* ---- compiled sums over stages ------------------------------------------------------------ */

/* u_i' = sin(t + i) - u_i u_(i+1), without a value from t = 1.7 on */
enum { MOST_WAVES = 9 };
static int wave_count;

static void waves_double(const double *p, double t, const double *u, double *F)
{
    for (int i = 0; i < wave_count; i++)
        F[i] = t < 1.7 ? sin(t + i) - u[i] * u[(i + 1) % wave_count] : NAN;
}

static void waves_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    for (int i = 0; i < wave_count; i++)
        F[i] = -u[i] * u[(i + 1) % wave_count];
}

typedef struct { double u[MOST_WAVES], t; dae_statistics count; dae_status status; } waves_end;

/* At t = 1.5; and where it ends on the way to 2 */
static waves_end run_waves(const dae_method *method, double step)
{
    waves_end x = {{0}};
    double u[MOST_WAVES] = {0}, atols[MOST_WAVES];
    dae_options o = tolerance(1e-7);
    const dae_problem waves = {.name = "waves", .start = {start_one}, .t_end = 2,
                               .first_order = {.n = wave_count, .rhs = {.f = waves_double, .dual = waves_dual}}};
    for (int i = 0; i < MOST_WAVES; i++)
        atols[i] = 1e-7 * (1 + i);
    o.atols = atols;
    o.step = step;
    OWNED(dae_system) *sys = system_of(&waves, "native", NULL, u);
    OWNED(dae_solver) *solver = solver_of(sys, method, &o, 0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1.5, x.u));
    x.count = dae_solver_statistics(solver);
    x.status = dae_solver_advance(solver, 2, u);
    x.t = dae_solver_time(solver);
    return x;
}

/* A copy of a tableau is not compiled: the same steps, to rounding, for every number of unknowns. */
TEST(test_compiled_rows)
{
    int found = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_tableau *T = dae_method_at(m)->tableau;
        if (dae_method_at(m)->family != DAE_FAMILY_EXPLICIT || !T->rows)
            continue;
        const dae_tableau copy = *T;
        dae_method plain = *dae_method_at(m);
        plain.tableau = &copy;
        assert_ptr_equal(T->rows->tableau, T);
        found++;
        for (int k = 0; k < 2 * MOST_WAVES; k++) {
            wave_count = 1 + k / 2;
            const double step = k % 2 ? 0.01 : 0;
            const waves_end a = run_waves(dae_method_at(m), step), b = run_waves(&plain, step);
            if (!(distance(a.u, b.u, wave_count) <= 1e-13) || a.count.steps != b.count.steps
                || a.count.rejected != b.count.rejected || a.count.rhs != b.count.rhs || a.status != b.status
                || !(fabs(a.t - b.t) < 1e-9))
                fail_msg("%s, %d unknowns, step %g: %g apart, in %ld steps and %ld, to t = %.12g and %.12g",
                         plain.info.name, wave_count, step, distance(a.u, b.u, wave_count), a.count.steps,
                         b.count.steps, a.t, b.t);
        }
    }
    assert_true(found > 0);
}
