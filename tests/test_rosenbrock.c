/* test_rosenbrock.c - order conditions of every Rosenbrock tableau, dense output, and what it costs
 *
 * The conditions are generated, not typed in: trees of Roche (1988), Numer. Math. 52, 45-63;
 * Hairer, Wanner (1996), Solving ODEs II, VI.4. With alpha = A Gamma, beta = alpha + Gamma,
 * b = m Gamma, Gamma = (I/gamma - C)^-1 (IV.7) a tree with a differential root has
 *
 *   phi = beta phi_1  or, with several branches, prod_k alpha phi_k;    density = order prod d_k
 *
 * with d_k the densities of its branches, and one with an algebraic root, of two branches at least,
 * phi = beta^-1 prod_k alpha phi_k, density = prod d_k. An algebraic single branch cancels.
 * Order q: b phi = 1/density for differential roots of order <= q and algebraic ones of <= q - 1.
 */
#include "support.h"

#include "methods/rosenbrock.h"
#include "stepper/solver.h"

#include <math.h>
#include <string.h>

enum { S = DAE_ROSENBROCK_STAGES, MOST_TREES = 2000 };

typedef struct { int order, algebraic; double density, phi[S]; } tree;

typedef struct {
    int s;
    double alpha[S][S], beta[S][S], omega[S][S], Gamma[S][S];   /* omega = beta^-1 */
    double m[S];                                                /* u+ = u + sum m_j U_j */
    tree trees[MOST_TREES];
    int count;
} scheme;

static const dae_rosenbrock_tableau *tableau_of(const char *name)
{
    return dae_find_method(name)->tableau;
}

/* The inverse of a lower triangular matrix. */
static void invert_lower(int s, double L[S][S], double X[S][S])
{
    memset(X, 0, sizeof(double[S][S]));
    for (int j = 0; j < s; j++)
        for (int i = j; i < s; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++)
                sum -= L[i][k] * X[k][j];
            X[i][j] = sum / L[i][i];
        }
}

static void multiply(int s, double A[S][S], const double *x, double *y)
{
    for (int i = 0; i < s; i++) {
        y[i] = 0;
        for (int j = 0; j < s; j++)
            y[i] += A[i][j] * x[j];
    }
}

/* x^T Gamma: weights of the k_i of weights of the U_j. */
static void weights(const scheme *q, const double *x, double *b)
{
    for (int i = 0; i < q->s; i++) {
        b[i] = 0;
        for (int j = i; j < q->s; j++)
            b[i] += x[j] * q->Gamma[j][i];
    }
}

static void recover(scheme *q, const dae_rosenbrock_tableau *T)
{
    double A[S][S], L[S][S];
    const int s = q->s = T->stages;
    memcpy(A, T->A, sizeof A);
    for (int i = T->rows; i < s; i++) {
        memcpy(A[i], A[i - 1], sizeof A[i]);
        A[i][i - 1] = 1;
    }
    memcpy(q->m, A[s - 1], sizeof q->m);
    q->m[s - 1] = 1;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            L[i][j] = (i == j) / T->gamma - T->C[i][j];
    invert_lower(s, L, q->Gamma);
    for (int i = 0; i < s; i++) {
        weights(q, A[i], q->alpha[i]);
        for (int j = 0; j < s; j++)
            q->beta[i][j] = q->alpha[i][j] + q->Gamma[i][j];
    }
    invert_lower(s, q->beta, q->omega);
}

static void add_tree(scheme *q, int order, int algebraic, double density, const double *phi)
{
    assert_true(q->count < MOST_TREES);
    tree *t = &q->trees[q->count++];
    *t = (tree){.order = order, .algebraic = algebraic, .density = density};
    if (algebraic)
        multiply(q->s, q->omega, phi, t->phi);
    else
        memcpy(t->phi, phi, sizeof t->phi);
}

/* All sets of branches number first, first + 1, ... < pool that have rest nodes together. */
static void grow(scheme *q, int pool, int first, int rest, int branches, int order, int algebraic,
                 double density, const double *phi)
{
    if (rest == 0 && branches >= 2)
        add_tree(q, order, algebraic, density, phi);
    for (int k = first; rest > 0 && k < pool; k++) {
        double next[S];
        if (q->trees[k].order > rest)
            continue;
        multiply(q->s, q->alpha, q->trees[k].phi, next);
        for (int i = 0; i < q->s; i++)
            next[i] *= phi[i];
        grow(q, pool, k, rest - q->trees[k].order, branches + 1, order, algebraic,
             density * q->trees[k].density, next);
    }
}

static void grow_trees(scheme *q, int most)
{
    const double one[S] = {1, 1, 1, 1, 1, 1, 1, 1};
    q->count = 0;
    add_tree(q, 1, 0, 1, one);
    for (int order = 2; order <= most; order++) {
        const int pool = q->count;
        for (int k = 0; k < pool; k++)
            if (q->trees[k].order == order - 1 && !q->trees[k].algebraic) {
                double phi[S] = {0};
                multiply(q->s, q->beta, q->trees[k].phi, phi);
                add_tree(q, order, 0, order * q->trees[k].density, phi);
            }
        grow(q, pool, 0, order - 1, 0, order, 0, order, one);
        grow(q, pool, 0, order, 0, order, 1, 1, one);
    }
}

/* The largest |b phi - theta^order/density| over roots of one kind up to an order. */
static double defect(const scheme *q, const double *m, double theta, int order, int algebraic)
{
    double b[S], worst = 0;
    weights(q, m, b);
    for (const tree *t = q->trees; t < q->trees + q->count; t++) {
        if (t->order > order || t->algebraic != algebraic)
            continue;
        double sum = 0;
        for (int i = 0; i < q->s; i++)
            sum += b[i] * t->phi[i];
        worst = fmax(worst, fabs(sum - pow(theta, t->order) / t->density));
    }
    return worst;
}

/* The orders for which conditions hold: u+, the embedded u+, dense output; by kind of root. */
typedef struct { const char *name; int order[2], embedded[2], dense[2]; } row;
static const row rows[] = {
    {"rodas4", {4, 4}, {3, 3}, {3, 2}},
    {"rodas5p", {5, 4}, {4, 3}, {4, 3}},
};
enum { ROWS = sizeof rows / sizeof *rows };
static const double EXACT = 1e-13;

/* Weights of the U_j in u(t + theta h). */
static void dense_weights(const dae_rosenbrock_tableau *T, const scheme *q, double theta, double *m)
{
    for (int j = 0; j < q->s; j++) {
        double sum = 0;
        for (int k = T->dense - 1; k >= 0; k--)
            sum = sum * theta + T->H[k][j];
        m[j] = theta * (q->m[j] + (1 - theta) * sum);
    }
}

/* Holds up to these orders, and not beyond. */
static void check_orders(const scheme *q, const double *m, double theta, const int *order)
{
    for (int kind = 0; kind < 2; kind++) {
        assert_close(defect(q, m, theta, order[kind], kind), 0, EXACT);
        assert_true(order[kind] == 5 || defect(q, m, theta, order[kind] + 1, kind) > 1e-3);
    }
}

static void check_sums(const scheme *q, const dae_rosenbrock_tableau *T)
{
    double b[S];
    weights(q, q->m, b);
    for (int i = 0; i < q->s; i++) {
        double c = 0, d = 0;
        for (int j = 0; j <= i; j++) {
            c += q->alpha[i][j];
            d += q->Gamma[i][j];
        }
        assert_close(c, T->c[i], EXACT);
        assert_close(d, T->d[i], EXACT);
        assert_close(q->beta[i][i], T->gamma, EXACT);
        assert_close(b[i], q->beta[q->s - 1][i], EXACT);        /* stiffly accurate: R(oo) = 0 */
    }
}

static void test_order_conditions(void **state)
{
    static scheme q;
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        const dae_rosenbrock_tableau *T = tableau_of(rows[k].name);
        double m[S];
        recover(&q, T);
        grow_trees(&q, 5);
        check_sums(&q, T);
        check_orders(&q, q.m, 1, rows[k].order);
        memcpy(m, q.m, sizeof m);
        m[q.s - 1] = 0;
        check_orders(&q, m, 1, rows[k].embedded);
        for (double theta = 0.2; theta < 0.9; theta += 0.2) {
            dense_weights(T, &q, theta, m);
            check_orders(&q, m, theta, rows[k].dense);
        }
    }
}

/* 1, 1, 2, 4, 9 rooted trees stand for ODEs; {t t} and [t {t t}] come with algebraic variables. */
static void test_trees(void **state)
{
    static scheme q;
    int differential[6] = {0}, algebraic[6] = {0};
    (void)state;
    recover(&q, tableau_of("rodas4"));
    grow_trees(&q, 5);
    for (int k = 0; k < q.count; k++)
        (q.trees[k].algebraic ? algebraic : differential)[q.trees[k].order]++;
    const int most[4] = {1, 1, 2, 5};           /* order 4: 4, and [t {t t}] */
    for (int o = 1; o <= 4; o++)
        assert_int_equal(most[o - 1], differential[o]);
    assert_int_equal(0, algebraic[1]);
    assert_int_equal(1, algebraic[2]);          /* {t t} */
    assert_int_equal(3, algebraic[3]);          /* {t t t}, {t [t]}, {t {t t}} */
}

/* ---- runs --------------------------------------------------------------------------------- */

static dae_solver *solver_for(dae_system *sys, const char *method, const dae_options *options,
                              const double *u)
{
    dae_solver *solver;
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method(method), options,
                                               NULL));
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    return solver;
}

typedef struct { dae_solver *solver; double begin, worst[2], ends, u[3]; } sampling;

/* linear_dae has x1 = x2 = e^t, z = -e^t/(2 - t). */
static int sample(void *context, double t, const double *u)
{
    sampling *a = context;
    double v[3];
    for (int k = 0; k <= 10; k++) {
        const double x = k == 10 ? t : a->begin + (t - a->begin) * k / 10;
        assert_int_equal(DAE_OK, dae_solver_interpolate(a->solver, x, v));
        a->worst[0] = fmax(a->worst[0], fabs(v[0] - exp(x)));
        a->worst[1] = fmax(a->worst[1], fabs(v[2] + exp(x) / (2 - x)));
        for (int i = 0; i < 3; i++) {
            if (k == 0)
                a->ends = fmax(a->ends, fabs(v[i] - a->u[i]));
            if (k == 10)
                a->ends = fmax(a->ends, fabs(v[i] - u[i]));
        }
    }
    a->begin = t;
    memcpy(a->u, u, sizeof a->u);
    return 0;
}

/* Of x1 and of z. */
static void worst_between(const char *method, double step, double *worst)
{
    double u[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("linear_dae", "index1", 0, u);
    dae_options options = dae_default_options();
    options.step = step;
    sampling a = {.solver = solver_for(sys, method, &options, u), .u = {u[0], u[1], u[2]}};
    dae_solver_observe(a.solver, sample, &a);
    assert_int_equal(DAE_OK, dae_solver_advance(a.solver, 1, u));
    assert_close(a.ends, 0, 1e-14);                     /* continuous over steps */
    dae_solver_free(a.solver);
    dae_system_free(sys);
    memcpy(worst, a.worst, sizeof a.worst);
}

/* Conditions up to order q leave errors of order q + 1 between the grid points. */
static void test_dense_output(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        double coarse[2], fine[2];
        worst_between(rows[k].name, 0.025, coarse);
        worst_between(rows[k].name, 0.0125, fine);
        for (int i = 0; i < 2; i++)
            assert_true(log2(coarse[i] / fine[i]) > rows[k].dense[i] + 1 - 0.2);
    }
}

/* Before the first step there is the start and nothing else. */
static void test_nothing_to_interpolate(void **state)
{
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    (void)state;
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    dae_solver *solver = solver_for(sys, "rodas4", NULL, u);
    assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 0, v));
    assert_memory_equal(u, v, (size_t)dae_system_size(sys) * sizeof *u);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 0.1, v));
    dae_solver_free(solver);
    dae_system_free(sys);
}

/* One Jacobian for each step kept, one factorisation for each tried, though steps are rejected; and those of
 * slow_error.c, and of two looks at what oscillates where steps were many (driver/other.c). */
static void test_cost(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        double u[MOST_UNKNOWNS];
        const int stages = dae_method_describe(dae_find_method(rows[k].name)).stages;
        dae_system *sys = system_at_start("van_der_pol", "native", 0, u);
        const dae_statistics c = solve_to(sys, rows[k].name, NULL, 2, u);
        assert_true(c.rejected > 0);
        const long looks = c.jacobians - c.steps;
        assert_true(looks == 0 || looks == 2);
        const long slow = c.factorizations - c.steps - c.rejected;          /* looks at slow errors */
        assert_true(slow >= 0 && slow <= c.steps + c.rejected);
        if (!looks)
            assert_int_equal(stages * (c.steps + c.rejected) + slow, c.solves);
        dae_system_free(sys);
    }
}

/* The error follows the tolerance in index 1 and 2; (x, y, vx, vy) of the quad reference, t = 2. */
static void test_tolerance(void **state)
{
    const double end[4] = {-2.78455740343261398, -4.15285926404791843, -1.44252782029712829,
                           0.967237574468290827};
    const char *const forms[] = {"index1", "baumgarte", "index2", "ggl"};
    (void)state;
    for (int k = 0; k < 4 * ROWS; k++)
        for (double tolerance = 1e-4; tolerance > 5e-9; tolerance /= 100) {
            double u[MOST_UNKNOWNS];
            dae_options options = dae_default_options();
            options.rtol = options.atol = tolerance;
            dae_system *sys = system_at_start("pendulum", forms[k % 4], 0, u);
            solve_to(sys, rows[k / 4].name, &options, 2, u);
            for (int i = 0; i < 4; i++)
                assert_close(u[i], end[i], 5 * tolerance);
            dae_system_free(sys);
        }
}

/* Dense and sparse linear algebra, and all Jacobians, take the same steps. */
static void test_linear_algebra(void **state)
{
    const dae_jacobian_kind kinds[] = {DAE_JACOBIAN_ANALYTIC, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD};
    double first[MOST_UNKNOWNS] = {0};
    (void)state;
    for (int k = 0; k < 6; k++) {
        double u[MOST_UNKNOWNS];
        dae_options options = dae_default_options();
        options.step = 0.01;
        options.jacobian = kinds[k % 3];
        options.linear = k < 3 ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
        dae_system *sys = system_at_start("pendulum", "index2", 0, u);
        solve_to(sys, "rodas5p", &options, 2, u);
        for (int i = 0; i < 5; i++)
            if (k == 0)
                first[i] = u[i];
            else
                assert_close(u[i], first[i], options.jacobian == DAE_JACOBIAN_FD ? 1e-5 : 1e-10);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_conditions), cmocka_unit_test(test_trees),
        cmocka_unit_test(test_dense_output),     cmocka_unit_test(test_nothing_to_interpolate),
        cmocka_unit_test(test_cost),             cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_linear_algebra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
