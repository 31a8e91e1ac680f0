/* parameters.c - --param and --vary: values of parameters by their names, of arrays "k[3]", or all of them; --set:
 * where unknowns begin; --fit, --bounds: which of both are fitted */
#include "catalogue/start_set.h"
#include "cli/options.h"
#include "host/allocate.h"
#include "numbers/decimal.h"
#include "run/columns.h"

#include <daelab/problem.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "NAME=..." of an option. */
typedef struct {
    const char *option, *assignment;
    const char *value;          /* behind = */
    int first, count;           /* the parameters first ... first + count - 1; count > 1: a whole array */
} assigned;

static int elements(const dae_parameter *p) { return p->count > 1 ? p->count : 1; }

/* Is it an unknown, which another option sets? */
static int is_unknown(const cli_options *o, const char *name)
{
    int count, some = 0;
    column_label *label = state_labels(o->study.run.problem, o->study.run.parameters, &count, &(dae_report){0});
    for (int i = 0; label && i < count; i++)
        some |= strcmp(label[i].name, name) == 0;
    free(label);
    return some && option_find(o->command, "set");
}

/* No parameter has the name: near ones, or what may stand between its brackets. */
static void complain(const cli_options *o, const assigned *a)
{
    const dae_problem *problem = o->study.run.problem;
    const int count = dae_parameter_count(problem);
    const char **names = allocate((size_t)count, sizeof *names);
    char *base = allocate_print("%.*s", (int)strcspn(a->assignment, "[="), a->assignment);
    const dae_parameter *p = dae_parameter_at(problem, dae_parameter_index(problem, base));
    int listed = 0;
    for (int i = 0; i < count; i += elements(dae_parameter_at(problem, i)))
        names[listed++] = dae_parameter_at(problem, i)->name;
    if (p && p->count > 1)
        cli_error(EXIT_USAGE, "--%s %s: %s has the elements %s[0] to %s[%d]", a->option, a->assignment, base,
                  base, base, p->count - 1);
    else if (p)
        cli_error(EXIT_USAGE, "--%s %s: %s is one number, no array", a->option, a->assignment, base);
    else if (is_unknown(o, base))
        cli_error(EXIT_USAGE, "--%s %s: this is an unknown of %s, no parameter: %s%s", a->option, a->assignment,
                  problem->name, strcmp(a->option, "fit") ? "--set " : "start:", a->assignment);
    else
        choice_unknown("parameter", base, names, listed);
    free(base);
    free(names);
}

/* Find the parameter, or the array, of this name, which is freed; 0 having complained. */
static int find_named(assigned *a, const cli_options *o, char *name)
{
    const dae_problem *problem = o->study.run.problem;
    a->first = dae_parameter_index(problem, name);
    if (a->first < 0) {
        complain(o, a);
    } else {
        const dae_parameter *p = dae_parameter_at(problem, a->first);
        a->count = strcmp(p->name, name) == 0 ? elements(p) : 1;
    }
    free(name);
    return a->first >= 0;
}

static int is_of_one(const assigned *a, const cli_options *o)
{
    return !o->subject || !choose_several(o->subject)
           || !cli_error(EXIT_USAGE, "--%s %s: of which of the problems?", a->option, a->assignment);
}

/* Find what "NAME=..." names; 0 having complained. */
static int find_parameter(assigned *a, const cli_options *o)
{
    const char *equals = strchr(a->assignment, '=');
    if (!is_of_one(a, o))
        return 0;
    if (!equals || equals == a->assignment || !equals[1])
        return !cli_error(EXIT_USAGE, "--%s %s: NAME=VALUE is needed", a->option, a->assignment);
    a->value = equals + 1;
    return find_named(a, o, allocate_print("%.*s", (int)(equals - a->assignment), a->assignment));
}

/* Each of "L,k[3]". */
int choose_sensitivity(const char *names, cli_options *o)
{
    run_setting *s = &o->study.run;
    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");
        char *name = allocate_print("%.*s", (int)length, at);
        assigned a = {.option = "sensitivity", .assignment = name};
        if (!is_of_one(&a, o) || !find_named(&a, o, allocate_text(name)))
            return free(name), 0;
        free(name);
        if (s->sensitivities + a.count > MAX_SENSITIVITIES)
            return !cli_error(EXIT_USAGE, "--sensitivity %s: more than %d parameters", names, (int)MAX_SENSITIVITIES);
        for (int i = 0; i < a.count; i++)
            s->sensitivity[s->sensitivities++] = a.first + i;
        at += length;
        if (!*at)
            return 1;
    }
}

/* ---- what is fitted ---- */

static int is_fitted(const study_specification *s, const char *name)
{
    int i = 0;
    while (i < s->fits && strcmp(s->fit[i].name, name) != 0)
        i++;
    return i < s->fits ? i : -1;
}

/* One more number; 0 having complained. */
static int add_fitted(study_specification *s, fit_number number)
{
    if (is_fitted(s, number.name) >= 0)
        return !cli_error(EXIT_USAGE, "--fit: %s is given twice", number.name);
    if (s->fits == MAX_FITTED)
        return !cli_error(EXIT_USAGE, "--fit: more than %d numbers", (int)MAX_FITTED);
    number.low = -HUGE_VAL;
    number.high = HUGE_VAL;
    s->fit[s->fits++] = number;
    return 1;
}

/* "start:x": of unknown x, which a multiplier is not: others determine it. */
static int add_start(const char *name, cli_options *o)
{
    dae_report why = {0};
    int count, i = 0, states = 0;
    const char *unknown = strchr(name, ':') + 1, **names;
    column_label *label = state_labels(o->study.run.problem, o->study.run.parameters, &count, &why);
    fit_number number = {.parameter = -1};
    if (!label)
        return !cli_fail(why.status, &why);
    while (states < count && label[states].kind != DAE_MULTIPLIER)
        states++;
    names = allocate((size_t)count, sizeof *names);
    for (int k = 0; k < states; k++)
        names[k] = label[k].name;
    while (i < states && strcmp(label[i].name, unknown) != 0)
        i++;
    if (i == states)
        choice_unknown("unknown with a start of its own", unknown, names, states);
    number.unknown = i;
    snprintf(number.name, sizeof number.name, "%s", name);
    free(names);
    free(label);
    return i < states && add_fitted(&o->study, number);
}

static int add_parameters(const char *name, cli_options *o)
{
    assigned a = {.option = "fit", .assignment = name};
    int good = is_of_one(&a, o) && find_named(&a, o, allocate_text(name));
    for (int i = 0; good && i < a.count; i++) {
        fit_number number = {.parameter = a.first + i};
        const dae_parameter *p = dae_parameter_at(o->study.run.problem, number.parameter);
        dae_parameter_name(o->study.run.problem, number.parameter, number.name, FIT_NAME);
        good = p->range != DAE_COUNT ? add_fitted(&o->study, number)
               : !cli_error(EXIT_USAGE, "--fit %s: it counts copies, and nothing has a derivative by it", name);
    }
    return good;
}

/* Each part of "A,B,C" by add; 0 where one has complained. */
static int add_each(const char *list, int (*add)(const char *name, cli_options *o), cli_options *o)
{
    char *copy = allocate_text(list), *rest = copy, *name;
    int good = 1;
    while (good && (name = strsep(&rest, ",")))
        good = add(name, o);
    free(copy);
    return good;
}

static int add_number(const char *name, cli_options *o)
{
    return strncmp(name, "start:", 6) == 0 ? add_start(name, o) : add_parameters(name, o);
}

int choose_fitted(const char *names, cli_options *o) { return add_each(names, add_number, o); }

/* A bound in text[length]; none where that is empty. */
static int read_bound(const char *text, size_t length, double *bound)
{
    return !length || value_read(text, length, bound);
}

/* "L=0.5:2", of an array of all its elements; either side may be empty. */
static int add_bound(const char *text, cli_options *o)
{
    study_specification *s = &o->study;
    const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
    const size_t name = equals ? (size_t)(equals - text) : 0;
    double low = -HUGE_VAL, high = HUGE_VAL;
    int some = 0;
    if (!colon || !read_bound(equals + 1, (size_t)(colon - equals - 1), &low)
        || !read_bound(colon + 1, strlen(colon + 1), &high))
        return !cli_error(EXIT_USAGE, "--bounds %s: NAME=LOW:HIGH is needed, one of the two may be empty", text);
    if (!(low < high))
        return !cli_error(EXIT_USAGE, "--bounds %s: the lower bound is not below the upper one", text);
    for (int i = 0; i < s->fits; i++)
        if (strncmp(s->fit[i].name, text, name) == 0 && (!s->fit[i].name[name] || s->fit[i].name[name] == '[')) {
            s->fit[i].low = low;
            s->fit[i].high = high;
            some = 1;
        }
    return some || !cli_error(EXIT_USAGE, "--bounds %s: %.*s is not fitted", text, (int)name, text);
}

int choose_bounds(const char *bounds, cli_options *o) { return add_each(bounds, add_bound, o); }

/* ---- --param, --vary ---- */

/* Room for the values of all parameters, at first those of the setting. */
static void make_room(cli_options *o)
{
    if (!o->parameters)
        o->parameters = run_copy_parameters(&o->study.run);
    if (!o->set)
        o->set = allocate((size_t)dae_parameter_count(o->study.run.problem) + 1, 1);
    o->study.run.parameters = o->parameters;
}

/* Note what is set. An element may be set after its array; nothing else twice. 0 having complained. */
static int mark(const assigned *a, cli_options *o)
{
    const int how = a->count > 1 ? SET_WITH_ARRAY : SET_ALONE;
    make_room(o);
    for (int i = a->first; i < a->first + a->count; i++) {
        char name[64];
        dae_parameter_name(o->study.run.problem, i, name, sizeof name);
        if (o->set[i] >= how)
            return !cli_error(EXIT_USAGE, "--%s %s: %s is given twice", a->option, a->assignment, name);
        o->set[i] = (char)how;
    }
    return 1;
}

/* The number that begins at *text, which moves behind it and a comma; 0: there is none. */
static int next_number(const char **text, double *x)
{
    const size_t length = strcspn(*text, ",");
    if (!value_read(*text, length, x))
        return 0;
    *text += length + ((*text)[length] == ',' && (*text)[length + 1] != 0);
    return 1;
}

/* What a value is not; of one that is varied how its values are given. */
static int no_number(const assigned *a)
{
    if (strcmp(a->option, "vary"))
        return !cli_error(EXIT_USAGE, "--%s %s: a finite number is needed", a->option, a->assignment);
    return !cli_error(EXIT_USAGE, "--vary %s: numbers are needed one by one, as L=1,2,5; of an array k[3]=1,2; of one "
                      "of several problems pendulum.L=1,2", a->assignment);
}

static int set_one(const assigned *a, cli_options *o)
{
    return value_read(a->value, strlen(a->value), o->parameters + a->first) || no_number(a);
}

static int is_one(const assigned *a)
{
    const int head = (int)strcspn(a->assignment, "=");
    return a->count == 1
           || !cli_error(EXIT_USAGE, "--vary %s: an array of %d; one of them is varied, %.*s[0]=..", a->assignment,
                         a->count, head, a->assignment);
}

int vary_to(const char *assignment, cli_options *o)
{
    assigned a = {.option = "vary", .assignment = assignment};
    if (!find_parameter(&a, o) || !is_one(&a) || !mark(&a, o) || !set_one(&a, o))
        return 0;
    if (o->varies == MAX_VARIED)
        return !cli_error(EXIT_USAGE, "--vary: more than %d times", (int)MAX_VARIED);
    o->varied[o->varies++] = a.first;
    return 1;
}

/* "k=0" of an array: each of its elements; "k=1,2,3": one after the other. */
int set_parameter(const char *assignment, cli_options *o)
{
    assigned a = {.option = "param", .assignment = assignment};
    if (!find_parameter(&a, o) || !mark(&a, o))
        return 0;
    double *values = o->parameters + a.first;
    const char *text = a.value;
    int given = 0;
    if (a.count == 1)
        return set_one(&a, o);
    do {
        double x;
        if (!next_number(&text, &x))
            return !cli_error(EXIT_USAGE, "--param %s: finite numbers are needed, one, or %d", assignment, a.count);
        if (given < a.count)
            values[given] = x;
        given++;
    } while (*text);
    if (given != 1 && given != a.count)
        return !cli_error(EXIT_USAGE, "--param %s: %d numbers, and the array has %d", assignment, given, a.count);
    for (int i = given; i < a.count; i++)
        values[i] = values[0];
    return 1;
}

/* "NAME=V,V" */
int vary_parameter(const char *assignment, cli_options *o)
{
    assigned a = {.option = "vary", .assignment = assignment};
    if (!find_parameter(&a, o))
        return 0;
    if (!is_one(&a))
        return 0;
    o->study.varied = a.first;
    for (o->study.values = 0;; a.value++) {
        const size_t length = strcspn(a.value, ",");
        if (o->study.values == MAX_VALUES)
            return !cli_error(EXIT_USAGE, "--vary: more than %d values", MAX_VALUES);
        if (!value_read(a.value, length, &o->study.value[o->study.values++]))
            return no_number(&a);
        a.value += length;
        if (!*a.value)
            return 1;
    }
}

/* ---- where unknowns begin ---- */

/* What was set so far, of unknowns with these names. */
typedef struct {
    const dae_problem *problem;
    column_label *label;
    int labels, count;
    set_value value[MOST_SET];
    char *words;                /* "x(t0)=0.1 vx(t0)=0" */
} start_values;

static int place_of(const start_values *s, const char *name)
{
    int i = 0;
    while (i < s->labels && strcmp(s->label[i].name, name) != 0)
        i++;
    return i < s->labels ? i : -1;
}

static int no_unknown(const start_values *s, const char *name)
{
    if (dae_parameter_index(s->problem, name) >= 0)
        return !cli_error(EXIT_USAGE, "--set %s: this is a parameter of %s: --param %s=VALUE", name,
                          s->problem->name, name);
    const char **names = allocate((size_t)s->labels, sizeof *names);
    for (int i = 0; i < s->labels; i++)
        names[i] = s->label[i].name;
    choice_unknown("unknown", name, names, s->labels);
    free(names);
    return 0;
}

/* Unknown i begins at x. */
static int set_value_of(start_values *s, int i, double x)
{
    char number[DECIMAL], *before = s->words;
    for (int k = 0; k < s->count; k++)
        if (s->value[k].at == i)
            return !cli_error(EXIT_USAGE, "--set: %s is given twice", s->label[i].name);
    if (s->count == MOST_SET)
        return !cli_error(EXIT_USAGE, "--set: more than %d unknowns", (int)MOST_SET);
    s->value[s->count++] = (set_value){i, x};
    s->words = allocate_print("%s%s%s(t0)=%s", before, *before ? " " : "", s->label[i].name, decimal(x, number));
    free(before);
    return 1;
}

/* "NAME=V" in the first characters of text. */
static int set_start(start_values *s, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    double x;
    if (!equals || equals == text)
        return !cli_error(EXIT_USAGE, "--set %.*s: NAME=VALUE is needed", (int)length, text);
    if (!value_read(equals + 1, length - (size_t)(equals + 1 - text), &x))
        return !cli_error(EXIT_USAGE, "--set %.*s: a finite number is needed", (int)length, text);
    char *name = allocate_print("%.*s", (int)(equals - text), text);
    const int i = place_of(s, name), good = i >= 0 ? set_value_of(s, i, x) : no_unknown(s, name);
    free(name);
    return good;
}

/* Of a study that varies how many unknowns there are the places of names would change. */
static int has_fixed_size(const cli_options *o)
{
    const dae_parameter *p = o->study.values ? dae_parameter_at(o->study.run.problem, o->study.varied) : NULL;
    return !p || p->range != DAE_COUNT
           || !cli_error(EXIT_USAGE, "--set: the number of unknowns is varied; leave out --set or --vary %s", p->name);
}

int set_starts(cli_options *o)
{
    dae_report why = {0};
    start_values s = {.problem = o->study.run.problem, .words = allocate_text("")};
    int good = has_fixed_size(o);
    if (good && !(s.label = state_labels(o->study.run.problem, o->study.run.parameters, &s.labels, &why)))
        good = !cli_fail(why.status, &why);
    for (int k = 0; good && k < o->starts; k++)
        for (const char *at = o->start[k]; good; at++) {
            const size_t length = strcspn(at, ",");
            good = set_start(&s, at, length);
            at += length;
            if (!*at)
                break;
        }
    const dae_problem *begun = good ? start_set(o->study.run.problem, s.value, s.count, s.words) : NULL;
    if (good && !begun)
        cli_error(EXIT_USAGE, "--set: more starts than a program has room for");
    if (begun)
        o->study.run.problem = begun;
    free(s.label);
    free(s.words);
    return begun != NULL;
}
