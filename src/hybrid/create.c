/* create.c - checks of the modes of a problem, and creation of a system and a solver for each */
#include "hybrid.h"

#include "base/parts.h"
#include "driver/driver.h"
#include "system/atol_of.h"
#include "system/parameters.h"

#include <stdlib.h>
#include <string.h>

void dae_hybrid_free_systems(dae_hybrid *h)
{
    h->complete = 0;
    for (int m = 0; h->mode && m < h->modes; m++) {
        dae_driver_free(h->mode[m].solver);
        dae_system_free(h->mode[m].sys);
        h->mode[m].solver = NULL;
        h->mode[m].sys = NULL;
    }
}

void dae_hybrid_free(dae_hybrid *h)
{
    if (!h)
        return;
    if (h->busy) {
        h->mode[h->now].sys->refused = "dae_hybrid_free";
        return;
    }
    dae_hybrid_free_systems(h);
    for (int m = 0; h->mode && m < h->modes; m++) {
        free(h->mode[m].direction);
        free(h->mode[m].event);
        free(h->mode[m].texts);
        free(h->mode[m].recurrence);
    }
    dae_parameters_free(h->p);
    dae_parameters_free(h->acted);
    free(h->p_new);
    free(h->mode);
    free(h->named);
    free(h->memory);
    free(h->happening);
    free(h->states);
    free(h);
}

void dae_complete_mode(const dae_problem *problem, int m, dae_problem *mode)
{
    *mode = *problem;
    if (m == 0)
        return;
    *mode = *problem->modes[m - 1];
    mode->citation = mode->citation ? mode->citation : problem->citation;
    memcpy(mode->parameters, problem->parameters, sizeof mode->parameters);
    mode->more_parameters = problem->more_parameters;
    mode->t0 = problem->t0;
    mode->t_end = problem->t_end;
    if (!mode->invariants.n)
        mode->invariants = problem->invariants;
    if (!mode->draw)
        mode->draw = problem->draw;
}

static void complete(const dae_problem *problem, int m, dae_mode *mode)
{
    dae_complete_mode(problem, m, &mode->problem);
    mode->name = m > 0 ? mode->problem.name : problem->mode ? problem->mode : problem->name;
}

static int find_mode(const dae_hybrid *h, const char *name)
{
    int m = 0;
    while (m < h->modes && strcmp(h->mode[m].name, name) != 0)
        m++;
    return m;
}

static dae_status check_names(const dae_hybrid *h, dae_report *report)
{
    const dae_problem *problem = h->problem;
    if (h->modes > 1 && !problem->mode)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its first mode has no name (.mode)",
                        problem->name);
    for (int m = 1; m < h->modes; m++) {
        if (!problem->modes[m - 1]->name)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mode %d has no name", problem->name,
                            m + 1);
        if (find_mode(h, h->mode[m].name) < m)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: two modes are named %s", problem->name,
                            h->mode[m].name);
    }
    return DAE_OK;
}

/* Every mode has a start, every event leads somewhere. */
static dae_status check_modes(const dae_hybrid *h, dae_report *report)
{
    for (int m = 0; m < h->modes; m++) {
        const dae_mode *mode = &h->mode[m];
        if (!mode->problem.start.f)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mode %s has no start, a typical state "
                            "of it", h->problem->name, mode->name);
        if ((mode->problem.mechanical.nq > 0) != (h->problem->mechanical.nq > 0))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mode %s is not mechanical as the others "
                            "are, or the reverse", h->problem->name, mode->name);
        for (const dae_event *e = mode->problem.events; e && e->name; e++) {
            const char *to[2] = {e->mode, e->limit};
            for (int k = 0; k < 2; k++)
                if (to[k] && find_mode(h, to[k]) == h->modes)
                    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: event %s of mode %s leads to an "
                                    "unknown mode %s", h->problem->name, e->name, mode->name,
                                    to[k]);
            if (!e->value.f)
                return dae_fail(report, DAE_BAD_ARGUMENT, "%s: event %s of mode %s has no value",
                                h->problem->name, e->name, mode->name);
        }
    }
    return DAE_OK;
}

static dae_status set_modes(dae_hybrid *h, dae_report *report)
{
    const int copies = dae_problem_copies(h->problem, h->p);
    h->modes = 1;
    while (h->problem->modes && h->problem->modes[h->modes - 1])
        h->modes++;
    h->mode = calloc((size_t)h->modes, sizeof *h->mode);
    if (!h->mode)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d modes", h->modes);
    for (int m = 0; m < h->modes; m++) {
        dae_mode *mode = &h->mode[m];
        complete(h->problem, m, mode);
        const dae_status status = dae_hybrid_list_events(mode, copies, report);
        if (status)
            return status;
        const size_t most = (size_t)mode->events + DAE_MAX_CONDITIONS;
        mode->direction = calloc(most, sizeof *mode->direction);
        mode->recurrence = calloc(most, sizeof *mode->recurrence);
        if (!mode->direction || !mode->recurrence)
            return dae_fail(report, DAE_NO_MEMORY, "no memory for the events of %s", mode->name);
        mode->count = mode->events;
        for (int i = 0; i < mode->events; i++)
            mode->direction[i] = mode->event[i].entry->direction;
    }
    const dae_status status = check_names(h, report);
    return status ? status : check_modes(h, report);
}

static unsigned levels_of(const dae_mechanical *m)
{
    return (m->nl > m->nonholonomic ? DAE_PROJECT_POSITION : 0) | (m->nl ? DAE_PROJECT_VELOCITY : 0);
}

/* A mode without constraints has nothing to be projected on, where another mode has. */
static dae_options options_of(const dae_hybrid *h, int m)
{
    dae_options options = h->options;
    unsigned other = 0;
    for (int k = 0; k < h->modes; k++)
        other |= levels_of(&h->mode[k].problem.mechanical);
    options.project &= ~(other & ~levels_of(&h->mode[m].problem.mechanical));
    return options;
}

/* The state of a run has the size that it has. */
static dae_status check_size(dae_mode *mode, dae_report *report)
{
    if (mode->n && mode->sys->n != mode->n)
        return dae_fail(report, DAE_BAD_ARGUMENT, "an action changes parameters so that %s has %d "
                        "unknowns and not %d", mode->name, mode->sys->n, mode->n);
    mode->n = mode->sys->n;
    return DAE_OK;
}

static size_t count_unknowns(const dae_hybrid *h)
{
    size_t sum = 0;
    for (int m = 0; m < h->modes; m++)
        sum += (size_t)h->mode[m].n;
    return sum;
}

static int a_mode_has(const dae_hybrid *h, const char *of)
{
    int m = 0;
    while (m < h->modes && !dae_names_unknowns(h->mode[m].sys, of))
        m++;
    return m < h->modes;
}

/* options.atols := what options.atol_of says of the unknowns of each mode; one of them has what it names. */
static dae_status name_atols(dae_hybrid *h, dae_report *report)
{
    dae_options *o = &h->options;
    dae_status status = dae_check_atol_of(o->atol_of, o->atol_count, report);
    if (status || !o->atol_count)
        return status;
    if (o->atols)
        return dae_fail(report, DAE_BAD_ARGUMENT, "options: atols and atol_of exclude each other");
    for (int k = 0; k < o->atol_count; k++)
        if (!a_mode_has(h, o->atol_of[k].of))
            return dae_atol_unused(h->mode[0].sys, o->atol_of[k].of, report);
    double *atols = h->named = calloc(count_unknowns(h), sizeof *atols);
    if (!atols)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the tolerances of %s", h->problem->name);
    for (int m = 0; m < h->modes; atols += h->mode[m++].n)
        dae_fill_atols(h->mode[m].sys, o->atol, o->atol_of, o->atol_count, atols);
    o->atols = h->named;
    o->atol_of = NULL;
    o->atol_count = 0;
    return DAE_OK;
}

static dae_status create_solvers(dae_hybrid *h, dae_report *report)
{
    const double *atols = h->options.atols;
    dae_status status = DAE_OK;
    for (int m = 0; !status && m < h->modes; m++) {
        dae_mode *mode = &h->mode[m];
        dae_options options = options_of(h, m);
        options.atols = mode->atols = atols;
        atols = atols ? atols + mode->n : NULL;
        status = dae_driver_create(&mode->solver, mode->sys, h->method, &options, report);
        if (!status)
            driver(mode->solver)->inside = 1;
    }
    return status;
}

dae_status dae_hybrid_create_systems(dae_hybrid *h, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int m = 0; !status && m < h->modes; m++) {
        dae_mode *mode = &h->mode[m];
        status = dae_system_create(&mode->sys, &mode->problem, h->form, h->p, &h->form_options, report);
        if (!status)
            status = check_size(mode, report);
    }
    if (!status)
        status = name_atols(h, report);
    if (!status)
        status = create_solvers(h, report);
    h->complete = !status;
    return status;
}

int dae_hybrid_has_parameters(const dae_hybrid *h, const double *p)
{
    const size_t size = (size_t)h->parameters * sizeof *p;
    int same = h->complete && memcmp(h->p, p, size) == 0;
    for (int m = 0; same && m < h->modes; m++)
        same = memcmp(h->mode[m].sys->p, p, size) == 0;
    return same;
}

static dae_status renew(dae_hybrid *h, dae_mode *mode, dae_report *report)
{
    dae_status status = dae_system_set_parameters(mode->sys, h->p, report);
    if (status)
        return status;
    status = dae_solver_renew(mode->solver);
    if (status && report)
        *report = *dae_solver_report(mode->solver);
    return status;
}

dae_status dae_hybrid_renew_systems(dae_hybrid *h, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int m = 0; m < h->modes; m++)
        if (!h->mode[m].sys || !h->mode[m].solver) {
            dae_hybrid_free_systems(h);
            return dae_hybrid_create_systems(h, report);
        }
    h->complete = 0;
    for (int m = 0; !status && m < h->modes; m++)
        status = renew(h, &h->mode[m], report);
    h->complete = !status;
    return status;
}

/* The size of the state that all modes share, and of the largest. */
static dae_status measure_modes(dae_hybrid *h, dae_report *report)
{
    for (int m = 0; m < h->modes; m++) {
        const dae_system *s = h->mode[m].sys;
        const int size = s->nq ? 2 * s->nq : s->problem->first_order.n, x = s->nq ? size + s->nl : size;
        if (m > 0 && size != h->size)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mode %s has a state of %d, not of %d as "
                            "the first", h->problem->name, h->mode[m].name, size, h->size);
        h->size = size;
        h->most = s->n > h->most ? s->n : h->most;
        h->most = x > h->most ? x : h->most;
    }
    return DAE_OK;
}

/* The options' atols become the run's own. */
static void copy_atols(dae_hybrid *h)
{
    const double *given = h->options.atols;
    if (!given)
        return;
    memcpy(h->atols, given, count_unknowns(h) * sizeof *given);
    for (int m = 0; m < h->modes; m++)
        h->mode[m].atols = h->atols + (h->mode[m].atols - given);
    h->options.atols = h->atols;
    free(h->named);
    h->named = NULL;
}

static dae_status allocate(dae_hybrid *h, dae_report *report)
{
    size_t events = 0;
    for (int m = 0; m < h->modes; m++)
        events = (size_t)h->mode[m].events > events ? (size_t)h->mode[m].events : events;
    const size_t most = (size_t)h->most, count = events + DAE_MAX_CONDITIONS;
    h->room = 16;
    h->happening = calloc((size_t)h->room, sizeof *h->happening);
    h->states = calloc((size_t)h->room * 2 * (size_t)h->size, sizeof *h->states);
    h->memory = DAE_PARTS(h,
        DAE_PART(dae_hybrid, u, most), DAE_PART(dae_hybrid, x, most), DAE_PART(dae_hybrid, state, most),
        DAE_PART(dae_hybrid, v, most), DAE_PART(dae_hybrid, unit, most), DAE_PART(dae_hybrid, rate, most),
        DAE_PART(dae_hybrid, least, most), DAE_PART(dae_hybrid, largest, most), DAE_PART(dae_hybrid, entry, 5 * most),
        DAE_PART(dae_hybrid, kept, most), DAE_PART(dae_hybrid, motion, most), DAE_PART(dae_hybrid, sized, most),
        DAE_PART(dae_hybrid, from, most),
        DAE_PART(dae_hybrid, tolerated, 3 * most), DAE_PART(dae_hybrid, g, count),
        DAE_PART(dae_hybrid, g_new, 2 * count), DAE_PART(dae_hybrid, noise, count),
        DAE_PART(dae_hybrid, stopped, count), DAE_PART(dae_hybrid, near, count), DAE_PART(dae_hybrid, fastest, count),
        DAE_PART(dae_hybrid, atols, count_unknowns(h)), DAE_PART(dae_hybrid, fired, count),
        DAE_PART(dae_hybrid, next, count), DAE_PART(dae_hybrid, done, count), DAE_PART(dae_hybrid, waiting, count),
        DAE_PART(dae_hybrid, carried, count), DAE_PART(dae_hybrid, turned, count),
        DAE_PART(dae_hybrid, held, most));
    return h->memory && h->happening && h->states
               ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for a run of %s", h->problem->name);
}

static dae_status check_limits(const dae_options *o, dae_report *report)
{
    if (o->max_events <= 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "max_events = %ld must be positive",
                        o->max_events);
    if (!(o->accumulation >= 0 && o->accumulation < 1))
        return dae_fail(report, DAE_BAD_ARGUMENT, "accumulation = %g must be in [0, 1)",
                        o->accumulation);
    return DAE_OK;
}

static dae_status set_parameters(dae_hybrid *h, const double *values, dae_report *report)
{
    const void *data = h->form_options.user_data;
    const size_t count = (size_t)dae_parameter_count(h->problem);
    h->parameters = (int)count;
    h->p = dae_parameters_new(h->parameters, sizeof *h->p, data);
    h->acted = dae_parameters_new(h->parameters, sizeof *h->acted, data);
    if (!h->p || !h->acted
        || !DAE_PARTS(h, DAE_PART(dae_hybrid, p_new, count), DAE_PART(dae_hybrid, p_start, count),
                      DAE_PART(dae_hybrid, p_kept, count), DAE_PART(dae_hybrid, p_tried, count)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %zu parameters", count);
    dae_parameter_values(h->problem, values, h->p);
    memcpy(h->p_start, h->p, count * sizeof *h->p);
    return DAE_OK;
}

dae_status dae_hybrid_create(dae_hybrid **hybrid, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *form_options,
                             const dae_method *method, const dae_options *options,
                             dae_report *report)
{
    if (!hybrid)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no place for a run is given");
    *hybrid = NULL;
    if (!problem || !form || !method)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given",
                        !problem ? "problem" : !form ? "formulation" : "method");
    const dae_status checked = dae_check_problem(problem, report);
    if (checked)
        return checked;
    dae_hybrid *h = calloc(1, sizeof *h);
    if (!h)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a run");
    h->problem = problem;
    h->form = form;
    h->method = method;
    h->form_options = form_options ? *form_options : dae_default_formulation_options(problem);
    h->options = options ? *options : dae_default_options();
    dae_status status = check_limits(&h->options, report);
    if (!status)
        status = set_parameters(h, parameters, report);
    if (!status)
        status = set_modes(h, report);
    if (!status)
        status = dae_hybrid_create_systems(h, report);
    if (!status)
        status = measure_modes(h, report);
    if (!status)
        status = allocate(h, report);
    if (status) {
        dae_hybrid_free(h);
        return status;
    }
    copy_atols(h);
    *hybrid = h;
    return DAE_OK;
}

dae_status dae_hybrid_stop_where(dae_hybrid *h, const char *name, dae_condition *condition,
                                 void *context, dae_direction direction)
{
    if (!h)
        return DAE_BAD_ARGUMENT;
    if (!name || !condition || (int)direction < DAE_FALLING || (int)direction > DAE_RISING)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "a condition to stop takes a name, a "
                        "function and a direction, -1, 0 or 1");
    if (h->started || h->busy)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "%s: a condition to stop comes before "
                        "dae_hybrid_start", name);
    if (h->stops == DAE_MAX_CONDITIONS)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "%s: at most %d conditions to stop", name,
                        (int)DAE_MAX_CONDITIONS);
    h->stop[h->stops++] = (dae_stop_condition){name, condition, context, direction};
    for (int m = 0; m < h->modes; m++)
        h->mode[m].direction[h->mode[m].count++] = direction;
    return DAE_OK;
}
