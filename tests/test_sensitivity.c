/* test_sensitivity.c - derivatives of runs against differences of the same fixed steps in quad precision, and against
 * differences of references */
#include "support.h"

#include <daelab/sensitivity.h>

enum { POINTS = 4, MOST_VALUES = 2 * MOST_UNKNOWNS, STEPS = 3, LARGE = 12, TRIED = 2 };
static const int place[POINTS] = {1, -1, 2, -2};
static const double weight[POINTS] = {8, -8, -1, 1};           /* over 12 d: the derivative, to d^4 */

OWNED_BY_POINTER(dae_sensitivity)

/* What is differentiated. */
typedef struct {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;   /* fixed steps; NULL: the reference */
    double t0, t_end;
    int n, nq, nl;              /* nq = n in first order */
    double p[MOST_PARAMETERS];
} trial;

/* 1 where u moves by dx of its component i with p held, else parameter i by dx. */
typedef struct { int start, i; double dx; } shift;

/* values := q, v, lambda, and those recovered; 0 where the steps cannot be made in quad. */
static int quad_run(const trial *a, shift by, dae_quad *values)
{
    double p[MOST_PARAMETERS], u[MOST_UNKNOWNS];
    OWNED(dae_reference) at = {0};
    memcpy(p, a->p, sizeof p);
    p[by.i] += by.start ? 0 : by.dx;
    OWNED(dae_system) *sys = system_of(a->problem, dae_formulation_describe(a->form).name, p, u);
    u[by.i] += by.start ? by.dx : 0;
    assert_int_equal(DAE_OK, dae_consistent_start(sys, a->t0, u, NULL, NULL));
    dae_quad recovered[MOST_UNKNOWNS] = {0};
    const dae_status status =
        a->method ? dae_quad_steps(&at, recovered, sys, a->method, 0, a->t0, u, &a->t_end, 1, STEPS, NULL)
                  : dae_reference_solve(&at, sys, a->t0, u, &a->t_end, 1, NULL);
    if (status)
        return 0;
    memset(values, 0, MOST_VALUES * sizeof *values);
    memcpy(values, at.q, (size_t)at.nq * sizeof *values);
    if (at.nl || at.v)
        memcpy(values + at.nq, at.v, (size_t)at.nq * sizeof *values);
    if (at.nl) {
        memcpy(values + 2 * at.nq, at.lambda, (size_t)at.nl * sizeof *values);
        memcpy(values + 2 * at.nq + at.nl, a->method ? recovered : at.lambda, (size_t)at.nl * sizeof *values);
    }
    return 1;
}

/* derivative := along parameter i, or the start of unknown i, by differences d = 2^k about 1e-4 of size */
static int difference(const trial *a, int start, int i, double size, double *derivative)
{
    dae_quad values[MOST_VALUES], sum[MOST_VALUES] = {0};
    const double d = ldexp(1, (int)floor(log2(1e-4 * size)));
    for (int k = 0; k < POINTS; k++) {
        if (!quad_run(a, (shift){start, i, place[k] * d}, values))
            return 0;
        for (int m = 0; m < MOST_VALUES; m++)
            sum[m] += weight[k] * values[m];
    }
    for (int m = 0; m < MOST_VALUES; m++)
        derivative[m] = (double)(sum[m] / (12 * (dae_quad)d));
    return 1;
}

/* du and dlambda of the run in double, and u at its end; 0 where it does not come there. */
static int differentiate(const trial *a, const dae_method *method, const dae_options *options, const dae_directions *along,
                         double *u, double *du, double *dlambda)
{
    double from[MOST_UNKNOWNS];
    OWNED(dae_solver) *solver = NULL;
    OWNED(dae_sensitivity) *s = NULL;
    dae_report why = {0};
    OWNED(dae_system) *sys = system_of(a->problem, dae_formulation_describe(a->form).name, a->p, from);
    memcpy(u, from, sizeof from);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, a->t0, u, NULL, NULL));
    if (dae_solver_create(&solver, sys, method, options, NULL))
        return 0;
    if (dae_sensitivity_create(&s, solver, along, &why))
        fail_msg("%s", why.message);
    if (dae_solver_start(solver, a->t0, u) || dae_sensitivity_start(s, from, &why)
        || dae_solver_advance(solver, a->t_end, u))
        return 0;
    if (dae_sensitivity_at(s, du, dlambda, &why))
        fail_msg("%s %s %s: %s", a->problem->name, dae_formulation_describe(a->form).name,
                 dae_method_describe(method).name, why.message);
    dae_sensitivity_free(s);
    s = NULL;
    return 1;
}

/* The largest of x in the class of component m: positions, velocities, multipliers, or all of first order */
static double largest_of_class(const trial *a, const double *x, int m)
{
    const int first = a->nq == a->n || m < a->nq ? 0 : m < 2 * a->nq ? a->nq : 2 * a->nq;
    const int last = a->nq == a->n ? a->n : first == 2 * a->nq ? first + a->nl : first + a->nq;
    double largest = 0;
    for (int i = first; i < last; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* du, and dlambda, beside differences in class and in u/size */
static void compare(const trial *a, const dae_method *method, const char *of, double size, const double *u, const double *du,
                    const double *dlambda, const double *expected, double tolerance)
{
    const int known = a->nq == a->n ? a->n : 2 * a->nq + a->nl, all = a->nq == a->n ? known : known + a->nl;
    for (int m = 0; m < all; m++) {
        const int class_of = m < known ? m : m - a->nl;
        const double x = m < known ? du[m] : dlambda[m - known];
        const double scale = largest_of_class(a, expected, class_of) + largest_of_class(a, u, class_of) / size;
        if (!(fabs(x - expected[m]) <= tolerance * scale))
            fail_msg("%s %s %s: value %d along %s: %.12g, by differences %.12g, in units of %.3g", a->problem->name,
                     dae_formulation_describe(a->form).name, dae_method_describe(method).name, m, of, x, expected[m], scale);
    }
}

/* The first parameters that are neither 0 nor counts */
static int choose(const dae_problem *problem, const double *p, int *chosen)
{
    int count = 0;
    for (int i = 0; i < dae_parameter_count(problem) && i < MOST_PARAMETERS && count < TRIED; i++)
        if (p[i] != 0 && !(problem->parameters[i].name && problem->parameters[i].range == DAE_COUNT))
            chosen[count++] = i;
    return count;
}

static trial trial_of(const dae_problem *problem, const dae_formulation *form, double part)
{
    trial a = {.problem = problem, .form = form, .t0 = problem->t0};
    default_parameters(problem, a.p);
    OWNED(dae_system) *sys = system_of(problem, dae_formulation_describe(form).name, a.p, NULL);
    a.t_end = a.t0 + part * (problem->t_end - a.t0);
    a.n = dae_system_size(sys);
    a.nl = dae_system_multipliers(sys);
    a.nq = dae_system_positions(sys) ? dae_system_positions(sys) : a.n;
    return a;
}

static int one_method(trial *a, const dae_method *method)
{
    static double u[MOST_UNKNOWNS], du[TRIED * MOST_UNKNOWNS], dlambda[TRIED * MOST_UNKNOWNS], expected[MOST_VALUES];
    int chosen[TRIED];
    dae_options options = dae_default_options();
    const dae_directions along = {.parameters = chosen, .parameter_count = choose(a->problem, a->p, chosen)};
    options.step = (a->t_end - a->t0) / STEPS;
    a->method = method;
    if (!along.parameter_count || !differentiate(a, method, &options, &along, u, du, dlambda))
        return 0;
    for (int c = 0; c < along.parameter_count; c++) {
        const double size = fabs(a->p[chosen[c]]);
        if (!difference(a, 0, chosen[c], size, expected))
            return 0;
        compare(a, method, dae_parameter_at(a->problem, chosen[c])->name, size, u, du + c * a->n, dlambda + c * a->nl,
                expected, dae_formulation_describe(a->form).index == 3 ? 1e-4 : 1e-6);
    }
    return 1;
}

/* Steps of a thousandth of the interval, so that stiff problems are solved by explicit methods, too. */
TEST(are_derivatives_of_the_steps)
{
    int compared = 0;
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = with_few_copies(dae_problems[i]);
        const int size = problem->mechanical.nq ? 2 * problem->mechanical.nq + problem->mechanical.nl
                                                : problem->first_order.n;
        const dae_formulation *form;
        const dae_method *method;
        if (problem->modes || problem->events || size > LARGE)
            continue;
        for (int k = 0; (form = dae_formulation_at(k)); k++) {
            if (!dae_formulation_applies(form, problem) || strcmp(dae_formulation_describe(form).name, "ode") == 0)
                continue;
            trial a = trial_of(problem, form, 3e-3);
            for (int m = 0; (method = dae_method_at(m)); m++)
                if (dae_method_describe(method).quad_steps)
                    compared += one_method(&a, method);
        }
    }
    assert_in_range(compared, 300, 100000);
}
