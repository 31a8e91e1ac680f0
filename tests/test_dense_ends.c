/* test_dense_ends.c - every method of the table has dense output that joins its steps: from the
 * first step on, with fixed and chosen steps, in every formulation that it solves
 *
 * At both ends the states come back. Inside, the error in what has a derivative stays below twice
 * that of the states themselves, plus what dense output of order 3, the lowest there is, leaves:
 * cubic Hermite max |u^(4)| h^4/384 (Hairer, Norsett, Wanner (1993), II.6), others with like
 * constants; with chosen steps plus some tolerances.
 */
#include <daelab/quad_reference.h>

#include "support.h"

#include "system/system.h"

#include <math.h>
#include <string.h>

enum { INSIDE = 4, STEPS = 25, SAMPLES = STEPS * (INSIDE + 1) };
static const double at[INSIDE] = {1e-3, 0.3, 0.7, 0.999};

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    int n, steps;
    double begin, u_begin[MOST_UNKNOWNS];
    double t[SAMPLES], u[SAMPLES][MOST_UNKNOWNS];       /* INSIDE samples and the end of each
                                                           step */
    const char *method, *form, *problem;
} record;

static void same(const record *r, const double *x, const double *u, double t)
{
    for (int i = 0; i < r->n; i++)
        if (!dae_system_is_algebraic(r->sys, i) && !(fabs(x[i] - u[i]) <= 1e-12 * (1 + fabs(u[i]))))
            fail_msg("%s %s %s, step %d: unknown %d at t = %g is %.17g and not %.17g", r->problem,
                     r->form, r->method, r->steps + 1, i + 1, t, x[i], u[i]);
}

static int look(void *context, double t, const double *u)
{
    record *r = context;
    const double h = t - r->begin;
    const size_t size = sizeof *u * (size_t)r->n;
    double x[MOST_UNKNOWNS];
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, r->begin, x));
    same(r, x, r->u_begin, r->begin);
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, t, x));
    assert_memory_equal(x, u, size);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(r->solver, t + h, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(r->solver, r->begin - h, x));
    for (int k = 0; k <= INSIDE && r->steps < STEPS; k++) {
        const int row = r->steps * (INSIDE + 1) + k;
        r->t[row] = k < INSIDE ? r->begin + at[k] * h : t;
        assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, r->t[row], r->u[row]));
    }
    r->steps += r->steps < STEPS;
    r->begin = t;
    memcpy(r->u_begin, u, size);
    return 0;
}

/* The error of row k in what has a derivative. */
static double error_of(const record *r, const dae_reference *ref, int k)
{
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS], worst = 0;
    const int mechanical = !dae_system_split(r->sys, r->t[k], r->u[k], q, v, lambda);
    for (int i = 0; i < ref->nq; i++) {
        if (mechanical) {
            worst = fmax(worst, fabs(q[i] - (double)ref->q[k * ref->nq + i]));
            worst = fmax(worst, fabs(v[i] - (double)ref->v[k * ref->nq + i]));
        } else if (!dae_system_is_algebraic(r->sys, i)) {
            worst = fmax(worst, fabs(r->u[k][i] - (double)ref->q[k * ref->nq + i]));
        }
    }
    return worst;
}

/* The worst inside the steps and at their ends; the reference is kept for runs with the same
 * times. */
static void compare(const record *r, const double *start, double *inside, double *ends)
{
    static dae_reference ref;
    static double t[SAMPLES];
    static const char *problem;
    dae_report why = {0};
    *inside = *ends = 0;
    if (problem != r->problem || memcmp(t, r->t, sizeof t) != 0) {
        dae_reference_free(&ref);
        if (dae_reference_solve(&ref, r->sys, 0, start, r->t, r->steps * (INSIDE + 1), &why))
            fail_msg("%s %s: %s", r->problem, r->form, why.message);
        memcpy(t, r->t, sizeof t);
        problem = r->problem;
    }
    for (int k = 0; k < r->steps * (INSIDE + 1); k++) {
        double *worst = k % (INSIDE + 1) < INSIDE ? inside : ends;
        *worst = fmax(*worst, error_of(r, &ref, k));
    }
}

typedef struct { const char *problem, *form; } place;
static const place places[] = {
    {"pendulum", "index1"}, {"pendulum", "index2"}, {"pendulum", "index3"},
    {"pendulum", "baumgarte"}, {"pendulum", "ggl"}, {"pendulum", "ode"},
    {"linear_dae", "native"}, {"linear_dae", "index1"},
};
enum { PLACES = sizeof places / sizeof *places };

/* 0 where the method does not solve the form, or has no steps of this kind. */
static int check(const place *where, const dae_method *method, dae_options o)
{
    static record r;
    double start[MOST_UNKNOWNS], u[MOST_UNKNOWNS], inside, ends;
    dae_report why = {0};
    memset(&r, 0, sizeof r);
    r.sys = system_at_start(where->problem, where->form, 0, start);
    r.n = dae_system_size(r.sys);
    r.problem = where->problem;
    r.form = where->form;
    r.method = dae_method_describe(method).name;
    memcpy(r.u_begin, start, sizeof start);
    const dae_status status = dae_solver_create(&r.solver, r.sys, method, &o, &why);
    if (!status) {
        dae_solver_observe(r.solver, look, &r);
        assert_int_equal(DAE_OK, dae_solver_start(r.solver, 0, start));
        assert_int_equal(DAE_OK, dae_solver_advance(r.solver, 1, u));
        dae_solver_free(r.solver);
        compare(&r, start, &inside, &ends);
        if (!(inside <= 2 * ends + (o.step > 0 ? 10 * pow(o.step, 4) : 30 * o.rtol)))
            fail_msg("%s %s %s: error %g inside the steps, %g at their ends", r.problem, r.form,
                     r.method, inside, ends);
    }
    assert_true(status == DAE_OK || status == DAE_UNSUPPORTED);
    dae_system_free(r.sys);
    return !status;
}

static void test_fixed(void **state)
{
    (void)state;
    int runs = 0;
    dae_options o = dae_default_options();
    o.step = 0.04;
    for (int i = 0; i < PLACES; i++)
        for (int m = 0; dae_method_at(m); m++)
            if (dae_method_describe(dae_method_at(m)).fixed)
                runs += check(&places[i], dae_method_at(m), o);
    assert_true(runs > 80);
}

static void test_chosen(void **state)
{
    (void)state;
    int runs = 0;
    for (int i = 0; i < PLACES; i++)
        for (int m = 0; dae_method_at(m); m++)
            if (dae_method_describe(dae_method_at(m)).adaptive)
                runs += check(&places[i], dae_method_at(m), tolerance(1e-6));
    assert_true(runs > 80);
}

static void test_every_method(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++)
        assert_true(dae_method_describe(dae_method_at(m)).dense_output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method),
                                       cmocka_unit_test(test_fixed),
                                       cmocka_unit_test(test_chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
