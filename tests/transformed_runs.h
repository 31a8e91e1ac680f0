/* transformed_runs.h - runs of a problem and of its views: every form, every method, at a tolerance
 * or with fixed steps, cut off after a number of steps */
#ifndef DAELAB_TEST_TRANSFORMED_RUNS_H
#define DAELAB_TEST_TRANSFORMED_RUNS_H

#include "transformed.h"

enum { ROOM = 4 * MOST };               /* unknowns */

typedef struct {
    double rtol, atol;                  /* atol of an unknown in its own unit 1 */
    double step;                        /* 0: chosen */
    double max_step, first_step;        /* of chosen ones; 0: none */
    double t_end;
    long most_steps;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    unsigned project;
} run_options;

typedef struct {
    dae_status made, status;            /* of dae_solver_create; of the run */
    dae_statistics count;
    double t, u[ROOM];
    double shortest;                    /* step, but for the last */
    dae_report report;
} outcome;

typedef struct { double t, last, shortest; } step_lengths;

static inline int note_step(void *context, double t, const double *u)
{
    step_lengths *s = context;
    (void)u;
    s->shortest = fmin(s->shortest, s->last);
    s->last = t - s->t;
    s->t = t;
    return 0;
}

/* From u0[n] at t0, both in the units of sys. unit[n] takes atol into them; NULL: ones. */
static inline outcome run(dae_system *sys, const dae_method *method, const run_options *how,
                          const double *unit, double t0, const double *u0)
{
    outcome out = {.status = DAE_OK};
    double atols[ROOM];
    const int n = dae_system_size(sys);
    dae_options options = dae_default_options();
    OWNED(dae_solver) *solver = NULL;
    for (int i = 0; i < n; i++) {
        atols[i] = how->atol * (unit ? unit[i] : 1);
        out.u[i] = u0[i];
    }
    options.rtol = how->rtol;
    options.atols = atols;
    options.step = how->step;
    options.max_step = how->max_step;
    options.first_step = how->first_step;
    options.max_steps = how->most_steps;
    options.jacobian = how->jacobian;
    options.linear = how->linear;
    options.project = how->project;
    out.made = dae_solver_create(&solver, sys, method, &options, &out.report);
    if (out.made)
        return out;
    step_lengths steps = {t0, INFINITY, INFINITY};
    dae_solver_observe(solver, note_step, &steps);
    out.status = dae_solver_start(solver, t0, out.u);
    if (!out.status)
        out.status = dae_solver_advance(solver, how->t_end, out.u);
    out.count = dae_solver_statistics(solver);
    out.t = dae_solver_time(solver);
    out.shortest = steps.shortest;
    out.report = *dae_solver_report(solver);
    return out;
}

static inline dae_system *make_system(const dae_problem *problem, const dae_formulation *form)
{
    dae_system *sys;
    dae_report why;
    if (dae_system_create(&sys, problem, form, NULL, NULL, &why))
        fail_msg("%s: %s", problem->name, why.message);
    return sys;
}

static inline void consistent(dae_system *sys, double *u)
{
    dae_report why;
    if (dae_system_start(sys, u, &why)
        || dae_consistent_start(sys, dae_system_problem(sys)->t0, u, NULL, &why))
        fail_msg("%s: %s", dae_system_problem(sys)->name, why.message);
}

/* u by a thousandth, in directions of no meaning */
static inline void put_off(const dae_system *sys, double *u)
{
    for (int i = 0; i < dae_system_size(sys); i++)
        u[i] += 1e-3 * cos(1 + 3 * i) * (1 + fabs(u[i]));
}

/* u[n] of the base to the view's unknowns; idle ones are at IDLE_AT, at rest. */
static inline void view_of(const dae_system *sys, const unknowns *x, const double *u, double *out)
{
    for (int i = 0; i < x->n; i++)
        out[i] = x->part[i] >= 0 ? u[x->of[i]] * x->unit[i] + x->shift[i]
                 : dae_system_class(sys, i) == DAE_POSITION
                   || dae_system_class(sys, i) == DAE_DIFFERENTIAL ? IDLE_AT : 0;
}

static inline const char *form_name(const dae_formulation *form)
{
    return dae_formulation_describe(form).name;
}

static inline const char *method_name(const dae_method *method)
{
    return dae_method_describe(method).name;
}

/* Pairs that are known to differ, NULL for any, and why: the line of code. Ends with one without
 * why. */
typedef struct { const char *problem, *form, *method, *why; } exception;

static inline int is_one_of(const char *name, const char *of)
{
    return !of || strcmp(name, of) == 0;
}

static inline const char *excuse(const exception *e, const dae_problem *base,
                                 const dae_formulation *form, const dae_method *method)
{
    for (; e->why; e++)
        if (is_one_of(base->name, e->problem) && is_one_of(form_name(form), e->form)
            && is_one_of(method_name(method), e->method))
            return e->why;
    return NULL;
}

/* visit every problem, form and method, or where sanitizers take their time one in four, all
 * problems and forms and all methods among them. A name in the environment, ONLY (problem), IN
 * (form) or BY (method), leaves out the others, to look at one. */
typedef void visitor(const dae_problem *base, const dae_formulation *form,
                     const dae_method *method);

static inline int wanted(const char *variable, const char *name)
{
    const char *value = getenv(variable);
    return !value || strcmp(value, name) == 0;
}

#ifdef SANITIZED
enum { ONE_IN = 4 };
#else
enum { ONE_IN = 1 };
#endif

static inline void visit_problem(visitor *visit, const dae_problem *problem, int i)
{
    for (int f = 0; dae_formulation_at(f); f++)
        for (int m = 0; dae_method_at(m); m++)
            if ((i + f + m) % ONE_IN == 0
                && dae_formulation_applies(dae_formulation_at(f), problem)
                && wanted("ONLY", problem->name) && wanted("IN", form_name(dae_formulation_at(f)))
                && wanted("BY", method_name(dae_method_at(m))))
                visit(problem, dae_formulation_at(f), dae_method_at(m));
}

/* Constraints of positions and of velocities in one, with a full M(q): unusual/coin.c. */
extern const dae_problem dae_coin;

static inline void visit_all(visitor *visit)
{
    int i = 0;
    for (; dae_problems[i]; i++)
        visit_problem(visit, with_few_copies(dae_problems[i]), i);
    visit_problem(visit, &dae_coin, i);
}

#endif
