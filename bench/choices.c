#include "choices.h"

#include "atomic_file.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 };

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

/* Call choose for every name of a list separated by commas. */
static int each(const char *list, int (*choose)(const char *, cli_options *), cli_options *o)
{
    char *copy = strdup(list), *rest = copy, *name;
    int good = copy != NULL;
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

int choose_forms(const char *list, cli_options *o)
{
    if (strcmp(list, "all") != 0)
        return each(list, choose_form, o);
    choose_all_forms(o);
    return 1;
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
int choose_projection(const char *list, cli_options *o)
{
    char one[MAX_WORD];
    for (o->project = 0;; list++) {
        const size_t length = strcspn(list, ",");
        int k = 0;
        snprintf(one, sizeof one, "%.*s", (int)length, list);
        while (k < LEVEL_WORDS && strcmp(one, levels[k]) != 0)
            k++;
        if (k == LEVEL_WORDS) {
            const char *near = dae_nearest(one, levels, LEVEL_WORDS);
            if (near)
                cli_error(EXIT_USAGE, "there is no projection '%s'; did you mean %s?", one, near);
            else
                cli_error(EXIT_USAGE, "there is no projection '%s': position, velocity, invariant "
                          "or none", one);
            return 0;
        }
        o->project |= k ? 1u << (k - 1) : 0;
        list += length;
        if (!*list)
            break;
    }
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
    atomic_file file;
    const char *const files[2] = {o->output, o->plot};
    if (o->output && o->plot && strcmp(o->output, o->plot) == 0)
        return cli_error(EXIT_USAGE, "--output and --plot both write %s", o->plot);
    if (o->plot && plot_check(o->plot, &why))
        return cli_error(cli_exit_status(why.status), "%s", why.message);
    for (int i = 0; i < 2; i++) {
        if (!files[i])
            continue;
        if (atomic_open(&file, files[i], &why))
            return cli_error(EXIT_SYSTEM, "%s", why.message);
        atomic_discard(&file);
    }
    return 0;
}

/* Say which options no chosen form or method takes. */
static void warn_unused(const cli_options *o)
{
    int fixed = 0, adaptive = 0, implicit = 0, stabilised = 0;
    for (int i = 0; i < o->methods; i++) {
        const dae_method_info info = dae_method_describe(o->method[i]);
        fixed |= info.fixed;
        adaptive |= info.adaptive;
        implicit |= info.implicit;
    }
    for (int i = 0; i < o->forms; i++)
        stabilised |= dae_formulation_describe(o->form[i]).stabilised;
    const struct { int given, used; const char *name; } options[] = {
        {!isnan(o->step), fixed, "step"}, {!isnan(o->rtol), adaptive, "rtol"},
        {!isnan(o->atol), adaptive, "atol"}, {o->alpha_given, stabilised, "alpha"},
        {o->beta_given, stabilised, "beta"},
        {o->jacobian != DAE_JACOBIAN_BEST, implicit, "jacobian"},
        {o->linear != DAE_LINEAR_BEST, implicit, "linear"},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !options[i].used)
            fprintf(stderr, "daelab: --%s is not used by the chosen formulations and methods\n",
                    options[i].name);
}

int choose_defaults(cli_options *o)
{
    if (!o->forms)
        choose_all_forms(o);
    if (!o->methods)
        choose_default_method(o);
    const dae_parameter *varied = o->values ? &o->problem->parameters[o->varied] : NULL;
    if (varied && o->parameters[o->varied] != varied->value)
        return cli_error(EXIT_USAGE, "--param %s: --vary gives its values", varied->name);
    if (!o->quiet)
        warn_unused(o);
    return check_files(o);
}

int choose_methods(const char *list, cli_options *o)
{
    if (strcmp(list, "all") != 0)
        return each(list, choose_method, o);
    for (int i = 0; dae_method_at(i); i++)
        add_method(dae_method_at(i), o);
    return 1;
}

static int assign(const char *option, const char *assignment, cli_options *o)
{
    const char *equals = strchr(assignment, '=');
    const char *names[DAE_MAX_PARAMETERS];
    char name[64], *end;
    const int count = dae_parameter_count(o->problem);
    if (choose_several(o->subject)) {
        cli_error(EXIT_USAGE, "--param %s: of which of the problems?", assignment);
        return 0;
    }
    if (!equals || equals == assignment || !equals[1]) {
        cli_error(EXIT_USAGE, "--%s %s: NAME=VALUE is needed", option, assignment);
        return 0;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    const int i = dae_parameter_index(o->problem, name);
    for (int k = 0; k < count; k++)
        names[k] = o->problem->parameters[k].name;
    if (i < 0) {
        choice_unknown("parameter", name, names, count);
        return 0;
    }
    o->parameters[i] = strtod(equals + 1, &end);
    if (*end || !isfinite(o->parameters[i])) {
        cli_error(EXIT_USAGE, "--%s %s: a finite number is needed", option, assignment);
        return 0;
    }
    return 1;
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
    return assign("param", assignment, o);
}

/* "NAME=V,V": each value as an assignment of its own */
int vary_parameter(const char *assignment, cli_options *o)
{
    const char *equals = strchr(assignment, '='), *value = equals ? equals + 1 : assignment;
    cli_options one = *o;
    char text[128];
    if (!equals)
        return assign("vary", assignment, o);           /* complains */
    for (o->values = 0;; value++) {
        const size_t length = strcspn(value, ",");
        if (o->values == MAX_VALUES)
            return !cli_error(EXIT_USAGE, "--vary: more than %d values", MAX_VALUES);
        snprintf(text, sizeof text, "%.*s%.*s", (int)(equals + 1 - assignment), assignment,
                 (int)length, value);
        if (!assign("vary", text, &one))
            return 0;
        snprintf(text, sizeof text, "%.*s", (int)(equals - assignment), assignment);
        o->varied = dae_parameter_index(o->problem, text);
        o->value[o->values++] = one.parameters[o->varied];
        value += length;
        if (!*value)
            return 1;
    }
}
