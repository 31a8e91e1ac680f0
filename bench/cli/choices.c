#include "cli/choices.h"

#include "host/atomic_file.h"
#include "cli/option_values.h"
#include "picture/plot.h"
#include "measure/run.h"
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
    for (; dae_method_at(count) && count < room; count++)
        names[count] = dae_method_describe(dae_method_at(count)).name;
    return count;
}

/* The formulation exists for the problem, or for one of several perhaps. */
static int may_apply(const dae_formulation *form, const cli_options *o)
{
    return choose_several(o->subject) || dae_formulation_applies(form, o->problem);
}

static int add_form(const dae_formulation *form, cli_options *o)
{
    for (int i = 0; i < o->forms; i++)
        if (o->form[i] == form)
            return 1;
    if (o->forms == MAX_CHOICES)
        return 0;
    o->form[o->forms++] = form;
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
    if (!may_apply(form, o)) {
        cli_error(EXIT_USAGE, "%s has no formulation %s; daelab info %s shows those it has",
                  o->problem->name, name, o->problem->name);
        return 0;
    }
    return add_form(form, o);
}

static int add_method(const dae_method *method, cli_options *o)
{
    for (int i = 0; i < o->methods; i++)
        if (o->method[i] == method)
            return 1;
    if (o->methods == MAX_CHOICES)
        return 0;
    o->method[o->methods++] = method;
    return 1;
}

static int choose_method(const char *name, cli_options *o)
{
    const char *names[MAX_NAMES];
    const int count = method_names(names, MAX_NAMES);
    const dae_method *method = dae_find_method(name);
    if (!method) {
        choice_unknown("method", name, names, count);
        return 0;
    }
    return add_method(method, o);
}

int choose_baseline(const char *name, cli_options *o)
{
    const char *names[MAX_NAMES];
    o->baseline = dae_find_method(name);
    if (!o->baseline)
        choice_unknown("method", name, names, method_names(names, MAX_NAMES));
    return o->baseline != NULL;
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
        if (may_apply(dae_formulation_at(i), o))
            add_form(dae_formulation_at(i), o);
}

static int choose_form_or_all(const char *name, cli_options *o)
{
    if (strcmp(name, "all") != 0)
        return choose_form(name, o);
    choose_all_forms(o);
    return 1;
}

int choose_forms(const char *list, cli_options *o) { return each(list, choose_form_or_all, o); }

static int choose_method_or_all(const char *name, cli_options *o)
{
    if (strcmp(name, "all") != 0)
        return choose_method(name, o);
    for (int i = 0; dae_method_at(i); i++)
        add_method(dae_method_at(i), o);
    return 1;
}

int choose_methods(const char *list, cli_options *o)
{
    return each(list, choose_method_or_all, o);
}

static const char *const levels[] = {"none", "position", "velocity", "invariant"};
enum { LEVEL_WORDS = 4 };

const char *cli_project_name(unsigned project)
{
    static const char *const names[] = {
        "none", "position", "velocity", "position,velocity", "invariant", "position,invariant",
        "velocity,invariant", "position,velocity,invariant"};
    return names[project & 7];
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
        o->project |= k ? 1u << (k - 1) : 0;
    return k < LEVEL_WORDS;
}

int choose_projection(const char *list, cli_options *o)
{
    o->project = 0;
    if (!each(list, choose_level, o))
        return 0;
    if (o->projects == MAX_PROJECTS)
        return !cli_error(EXIT_USAGE, "--project: more than %d times", (int)MAX_PROJECTS);
    o->each_project[o->projects++] = o->project;
    return 1;
}

/* A first-order problem as it is written; of a mechanical one the lowest index with multipliers. */
void choose_default_form(cli_options *o)
{
    const dae_formulation *best = NULL;
    int lowest = DAE_MAX_INDEX + 1;
    for (int i = 0; dae_formulation_at(i); i++) {
        const int index = dae_formulation_describe(dae_formulation_at(i)).index;
        if (index != 0 && index < lowest
            && dae_formulation_applies(dae_formulation_at(i), o->problem)) {
            best = dae_formulation_at(i);
            lowest = index;
        }
    }
    o->form[0] = best;
    o->forms = best != NULL;
}

void choose_default_method(cli_options *o)
{
    o->method[0] = dae_method_at(0);
    o->methods = 1;
}

void choose_adaptive_run(cli_options *o)
{
    if (!o->forms)
        choose_default_form(o);
    if (!o->methods) {
        o->method[0] = dae_find_method("radau");
        o->methods = 1;
    }
    if (isnan(o->step) && isnan(o->rtol) && dae_method_describe(o->method[0]).adaptive)
        o->rtol = 1e-6;
}

/* An output that cannot be written is found before anything runs. */
static int check_files(const cli_options *o)
{
    dae_report why = {0};
    const char *const files[2] = {o->output, o->plot};
    if (o->output && o->plot && strcmp(o->output, o->plot) == 0)
        return cli_error(EXIT_USAGE, "--output and --plot both write %s", o->plot);
    if (o->plot && plot_check(o->plot, &why))
        return cli_error(cli_exit_status(why.status), "%s", why.message);
    for (int i = 0; i < 2; i++)
        if (files[i] && atomic_try(files[i], &why))
            return cli_error(EXIT_SYSTEM, "%s", why.message);
    return 0;
}

int choose_defaults(cli_options *o)
{
    if (!o->forms)
        choose_all_forms(o);
    if (!o->methods)
        choose_default_method(o);
    const dae_parameter *varied = o->values ? &o->problem->parameters[o->varied] : NULL;
    if (varied && o->set[o->varied])
        return cli_error(EXIT_USAGE, "--param %s: --vary gives its values", varied->name);
    int wrong = study_check(o);
    if (!wrong && !o->one_of_several)
        wrong = usage_check(o, 1);
    if (!wrong && !o->one_of_several && choice_is_smooth(o->problem))
        wrong = usage_check_combinations(o);
    return wrong ? wrong : check_files(o);
}

/* The place of the parameter that "NAME=..." names, or -1 having complained; *value: behind =. */
static int named_parameter(const char *option, const char *assignment, const cli_options *o,
                           const char **value)
{
    const char *equals = strchr(assignment, '='), *names[DAE_MAX_PARAMETERS];
    const int count = dae_parameter_count(o->problem);
    if (choose_several(o->subject)) {
        cli_error(EXIT_USAGE, "--%s %s: of which of the problems?", option, assignment);
        return -1;
    }
    if (!equals || equals == assignment || !equals[1]) {
        cli_error(EXIT_USAGE, "--%s %s: NAME=VALUE is needed", option, assignment);
        return -1;
    }
    char *name = strndup(assignment, (size_t)(equals - assignment));
    const int i = name ? dae_parameter_index(o->problem, name) : -1;
    for (int k = 0; k < count; k++)
        names[k] = o->problem->parameters[k].name;
    if (!name)
        cli_error(EXIT_SYSTEM, "out of memory");
    else if (i < 0)
        choice_unknown("parameter", name, names, count);
    free(name);
    *value = equals + 1;
    return i;
}

int choose_stop(const char *assignment, cli_options *o)
{
    if (o->stops == MAX_STOPS)
        return !cli_error(EXIT_USAGE, "--stop: more than %d", MAX_STOPS);
    o->stop[o->stops++] = assignment;
    return 1;
}

int set_parameter(const char *assignment, cli_options *o)
{
    const char *value;
    const int i = named_parameter("param", assignment, o, &value);
    if (i < 0)
        return 0;
    if (o->set[i])
        return !cli_error(EXIT_USAGE, "--param %s: %s is given twice", assignment,
                          o->problem->parameters[i].name);
    o->set[i] = 1;
    if (value_read(value, strlen(value), &o->parameters[i]))
        return 1;
    return !cli_error(EXIT_USAGE, "--param %s: a finite number is needed", assignment);
}

/* "NAME=V,V" */
int vary_parameter(const char *assignment, cli_options *o)
{
    const char *value;
    o->varied = named_parameter("vary", assignment, o, &value);
    if (o->varied < 0)
        return 0;
    for (o->values = 0;; value++) {
        const size_t length = strcspn(value, ",");
        const int head = (int)strcspn(assignment, "=") + 1;
        if (o->values == MAX_VALUES)
            return !cli_error(EXIT_USAGE, "--vary: more than %d values", MAX_VALUES);
        if (!value_read(value, length, &o->value[o->values++]))
            return !cli_error(EXIT_USAGE, "--vary %.*s%.*s: %s is needed", head, assignment,
                              (int)length, value, length ? "a finite number" : "NAME=VALUE");
        value += length;
        if (!*value)
            return 1;
    }
}
