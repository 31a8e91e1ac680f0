/* test_sensitivity.c - derivatives of runs against differences of the same fixed steps in quad precision, and against
 * differences of references */
#include "support.h"

#include <daelab/sensitivity.h>

enum { POINTS = 4, MOST_VALUES = 2 * MOST_UNKNOWNS, STEPS = 2, SMALL = 5, LARGE = 11, TRIED = 2 };
static const int place[POINTS] = {1, -1, 2, -2};
static const double weight[POINTS] = {8, -8, -1, 1};           /* over 12 d: the derivative, to d^4 */

OWNED_BY_POINTER(dae_sensitivity)

/* What is differentiated. */
typedef struct {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;   /* fixed steps; NULL: the reference */
    double t0, t_end;
    int n, nq, nl;              /* nq: in first order the unknowns of the problem, without w = P u' behind them */
    int mechanical;
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
        a->method ? dae_quad_steps(&at, recovered, sys, a->method, 0, a->t0, start_in_quad(sys, u).u, &a->t_end, 1,
                                   STEPS, NULL)
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
static int differentiate(const trial *a, const dae_method *method, const dae_options *options,
                         const dae_directions *along, double *u, double *du, double *dlambda)
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
    const int first = !a->mechanical || m < a->nq ? 0 : m < 2 * a->nq ? a->nq : 2 * a->nq;
    const int last = !a->mechanical ? a->nq : first == 2 * a->nq ? first + a->nl : first + a->nq;
    double largest = 0;
    for (int i = first; i < last; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* du, and dlambda, beside differences in class and in u/size */
static void compare(const trial *a, const dae_method *method, const char *of, double size, const double *u,
                    const double *du, const double *dlambda, const double *expected, double tolerance)
{
    const int known = a->mechanical ? 2 * a->nq + a->nl : a->nq, all = a->mechanical ? known + a->nl : known;
    for (int m = 0; m < all; m++) {
        const int class_of = m < known ? m : m - a->nl;
        const double x = m < known ? du[m] : dlambda[m - known];
        const double scale = largest_of_class(a, expected, class_of) + largest_of_class(a, u, class_of) / size;
        if (!(fabs(x - expected[m]) <= tolerance * scale))
            fail_msg("%s %s %s: value %d along %s: %.12g, by differences %.12g, in units of %.3g", a->problem->name,
                     dae_formulation_describe(a->form).name, dae_method_describe(method).name, m, of, x,
                         expected[m], scale);
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
    a.mechanical = dae_system_positions(sys) > 0;
    a.nq = a.mechanical ? dae_system_positions(sys) : problem->first_order.n;
    return a;
}

/* The largest entry of dF/du at the start, or at u */
static double steepness(const trial *a, const double *u)
{
    static double J[MOST_UNKNOWNS * MOST_UNKNOWNS], F_t[MOST_UNKNOWNS], start[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = consistent_system(a->problem, dae_formulation_describe(a->form).name, a->p, start);
    double largest = 0;
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, a->t0, u ? u : start, J, F_t, NULL));
    for (int k = 0; k < a->n * a->n; k++)
        largest = fmax(largest, fabs(J[k]));
    return largest;
}

static int one_method(trial *a, const dae_method *method, int turn)
{
    static double u[MOST_UNKNOWNS], du[TRIED * MOST_UNKNOWNS], dlambda[TRIED * MOST_UNKNOWNS], expected[MOST_VALUES];
    int chosen[TRIED];
    dae_options options = dae_default_options();
    const dae_directions along = {.parameters = chosen, .parameter_count = choose(a->problem, a->p, chosen)};
    options.step = (a->t_end - a->t0) / STEPS;
    a->method = method;
    if (!along.parameter_count || !differentiate(a, method, &options, &along, u, du, dlambda))
        return 0;
    if (!a->mechanical && options.step * steepness(a, u) > 100)  /* what begins to be fast is not resolved */
        return 0;
    const int c = turn % along.parameter_count;
    const double size = fabs(a->p[chosen[c]]);
    if (!difference(a, 0, chosen[c], size, expected))
        return 0;
    compare(a, method, dae_parameter_at(a->problem, chosen[c])->name, size, u, du + c * a->n, dlambda + c * a->nl,
            expected, dae_formulation_describe(a->form).index == 3 ? 1e-4 : 1e-5);
    return 1;
}

/* Steps of half a thousandth of the interval, that resolve how it begins; of a hundredth in index 3, where rounding
 * is divided by their square. */
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
            trial a = trial_of(problem, form, dae_formulation_describe(form).index == 3 ? 3e-2 : 1e-3);
            const double h = (a.t_end - a.t0) / STEPS, longest = 10 / steepness(&a, NULL);
            a.t_end = h > longest && dae_formulation_describe(form).index < 3 ? a.t0 + STEPS * longest : a.t_end;
            for (int m = 0; (method = dae_method_at(m)); m++)
                if (dae_method_describe(method).quad_steps && (size <= SMALL || m % 3 == (i + k) % 3))
                    compared += one_method(&a, method, i + k + m);
        }
    }
    assert_in_range(compared, 200, 100000);
}

/* Within a step of excros in ggl the positions are moved back to g = 0, by as much as h^2: nothing is left out of the
 * derivatives of these moves. */
TEST(follow_long_moves)
{
    static double u[MOST_UNKNOWNS], du[TRIED * MOST_UNKNOWNS], dlambda[TRIED * MOST_UNKNOWNS], expected[MOST_VALUES];
    static const struct { const char *problem; double part; } rows[] = {{"pendulum", 0.2}, {"double_pendulum", 0.05}};
    dae_options options = dae_default_options();
    int chosen[TRIED];
    for (int k = 0; k < 2; k++) {
        trial a = trial_of(problem_named(rows[k].problem), dae_find_formulation("ggl"), rows[k].part);
        const dae_directions along = {.parameters = chosen, .parameter_count = choose(a.problem, a.p, chosen)};
        a.method = dae_find_method("excros");
        options.step = (a.t_end - a.t0) / STEPS;
        assert_true(differentiate(&a, a.method, &options, &along, u, du, dlambda));
        for (int c = 0; c < along.parameter_count; c++) {
            const double size = fabs(a.p[chosen[c]]);
            assert_true(difference(&a, 0, chosen[c], size, expected));
            compare(&a, a.method, "a parameter", size, u, du + c * a.n, dlambda + c * a.nl, expected, 1e-10);
        }
    }
}

/* The run of its own steps, of each formulation, beside the reference: no more than some tolerances, as u. */
TEST(are_as_accurate_as_the_state)
{
    static const char *const methods[] = {"radau", "dop853", "rodas5p", "excros", "radau5", "auto"};
    static double u[MOST_UNKNOWNS], du[TRIED * MOST_UNKNOWNS], dlambda[TRIED * MOST_UNKNOWNS],
        expected[TRIED][MOST_VALUES];
    static const char *const problems[] = {"pendulum", "linear_dae"};
    int chosen[TRIED], compared = 0;
    dae_options options = tolerance(1e-8);
    for (int i = 0; i < 2; i++) {
        const dae_problem *problem = problem_named(problems[i]);
        const dae_formulation *form;
        int known = 0;
        for (int k = 0; (form = dae_formulation_at(k)); k++) {
            if (!dae_formulation_applies(form, problem) || strcmp(dae_formulation_describe(form).name, "ode") == 0)
                continue;
            trial a = trial_of(problem, form, 1);
            const dae_directions along = {.parameters = chosen, .parameter_count = choose(problem, a.p, chosen)};
            for (int c = 0; !known && c < along.parameter_count; c++)
                assert_true(difference(&a, 0, chosen[c], fabs(a.p[chosen[c]]), expected[c]));
            known = 1;
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
                const dae_method *method = dae_find_method(methods[m]);
                if ((dae_formulation_describe(form).index == 3 || i) && !strstr(methods[m], "radau"))
                    continue;
                if (!differentiate(&a, method, &options, &along, u, du, dlambda))
                    continue;
                for (int c = 0; c < along.parameter_count; c++)
                    compare(&a, method, "a parameter", fabs(a.p[chosen[c]]), u, du + c * a.n, dlambda + c * a.nl,
                            expected[c], 2e-7);
                compared++;
            }
        }
    }
    assert_in_range(compared, 25, 1000);
}

/* By the start of each unknown, which a constraint may hold in part */
TEST(follow_the_start)
{
    static double u[MOST_UNKNOWNS], du[MOST_UNKNOWNS], dlambda[MOST_UNKNOWNS], expected[MOST_VALUES];
    static const struct { const char *problem, *form; } all[] = {
        {"pendulum", "index2"}, {"pendulum", "index1"}, {"spring_pendulum", "native"}, {"double_pendulum", "ggl"}};
    dae_options options = dae_default_options();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        trial a = trial_of(problem_named(all[k].problem), dae_find_formulation(all[k].form), 0.02);
        a.method = dae_find_method("radau5");
        options.step = (a.t_end - a.t0) / STEPS;
        for (int i = 0; i < (a.mechanical ? 2 * a.nq : a.nq); i++) {
            const dae_directions along = {.unknowns = &i, .unknown_count = 1};
            assert_true(differentiate(&a, a.method, &options, &along, u, du, dlambda));
            assert_true(difference(&a, 1, i, 1, expected));
            compare(&a, a.method, "a start", 1, u, du, dlambda, expected, 1e-6);
        }
    }
}

/* A start that the caller moved is one that parameters do not move: x = 4, y = -3 on a rope of L = 5. The motion of
 * other L begins at the nearest point of the circle. */
TEST(hold_what_was_set)
{
    double from[5], u[5], du[5], p[MOST_PARAMETERS], moved[2][5];
    const dae_problem *pendulum = problem_named("pendulum");
    const int L = dae_parameter_index(pendulum, "L");
    const double d = 1e-4;
    OWNED(dae_system) *sys = system_of(pendulum, "index2", NULL, from);
    dae_options options = tolerance(1e-11);
    from[0] = 4;
    from[1] = -3;
    memcpy(u, from, sizeof from);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
    {
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("radau"), &options, 0, NULL);
        OWNED(dae_sensitivity) *s = NULL;
        assert_int_equal(DAE_OK, dae_sensitivity_create(&s, solver, &(dae_directions){.parameters = &L,
                                                                                      .parameter_count = 1},
                                                        NULL));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        assert_int_equal(DAE_OK, dae_sensitivity_start(s, from, NULL));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
        assert_int_equal(DAE_OK, dae_sensitivity_at(s, du, NULL, NULL));
    }
    for (int k = 0; k < 2; k++) {
        default_parameters(pendulum, p);
        p[L] += k ? d : -d;
        OWNED(dae_system) *other = system_of(pendulum, "index2", p, NULL);
        memcpy(moved[k], from, sizeof from);
        assert_int_equal(DAE_OK, dae_consistent_start(other, 0, moved[k], NULL, NULL));
        OWNED(dae_solver) *solver = solver_of(other, dae_find_method("radau"), &options, 0, moved[k]);
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, moved[k]));
    }
    for (int i = 0; i < 5; i++)
        assert_close(du[i], (moved[1][i] - moved[0][i]) / (2 * d), 1e-6);
}

/* ---- events ---------------------------------------------------------------------------------- */

OWNED_BY_POINTER(dae_hybrid_sensitivity)

static const double gravity = 9.81;

/* The ball is dropped from y0 at rest: t1 = sqrt(2 y0/g), v- = -g t1, v+ = e g t1; behind it y = v+ s - g s^2/2 with
 * s = t - t1. */
TEST(pass_an_impact)
{
    enum { Y, V };
    const dae_problem *ball = problem_named("bouncing_ball");
    const int names[2] = {dae_parameter_index(ball, "h"), dae_parameter_index(ball, "e")};
    const double y0 = dae_parameter_default(ball, names[0]), e = dae_parameter_default(ball, names[1]);
    const double g = gravity, t1 = sqrt(2 * y0 / g), t = 1.2 * t1, s = t - t1, dt1 = 1 / (g * t1);
    const double expected[2][2] = {{e * g * dt1 * s - e * g * t1 * dt1 + g * s * dt1, e * g * dt1 + g * dt1},
                                   {g * t1 * s, g * t1}};
    static const char *const methods[] = {"radau", "dop853", "rodas5p", "cros", "excros"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double du[4], dt[2];
        dae_options options = tolerance(1e-10);
        OWNED(dae_hybrid) *run = hybrid_of(ball, "index1", NULL, dae_find_method(methods[m]), &options);
        OWNED(dae_hybrid_sensitivity) *w = NULL;
        const dae_directions along = {.parameters = names, .parameter_count = 2};
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_create(&w, run, &along, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_start(run, 0, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_advance(run, t));
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_at(w, du, NULL, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_time(w, 0, dt, NULL));
        assert_close(dt[0], dt1, 1e-9);
        assert_close(dt[1], 0, 1e-9);
        for (int c = 0; c < 2; c++)
            for (int i = Y; i <= V; i++)
                assert_close(du[2 * c + i], expected[c][i], 1e-8);
        dae_hybrid_sensitivity_free(w);
        w = NULL;
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(say_what_they_do_not_follow)
{
    double u[5], du[5];
    dae_report why;
    const int first = 0, none = 99;
    OWNED(dae_system) *sys = consistent_system(problem_named("pendulum"), "index2", NULL, u);
    const dae_options options = tolerance(1e-6);
    OWNED(dae_solver) *ida = solver_of(sys, dae_find_method("ida"), &options, 0, u);
    OWNED(dae_solver) *radau = solver_of(sys, dae_find_method("radau"), &options, 0, u);
    OWNED(dae_sensitivity) *s = NULL;
    const dae_directions along = {.parameters = &first, .parameter_count = 1}, off = {.parameters = &none,
                                                                                      .parameter_count = 1};
    assert_int_equal(DAE_UNSUPPORTED, dae_sensitivity_create(&s, ida, &along, &why));
    assert_non_null(strstr(why.message, "ida"));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_sensitivity_create(&s, radau, &off, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_sensitivity_create(&s, radau, NULL, &why));
    assert_int_equal(DAE_OK, dae_sensitivity_create(&s, radau, &along, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_sensitivity_at(s, du, NULL, &why));
    assert_int_equal(DAE_OK, dae_sensitivity_start(s, u, &why));
    assert_int_equal(DAE_OK, dae_solver_advance(radau, 0.5, u));
    assert_int_equal(DAE_OK, dae_sensitivity_at(s, du, NULL, &why));
    assert_int_equal(DAE_OK, dae_solver_start(radau, 0.5, u));
    assert_int_equal(DAE_OK, dae_solver_advance(radau, 1, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_sensitivity_at(s, du, NULL, &why));
    assert_non_null(strstr(why.message, "started again"));
}

/* The error of epsilon dy/depsilon of van der Pol's oscillator, whose slow parts are stiff */
static double error_of(const char *method, double rtol, int tested, const double *expected)
{
    double u[2], du[2], p[MOST_PARAMETERS], from[2];
    const int epsilon = 0;
    const dae_options options = tolerance(rtol);
    const dae_problem *problem = problem_named("van_der_pol");
    default_parameters(problem, p);
    p[epsilon] = 1e-4;
    OWNED(dae_system) *sys = system_of(problem, "native", p, from);
    memcpy(u, from, sizeof u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, u);
    OWNED(dae_sensitivity) *s = NULL;
    assert_int_equal(DAE_OK, dae_sensitivity_create(&s, solver, &(dae_directions){.parameters = &epsilon,
                                                                                  .parameter_count = 1}, NULL));
    if (tested >= 0)
        assert_int_equal(DAE_OK, dae_sensitivity_test(s, tested, NULL));
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_sensitivity_start(s, from, NULL));
    const int failed = dae_solver_advance(solver, 2, u) || dae_sensitivity_at(s, du, NULL, NULL);
    dae_sensitivity_free(s);
    s = NULL;
    return failed ? INFINITY : fabs(p[epsilon] * du[0] - expected[0]);
}

/* Explicit methods, which no tolerance of u holds, are tested unless that is refused; others when it is asked for. */
TEST(errors_of_derivatives_choose_steps)
{
    static const char *const methods[] = {"heun", "dopri5", "dop853", "rodas5p", "radau5"};
    static const double zero[1] = {0};
    const double expected[1] = {error_of("radau", 1e-12, 0, zero)};
    for (int k = 0; k < 5; k++) {
        const double held = error_of(methods[k], 1e-6, k < 3 ? -1 : 1, expected);
        const double loose = error_of(methods[k], 1e-6, 0, expected);
        if (!(held < 1e-4 && held < 0.5 * loose))
            fail_msg("%s: error %.1e, and %.1e where it does not choose steps", methods[k], held, loose);
    }
    assert_true(isinf(error_of("cros", 1e-6, 1, expected)));        /* it has no such estimate */
}

/* Steps of the pendulum's run, where errors of the derivative by its mass choose them, or do not */
static long steps_with_mass(const char *form, const char *method, int tested)
{
    double u[20], p[MOST_PARAMETERS], from[20];
    const int mass = 0;
    const dae_options options = tolerance(1e-6);
    const dae_problem *problem = problem_named("pendulum");
    default_parameters(problem, p);
    OWNED(dae_system) *sys = system_of(problem, form, p, from);
    memcpy(u, from, sizeof u);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, problem->t0, u, NULL, NULL));
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, problem->t0, u);
    OWNED(dae_sensitivity) *s = NULL;
    assert_int_equal(DAE_OK, dae_sensitivity_create(&s, solver, &(dae_directions){.parameters = &mass,
                                                                                  .parameter_count = 1}, NULL));
    assert_int_equal(DAE_OK, dae_sensitivity_test(s, tested, NULL));
    assert_int_equal(DAE_OK, dae_sensitivity_start(s, from, NULL));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, problem->t_end, u));
    dae_sensitivity_free(s);
    s = NULL;
    return dae_solver_statistics(solver).steps;
}

/* The motion does not depend on the mass, which is in front of v': its errors are 0. */
TEST(errors_of_derivatives_by_a_mass)
{
    static const char *const forms[] = {"index1", "index2", "index3"};
    static const char *const methods[] = {"rodas5p", "radau5", "radau"};
    for (int f = 0; f < 3; f++)
        for (int m = f == 2; m < 3; m++) {
            const long steps = steps_with_mass(forms[f], methods[m], 0);
            const long tested = steps_with_mass(forms[f], methods[m], 1);
            if (tested > steps + steps / 2)
                fail_msg("%s, %s: %ld steps, and %ld where errors of the derivative choose them", forms[f], methods[m],
                         steps, tested);
        }
}

TEST(end_where_events_accumulate)
{
    const dae_problem *box = problem_named("box");
    const int first = 1;
    double du[20];
    dae_report why;
    const dae_options options = tolerance(1e-8);
    OWNED(dae_hybrid) *run = hybrid_of(box, "index1", NULL, dae_find_method("radau"), &options);
    OWNED(dae_hybrid_sensitivity) *s = NULL;
    assert_int_equal(DAE_OK, dae_hybrid_sensitivity_create(&s, run, &(dae_directions){.parameters = &first,
                                                                                      .parameter_count = 1},
                                                           &why));
    assert_int_equal(DAE_OK, dae_hybrid_start(run, 0, NULL));
    assert_int_equal(DAE_OK, dae_hybrid_advance(run, 10));
    assert_int_equal(DAE_OK, dae_hybrid_sensitivity_at(s, du, NULL, &why));
    assert_int_equal(DAE_OK, dae_hybrid_advance(run, 30));
    assert_int_equal(DAE_UNSUPPORTED, dae_hybrid_sensitivity_at(s, du, NULL, &why));
    assert_non_null(strstr(why.message, "accumulate"));
    dae_hybrid_sensitivity_free(s);
    s = NULL;
}
