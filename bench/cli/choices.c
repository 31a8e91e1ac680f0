#include "cli/choices.h"

#include "catalogue/catalogue.h"
#include "cli/option_values.h"
#include "cli/plugins.h"
#include "cli/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int formulation_names(const char **names, int room)
{
    int count = 0;
    for (; dae_formulation_at(count) && count < room; count++)
        names[count] = dae_formulation_describe(dae_formulation_at(count)).name;
    return count;
}

int method_names(const char **names, int room)
{
    int count = 0;
    for (; catalogue_method(count) && count < room; count++)
        names[count] = dae_method_describe(catalogue_method(count)).name;
    return count;
}

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

static int choose_form(const char *name, cli_options *o)
{
    const char *names[MAX_NAMES];
    const int count = formulation_names(names, MAX_NAMES);
    const dae_formulation *form = dae_find_formulation(name);
    if (!form) {
        choice_unknown("formulation", name, names, count);
        return 0;
    }
    if (!dae_formulation_applies(form, o->study.run.problem)) {
        if (o->one_of_several)                          /* it is for another of them */
            return 1;
        dae_report why = {0};
        dae_system *none = NULL;
        dae_system_create(&none, o->study.run.problem, form, NULL, NULL, &why);
        dae_system_free(none);
        cli_error(EXIT_USAGE, "%s; daelab info %s shows those it has", why.message, o->study.run.problem->name);
        return 0;
    }
    return add_form(form, o);
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
    const char *names[MAX_NAMES];
    const int count = method_names(names, MAX_NAMES);
    const dae_method *method = load_is_path(name) ? plugins_method(name) : catalogue_find_method(name);
    if (!method && !load_is_path(name))
        choice_unknown("method", name, names, count);
    return method && add_method(method, o);
}

int choose_baseline(const char *name, cli_options *o)
{
    const char *names[MAX_NAMES];
    o->study.baseline = load_is_path(name) ? plugins_method(name) : catalogue_find_method(name);
    if (!o->study.baseline && !load_is_path(name))
        choice_unknown("method", name, names, method_names(names, MAX_NAMES));
    return o->study.baseline != NULL;
}

/* Call choose for every name of a list separated by commas, and where one is "all", all. */
static int each(const char *list, int (*choose)(const char *, cli_options *), cli_options *o)
{
    char *copy = strdup(list), *rest = copy, *name;
    int good = copy || !cli_error(EXIT_SYSTEM, "out of memory");
    while (good && (name = strsep(&rest, ",")))
        good = choose(name, o);
    free(copy);
    return good;
}

static void choose_all_forms(cli_options *o)
{
    for (int i = 0; dae_formulation_at(i); i++)
        if (dae_formulation_applies(dae_formulation_at(i), o->study.run.problem))
            add_form(dae_formulation_at(i), o);
}

static int choose_form_or_all(const char *name, cli_options *o)
{
    if (strcmp(name, "all") != 0)
        return choose_form(name, o);
    choose_all_forms(o);
    return 1;
}

int choose_forms(const char *list, cli_options *o)
{
    if (!each(list, choose_form_or_all, o))
        return 0;
    if (!o->study.forms)                                /* of several problems: none that this one has */
        study_default_form(&o->study);
    return 1;
}

static int choose_method_or_all(const char *name, cli_options *o)
{
    if (strcmp(name, "all") != 0)
        return choose_method(name, o);
    int good = 1;
    for (int i = 0; good && catalogue_method(i); i++)
        good = add_method(catalogue_method(i), o);
    return good;
}

int choose_methods(const char *list, cli_options *o)
{
    return each(list, choose_method_or_all, o);
}

static const char *const levels[] = {"none", "position", "velocity", "invariant"};
enum { LEVEL_WORDS = 4 };

int projection_names(const char **names, int room)
{
    int count = 0;
    for (; count < LEVEL_WORDS && count < room; count++)
        names[count] = levels[count];
    return count;
}

/* Word k of the list is bit k - 1. */
static int choose_level(const char *name, cli_options *o)
{
    int k = 0;
    while (k < LEVEL_WORDS && strcmp(name, levels[k]) != 0)
        k++;
    if (k == LEVEL_WORDS)
        choice_unknown("projection", name, levels, LEVEL_WORDS);
    else
        o->study.run.project |= k ? 1u << (k - 1) : 0;
    return k < LEVEL_WORDS;
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
        wrong = usage_check(one, 1, 0);
    if (wrong)
        return wrong;
    const dae_status status = run_is_smooth(o->study.run.problem) ? study_check_combinations(&o->study, &why)
                                                                  : DAE_OK;
    return status ? cli_fail(status, &why) : 0;
}

int choose_stop(const char *assignment, cli_options *o)
{
    if (o->study.run.stops == MAX_STOPS)
        return !cli_error(EXIT_USAGE, "--stop: more than %d", MAX_STOPS);
    o->study.run.stop[o->study.run.stops++] = assignment;
    return 1;
}
