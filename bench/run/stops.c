#include "run/stops.h"

#include "host/allocate.h"
#include "run/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABSENT = -1 };

/* The minimal coordinate; an angle next to where it was. */
static double coordinate(stop_condition *s, const dae_problem *problem, int i, double t,
                         const double *x)
{
    const double turn = 2 * acos(-1);
    problem->mechanical.minimal.chart.f(dae_hybrid_parameters(s->hybrid), t, x,
                                        x + problem->mechanical.nq, s->scratch);
    const double c = s->scratch[i];
    return s->angle && isfinite(s->last) ? c + turn * round((s->last - c) / turn) : c;
}

/* The variable minus its value; in a mode without the variable as it was last. */
static double passage(void *context, double t, const double *x)
{
    stop_condition *s = context;
    const int mode = dae_hybrid_mode(s->hybrid), place = s->place[mode];
    if (place >= s->minimal)
        s->last = coordinate(s, dae_hybrid_problem(s->hybrid, mode), place - s->minimal, t, x);
    else if (place != ABSENT)
        s->last = x[place];
    return isnan(s->last) && place == ABSENT ? 1 : s->last - s->value;
}

/* "--stop x=3" */
static front_word typed(const run_setting *o, const char *text)
{
    front_word word = front_field(&o->front, "stop");
    const size_t end = strlen(word.text);
    snprintf(word.text + end, sizeof word.text - end, " %s", text);
    return word;
}

/* "x=3": name and value. */
static dae_status split(const char *text, stop_condition *s, const run_setting *o,
                        dae_report *report)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof s->name || !equals[1])
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: NAME=VALUE is needed", typed(o, text).text);
    memcpy(s->name, text, length);
    s->name[length] = 0;
    s->value = strtod(equals + 1, &end);
    if (*end || !isfinite(s->value))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a finite number is needed",
                        typed(o, text).text);
    return DAE_OK;
}

/* All names that a stop may have: those of x in each mode, and minimal coordinates. */
typedef struct {
    column_label *x, *minimal;
    int count, coordinates;
} mode_names;

static int look_up(const column_label *labels, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(labels[i].name, name) == 0)
            return i;
    return ABSENT;
}

/* Where the variable is in each mode; 1 where one has it. */
static int place(stop_condition *s, const mode_names *names, int modes)
{
    int found = 0;
    for (int m = 0; m < modes; m++) {
        s->place[m] = look_up(names[m].x, names[m].count, s->name);
        const int c = look_up(names[m].minimal, names[m].coordinates, s->name);
        if (s->place[m] == ABSENT && c != ABSENT) {
            s->place[m] = s->minimal + c;
            s->angle = strcmp(names[m].minimal[c].unit, "rad") == 0;
        }
        found |= s->place[m] != ABSENT;
    }
    return found;
}

static dae_status unknown(const run_setting *o, const stop_condition *s, const mode_names *names,
                          int modes, dae_report *report)
{
    const char *list[1024];
    int count = 0;
    for (int m = 0; m < modes; m++) {
        for (int i = 0; i < names[m].count && count < 1024; i++)
            list[count++] = names[m].x[i].name;
        for (int i = 0; i < names[m].coordinates && count < 1024; i++)
            list[count++] = names[m].minimal[i].name;
    }
    const char *near = dae_nearest(s->name, list, count);
    const front_word field = front_field(&o->front, "stop");
    return near ? dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s has no unknown '%s'; did you mean %s?",
                           field.text, o->problem->name, s->name, near)
                : dae_fail(report, DAE_BAD_ARGUMENT,
                           "%s: %s has no unknown '%s'; daelab info %s shows them", field.text,
                           o->problem->name, s->name, o->problem->name);
}

static dae_status add(stop_list *list, const char *text, dae_hybrid *hybrid, const run_setting *o,
                      const mode_names *names, dae_report *report)
{
    const int modes = dae_hybrid_modes(hybrid);
    stop_condition *s = &list->stop[list->count];
    *s = (stop_condition){.hybrid = hybrid, .last = NAN};
    if (split(text, s, o, report))
        return DAE_BAD_ARGUMENT;
    list->count++;
    int most = 1;
    for (int m = 0; m < modes; m++) {
        s->minimal = names[m].count > s->minimal ? names[m].count : s->minimal;
        most = names[m].coordinates > most ? names[m].coordinates : most;
    }
    s->place = allocate((size_t)modes, sizeof *s->place);
    s->scratch = allocate((size_t)most, sizeof *s->scratch);
    if (!place(s, names, modes))
        return unknown(o, s, names, modes, report);
    const dae_status status = dae_hybrid_stop_where(hybrid, text, passage, s, DAE_ANY);
    return status ? dae_fail(report, status, "%s: %s", typed(o, text).text,
                             dae_hybrid_report(hybrid)->message) : DAE_OK;
}

dae_status stops_begin(stop_list *list, dae_hybrid *hybrid, const run_setting *o,
                       dae_report *report)
{
    const int modes = o->stops ? dae_hybrid_modes(hybrid) : 0;
    dae_report why = {0};
    dae_status code = DAE_OK;
    *list = (stop_list){0};
    mode_names *names = allocate((size_t)modes, sizeof *names);
    for (int m = 0; !code && m < modes; m++) {
        const dae_problem *problem = dae_hybrid_problem(hybrid, m);
        names[m].x = state_labels(problem, o->parameters, &names[m].count, &why);
        names[m].minimal = minimal_labels(problem, &names[m].coordinates);
        if (!names[m].x)
            code = dae_fail(report, why.status, "%s", why.message);
    }
    for (int i = 0; !code && i < o->stops; i++)
        code = add(list, o->stop[i], hybrid, o, names, report);
    for (int m = 0; m < modes; m++) {
        free(names[m].x);
        free(names[m].minimal);
    }
    free(names);
    return code;
}

void stops_free(stop_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->stop[i].place);
        free(list->stop[i].scratch);
    }
    list->count = 0;
}

dae_status stops_check(const run_setting *o, const dae_formulation *form, const dae_method *method,
                       dae_report *report)
{
    dae_options options = dae_default_options();
    dae_hybrid *hybrid;
    stop_list list;
    options.step = dae_method_describe(method).adaptive ? 0 : 1;
    if (!o->stops || dae_hybrid_create(&hybrid, o->problem, form, o->parameters, NULL, method, &options, NULL))
        return DAE_OK;                                  /* a run says what is wrong with it */
    const dae_status status = stops_begin(&list, hybrid, o, report);
    stops_free(&list);
    dae_hybrid_free(hybrid);
    return status;
}
