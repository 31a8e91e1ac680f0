#include "cli/options.h"

#include "catalogue/catalogue.h"
#include "catalogue/events_off.h"
#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *name_at(choice_kind kind, int i)
{
    switch (kind) {
    case A_PROBLEM: return catalogue_problem(i) ? catalogue_problem(i)->name : NULL;
    case A_FORMULATION: return dae_formulation_at(i) ? dae_formulation_describe(dae_formulation_at(i)).name : NULL;
    default: return catalogue_method(i) ? dae_method_describe(catalogue_method(i)).name : NULL;
    }
}

int choice_names(choice_kind kind, const char *names[MAX_NAMES])
{
    int count = 0;
    while (count < MAX_NAMES && (names[count] = name_at(kind, count)))
        count++;
    return count;
}

void choice_unknown(const char *what, const char *typed, const char *const *names, int count)
{
    char all[1024] = "";
    const char *near = dae_nearest(typed, names, count);
    size_t end = 0;
    for (int i = 0; i < count && end < sizeof all; i++)
        end += (size_t)snprintf(all + end, sizeof all - end, "%s%s", i ? ", " : "", names[i]);
    if (near)
        cli_error(EXIT_USAGE, "there is no %s '%s'; did you mean %s?", what, typed, near);
    else
        cli_error(EXIT_USAGE, "there is no %s '%s'; known %s %s", what, typed, count > 1 ? "are" : "is",
                  count ? all : "none");
}

static void unknown(choice_kind kind, const char *typed)
{
    static const char *const kinds[] = {"problem", "formulation", "method"};
    const char *names[MAX_NAMES], *ending = kind == A_FORMULATION ? NULL : load_ending_of(typed);
    if (ending)
        cli_error(EXIT_USAGE, "there is no %s '%s'; did you mean the file ./%s%s?", kinds[kind], typed, typed, ending);
    else
        choice_unknown(kinds[kind], typed, names, choice_names(kind, names));
}

/* Call choose for every name of a list separated by commas. */
static int each(const char *list, int (*choose)(const char *, cli_options *), cli_options *o)
{
    char *copy = allocate_text(list), *rest = copy, *name;
    int good = 1;
    while (good && (name = strsep(&rest, ",")))
        good = choose(name, o);
    free(copy);
    return good;
}

/* ---- problems ---- */

const dae_problem *choose_problem(const char *name, int smooth, int without_events)
{
    const int is_path = load_is_path(name);
    const dae_problem *problem = is_path ? plugins_problem(name) : catalogue_find_problem(name);
    if (!problem && !is_path)
        unknown(A_PROBLEM, name);
    if (!problem || without_events)
        return problem ? events_off(problem) : NULL;
    if (!smooth || run_is_smooth(problem))
        return problem;
    cli_error(EXIT_USAGE, "%s studies problems that are smooth, and %s has events; daelab solve %s "
              "runs it with them, --no-events without", study_kind_names[STUDY_SCALE], name, name);
    return NULL;
}

int choose_several(const char *subject)
{
    return strcmp(subject, "all") == 0 || strchr(subject, ',') != NULL;
}

static int all_problems(int smooth, int without_events, const dae_problem *problems[MAX_NAMES])
{
    int count = 0;
    for (int i = 0; catalogue_problem(i) && count < MAX_NAMES; i++) {
        const dae_problem *problem = without_events ? events_off(catalogue_problem(i)) : catalogue_problem(i);
        if (!smooth || run_is_smooth(problem))
            problems[count++] = problem;
    }
    return count;
}

int choose_problems(const char *list, int smooth, int without_events, const dae_problem *problems[MAX_NAMES])
{
    if (strcmp(list, "all") == 0)
        return all_problems(smooth, without_events, problems);
    char *copy = allocate_text(list), *rest = copy, *name;
    int count = 0, good = 1;
    while (good && (name = strsep(&rest, ","))) {
        int i = 0;
        good = count < MAX_NAMES && (problems[count] = choose_problem(name, smooth, without_events));
        while (good && problems[i] != problems[count])
            i++;
        count += i == count;
    }
    free(copy);
    return good ? count : 0;
}

/* ---- formulations ---- */

static int add_form(const dae_formulation *form, cli_options *o)
{
    for (int i = 0; i < o->study.forms; i++)
        if (o->study.form[i] == form)
            return 1;
    if (o->study.forms == MAX_CHOICES)
        return 0;
    o->study.form[o->study.forms++] = form;
    return 1;
}

/* One of several problems leaves out what is for another of them. */
static int choose_form(const char *name, cli_options *o)
{
    const dae_problem *problem = o->study.run.problem;
    const int all = strcmp(name, "all") == 0;
    const dae_formulation *form = dae_find_formulation(name);
    for (int i = 0; all && dae_formulation_at(i); i++)
        if (dae_formulation_applies(dae_formulation_at(i), problem))
            add_form(dae_formulation_at(i), o);
    if (all)
        return 1;
    if (!form) {
        unknown(A_FORMULATION, name);
        return 0;
    }
    if (dae_formulation_applies(form, problem))
        return add_form(form, o);
    if (o->one_of_several)
        return 1;
    dae_report why = {0};
    dae_system *none = NULL;
    dae_system_create(&none, problem, form, NULL, NULL, &why);
    dae_system_free(none);
    return !cli_error(EXIT_USAGE, "%s; daelab info %s shows those it has", why.message, problem->name);
}

int choose_forms(const char *list, cli_options *o)
{
    if (!each(list, choose_form, o))
        return 0;
    if (!o->study.forms)                                /* of several problems: none that this one has */
        study_default_form(&o->study);
    return 1;
}

/* ---- methods ---- */

static const dae_method *find_method(const char *name)
{
    const int is_path = load_is_path(name);
    const dae_method *method = is_path ? plugins_method(name) : catalogue_find_method(name);
    if (!method && !is_path)
        unknown(A_METHOD, name);
    return method;
}

static int add_method(const dae_method *method, cli_options *o)
{
    for (int i = 0; i < o->study.methods; i++)
        if (o->study.method[i] == method)
            return 1;
    if (o->study.methods == MAX_CHOICES)
        return !cli_error(EXIT_USAGE, "--method: more than %d methods", (int)MAX_CHOICES);
    o->study.method[o->study.methods++] = method;
    return 1;
}

static int choose_method(const char *name, cli_options *o)
{
    int good = 1;
    if (strcmp(name, "all") != 0) {
        const dae_method *method = find_method(name);
        return method && add_method(method, o);
    }
    for (int i = 0; good && catalogue_method(i); i++)
        good = add_method(catalogue_method(i), o);
    return good;
}

int choose_methods(const char *list, cli_options *o) { return each(list, choose_method, o); }

int choose_baseline(const char *name, cli_options *o) { return (o->study.baseline = find_method(name)) != NULL; }

/* ---- projections ---- */

const char *const projection_names[PROJECTIONS + 1] = {"none", "position", "velocity", "invariant", NULL};

/* Word k of the list is bit k - 1. */
static int choose_level(const char *name, cli_options *o)
{
    int k = 0;
    while (k < PROJECTIONS && strcmp(name, projection_names[k]) != 0)
        k++;
    if (k == PROJECTIONS)
        choice_unknown("projection", name, projection_names, PROJECTIONS);
    else
        o->study.run.project |= k ? 1u << (k - 1) : 0;
    return k < PROJECTIONS;
}

int choose_projection(const char *list, cli_options *o)
{
    o->study.run.project = 0;
    if (!each(list, choose_level, o))
        return 0;
    if (o->study.projects == MAX_PROJECTS)
        return !cli_error(EXIT_USAGE, "--project: more than %d times", (int)MAX_PROJECTS);
    o->study.each_project[o->study.projects++] = o->study.run.project;
    return 1;
}

int choose_stop(const char *assignment, cli_options *o)
{
    if (o->study.run.stops == MAX_STOPS)
        return !cli_error(EXIT_USAGE, "--stop: more than %d", MAX_STOPS);
    o->study.run.stop[o->study.run.stops++] = assignment;
    return 1;
}

/* ---- all ---- */

int choose_check(cli_options *o)
{
    dae_report why = {0};
    char varied[STUDY_NAME];
    study_fill_in(&o->study);
    if (o->study.values && o->set && o->set[o->study.varied] == SET_ALONE)
        return cli_error(EXIT_USAGE, "--param %s: --vary gives its values",
                         study_varied_name(&o->study, varied));
    const dae_status status = study_check(&o->study, &why);
    return status ? cli_fail(status, &why) : 0;
}

/* First what the specification says, then what of the options is used by nothing. */
int choose_defaults(cli_options *o)
{
    const cli_options *const one[] = {o};
    dae_report why = {0};
    int wrong = choose_check(o);
    if (!wrong)
        wrong = unused_options_check(one, 1, 0);
    if (wrong || !run_is_smooth(o->study.run.problem))
        return wrong;
    const dae_status status = study_check_combinations(&o->study, &why);
    return status ? cli_fail(status, &why) : 0;
}
