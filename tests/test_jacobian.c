/* test_jacobian.c - every problem in every formulation: the Jacobians agree, the model's derivatives belong together,
 * the pattern of a system is that of its full Jacobian, compressed Jacobians are the full ones, and they cost no more
 * for a longer chain */
#ifndef DAE_PASS
#include "support.h"

#include "base/numbers.h"
#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "system/system.h"

enum { LINKS, CIRCUIT = 61 };
#include <daelab/model.h>

OWNED_BY_POINTER(dae_jacobian)
OWNED_BY_POINTER(dae_pencil)

static void chain_start(const double *p, double *u)
{
    for (int k = 0; k < (int)p[LINKS]; k++)
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
    for (int f = 0; dae_formulation_at(f); f++)
        if (dae_formulation_applies(dae_formulation_at(f), problem)) {
            const char *name = dae_formulation_describe(dae_formulation_at(f)).name;
            OWNED(dae_system) *sys = system_of(problem, name, NULL, NULL);
            check(sys);
        }
}

/* Every problem, every mode with the parameters of its problem, a chain and a circuit, in every formulation */
static void for_all_systems(visit *check)
{
    const dae_problem chain = chain_of(20);
    for (int p = 0; dae_problems[p]; p++) {
        const dae_problem *problem = dae_problems[p];
        visit_problem(problem, check);
        for (int m = 0; problem->modes && problem->modes[m]; m++) {
            dae_problem mode = *problem->modes[m];
            memcpy(mode.parameters, problem->parameters, sizeof mode.parameters);
            visit_problem(&mode, check);
        }
    }
    visit_problem(&chain, check);
    visit_problem(&circuit, check);
}

static dae_jacobian *jacobian_of(dae_system *sys, dae_jacobian_kind kind, int sparse)
{
    dae_jacobian *jac;
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, sparse, NULL));
    return jac;
}

/* A root, an exponential of U/0.026 or the sun bounds how far from its start a problem may be moved. */
static int is_narrow(const dae_problem *problem)
{
    return strcmp(problem->name, "akzo_nobel") == 0 || strcmp(problem->name, "transistor_amplifier") == 0
           || strcmp(problem->name, "kepler") == 0;
}

/* A state near the start, or where that may be far from it; answers the time. */
static double moved_start(dae_system *sys, int trial, int far, double *u)
{
    uint64_t state = 77 + (uint64_t)trial;
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    for (int i = 0; i < sys->n; i++)
        u[i] += far ? (is_narrow(sys->problem) ? 1e-3 : 0.5) * dae_random(&state)
                    : u[i] * dae_random(&state) / 10 + dae_random(&state) / 10;
    return dae_system_problem(sys)->t0 + (far ? 0.1 + 0.17 * trial : 0.13 * trial);
}

/* Largest |A - B| relative to the largest |A|, over J and F_t together. */
static double difference(dae_system *sys, dae_jacobian_kind a, dae_jacobian_kind b, double t,
                         const double *u)
{
    enum { N = MOST_UNKNOWNS };
    static double A[N * N + N], B[N * N + N];
    const int n = sys->n;
    double largest = 0, apart = 0;
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, a, t, u, A, A + n * n, NULL));
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, b, t, u, B, B + n * n, NULL));
    for (int i = 0; i < n * n + n; i++) {
        largest = fmax(largest, fabs(A[i]));
        apart = fmax(apart, fabs(A[i] - B[i]));
    }
    return apart / largest;
}

enum { TRIALS = 5 };

static void dual_is_analytic(dae_system *sys)
{
    double u[MOST_UNKNOWNS];
    for (int trial = 0; trial < TRIALS && dae_system_has_analytic(sys); trial++) {
        const double t = moved_start(sys, trial, 1, u);
        assert_true(difference(sys, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_ANALYTIC, t, u) < 20 * DBL_EPSILON);
    }
}

TEST(test_dual_analytic)
{
    for_all_systems(dual_is_analytic);
}

static void F_is_the_same_at(dae_system *sys, double t, const double *u)
{
    enum { N = MOST_UNKNOWNS };
    double F[N], G[N], F_t[N];
    dae_system_rhs(sys, t, u, F);
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        if (kind == DAE_JACOBIAN_ANALYTIC && !dae_system_has_analytic(sys))
            continue;
        OWNED(dae_jacobian) *jac = jacobian_of(sys, kind, 0);
        dae_linearise(jac, t, u, G, F_t);
        for (int i = 0; i < sys->n; i++)
            assert_close(G[i], F[i], 20 * DBL_EPSILON * fmax(1, fabs(F[i])));
    }
}

/* Every provider answers F as the system does. */
static void F_is_the_same(dae_system *sys)
{
    double u[MOST_UNKNOWNS];
    for (int trial = 0; trial < TRIALS; trial++) {
        const double t = moved_start(sys, trial, 1, u);
        F_is_the_same_at(sys, t, u);
    }
}

/* A model that leaves the force to the library. */
static void partials_without_force(const double *p, double t, const double *q, const double *v,
                                   const double *a, const double *lambda, dae_partials *d)
{
    problem_named("pendulum")->mechanical.partials(p, t, q, v, a, lambda, d);
    d->f[0] = NAN;
    d->f[1] = 1e9;
}

static void at_a_state(dae_system *sys)
{
    const double u[] = {3, -4, 0.5, 0.7, 8, 0.1};
    F_is_the_same_at(sys, 0.3, u);
}

TEST(test_force)
{
    for_all_systems(F_is_the_same);
    dae_problem bare = *problem_named("pendulum");
    bare.mechanical.partials = partials_without_force;
    visit_problem(&bare, at_a_state);
}

/* The analytic Jacobian is refused where there is none, with a reason. */
TEST(test_no_analytic)
{
    double u[MOST_UNKNOWNS], J[MOST_UNKNOWNS], F_t[MOST_UNKNOWNS];
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start("pendulum", "ode", 0, u);
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_system_jacobian(sys, DAE_JACOBIAN_ANALYTIC, 0, u, J, F_t, &why));
    assert_non_null(strstr(why.message, "analytic"));
}

/* G^T lambda, dg/dt and d2g/dt2 of a model are derivatives of its g, as far as there is one:
 * dg/dt = G v + g_t, d(dg/dt)/dv = G, d(G^T lambda)/dlambda = G^T, d(d2g/dt2)/da = G. */
static void constraints_belong_at(dae_system *sys, double t, const double *u)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    enum { N = MOST_UNKNOWNS };
    dae_dual q[N], v[N], out[N];
    double rate[N], sum[N];
    const int nq = m->nq, nl = m->nl, holonomic = nl - m->nonholonomic;
    if (!nl || sys->compose->kind != DAE_FORM_MECHANICAL)
        return;
    for (int i = 0; i < nq; i++)                        /* g along q + eps v, t + eps */
        q[i] = dae_dual_make(u[i], u[nq + i]);
    if (holonomic)
        m->constraint.dual(sys->p, dae_dual_make(t, 1), q, out);
    m->rate.f(sys->p, t, u, u + nq, rate);
    for (int k = 0; k < holonomic; k++)
        assert_close(rate[k], dae_dual_derivative(out[k]), 1e-12);
    for (int i = 0; i < nq; i++)                        /* dg/dt along (q, v) + eps (v, a) */
        v[i] = dae_dual_make(u[nq + i], u[i] / 3);
    for (int i = 0; i < nq; i++)
        sum[i] = u[i] / 3;
    double acceleration[N];
    m->rate.dual(sys->p, dae_dual_make(t, 1), q, v, out);
    m->acceleration.f(sys->p, t, u, u + nq, sum, acceleration);
    for (int k = 0; k < nl; k++)
        assert_close(acceleration[k], dae_dual_derivative(out[k]), 1e-12);
    for (int k = 0; k < nl; k++) {                      /* G^T e_k against d(dg_k/dt)/dv */
        double e[N] = {0}, column[N];
        e[k] = 1;
        m->reaction.f(sys->p, t, u, e, column);
        for (int i = 0; i < nq; i++) {
            for (int j = 0; j < nq; j++) {
                q[j] = dae_dual_make(u[j], 0);
                v[j] = dae_dual_make(u[nq + j], i == j);
            }
            m->rate.dual(sys->p, dae_dual_make(t, 0), q, v, out);
            assert_close(column[i], dae_dual_derivative(out[k]), 1e-12);
        }
    }
}

static void constraints_belong_together(dae_system *sys)
{
    double u[MOST_UNKNOWNS];
    for (int trial = 0; trial < TRIALS; trial++) {
        const double t = moved_start(sys, trial, 1, u);
        constraints_belong_at(sys, t, u);
    }
}

TEST(test_constraints)
{
    for_all_systems(constraints_belong_together);
}

/* entry[n x n] := 1 where M, or the full dual Jacobian at one of ten states, is not zero. */
static void exhaustive_pattern(dae_system *sys, unsigned char *entry)
{
    const int n = sys->n;
    OWNED(dae_jacobian) *jac = jacobian_of(sys, DAE_JACOBIAN_DUAL, 0);
    double *u = malloc(2 * (size_t)n * sizeof *u);
    memset(entry, 0, (size_t)n * (size_t)n);
    for (int trial = 0; trial < 10; trial++) {
        const double t = moved_start(sys, trial, 0, u);
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

/* Of every provider, which are near each other: forward differences are off by sqrt(eps) = 1.5e-8 times the curvature,
 * or times what F is beside the change that an unknown of this size makes. Measured: 2e-6 at most. */
static void compressed_is_full(dae_system *sys)
{
    const size_t n = (size_t)sys->n;
    double *u = malloc(3 * n * sizeof *u), *F = u + n, *F_t = F + n;
    OWNED(dae_jacobian) *dual = jacobian_of(sys, DAE_JACOBIAN_DUAL, 0);
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        if (kind == DAE_JACOBIAN_ANALYTIC && !dae_system_has_analytic(sys))
            continue;
        OWNED(dae_jacobian) *full = jacobian_of(sys, kind, 0);
        OWNED(dae_jacobian) *sparse = jacobian_of(sys, kind, 1);
        for (int trial = 0; trial < 2 * TRIALS; trial++) {
            const double t = moved_start(sys, trial, trial % 2, u);
            dae_linearise(dual, t, u, F, F_t);
            dae_linearise(full, t, u, F, F_t);
            dae_linearise(sparse, t, u, F, F_t);
            if (!(apart(sparse, full) == 0 && apart(sparse, dual) < 1e-5))
                fail_msg("%s %s, kind %d: %g off the full one, %g off that of dual numbers", sys->problem->name,
                         sys->form->info.name, (int)kind, apart(sparse, full), apart(sparse, dual));
        }
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
    OWNED(dae_system) *sys = system_of(&chain, dae_formulation_describe(form).name, NULL, NULL);
    double *u = malloc(2 * (size_t)sys->n * sizeof *u);
    OWNED(dae_jacobian) *jac = jacobian_of(sys, kind, 1);
    dae_linearise(jac, moved_start(sys, 1, 0, u), u, u + sys->n, NULL);
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
            const double t = moved_start(sys, trial, 0, u);
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
    for (int i = 0; i < 2 * dae_count(p[LINKS]); i++)
        r[i] = a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int k = 0; k < dae_count(p[LINKS]); k++) {
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
    for (int k = 0; k < dae_count(p[LINKS]); k++)
        g[k] = (FN(link)(k, q, q) - 1) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int k = 0; k < dae_count(p[LINKS]); k++)
        dg[k] = FN(link)(k, q, v);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    for (int k = 0; k < dae_count(p[LINKS]); k++)
        ddg[k] = FN(link)(k, q, a) + FN(link)(k, v, v);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    const int last = dae_count(p[LINKS]) - 1;
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
