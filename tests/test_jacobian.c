/* test_jacobian.c - every problem in every formulation: the three Jacobians agree, the model's
 * derivatives belong together, the sparse pattern misses nothing */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "support.h"

#include "base/numbers.h"
#include "jacobian/jacobian.h"
#include "system/system.h"

OWNED_BY_POINTER(dae_jacobian)

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
        OWNED(dae_system) *sys = NULL;
        double u[MOST_UNKNOWNS], x[MOST_UNKNOWNS];
        if (!dae_formulation_applies(dae_formulation_at(f), problem))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        for (int trial = 0; trial < 5; trial++) {
            for (int i = 0; i < sys->n; i++)
                x[i] = u[i] + (is_narrow(problem) ? 1e-3 : 0.5) * dae_random(state);
            check(sys, 0.1 + 0.17 * trial, x);
        }
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

TEST(test_dual_analytic)
{
    for_all_systems(dual_is_analytic);
}

TEST(test_dual_fd)
{
    for_all_systems(fd_is_near_dual);
}

/* Every provider answers F as the system does. */
static void F_is_the_same(dae_system *sys, double t, const double *u)
{
    enum { N = MOST_UNKNOWNS };
    double F[N], G[N], F_t[N];
    dae_system_rhs(sys, t, u, F);
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        OWNED(dae_jacobian) *jac = NULL;
        if (kind == DAE_JACOBIAN_ANALYTIC && !dae_system_has_analytic(sys))
            continue;
        assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, 0, NULL));
        dae_linearise(jac, t, u, G, F_t);
        for (int i = 0; i < sys->n; i++)
            assert_close(G[i], F[i], 20 * DBL_EPSILON * fmax(1, fabs(F[i])));
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

TEST(test_force)
{
    for_all_systems(F_is_the_same);
    dae_problem bare = *problem_named("pendulum");
    bare.mechanical.partials = partials_without_force;
    for (int f = 0; dae_formulation_at(f); f++) {
        OWNED(dae_system) *sys = NULL;
        const double u[] = {3, -4, 0.5, 0.7, 8, 0.1};
        if (!dae_formulation_applies(dae_formulation_at(f), &bare))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &bare, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        F_is_the_same(sys, 0.3, u);
    }
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

TEST(test_constraints)
{
    for_all_systems(constraints_belong_together);
}

/* The probed pattern with its values is the full Jacobian, for every provider. */
static void pattern_is_complete(dae_system *sys, double t, const double *u)
{
    enum { N = MOST_UNKNOWNS };
    const int n = sys->n;
    double full[N * N], F[N], F_t[N], gathered[N * N], column[N], e[N] = {0};
    for (dae_jacobian_kind kind = DAE_JACOBIAN_ANALYTIC; kind <= DAE_JACOBIAN_FD; kind++) {
        OWNED(dae_jacobian) *jac = NULL;
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
    }
}

TEST(test_pattern)
{
    for_all_systems(pattern_is_complete);
}

/* ---- by hand ---------------------------------------------------------------------------------- */

/* Derivatives that a model writes by hand, with every term that one can have: F,
 * J and F_t of all formulations are those of dual numbers
 *
 * A bead on a circle that grows, whose constraint is weighted with a factor that changes, in a
 * field that changes, too, and pulls back with velocity and place:
 *
 *     0 = s (x^2 + y^2 - L^2)/2,   s(t) = 1 + t^2/2,   L(t) = 1 + t/3
 *
 * No shipped problem has d(G^T lambda)/dt, dg/dt at rest, f_t, f_q and f_v all at once.
 */

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double s = 1 + t * t / 2, ds = t, dds = 1, L = 1 + t / 3, dL = 1. / 3;
    const double C = (q[0] * q[0] + q[1] * q[1] - L * L) / 2, qv = q[0] * v[0] + q[1] * v[1];
    const double vv = v[0] * v[0] + v[1] * v[1], qa = q[0] * a[0] + q[1] * a[1];
    const double rate = qv - L * dL;                    /* dC/dt */
    d->f[0] = -t * t * q[0] + q[1] * v[0];
    d->f[1] = -9 - sin(t) * v[1];
    d->f_q[0] = -t * t;
    d->f_q[1] = v[0];
    d->f_v[0] = q[1];
    d->f_v[3] = -sin(t);
    d->f_t[0] = -2 * t * q[0];
    d->f_t[1] = -cos(t) * v[1];
    d->g_t[0] = ds * C - s * L * dL;
    for (int i = 0; i < 2; i++) {
        d->G[i] = s * q[i];
        d->r_q[3 * i] = s * lambda[0];
        d->r_t[i] = ds * q[i] * lambda[0];
    }
    if (d->level < 1)
        return;
    /* dg/dt = s' C + s (q v - L L') */
    d->rate_t[0] = dds * C - ds * L * dL + ds * rate - s * dL * dL;
    for (int i = 0; i < 2; i++)
        d->rate_q[i] = ds * q[i] + s * v[i];
    /* d2g/dt2 = s'' C + 2 s' (q v - L L') + s (q a + v v - L'^2) */
    d->acc_t[0] = -dds * L * dL + 2 * dds * rate - 2 * ds * dL * dL + ds * (qa + vv - dL * dL);
    for (int i = 0; i < 2; i++) {
        d->acc_q[i] = dds * q[i] + 2 * ds * v[i] + s * a[i];
        d->acc_v[i] = 2 * ds * q[i] + 2 * s * v[i];
    }
}

static void start(const double *p, double *u)
{
    memcpy(u, (double[]){0.6, -0.8, 0.2, 0.4}, 4 * sizeof *u);
}

static const dae_problem bead = {
    .name = "bead", .variables = "x y vx vy T", .units = "m m m/s m/s N", .start = {start},
    .t_end = 2,
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .partials = partials}};

/* F, J and F_t by one kind of Jacobian, one behind the other */
static int evaluate(dae_jacobian_kind kind, dae_system *sys, double t, const double *u, double *out)
{
    const int n = dae_system_size(sys);
    dae_report why = {0};
    dae_system_rhs(sys, t, u, out);
    if (dae_system_jacobian(sys, kind, t, u, out + n, out + n + n * n, &why))
        fail_msg("%s", why.message);
    return 2 * n + n * n;
}

TEST(test_all_terms)
{
    int systems = 0;
    const double states[][6] = {{0.6, -0.8, 0.3, -0.7, 2.5, 0.1}, {-1.3, 0.4, 2, 1.7, -4, 0.3}};
    for (int f = 0; dae_formulation_at(f); f++) {
        OWNED(dae_system) *sys = NULL;
        if (!dae_formulation_applies(dae_formulation_at(f), &bead))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &bead, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        assert_true(dae_system_has_analytic(sys));
        for (int k = 0; k < 6; k++) {
            double dual[48], analytic[48];
            const double t = 0.3 * k, *u = states[k % 2];
            const int count = evaluate(DAE_JACOBIAN_DUAL, sys, t, u, dual);
            evaluate(DAE_JACOBIAN_ANALYTIC, sys, t, u, analytic);
            for (int i = 0; i < count; i++)
                assert_close(analytic[i], dual[i], 64 * DBL_EPSILON * fmax(1, fabs(dual[i])));
        }
        systems++;
    }
    assert_true(systems >= 5);
}

/* A method that uses F_t comes to the same end with both. */
TEST(test_same_run)
{
    double ends[2][6];
    for (int kind = 0; kind < 2; kind++) {
        dae_options o = tolerance(1e-8);
        o.jacobian = kind ? DAE_JACOBIAN_ANALYTIC : DAE_JACOBIAN_DUAL;
        OWNED(dae_system) *sys = consistent_system(&bead, "index2", NULL, ends[kind]);
        solve_to(sys, "rodas5p", &o, 2, ends[kind]);
    }
    assert_true(distance(ends[0], ends[1], 4) < 1e-9);
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = 2 * a[0];
    r[1] = 2 * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -t * t * q[0] + q[1] * v[0];
    f[1] = -9 - sin(t) * v[1];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    g[0] = s * (q[0] * q[0] + q[1] * q[1] - L * L) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    dg[0] = t * (q[0] * q[0] + q[1] * q[1] - L * L) / 2 + s * (q[0] * v[0] + q[1] * v[1] - L / 3);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    ddg[0] = (q[0] * q[0] + q[1] * q[1] - L * L) / 2
             + 2 * t * (q[0] * v[0] + q[1] * v[1] - L / 3)
             + s * (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1] - (real)1 / 9);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const real s = 1 + t * t / 2;
    r[0] = s * q[0] * lambda[0];
    r[1] = s * q[1] * lambda[0];
}

#endif
