/* test_gradient.c - derivatives of a sum of costs, backwards, against those of all states, forwards */
#include "support.h"

#include <daelab/gradient.h>
#include <daelab/method.h>

enum { TRIED = 2, DIRECTIONS = 2 * TRIED, TIMES = 3, FEW = 7, LARGE = 11 };

OWNED_BY_POINTER(dae_sensitivity)
OWNED_BY_POINTER(dae_gradient)

/* A run to some times, of which costs have these derivatives. */
typedef struct {
    const dae_problem *problem;
    const char *form, *method;
    dae_options options;
    double t_end;
    int parameter[TRIED], unknown[TRIED];
    dae_directions along;
    double cost_u[TIMES][MOST_UNKNOWNS];
} trial;

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
    const double x = c < a->along.parameter_count ? p[a->parameter[c]] : u[a->unknown[c - a->along.parameter_count]];
    return x != 0 ? fabs(x) : 1;
}

/* dJ of all directions and the size of its terms, by du of all times, and by u; 0: not possible. */
static int forward(const trial *a, double *dJ, double *size)
{
    double u[MOST_UNKNOWNS], from[MOST_UNKNOWNS], du[DIRECTIONS * MOST_UNKNOWNS];
    OWNED(dae_solver) *solver = NULL;
    OWNED(dae_sensitivity) *s = NULL;
    OWNED(dae_system) *sys = system_of(a->problem, a->form, NULL, NULL);
    const int n = dae_system_size(sys), count = a->along.parameter_count + a->along.unknown_count;
    int well = begin(a, sys, &solver, from) && !dae_sensitivity_create(&s, solver, &a->along, NULL)
               && !dae_sensitivity_start(s, from, NULL);
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
    int failed = dae_gradient_create(&g, solver, &a->along, checkpoints, &why) || dae_gradient_start(g, from, &why);
    for (int k = 0; !failed && k < TIMES; k++)
        failed = dae_solver_advance(solver, time_of(a, k), u) || dae_gradient_add(g, a->cost_u[k], &why);
    if (failed || dae_gradient_at(g, dJ, &why))
        fail_msg("%s %s %s: %s", a->problem->name, a->form, a->method, why.message);
    dae_gradient_free(g);
    g = NULL;
}

static double compare(const trial *a, int checkpoints, double tolerance)
{
    double expected[DIRECTIONS], size[DIRECTIONS], dJ[DIRECTIONS], worst = 0;
    if (!forward(a, expected, size))
        return -1;
    backward(a, checkpoints, dJ);
    for (int c = 0; c < a->along.parameter_count + a->along.unknown_count; c++) {
        const double error = fabs(dJ[c] - expected[c]) / fmax(size[c], DBL_MIN);
        worst = fmax(worst, error);
        if (!(error <= tolerance))
            fail_msg("%s %s %s, %d checkpoints: direction %d: %.15g backwards, %.15g forwards, in units of %.3g: %.1e",
                     a->problem->name, a->form, a->method, checkpoints, c, dJ[c], expected[c], size[c], error);
    }
    return worst;
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
    a.along = (dae_directions){.parameters = a.parameter, .parameter_count = count, .unknowns = a.unknown,
                               .unknown_count = TRIED};
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < MOST_UNKNOWNS; i++)
            a.cost_u[k][i] = (double)((random = random * 1103515245 + 12345) >> 16 & 0xff) / 128 - 1;
    return a;
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
        for (int k = 0; (form = dae_formulation_at(k)); k++) {
            for (int m = 0; dae_formulation_applies(form, problem) && (method = dae_method_at(m)); m++) {
                trial a = trial_of(problem, dae_formulation_describe(form).name, dae_method_describe(method).name);
                if (!method->vary || !dae_method_describe(method).fixed)
                    continue;
                a.t_end = problem->t0 + (problem->t_end - problem->t0) / (dae_formulation_describe(form).index == 3 ? 20 : 500);
                a.options.step = (a.t_end - problem->t0) / 5;
                compared += compare(&a, m % 3 ? 2 : 0, 1e-12) >= 0;
            }
        }
    }
    assert_in_range(compared, 200, 100000);
}

/* With steps that are chosen, which an output shortens, and some of which are then made longer */
TEST(follows_chosen_steps)
{
    static const char *const problems[] = {"pendulum", "linear_dae", "van_der_pol", "spring_pendulum"};
    const dae_formulation *form;
    const dae_method *method;
    for (int i = 0; i < 4; i++)
        for (int k = 0; (form = dae_formulation_at(k)); k++)
            for (int m = 0; dae_formulation_applies(form, problem_named(problems[i])) && (method = dae_method_at(m)); m++) {
                trial a = trial_of(problem_named(problems[i]), dae_formulation_describe(form).name, dae_method_describe(method).name);
                if (!method->vary || !dae_method_describe(method).adaptive)
                    continue;
                a.options = tolerance(1e-6);
                compare(&a, m % 2 ? 0 : 5, 1e-12);
            }
}
