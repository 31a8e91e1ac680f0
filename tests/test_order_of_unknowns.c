/* test_order_of_unknowns.c - the order in which unknowns, constraints and equations are written
 * does not matter, nor whether a mechanical problem is written as mechanics or as M u' = F
 *
 * Every mechanical problem without events is solved as it is, with positions and constraints in
 * another order, and as M u' = F of index 3, 2 and 1 with unknowns and equations in any order.
 * Each must be as near to a reference as the first, within tolerances.
 */
#ifndef DAE_PASS
#include "support.h"

#include "system/system.h"

enum { MOST = 64 };

/* The record in hand: the base, and for each new place the old one. */
static const dae_problem *base;
static int nq, nl, holonomic, n, level, carried;
static int of_q[MOST], of_l[MOST], of_u[MOST], of_row[MOST];
static double consistent[MOST];             /* the base's start in index 1, accelerations behind
                                               it */

#include <daelab/model.h>

static void shuffle(int count, int *order, uint64_t *random)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        const int k = (int)((*random >> 33) % (unsigned)(i + 1)), x = order[i];
        order[i] = order[k];
        order[k] = x;
    }
}

/* Those on positions stay before the nonholonomic ones. */
static void shuffle_constraints(uint64_t *random)
{
    int *others = of_l + holonomic;
    shuffle(holonomic, of_l, random);
    shuffle(nl - holonomic, others, random);
    for (int i = 0; i < nl - holonomic; i++)
        others[i] += holonomic;
}

static void permuted_start(const double *p, double *u)
{
    double x[MOST] = {0};
    base->start.f(p, x);
    for (int i = 0; i < nq; i++) {
        u[i] = x[of_q[i]];
        u[nq + i] = x[nq + of_q[i]];
    }
    for (int k = 0; k < nl; k++)
        u[2 * nq + k] = x[2 * nq + of_l[k]];
}

static void written_start(const double *p, double *u)
{
    for (int i = 0; i < n; i++)
        u[i] = consistent[of_u[i]];
}

/* What both records share with the base. */
static dae_problem copy_of_base(void)
{
    dae_problem r = *base;
    r.variables = r.units = NULL;
    r.mechanical = (dae_mechanical){0};
    r.invariants = (dae_invariants){0};
    r.draw = NULL;
    for (int i = 0; r.parameters[i].name; i++)
        if (r.parameters[i].range == DAE_COUNT)
            r.parameters[i].range = DAE_POSITIVE;
    return r;
}

static dae_problem permuted(void)
{
    dae_problem r = copy_of_base();
    r.mechanical = (dae_mechanical){.nq = nq, .nl = nl, .nonholonomic = nl - holonomic,
                                    DAE_MECHANICAL_MODEL};
    r.start.f = permuted_start;
    return r;
}

static dae_problem written(void)
{
    dae_problem r = copy_of_base();
    r.first_order = (dae_first_order){.n = n, .index = level, .mass = DAE_MODEL(mass),
                                      .rhs = DAE_MODEL(rhs)};
    r.start.f = written_start;
    return r;
}

/* Solve from the record's own start, made consistent; the state at t in u. */
static dae_status solve(const dae_problem *problem, const char *form, const char *method,
                        double rtol, double t, double *u, dae_statistics *count, char *said)
{
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_solver) *solver = NULL;
    dae_report why = {0};
    dae_options o = tolerance(rtol);
    o.max_steps = 100000;
    dae_status status = dae_system_create(&sys, problem, dae_find_formulation(form), NULL, NULL,
                                          &why);
    if (!status)
        status = dae_system_start(sys, u, &why);
    if (!status)
        status = dae_consistent_start(sys, problem->t0, u, NULL, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, dae_find_method(method), &o, &why);
    if (!status) {
        status = dae_solver_start(solver, problem->t0, u);
        if (!status)
            status = dae_solver_advance(solver, t, u);
        why = *dae_solver_report(solver);
        *count = dae_solver_statistics(solver);
    }
    snprintf(said, sizeof why.message, "%s", why.message);
    return status;
}

/* The largest error of each kind, positions, velocities and multipliers, of (q, v, lambda) = x. */
static void errors_of(const double *x, const double *reference, double *error)
{
    error[0] = distance(x, reference, nq);
    error[1] = distance(x + nq, reference + nq, nq);
    error[2] = distance(x + 2 * nq, reference + 2 * nq, nl);
}

static void sizes_of(const double *reference, double *size)
{
    const double zero[MOST] = {0};
    errors_of(reference, zero, size);
}

/* As good as the base, or within tolerances: those of classes whose order is 1 or more. Of
 * mechanics multipliers of index 2 and 3, and velocities of index 3, come from the hidden
 * constraints at the end of a step, which M u' = F does not know: there an unknown of index k is
 * good to rtol^(1/k), and positions of index 3, behind which are no such velocities, to a hundred
 * tolerances. */
static void compare(const char *what, int raw, const char *method, const double *x,
                    const double *plain, const double *reference, int index, double rtol)
{
    double error[3], known[3], size[3];
    errors_of(x, reference, error);
    errors_of(plain, reference, known);
    sizes_of(reference, size);
    for (int c = 0; c < 3; c++) {
        const double order = dae_method_order(dae_find_method(method), NULL, index, (dae_class)c);
        if (!isnan(order) ? order < 1 : c == 2 || c >= 4 - index)
            continue;
        const int k = raw && c > 0 && index > 1 ? (c == 2 ? index : index - 1) : 1;
        const double factor = raw && index == 3 ? 100 : 20;
        if (!(error[c] <= 5 * known[c] + factor * pow(rtol, 1.0 / k) * (size[c] + 1)))
            fail_msg("%s, %s, %s: class %d is off by %g, as it is written by %g", base->name, what,
                     method, c, error[c], known[c]);
    }
}

static void back_from_permuted(const double *u, double *x)
{
    for (int i = 0; i < nq; i++) {
        x[of_q[i]] = u[i];
        x[nq + of_q[i]] = u[nq + i];
    }
    for (int k = 0; k < nl; k++)
        x[2 * nq + of_l[k]] = u[2 * nq + k];
}

/* The sizes of the base and its consistent start, with accelerations where they are unknowns. */
static void look_at_base(const dae_problem *problem)
{
    base = problem;
    OWNED(dae_system) *sys = consistent_system(problem, "index1", NULL, consistent);
    nq = dae_system_positions(sys);
    nl = dae_system_multipliers(sys);
    holonomic = sys->holonomic;
    n = dae_system_size(sys);
    carried = n > 2 * nq + nl;
}

/* Runs of first order in index 3 that fail, and say so, where that of mechanics does not: one in a hundred may. */
static int told;

static void try_method(const char *method, double t, const double *reference, uint64_t *random,
                       int *runs)
{
    static const char *const forms[] = {"index1", "index2", "index3"};
    const double rtol = 1e-7;
    char said[400], other_said[400];
    dae_statistics count, other;
    for (int index = 1; index <= 3; index++) {
        double plain[MOST], u[MOST], x[MOST];
        if (solve(base, forms[index - 1], method, rtol, t, plain, &count, said))
            continue;                                   /* not for this method, and said */
        shuffle(nq, of_q, random);
        shuffle_constraints(random);
        const dae_problem as_mechanics = permuted();
        if (solve(&as_mechanics, forms[index - 1], method, rtol, t, u, &other, other_said))
            fail_msg("%s, %s, in another order, %s: %s", base->name, forms[index - 1], method,
                     other_said);
        back_from_permuted(u, x);
        compare(forms[index - 1], 0, method, x, plain, reference, index, rtol);
        ++*runs;
        if (!dae_method_describe(dae_find_method(method)).implicit)
            continue;                                   /* M is singular */
        level = index;
        shuffle(n, of_u, random);
        shuffle(n, of_row, random);
        const dae_problem as_first_order = written();
        if (solve(&as_first_order, "native", method, rtol, t, u, &other, other_said)) {
            if (index == 3 && ++told <= *runs / 100)
                continue;
            fail_msg("%s as M u' = F, index %d, %s: %s; %ld steps as mechanics", base->name, index,
                     method, other_said, count.steps);
        }
        for (int i = 0; i < n; i++)
            x[of_u[i]] = u[i];
        compare("as M u' = F", 1, method, x, plain, reference, index, rtol);
        ++*runs;
    }
}

TEST(test_orders)
{
    static const char *const methods[] = {"cros4", "rodas5p", "radau5", "radau", "dop853", "ida"};
    uint64_t random = 1;
    int runs = 0;
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *p = with_few_copies(dae_problems[i]);
        double reference[MOST];
        char said[400];
        dae_statistics count;
        if (!p->mechanical.nq || !p->mechanical.nl || p->events || p->modes)
            continue;
        look_at_base(p);
        assert_true(n <= MOST);
        const double t = p->t0 + 0.05 * (p->t_end - p->t0);
        if (solve(p, "index1", "dop853", 1e-12, t, reference, &count, said))
            fail_msg("%s: %s", p->name, said);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            try_method(methods[m], t, reference, &random, &runs);
    }
    assert_true(runs > 200);
}

#else

/* The base's function of this pass. */
#define OF_double f
#define OF_dual dual
#define OF_quad quad
#define OF_tangent tangent
#define BASE(map) base->mechanical.map.FN(OF)

static void FN(old)(int count, const int *of, const real *x, real *out)
{
    for (int i = 0; i < count; i++)
        out[of[i]] = x[i];
}
static void FN(new)(int count, const int *of, const real *x, real *out)
{
    for (int i = 0; i < count; i++)
        out[i] = x[of[i]];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    real Q[MOST], A[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    FN(old)(nq, of_q, a, A);
    BASE(inertia)(p, t, Q, A, R);
    FN(new)(nq, of_q, R, r);
}
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    real Q[MOST], V[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    FN(old)(nq, of_q, v, V);
    BASE(force)(p, t, Q, V, R);
    FN(new)(nq, of_q, R, f);
}
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    real Q[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    BASE(constraint)(p, t, Q, R);
    FN(new)(holonomic, of_l, R, g);
}
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    real Q[MOST], V[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    FN(old)(nq, of_q, v, V);
    BASE(rate)(p, t, Q, V, R);
    FN(new)(nl, of_l, R, r);
}
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    real Q[MOST], V[MOST], A[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    FN(old)(nq, of_q, v, V);
    FN(old)(nq, of_q, a, A);
    BASE(acceleration)(p, t, Q, V, A, R);
    FN(new)(nl, of_l, R, r);
}
static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    real Q[MOST], L[MOST], R[MOST];
    FN(old)(nq, of_q, q, Q);
    FN(old)(nl, of_l, lambda, L);
    BASE(reaction)(p, t, Q, L, R);
    FN(new)(nq, of_q, R, r);
}

/* M u' = F in the base's order: q' = v, M v' = f - G^T lambda, the constraint of the level; where M
 * depends on q, v' = a and 0 = f - G^T lambda - M a behind the constraints. */
static void FN(mass)(const param *p, real t, const real *state, const real *x, real *out)
{
    real u[MOST], M[MOST] = {0}, q[MOST];
    FN(old)(n, of_u, x, u);
    for (int i = 0; i < nq; i++) {
        q[i] = consistent[i];
        M[i] = u[i];
        M[nq + i] = u[nq + i];
    }
    if (!carried)
        BASE(inertia)(p, t, q, u + nq, M + nq);
    FN(new)(n, of_row, M, out);
}
static void FN(rhs)(const param *p, real t, const real *x, real *out)
{
    real u[MOST], F[MOST], r[MOST], Ma[MOST], m[MOST], one[MOST];
    FN(old)(n, of_u, x, u);
    const real *q = u, *v = u + nq, *lambda = v + nq, *carried_a = lambda + nl;
    real *f = carried ? F + 2 * nq + nl : F + nq, *g = F + 2 * nq;
    BASE(force)(p, t, q, v, f);
    BASE(reaction)(p, t, q, lambda, r);
    for (int i = 0; i < nq; i++) {
        F[i] = v[i];
        f[i] -= r[i];
        one[i] = 1;
    }
    BASE(inertia)(p, t, q, carried ? carried_a : one, carried ? Ma : m);
    for (int i = 0; i < nq; i++) {
        if (carried) {
            F[nq + i] = carried_a[i];
            f[i] -= Ma[i];
        } else {
            Ma[i] = f[i] / m[i];                        /* M is diagonal */
        }
    }
    if (level == 3)
        BASE(constraint)(p, t, q, g);
    else if (level == 2)
        BASE(rate)(p, t, q, v, g);
    else
        BASE(acceleration)(p, t, q, v, carried ? carried_a : Ma, g);
    FN(new)(n, of_row, F, out);
}

#undef OF_double
#undef OF_dual
#undef OF_quad
#undef OF_tangent
#undef BASE

#endif
