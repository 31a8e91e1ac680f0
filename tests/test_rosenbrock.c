/* test_rosenbrock.c - order conditions of every Rosenbrock tableau, and what it costs
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

TEST(test_order_conditions)
{
    static scheme q;
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
TEST(test_trees)
{
    static scheme q;
    int differential[6] = {0}, algebraic[6] = {0};
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

/* One Jacobian for each step kept, one factorisation for each tried, though steps are rejected; and those of
 * slow_error.c, and of two looks at what oscillates where steps were many (driver/other.c). */
TEST(test_cost)
{
    for (int k = 0; k < ROWS; k++) {
        double u[MOST_UNKNOWNS];
        const int stages = dae_method_describe(dae_find_method(rows[k].name)).stages;
        OWNED(dae_system) *sys = system_at_start("van_der_pol", "native", 0, u);
        const dae_statistics c = solve_to(sys, rows[k].name, NULL, 2, u);
        assert_true(c.rejected > 0);
        const long looks = c.jacobians - c.steps;
        assert_true(looks == 0 || looks == 2);
        const long slow = c.factorizations - c.steps - c.rejected;          /* looks at slow errors */
        assert_true(slow >= 0 && slow <= c.steps + c.rejected);
        if (!looks)
            assert_int_equal(stages * (c.steps + c.rejected) + slow, c.solves);
    }
}
