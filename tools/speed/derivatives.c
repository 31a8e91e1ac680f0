/* derivatives.c - what derivatives of a run cost beside the run itself
 *
 * By radau: du/dp forwards along two and ten directions, and the derivatives of the last position at the end by all
 * initial values and a parameter, backwards, with all states kept or a few of them. A run with derivatives ends at the
 * state of the run alone, to the last bit.
 */
#include "rounds.h"
#include "yardsticks.h"

#include <daelab/daelab.h>
#include <daelab/gradient.h>
#include <daelab/sensitivity.h>
#include <daelab/study.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10, CHECKPOINTS = 24 };

/* parameters, starts: of ten directions; of two the first parameters. copies: of a problem that has such a parameter */
typedef struct {
    const char *problem, *form;
    double rtol, t_end;
    int copies, parameters[MOST], parameter_count, starts;
} speed_case;

static const speed_case forwards[] = {
    {"pendulum", "index2", 1e-8, 0, 0, {1, 2, 3, 4, 5}, 5, 5},
    {"slider_crank", "index2", 1e-8, 0, 0, {1, 2, 3, 4}, 4, 6},
    {"akzo_nobel", "native", 1e-8, 0, 0, {0, 1, 2, 3}, 4, 6},
    {"chain", "index2", 1e-8, 1, 100, {1, 2}, 2, 8}};
static const speed_case backwards = {"chain", "index2", 1e-6, 1, 1000, {1}, 1, 0};

/* A run, alone or with derivatives: forwards, or backwards where all starts are directions */
typedef struct {
    const speed_case *c;
    dae_system *sys;
    dae_solver *solver;
    dae_sensitivity *s;
    dae_gradient *g;
    int n, back;
    int *unknowns;              /* [n] 0, 1, ... */
    double *from, *start, *end, *cost;  /* [n] */
    double *derivatives;        /* [n times directions], or [directions] */
} subject;

static void close(subject *x)
{
    dae_sensitivity_free(x->s);
    dae_gradient_free(x->g);
    dae_solver_free(x->solver);
    dae_system_free(x->sys);
    free(x->unknowns);
    free(x->from);
    free(x->derivatives);
    *x = (subject){0};
}

static int no(const subject *x, const dae_report *why)
{
    fprintf(stderr, "%s, %s: %s\n", x->c->problem, x->c->form, why->message);
    return 0;
}

static dae_status open_system(subject *x, dae_report *why)
{
    const dae_problem *problem = speed_problem(x->c->problem);
    if (!problem)
        return DAE_BAD_ARGUMENT;
    const int count = dae_parameter_count(problem);
    double *p = calloc((size_t)count + 1, sizeof *p);
    for (int i = 0; p && i < count; i++)
        p[i] = dae_parameter_at(problem, i)->value;
    if (p && x->c->copies)
        p[0] = x->c->copies;
    const dae_status status = p ? dae_system_create(&x->sys, problem, dae_find_formulation(x->c->form), p, NULL, why)
                                : DAE_NO_MEMORY;
    free(p);
    return status;
}

static int make_room(subject *x, int directions)
{
    const size_t n = (size_t)dae_system_size(x->sys);
    x->n = (int)n;
    x->unknowns = calloc(n, sizeof *x->unknowns);
    x->from = calloc(4 * n, sizeof *x->from);
    x->derivatives = calloc((x->back ? 1 : n) * ((size_t)directions + n), sizeof *x->derivatives);
    if (!x->unknowns || !x->from || !x->derivatives)
        return 0;
    x->start = x->from + n;
    x->end = x->start + n;
    x->cost = x->end + n;
    x->cost[dae_system_positions(x->sys) > 0 ? dae_system_positions(x->sys) - 1 : 0] = 1;
    for (int i = 0; i < x->n; i++)
        x->unknowns[i] = i;
    return 1;
}

/* directions: 0 for none; checkpoints of a gradient: -1 for none */
static int open(subject *x, const speed_case *c, int directions, int checkpoints)
{
    dae_report why = {.message = "no memory"};
    dae_options options = dae_default_options();
    options.rtol = options.atol = c->rtol;
    *x = (subject){.c = c, .back = checkpoints >= 0};
    if (open_system(x, &why) || !make_room(x, directions))
        return no(x, &why);
    const int parameters = directions < c->parameter_count ? directions : c->parameter_count;
    const dae_directions along = {c->parameters, x->unknowns, parameters,
                                  x->back ? 2 * dae_system_positions(x->sys) : directions - parameters};
    dae_status status = dae_system_start(x->sys, x->from, &why);
    memcpy(x->start, x->from, (size_t)x->n * sizeof *x->start);
    if (!status)
        status = dae_consistent_start(x->sys, 0, x->start, NULL, &why);
    if (!status)
        status = dae_solver_create(&x->solver, x->sys, dae_find_method("radau"), &options, &why);
    if (!status && x->back)
        status = dae_gradient_create(&x->g, x->solver, &along, checkpoints, &why);
    else if (!status && directions)
        status = dae_sensitivity_create(&x->s, x->solver, &along, &why);
    return !status || no(x, &why);
}

static int run(void *data)
{
    subject *x = data;
    dae_report why = {0};
    const double t_end = x->c->t_end > 0 ? x->c->t_end : dae_system_problem(x->sys)->t_end;
    if (dae_solver_start(x->solver, 0, x->start) || (x->s && dae_sensitivity_start(x->s, x->from, &why))
        || (x->g && dae_gradient_start(x->g, x->from, &why)) || dae_solver_advance(x->solver, t_end, x->end))
        return no(x, why.message[0] ? &why : dae_solver_report(x->solver));
    if ((x->s && dae_sensitivity_at(x->s, x->derivatives, NULL, &why))
        || (x->g && (dae_gradient_add(x->g, x->cost, &why) || dae_gradient_at(x->g, x->derivatives, &why))))
        return no(x, &why);
    return 1;
}

static int same_end(const subject *x, const subject *y)
{
    const int same = memcmp(x->end, y->end, (size_t)x->n * sizeof *x->end) == 0;
    if (!same)
        fprintf(stderr, "%s, %s: a run with derivatives ends elsewhere\n", x->c->problem, x->c->form);
    return same;
}

/* Three subjects of a case, of which the first has no derivatives */
static int measure(const speed_case *c, const char *const names[3], subject x[3], int rounds)
{
    speed_time times[3];
    speed_subject subjects[3];
    for (int i = 0; i < 3; i++)
        subjects[i] = (speed_subject){names[i], &x[i], run};
    if (!speed_rounds(3, subjects, rounds, times) || !same_end(&x[0], &x[1]) || !same_end(&x[0], &x[2]))
        return 0;
    printf("radau, %s, %s, %d unknowns, rtol %g\n", c->problem, c->form, x->n, c->rtol);
    speed_show(3, subjects, times, 1, NULL);
    return 1;
}

static int measure_forwards(const speed_case *c, int rounds)
{
    static const char *const names[] = {"the run", "by two parameters", "along ten directions"};
    subject x[3] = {{0}};
    const int good = open(&x[0], c, 0, -1) && open(&x[1], c, 2, -1) && open(&x[2], c, MOST, -1)
                     && measure(c, names, x, rounds);
    for (int i = 0; i < 3; i++)
        close(&x[i]);
    return good;
}

static int measure_backwards(const speed_case *c, int rounds)
{
    static const char *const names[] = {"the run", "by all starts", "with 24 checkpoints"};
    subject x[3] = {{0}};
    const int good = open(&x[0], c, 0, -1) && open(&x[1], c, 1, 0) && open(&x[2], c, 1, CHECKPOINTS)
                     && measure(c, names, x, rounds);
    for (int i = 0; i < 3; i++)
        close(&x[i]);
    return good;
}

int speed_derivatives(int rounds)
{
    int good = 1;
    for (size_t i = 0; i < sizeof forwards / sizeof *forwards; i++)
        good = measure_forwards(&forwards[i], rounds) && good;
    return measure_backwards(&backwards, rounds) && good;
}
