/* test_gradient.c - derivatives of a sum of costs, backwards, against those of all states, forwards */
#include "support.h"

#include <daelab/gradient.h>
#include <daelab/method.h>

enum { TRIED = 2, DIRECTIONS = 2 * TRIED, TIMES = 3, LARGE = 11 };

OWNED_BY_POINTER(dae_sensitivity)
OWNED_BY_POINTER(dae_gradient)

/* A run to some times, of which costs have these derivatives. */
typedef struct {
    const dae_problem *problem;
    const char *form, *method;
    dae_options options;
    double t_end;
    int parameter[TRIED], unknown[TRIED], parameters;
    double cost_u[TIMES][MOST_UNKNOWNS];
} trial;

static dae_directions along_of(const trial *a)
{
    return (dae_directions){.parameters = a->parameter, .parameter_count = a->parameters, .unknowns = a->unknown,
                            .unknown_count = TRIED};
}

/* The solver at its start, from which from[n] has been made consistent; 0: it cannot begin. */
static int begin(const trial *a, dae_system *sys, dae_solver **solver, double *from)
{
    double u[MOST_UNKNOWNS];
    assert_int_equal(DAE_OK, dae_system_start(sys, from, NULL));
    memcpy(u, from, sizeof u);
    return !dae_consistent_start(sys, a->problem->t0, u, NULL, NULL)
           && !dae_solver_create(solver, sys, dae_find_method(a->method), &a->options, NULL)
           && !dae_solver_start(*solver, a->problem->t0, u);
}

static double time_of(const trial *a, int k)
{
    static const double part[TIMES] = {0.31, 0.37, 1};
    return a->problem->t0 + part[k] * (a->t_end - a->problem->t0);
}

/* What a direction is moved by, to change as much as it is. */
static double size_of(const trial *a, const double *u, int c)
{
    double p[MOST_PARAMETERS];
    default_parameters(a->problem, p);
    const double x = c < a->parameters ? p[a->parameter[c]] : u[a->unknown[c - a->parameters]];
    return x != 0 ? fabs(x) : 1;
}

/* dJ of all directions and the size of its terms, by du of all times, and by u; 0: not possible. */
static int forward(const trial *a, double *dJ, double *size)
{
    double u[MOST_UNKNOWNS], from[MOST_UNKNOWNS], du[DIRECTIONS * MOST_UNKNOWNS];
    OWNED(dae_solver) *solver = NULL;
    OWNED(dae_sensitivity) *s = NULL;
    OWNED(dae_system) *sys = system_of(a->problem, a->form, NULL, NULL);
    const int n = dae_system_size(sys), count = a->parameters + TRIED;
    const dae_directions along = along_of(a);
    int well = begin(a, sys, &solver, from) && !dae_sensitivity_create(&s, solver, &along, NULL)
               && !dae_sensitivity_test(s, 0, NULL) && !dae_sensitivity_start(s, from, NULL);
    for (int c = 0; c < count; c++)
        dJ[c] = size[c] = 0;
    for (int k = 0; well && k < TIMES; k++) {
        well = !dae_solver_advance(solver, time_of(a, k), u) && !dae_sensitivity_at(s, du, NULL, NULL);
        for (int c = 0; well && c < count; c++)
            for (int i = 0; i < n; i++) {
                dJ[c] += a->cost_u[k][i] * du[c * n + i];
                size[c] = fmax(size[c], fabs(a->cost_u[k][i])
                               * fmax(fabs(du[c * n + i]), fabs(u[i]) / size_of(a, from, c)));
            }
    }
    dae_sensitivity_free(s);
    s = NULL;
    return well;
}

static void backward(const trial *a, int checkpoints, double *dJ)
{
    double u[MOST_UNKNOWNS], from[MOST_UNKNOWNS];
    dae_report why = {0};
    OWNED(dae_solver) *solver = NULL;
    OWNED(dae_gradient) *g = NULL;
    OWNED(dae_system) *sys = system_of(a->problem, a->form, NULL, NULL);
    assert_true(begin(a, sys, &solver, from));
    const dae_directions along = along_of(a);
    int failed = dae_gradient_create(&g, solver, &along, checkpoints, &why) || dae_gradient_start(g, from, &why);
    for (int k = 0; !failed && k < TIMES; k++)
        failed = dae_solver_advance(solver, time_of(a, k), u) || dae_gradient_add(g, a->cost_u[k], &why);
    if (failed || dae_gradient_at(g, dJ, &why))
        fail_msg("%s %s %s: %s", a->problem->name, a->form, a->method, why.message);
    dae_gradient_free(g);
    g = NULL;
}

static int compare(const trial *a, int checkpoints, double tolerance)
{
    double expected[DIRECTIONS], size[DIRECTIONS], dJ[DIRECTIONS];
    if (!forward(a, expected, size))
        return 0;
    backward(a, checkpoints, dJ);
    for (int c = 0; c < a->parameters + TRIED; c++) {
        const double error = fabs(dJ[c] - expected[c]) / fmax(size[c], DBL_MIN);
        if (!(error <= tolerance))
            fail_msg("%s %s %s, %d checkpoints: direction %d: %.15g backwards, %.15g forwards, in units of %.3g: %.1e",
                     a->problem->name, a->form, a->method, checkpoints, c, dJ[c], expected[c], size[c], error);
    }
    return 1;
}

/* The first parameters that are neither 0 nor counts, the starts of the first unknowns, costs of all kinds */
static trial trial_of(const dae_problem *problem, const char *form, const char *method)
{
    trial a = {.problem = problem, .form = form, .method = method, .options = dae_default_options(),
               .t_end = problem->t_end};
    double p[MOST_PARAMETERS];
    unsigned random = 12345;
    int count = 0;
    default_parameters(problem, p);
    for (int i = 0; i < dae_parameter_count(problem) && i < MOST_PARAMETERS && count < TRIED; i++)
        if (p[i] != 0 && !(problem->parameters[i].name && problem->parameters[i].range == DAE_COUNT))
            a.parameter[count++] = i;
    for (int i = 0; i < TRIED; i++)
        a.unknown[i] = i;
    a.parameters = count;
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < MOST_UNKNOWNS; i++)
            a.cost_u[k][i] = (double)((random = random * 1103515245 + 12345) >> 16 & 0xff) / 128 - 1;
    return a;
}

/* Costs of what has a derivative in M u' = F alone */
static void keep_states(trial *a)
{
    OWNED(dae_system) *sys = system_of(a->problem, a->form, NULL, NULL);
    for (int i = 0; i < dae_system_size(sys); i++) {
        const dae_class c = dae_system_class(sys, i);
        for (int k = 0; c != DAE_POSITION && c != DAE_VELOCITY && c != DAE_DIFFERENTIAL && k < TIMES; k++)
            a->cost_u[k][i] = 0;
    }
}

/* How far both may differ, by rounding. In multipliers it is divided by h, in those of index 3 by h^2, and multiplied
 * by coefficients of the method of up to 100, or their squares. Slopes of dF/du by interpolation (variation.h), which
 * Rosenbrock methods have, are rounded to about 12 digits before that. */
static double rounding_of(const dae_formulation *form, const dae_method *method, int of_states)
{
    const int index = dae_formulation_describe(form).index, hidden = index > 1;
    if (!dae_method_describe(method).implicit)
        return 1e-11;
    if (strncmp(dae_method_describe(method).name, "radau", 5) == 0)
        return of_states ? (index == 3 ? 1e-10 : 5e-12) : index == 3 ? 1e-6 : 1e-9;
    return of_states ? (index == 3 ? 1e-6 : 1e-8) : index == 3 ? 1e-3 : hidden ? 1e-4 : 1e-5;
}

TEST(is_that_of_forward_derivatives)
{
    int compared = 0;
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = with_few_copies(dae_problems[i]);
        const dae_formulation *form;
        const dae_method *method;
        const int size = problem->mechanical.nq ? 2 * problem->mechanical.nq + problem->mechanical.nl
                                                : problem->first_order.n;
        if (problem->modes || problem->events || size > LARGE)
            continue;
        for (int k = 0; (form = dae_formulation_at(k)); k++)
            for (int m = 0; dae_formulation_applies(form, problem) && (method = dae_method_at(m)); m++) {
                if (!method->vary || !dae_method_describe(method).fixed)
                    continue;
                trial a = trial_of(problem, dae_formulation_describe(form).name, dae_method_describe(method).name);
                const double span = problem->t_end - problem->t0;
                a.t_end = problem->t0 + span / (dae_formulation_describe(form).index == 3 ? 20 : 500);
                a.options.step = (a.t_end - problem->t0) / 5;
                compared += compare(&a, m % 3 ? 2 : 0, rounding_of(form, method, 0));
                keep_states(&a);
                compare(&a, m % 3 ? 2 : 0, rounding_of(form, method, 1));
            }
    }
    assert_in_range(compared, 200, 100000);
}

/* With steps that are chosen, which an output shortens, and some of which are then made longer. With few states kept,
 * stages are found again, and those of the run are as far from that as Newton's iteration left them: by less than a
 * small tolerance. */
TEST(follows_chosen_steps)
{
    static const char *const problems[] = {"pendulum", "linear_dae", "spring_pendulum"};
    static const int checkpoints[] = {0, 2, 9};
    const dae_formulation *form;
    const dae_method *method;
    for (int i = 0; i < 3; i++)
        for (int k = 0; (form = dae_formulation_at(k)); k++)
            for (int m = 0; dae_formulation_applies(form, problem_named(problems[i])) && (method = dae_method_at(m));
                 m++) {
                const int kept = checkpoints[(m + k) % 3];
                if (!method->vary || !dae_method_describe(method).adaptive || dae_method_describe(method).stages == 2)
                    continue;
                trial a = trial_of(problem_named(problems[i]), dae_formulation_describe(form).name,
                                   dae_method_describe(method).name);
                const int iterates = strncmp(a.method, "radau", 5) == 0 || strcmp(a.method, "auto") == 0;
                a.options = tolerance(kept && iterates ? 1e-10 : 1e-6);
                const int index = dae_formulation_describe(form).index;
                compare(&a, kept, !iterates ? 1e-7 : kept && index == 3 ? 1e-8 : 1e-10);
            }
}

/* The stages of many unknowns are iterated, and their starts go backwards at once. Where steps are chosen, those of
 * derivatives forwards are iterated to a thousandth of the tolerance only (radau_vary.c). */
TEST(goes_back_by_iteration)
{
    static const char *const forms[] = {"index1", "index2", "ggl", "index3"};
    static const dae_linear_kind kinds[] = {DAE_LINEAR_BEST, DAE_LINEAR_KLU, DAE_LINEAR_BAND, DAE_LINEAR_DENSE};
    for (int k = 0; k < 4; k++) {
        trial a = trial_of(problem_named("chain"), forms[k], k % 2 ? "radau5" : "radau");
        memset(a.cost_u, 0, sizeof a.cost_u);
        for (int i = 0; i < TIMES; i++)
            a.cost_u[i][i] = a.cost_u[i][20 + i] = 1;
        a.parameter[0] = 1;
        a.parameters = 1;
        a.unknown[1] = 25;
        a.t_end = 0.3;
        a.options.linear = kinds[k];
        a.options.step = 0.01;
        compare(&a, k == 1 ? 4 : 0, k == 3 ? 1e-9 : 1e-11);
        a.options = tolerance(1e-6);
        compare(&a, k == 1 ? 4 : 0, k == 3 ? 1e-6 : 1e-7);
    }
}

/* A projection of each step, and the velocities and multipliers that are shown in place of the method's own */
TEST(goes_back_through_projections)
{
    static const char *const methods[] = {"radau", "rodas4", "cros"};
    for (int k = 0; k < 3; k++) {
        trial a = trial_of(problem_named("slider_crank"), "index2", methods[k]);
        a.options = tolerance(1e-6);
        a.options.project = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY;
        a.t_end = 0.05;
        compare(&a, 0, k ? 1e-5 : 1e-8);
    }
}

/* The start moves: what a position does to the velocity that is consistent counts, too, where the steps keep what is
 * wrong with it. */
TEST(goes_back_through_a_moving_start)
{
    trial a = trial_of(problem_named("spherical_pendulum"), "index1", "radau");
    a.options = tolerance(1e-6);
    for (int i = 0; i < TRIED; i++)
        a.unknown[i] = 1 + 3 * i;
    compare(&a, 0, 1e-9);
}

TEST(refuses)
{
    double u[5], cost_u[5] = {1};
    const int L = 1, few[] = {-1, 1};
    const dae_directions along = {.parameters = &L, .parameter_count = 1};
    dae_report why = {0};
    const dae_options options = tolerance(1e-6);
    OWNED(dae_system) *sys = consistent_system(problem_named("pendulum"), "index2", NULL, u);
    OWNED(dae_solver) *radau = solver_of(sys, dae_find_method("radau"), &options, 0, u);
    OWNED(dae_solver) *ida = solver_of(sys, dae_find_method("ida"), &options, 0, u);
    OWNED(dae_gradient) *g = NULL, *second = NULL;
    assert_int_equal(DAE_UNSUPPORTED, dae_gradient_create(&g, ida, &along, 0, &why));
    for (int k = 0; k < 2; k++)
        assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_create(&g, radau, &along, few[k], &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_create(&g, radau, NULL, 0, &why));
    assert_int_equal(DAE_OK, dae_gradient_create(&g, radau, &along, 0, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_create(&second, radau, &along, 0, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_add(g, cost_u, &why));
    assert_int_equal(DAE_OK, dae_gradient_start(g, u, &why));
    assert_int_equal(DAE_OK, dae_solver_advance(radau, 0.5, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_add(g, NULL, &why));
    assert_int_equal(DAE_OK, dae_gradient_add(g, cost_u, &why));
    assert_int_equal(DAE_OK, dae_solver_start(radau, 0.5, u));
    assert_int_equal(DAE_OK, dae_solver_advance(radau, 1, u));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_gradient_at(g, cost_u, &why));
    assert_non_null(strstr(why.message, "started again"));
    dae_gradient_free(g);
    g = NULL;
}
