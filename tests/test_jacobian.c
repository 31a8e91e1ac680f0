/* test_jacobian.c - every problem in every formulation: the three Jacobians agree, the model's
 * derivatives belong together, the sparse pattern misses nothing */
#include "support.h"

#include "jacobian/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

typedef void visit(dae_system *sys, double t, const double *u);

/* A root, an exponential of U/0.026 or the sun bounds how far from its start a problem may be
 * moved. */
static int is_narrow(const dae_problem *problem)
{
    return strcmp(problem->name, "akzo_nobel") == 0
           || strcmp(problem->name, "transistor_amplifier") == 0
           || strcmp(problem->name, "kepler") == 0;
}

/* Call check in every formulation at the problem's start moved at random, at several times. */
static void for_problem(const dae_problem *problem, uint64_t *state, visit *check)
{
    for (int f = 0; dae_formulation_at(f); f++) {
        dae_system *sys;
        double u[MOST_UNKNOWNS], x[MOST_UNKNOWNS];
        if (!dae_formulation_applies(dae_formulation_at(f), problem))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        for (int trial = 0; trial < 5; trial++) {
            for (int i = 0; i < sys->n; i++)
                x[i] = u[i] + (is_narrow(problem) ? 1e-3 : 0.5) * uniform(state);
            check(sys, 0.1 + 0.17 * trial, x);
        }
        dae_system_free(sys);
    }
}

/* Every problem, and every mode with the parameters of its problem. */
static void for_all_systems(visit *check)
{
    uint64_t state = 1;
    for (int p = 0; dae_problems[p]; p++) {
        const dae_problem *problem = dae_problems[p];
        for_problem(problem, &state, check);
        for (int m = 0; problem->modes && problem->modes[m]; m++) {
            dae_problem mode = *problem->modes[m];
            memcpy(mode.parameters, problem->parameters, sizeof mode.parameters);
            for_problem(&mode, &state, check);
        }
    }
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

static void dual_is_analytic(dae_system *sys, double t, const double *u)
{
    if (dae_system_has_analytic(sys))
        assert_true(difference(sys, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_ANALYTIC, t, u)
                    < 20 * DBL_EPSILON);
}

/* Forward differences: sqrt(eps) = 1.5e-8 times the curvature, or times what F is beside the change
 * that an unknown of this size makes. Measured: 2e-6 at most. */
static void fd_is_near_dual(dae_system *sys, double t, const double *u)
{
    const double error = difference(sys, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD, t, u);
    if (!(error < 1e-5))
        fail_msg("%s %s: fd is off by %g", sys->problem->name, sys->form->info.name, error);
}

static void test_dual_analytic(void **state)
{
    (void)state;
    for_all_systems(dual_is_analytic);
}

static void test_dual_fd(void **state)
{
    (void)state;
    for_all_systems(fd_is_near_dual);
}

/* Every provider answers F as the system does. */
static void F_is_the_same(dae_system *sys, double t, const double *u)
{
    enum { N = MOST_UNKNOWNS };
    double F[N], G[N], F_t[N];
    dae_system_rhs(sys, t, u, F);
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        dae_jacobian *jac;
        if (kind == DAE_JACOBIAN_ANALYTIC && !dae_system_has_analytic(sys))
            continue;
        assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, 0, NULL));
        dae_linearise(jac, t, u, G, F_t);
        for (int i = 0; i < sys->n; i++)
            assert_close(G[i], F[i], 20 * DBL_EPSILON * fmax(1, fabs(F[i])));
        dae_jacobian_free(jac);
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

static void test_force(void **state)
{
    (void)state;
    for_all_systems(F_is_the_same);
    dae_problem bare = *problem_named("pendulum");
    bare.mechanical.partials = partials_without_force;
    for (int f = 0; dae_formulation_at(f); f++) {
        dae_system *sys;
        const double u[] = {3, -4, 0.5, 0.7, 8, 0.1};
        if (!dae_formulation_applies(dae_formulation_at(f), &bare))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &bare, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        F_is_the_same(sys, 0.3, u);
        dae_system_free(sys);
    }
}

/* The analytic Jacobian is refused where there is none, with a reason. */
static void test_no_analytic(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS], J[MOST_UNKNOWNS], F_t[MOST_UNKNOWNS];
    dae_report why = {0};
    dae_system *sys = system_at_start("pendulum", "ode", 0, u);
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_system_jacobian(sys, DAE_JACOBIAN_ANALYTIC, 0, u, J, F_t, &why));
    assert_non_null(strstr(why.message, "analytic"));
    dae_system_free(sys);
}

/* G^T lambda, dg/dt and d2g/dt2 of a model are derivatives of its g, as far as there is one:
 * dg/dt = G v + g_t, d(dg/dt)/dv = G, d(G^T lambda)/dlambda = G^T, d(d2g/dt2)/da = G. */
static void constraints_belong_together(dae_system *sys, double t, const double *u)
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

static void test_constraints(void **state)
{
    (void)state;
    for_all_systems(constraints_belong_together);
}

/* The probed pattern with its values is the full Jacobian, for every provider. */
static void pattern_is_complete(dae_system *sys, double t, const double *u)
{
    enum { N = MOST_UNKNOWNS };
    const int n = sys->n;
    double full[N * N], F[N], F_t[N], gathered[N * N], column[N], e[N] = {0};
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        dae_jacobian *jac;
        if (kind == DAE_JACOBIAN_ANALYTIC && !dae_system_has_analytic(sys))
            continue;
        assert_int_equal(DAE_OK, dae_system_jacobian(sys, kind, t, u, full, F_t, NULL));
        assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, 1, NULL));
        dae_linearise(jac, t, u, F, F_t);
        memset(gathered, 0, sizeof gathered);
        for (int j = 0; j < n; j++) {
            e[j] = 1;
            dae_system_mass(sys, e, column);
            e[j] = 0;
            for (int k = jac->pair.pattern.column[j]; k < jac->pair.pattern.column[j + 1]; k++) {
                gathered[j * n + jac->pair.pattern.row[k]] = jac->pair.J[k];
                assert_true(jac->pair.M[k] == column[jac->pair.pattern.row[k]]);
                column[jac->pair.pattern.row[k]] = 0;
            }
            for (int i = 0; i < n; i++)
                assert_true(column[i] == 0);            /* all of M is on the pattern */
        }
        for (int k = 0; k < n * n; k++)
            if (gathered[k] != full[k])
                fail_msg("%s %s, kind %d: entry (%d, %d) is %g, on the pattern %g",
                         sys->problem->name, sys->form->info.name, (int)kind, k % n, k / n,
                         full[k], gathered[k]);
        dae_jacobian_free(jac);
    }
}

static void test_pattern(void **state)
{
    (void)state;
    for_all_systems(pattern_is_complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dual_analytic), cmocka_unit_test(test_dual_fd),
        cmocka_unit_test(test_no_analytic),   cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_pattern),       cmocka_unit_test(test_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
