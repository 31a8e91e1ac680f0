/* test_compression.c - the pattern of every system is that of its full Jacobian, compressed
 * Jacobians are the full ones, and they cost no more for a longer chain */
#ifndef DAE_PASS
#include "support.h"

#include "base/numbers.h"
#include "jacobian/jacobian.h"
#include "linear/pencil.h"

enum { N, CIRCUIT = 61 };
#include <daelab/model.h>

OWNED_BY_POINTER(dae_jacobian)
OWNED_BY_POINTER(dae_pencil)

static void chain_start(const double *p, double *u)
{
    for (int k = 0; k < (int)p[N]; k++)
        u[2 * k] = k + 1;                               /* horizontal: y = 0, v = 0, T = 0 */
}

/* N links of unit length and mass in the plane. */
static dae_problem chain_of(int links)
{
    return (dae_problem){
        .name = "chain", .variables = "", .units = "",
        .parameters = {{"N", links, "-", "links", DAE_POSITIVE}},
        .mechanical = {.nq = 2 * links, .nl = links, DAE_MECHANICAL_MODEL},
        .start = {chain_start}, .t_end = 1,
    };
}

static void circuit_start(const double *p, double *u)
{
    for (int i = 0; i < CIRCUIT; i++)
        u[i] = i % 3 * 0.5;
}

/* Irregular, with a full row, a full column and a mass matrix that couples. */
static const dae_problem circuit = {
    .name = "circuit", .variables = "", .units = "",
    .first_order = {.n = CIRCUIT, .index = 1, .mass = DAE_MODEL(capacity),
                    .rhs = DAE_MODEL(current)},
    .start = {circuit_start}, .t_end = 1,
};

typedef void visit(dae_system *sys);

static void visit_problem(const dae_problem *problem, visit *check)
{
    for (int f = 0; dae_formulation_at(f); f++) {
        OWNED(dae_system) *sys = NULL;
        if (!dae_formulation_applies(dae_formulation_at(f), problem))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_formulation_at(f), NULL,
                                                   NULL, NULL));
        check(sys);
    }
}

/* Every problem of the table of moderate size, a chain, a circuit, in every formulation. */
static void for_all_systems(visit *check)
{
    const dae_problem chain = chain_of(20);
    for (int p = 0; dae_problems[p]; p++)
        visit_problem(dae_problems[p], check);
    visit_problem(&chain, check);
    visit_problem(&circuit, check);
}

static dae_jacobian *jacobian_of(dae_system *sys, dae_jacobian_kind kind, int sparse)
{
    dae_jacobian *jac;
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, sparse, NULL));
    return jac;
}

/* A state near the start; answers the time. */
static double moved_start(dae_system *sys, int trial, double *u)
{
    uint64_t state = 77 + (uint64_t)trial;
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    for (int i = 0; i < sys->n; i++)
        u[i] += u[i] * dae_random(&state) / 10 + dae_random(&state) / 10;
    return dae_system_problem(sys)->t0 + 0.13 * trial;
}

/* entry[n x n] := 1 where M, or the full dual Jacobian at one of ten states, is not zero. */
static void exhaustive_pattern(dae_system *sys, unsigned char *entry)
{
    const int n = sys->n;
    OWNED(dae_jacobian) *jac = jacobian_of(sys, DAE_JACOBIAN_DUAL, 0);
    double *u = malloc(2 * (size_t)n * sizeof *u);
    memset(entry, 0, (size_t)n * (size_t)n);
    for (int trial = 0; trial < 10; trial++) {
        const double t = moved_start(sys, trial, u);
        dae_linearise(jac, t, u, u + n, NULL);
        for (int k = 0; k < n * n; k++)
            entry[k] |= jac->pair.J[k] != 0 || jac->pair.M[k] != 0;
    }
    free(u);
}

static void pattern_is_exhaustive(dae_system *sys)
{
    const int n = sys->n;
    unsigned char *entry = malloc((size_t)n * (size_t)n);
    OWNED(dae_jacobian) *jac = jacobian_of(sys, DAE_JACOBIAN_DUAL, 1);
    int k = 0;
    exhaustive_pattern(sys, entry);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (entry[j * n + i])
                assert_int_equal(i, jac->pair.pattern.row[k++]);
        assert_int_equal(k, jac->pair.pattern.column[j + 1]);
    }
    free(entry);
}

/* |difference| of the entries on the pattern, and 0 elsewhere; the largest, relative. */
static double apart(const dae_jacobian *sparse, const dae_jacobian *full)
{
    const dae_pattern *p = &sparse->pair.pattern;
    double largest = 0, worst = 0;
    double *rest = malloc((size_t)full->pair.pattern.nnz * sizeof *rest);
    memcpy(rest, full->pair.J, (size_t)full->pair.pattern.nnz * sizeof *rest);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int at = j * p->n + p->row[k];
            assert_true(sparse->pair.M[k] == full->pair.M[at]);
            largest = fmax(largest, fabs(full->pair.J[at]));
            rest[at] -= sparse->pair.J[k];
        }
    for (int k = 0; k < full->pair.pattern.nnz; k++)
        worst = fmax(worst, fabs(rest[k]));
    free(rest);
    return worst / fmax(largest, 1e-300);
}

static void compressed_is_full(dae_system *sys)
{
    const size_t n = (size_t)sys->n;
    double *u = malloc(3 * n * sizeof *u), *F = u + n, *F_t = F + n;
    OWNED(dae_jacobian) *full = jacobian_of(sys, DAE_JACOBIAN_DUAL, 0);
    OWNED(dae_jacobian) *dual = jacobian_of(sys, DAE_JACOBIAN_DUAL, 1);
    OWNED(dae_jacobian) *fd = jacobian_of(sys, DAE_JACOBIAN_FD, 1);
    for (int trial = 0; trial < 4; trial++) {
        const double t = moved_start(sys, trial, u);
        dae_linearise(full, t, u, F, F_t);
        dae_linearise(dual, t, u, F, F_t);
        dae_linearise(fd, t, u, F, F_t);
        assert_true(apart(dual, full) == 0);
        if (!(apart(fd, full) < 1e-5))
            fail_msg("%s %s: fd is off by %g", sys->problem->name, sys->form->info.name,
                     apart(fd, full));
    }
    free(u);
}

TEST(patterns_are_exhaustive)
{
    for_all_systems(pattern_is_exhaustive);
}

TEST(compressed_Jacobians_are_full)
{
    for_all_systems(compressed_is_full);
}

/* How often F is evaluated for one Jacobian of a chain. */
static long evaluations(int links, const dae_formulation *form, dae_jacobian_kind kind, int *nnz)
{
    const dae_problem chain = chain_of(links);
    OWNED(dae_system) *sys = NULL;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &chain, form, NULL, NULL, NULL));
    double *u = malloc(2 * (size_t)sys->n * sizeof *u);
    OWNED(dae_jacobian) *jac = jacobian_of(sys, kind, 1);
    dae_linearise(jac, moved_start(sys, 1, u), u, u + sys->n, NULL);
    const long rhs = jac->own_count.rhs;
    *nnz = jac->pair.pattern.nnz;
    free(u);
    return rhs;
}

TEST(chains_cost_the_same)
{
    for (int f = 0; dae_formulation_at(f); f++) {
        const dae_formulation *form = dae_formulation_at(f);
        const dae_problem chain = chain_of(4);
        int few, many;
        if (!dae_formulation_applies(form, &chain))
            continue;
        const long small = evaluations(20, form, DAE_JACOBIAN_DUAL, &few);
        const long large = evaluations(300, form, DAE_JACOBIAN_DUAL, &many);
        assert_true(large <= small + 2 && large <= 30);
        assert_true(evaluations(300, form, DAE_JACOBIAN_FD, &many) <= 6 * large);
        assert_true(many <= 16 * few);
    }
}

/* A chain by sparse and by dense factors, by every Jacobian: the same motion; what is told of the
 * factors holds. */
TEST(sparse_solves_are_dense)
{
    static const char *const methods[] = {"cros", "rodas4", "radau5", "ida"};
    const dae_problem chain = chain_of(10);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double u[3][MOST_UNKNOWNS];
        OWNED(dae_system) *sys = system_of(&chain, "index1", NULL, NULL);
        for (int k = 0; k < 3; k++) {
            dae_options options = tolerance(1e-8);
            options.step = m == 0 ? 0.01 : 0;
            options.linear = k == 0 ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
            options.jacobian = k == 2 ? DAE_JACOBIAN_FD : DAE_JACOBIAN_DUAL;
            assert_int_equal(DAE_OK, dae_system_start(sys, u[k], NULL));
            const dae_statistics count = solve_to(sys, methods[m], &options, 0.3, u[k]);
            assert_int_equal(k ? 292 : 2500, count.nonzeros);
            if (k ? count.fill < 150 || count.fill > 600 : count.fill != 2500)
                fail_msg("%s: fill %ld", methods[m], count.fill);
        }
        assert_true(distance(u[0], u[1], sys->n) < 1e-8);
        if (!(distance(u[0], u[2], sys->n) < 1e-4))
            fail_msg("%s: fd is %g away", methods[m], distance(u[0], u[2], sys->n));
    }
}

/* Of a pencil at a state near the start, from the right-hand side (1, ..., 1) - i. */
static void solve_pencil(dae_jacobian *jac, dae_linear_kind kind, double gamma_im, double *re,
                         double *im)
{
    OWNED(dae_pencil) *pencil = NULL;
    const double gamma = 0.2;
    assert_int_equal(DAE_OK, dae_pencil_create(&pencil, &jac->pair, kind, NULL));
    for (int time = 0; time < 2; time++) {              /* afresh, and with the pivots of before */
        for (int i = 0; i < jac->pair.pattern.n; i++) {
            re[i] = 1;
            im[i] = -1;
        }
        assert_int_equal(DAE_OK, (gamma_im > 0 ? dae_pencil_factor(pencil, gamma, gamma_im)
                                               : dae_pencil_factor_real(pencil, gamma)).status);
        assert_int_equal(DAE_OK, gamma_im > 0 ? dae_pencil_solve(pencil, re, im)
                                              : dae_pencil_solve_real(pencil, re));
    }
}

/* Sparse, with the positions eliminated where that can be, and dense by LAPACK or this project. */
static void sparse_pencil_is_dense(dae_system *sys)
{
    const int n = sys->n;
    double *u = malloc(6 * (size_t)n * sizeof *u), *x = u + 2 * n, *y = u + 4 * n;
    for (dae_jacobian_kind kind = DAE_JACOBIAN_DUAL; kind <= DAE_JACOBIAN_FD; kind++)
        for (int trial = 0; trial < 4; trial++) {
            OWNED(dae_jacobian) *jac = jacobian_of(sys, kind, 1);
            const double t = moved_start(sys, trial, u);
            double largest = 0;
            dae_linearise(jac, t, u, u + n, NULL);
            solve_pencil(jac, DAE_LINEAR_KLU, 0.1 * (trial % 2), x, x + n);
            solve_pencil(jac, DAE_LINEAR_DENSE, 0.1 * (trial % 2), y, y + n);
            for (int i = 0; i < 2 * n; i++)
                largest = fmax(largest, fabs(y[i]));
            if (!(distance(x, y, 2 * n) < 1e-7 * largest))
                fail_msg("%s %s: %g of %g", sys->problem->name, sys->form->info.name,
                         distance(x, y, 2 * n), largest);
        }
    free(u);
}

TEST(sparse_pencils_are_dense)
{
    for_all_systems(sparse_pencil_is_dense);
}

#else

/* ---- the chain: g_k = (|r_k - r_{k-1}|^2 - 1)/2, r_{-1} = 0 ------------------------------ */

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[N]); i++)
        r[i] = a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int k = 0; k < dae_count(p[N]); k++) {
        f[2 * k] = 0;
        f[2 * k + 1] = -9.81;
    }
}

/* x . y of link k, a link being the difference of neighbours */
static real FN(link)(int k, const real *x, const real *y)
{
    const real *a = x + 2 * k, *b = y + 2 * k;
    if (k == 0)
        return a[0] * b[0] + a[1] * b[1];
    return (a[0] - a[-2]) * (b[0] - b[-2]) + (a[1] - a[-1]) * (b[1] - b[-1]);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int k = 0; k < dae_count(p[N]); k++)
        g[k] = (FN(link)(k, q, q) - 1) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int k = 0; k < dae_count(p[N]); k++)
        dg[k] = FN(link)(k, q, v);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    for (int k = 0; k < dae_count(p[N]); k++)
        ddg[k] = FN(link)(k, q, a) + FN(link)(k, v, v);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    const int last = dae_count(p[N]) - 1;
    for (int i = 0; i < 2 * (last + 1); i++) {
        const int k = i / 2;
        r[i] = (i < 2 ? q[i] : q[i] - q[i - 2]) * T[k];
        if (k < last)
            r[i] -= (q[i + 2] - q[i]) * T[k + 1];
    }
}

/* ---- the circuit: nodes coupled at random places ---------------------------------------- */

static void FN(capacity)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < CIRCUIT; i++)
        out[i] = i % 4 == 3 ? 0 : i > 0 && i % 4 == 1 ? x[i] - x[i - 1] : 2 * x[i];
}

static void FN(current)(const param *p, real t, const real *u, real *F)
{
    real sum = 0;
    for (int i = 0; i < CIRCUIT; i++)
        sum += u[i] * u[i];
    for (int i = 0; i < CIRCUIT; i++) {
        const int j = (17 * i + 5) % CIRCUIT, k = i * i % CIRCUIT;
        F[i] = exp(-u[i]) + u[j] * u[k] - sin(u[7]) * u[i];
    }
    F[CIRCUIT / 2] += sum;
}

#endif
