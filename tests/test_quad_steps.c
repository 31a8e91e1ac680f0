/* test_quad_steps.c - fixed steps in quad precision are those in double precision but for rounding
 *
 * On u' = -u the steps of Radau IIA of s stages multiply by the Pade approximation (s-1, s) of e^-h
 * (Hairer, Wanner (1996), Solving ODEs II, IV.3 and IV.5).
 */
#ifndef DAE_PASS
#include <daelab/method.h>

#include "support.h"

#include "system/system.h"

#include <daelab/model.h>
#include <daelab/quad_reference.h>

static const dae_problem decay = {
    .name = "decay", .title = "u' = -u", .equations = "u' = -u", .variables = "u", .units = "-",
    .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}, .start = {start_one}, .t_end = 1};

/* R(z) of three stages. */
static dae_quad three_stages(dae_quad z)
{
    return (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z * z * z / 60);
}

TEST(test_stability_function)
{
    const double times[2] = {0.5, 1};
    const dae_quad u0[1] = {1};
    const dae_quad R = three_stages(-(dae_quad)1 / 8);
    dae_quad power = R * R * R * R;
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_reference) at = {0};
    dae_report why = {0};
    assert_int_equal(DAE_OK, dae_system_create(&sys, &decay, dae_find_formulation("native"), NULL,
                                               NULL, &why));
    assert_int_equal(DAE_OK, dae_quad_steps(&at, NULL, sys, dae_find_method("radau5"), 0, 0, u0,
                                            times, 2, 4, &why));
    for (int k = 0; k < 2; k++, power *= power)
        assert_true(dae_quad_fabs(at.q[k] - power) < 1e-30);
}

TEST(test_refusals)
{
    const double times[1] = {1};
    const dae_quad u0[1] = {1};
    const dae_method *radau = dae_find_method("radau5");
    OWNED(dae_system) *sys = NULL;
    dae_reference at;
    dae_report why = {0};
    assert_int_equal(DAE_OK, dae_system_create(&sys, &decay, dae_find_formulation("native"), NULL,
                                               NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_quad_steps(&at, NULL, NULL, radau, 0, 0, u0, times, 1, 4, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_quad_steps(&at, NULL, sys, NULL, 0, 0, u0, times, 1, 4, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_quad_steps(&at, NULL, sys, radau, 0, 0, u0, times, 1, 0, &why));
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_quad_steps(&at, NULL, sys, radau, 1, 0, u0, times, 1, 4, &why));
    for (int i = 0; dae_method_at(i); i++)
        if (!dae_method_describe(dae_method_at(i)).quad_steps)
            assert_int_equal(DAE_UNSUPPORTED, dae_quad_steps(&at, NULL, sys, dae_method_at(i), 0, 0,
                                                             u0, times, 1, 4, &why));
    for (int family = -1; family <= DAE_FAMILIES; family += DAE_FAMILIES + 1) {
        dae_method foreign = *radau;                /* of a family that there is not */
        foreign.family = (dae_method_family)family;
        assert_int_equal(0, dae_method_describe(&foreign).quad_steps);
        assert_int_equal(DAE_UNSUPPORTED,
                         dae_quad_steps(&at, NULL, sys, &foreign, 0, 0, u0, times, 1, 4, &why));
    }
}

/* ---- the same steps in double precision ----------------------------------------------------- */

enum { STEPS = 16 };

/* Of a start, or one that is another in its last bits, so many fixed steps; 0 where they fail. */
static int double_steps(dae_system *sys, const dae_method *method, double t_end, const double *start,
                        int moved, double *u)
{
    dae_options options = dae_default_options();
    OWNED(dae_solver) *solver = NULL;
    const double t0 = dae_system_problem(sys)->t0;
    options.step = (t_end - t0) / STEPS;
    for (int i = 0; i < dae_system_size(sys); i++)
        u[i] = moved && start[i] != 0 ? nextafter(start[i], i % 2 ? INFINITY : -INFINITY) : start[i];
    if (dae_solver_create(&solver, sys, method, &options, NULL))
        return 0;
    return !dae_solver_start(solver, t0, u) && !dae_solver_advance(solver, t_end, u);
}

/* (q, v, lambda) of a state in double, or u, and of the run in quad. */
static int rows_of_double(dae_system *sys, double t, const double *u, double *x)
{
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    if (nq == 0) {
        const int n = dae_problem_describe(dae_system_problem(sys)).unknowns;       /* without w = P u' */
        memcpy(x, u, (size_t)n * sizeof *x);
        return n;
    }
    assert_int_equal(DAE_OK, dae_system_split(sys, t, u, x, x + nq, x + 2 * nq));
    return 2 * nq + nl;
}

static void rows_of_quad(const dae_reference *at, double *x)
{
    for (int i = 0; i < at->nq; i++) {
        x[i] = (double)at->q[i];
        if (at->v)
            x[at->nq + i] = (double)at->v[i];
    }
    for (int i = 0; at->lambda && i < at->nl; i++)
        x[2 * at->nq + i] = (double)at->lambda[i];
}

typedef struct { int compared, without, apart; } tally;

/* What rounding makes of so many steps: shown by two runs with others in every step, and in index 2 and
 * 3 no less than what differences of rounded unknowns make of the multipliers. */
static double rounding_of(const dae_system *sys, const double *x, const double *y, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(x[i]));
    const int index = dae_system_index(sys) > 1 ? dae_system_index(sys) : 1;
    return distance(x, y, count) + 1000 * DBL_EPSILON * size * pow(STEPS, index - 1);
}

/* cartesian: a state of the first formulation. */
static void compare(dae_system *sys, const dae_method *method, double t_end, const double *start,
                    const double *cartesian, tally *sum)
{
    double u[MOST_UNKNOWNS], moved[MOST_UNKNOWNS];
    double x[MOST_UNKNOWNS], y[MOST_UNKNOWNS], z[MOST_UNKNOWNS];
    const double times[1] = {t_end};
    OWNED(dae_reference) at = {0};
    dae_report why = {0};
    if (!double_steps(sys, method, t_end, start, 0, u)
        || !double_steps(sys, method, t_end * (1 - 8 * DBL_EPSILON), start, 1, moved))
        return;
    const dae_status status = dae_quad_steps(&at, NULL, sys, method, 0, dae_system_problem(sys)->t0,
                                             start_in_quad(sys, cartesian).u, times, 1, STEPS, &why);
    if (status == DAE_UNSUPPORTED || status == DAE_NO_CONVERGENCE) {
        sum->without++;
        return;
    }
    assert_int_equal(DAE_OK, status);
    const int count = rows_of_double(sys, t_end, u, x);
    rows_of_double(sys, t_end, moved, y);
    rows_of_quad(&at, z);
    const double noise = rounding_of(sys, x, y, count), apart = distance(x, z, count);
    sum->compared++;
    if (!(apart <= 1000 * noise)) {
        sum->apart++;
        print_error("%s %s %s: %g apart, rounding %g\n", dae_system_problem(sys)->name,
                    dae_formulation_describe(sys->form).name, dae_method_describe(method).name, apart,
                    noise);
    }
}

/* A system at its consistent start; 0 where there is none, or it is large. It is the caller's whatever the answer. */
static int start_of(const dae_problem *problem, const dae_formulation *form, dae_system **sys,
                    double *start)
{
    if (dae_system_create(sys, problem, form, NULL, NULL, NULL))
        return 0;
    return dae_system_size(*sys) <= 24 && !dae_system_start(*sys, start, NULL)
           && !dae_consistent_start(*sys, problem->t0, start, NULL, NULL);
}

/* Every formulation by every method that has such steps, over a part of the interval. */
static void compare_problem(const dae_problem *problem, tally *sum)
{
    const double t_end = problem->t0 + (problem->t_end - problem->t0) / 20;
    double start[MOST_UNKNOWNS], cartesian[MOST_UNKNOWNS];
    int first = 1;
    for (int f = 0; dae_formulation_at(f); f++) {
        OWNED(dae_system) *sys = NULL;
        if (!start_of(problem, dae_formulation_at(f), &sys, start))
            continue;
        if (first)
            memcpy(cartesian, start, sizeof cartesian);
        first = 0;
        for (int m = 0; dae_method_at(m); m++)
            if (dae_method_describe(dae_method_at(m)).quad_steps)
                compare(sys, dae_method_at(m), t_end, start, cartesian, sum);
    }
}

TEST(test_double_steps)
{
    tally sum = {0};
    for (int p = 0; dae_problems[p]; p++)
        if (!dae_problems[p]->events && !dae_problems[p]->modes)
            compare_problem(dae_problems[p], &sum);
    print_message("%d compared, %d apart, %d without steps in quad\n", sum.compared, sum.apart,
                  sum.without);
    assert_true(sum.compared > 400);
    assert_int_equal(0, sum.apart);
}

#else
static void FN(rhs)(const param *p, real t, const real *u, real *F) { F[0] = -u[0]; }
#endif
