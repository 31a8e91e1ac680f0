#include "spec/axes.h"

#include "host/allocate.h"
#include "numbers/decimal.h"

#include <stdlib.h>
#include <string.h>

/* Steps and tolerances of a study that takes several of them. */
static int has_levels(study_kind kind) { return kind == STUDY_CONVERGE || kind == STUDY_WORK; }

/* What one run takes one value of, so that several separated by commas are several runs: settings, but not
 * formulations and methods, of which a study takes several. */
static int takes_one(const option_row *row, study_kind kind)
{
    switch (row->id) {
    case O_SAMPLES: case O_EVERY: return 1;
    case O_LEVELS: case O_RATIO: return has_levels(kind);
    case O_STEP: case O_RTOL: return !has_levels(kind);
    default: return (int)row->id < SETTINGS && row->id != O_PROJECT && row->id != O_STOP
        && row->id != O_SENSITIVITY && row->argument;
    }
}

/* Add a value, once. */
static int add_value(option_uses *u, int option, planned *p, char *text)
{
    const int count = u->option[option].count;
    const char *value = kept_text(&p->texts, text);
    for (int i = 0; i < count; i++)
        if (strcmp(u->option[option].value[i], value) == 0)
            return 1;
    if (count == MOST_ITEMS)
        return !cli_error(EXIT_USAGE, "%s..: more than %d values", value, (int)MOST_ITEMS);
    u->option[option].value = allocate_more(u->option[option].value, (size_t)count, sizeof value);
    u->option[option].value[u->option[option].count++] = value;
    return 1;
}

static void begin_split(option_uses *u, int option)
{
    u->option[option].count = 0;
    u->option[option].split = 1;
}

/* "A,B,C" behind the first `head` characters of text: each, with those before it. named: "N=A" goes with what is before
 * it. */
static int split(option_uses *u, int option, const char *text, size_t head, int named, planned *p)
{
    int good = 1;
    begin_split(u, option);
    for (const char *at = text + head; good; at++) {
        size_t length = strcspn(at, ",");
        while (named && at[length] && memchr(at + length + 1, '=', strcspn(at + length + 1, ",")))
            length += 1 + strcspn(at + length + 1, ",");
        good = add_value(u, option, p, allocate_print("%.*s%.*s", (int)head, text, (int)length, at));
        at += length;
        if (!*at)
            break;
    }
    return good;
}

/* "A:B", of steps by halves, of tolerances by decades. */
static int split_range(option_uses *u, int option, const option_row *row, const char *text, planned *p)
{
    const int tolerances = row->id == O_RTOL;
    study_specification s = study_default_specification(NULL);
    double *first = tolerances ? &s.run.rtol : &s.run.step;
    char number[DECIMAL];
    if (!value_levels(row, text, first, tolerances ? &s.rtols : &s.steps))
        return 0;
    const order_ladder ladder = study_ladder(&s, tolerances, (order_ladder){*first, tolerances ? 10 : 2, 1});
    int good = 1;
    begin_split(u, option);
    for (int i = 0; good && i < ladder.levels; i++)
        good = add_value(u, option, p, allocate_text(decimal(study_level(&s, tolerances, &ladder, i), number)));
    return good;
}

/* How many numbers without a name "1e-6,T=1e-3,1e-8" has, and where the first begins: each begins another set of
 * absolute tolerances, and names before the first are of all sets. */
static int bare_numbers(const char *text, size_t *first)
{
    int count = 0;
    const char *at = text;
    for (;; at++) {
        const size_t length = strcspn(at, ",");
        if (!memchr(at, '=', length) && count++ == 0)
            *first = (size_t)(at - text);
        at += length;
        if (!*at)
            return count;
    }
}

/* All sets of projections are values of the first. */
static int join_projections(option_uses *u, const option_list *list, int option, planned *p)
{
    int good = 1;
    begin_split(u, option);
    for (int i = option; good && i < list->count; i++)
        if (list->option[i].row->id == O_PROJECT) {
            u->option[i].count = i == option ? u->option[i].count : 0;
            good = add_value(u, option, p, allocate_text(list->option[i].text));
        }
    return good;
}

static int given_times(const option_list *list, option_id id)
{
    int times = 0;
    for (int i = 0; i < list->count; i++)
        times += list->option[i].row->id == id;
    return times;
}

/* ---- parameters ---- */

/* The length of "PROBLEM" in "PROBLEM.NAME=V", 0: there is none. */
static size_t problem_length(const char *assignment)
{
    const size_t name = strcspn(assignment, "=[.");
    return assignment[name] == '.' ? name : 0;
}

static int is_of(const char *assignment, const dae_problem *problem)
{
    const size_t length = problem_length(assignment);
    return strlen(problem->name) == length && strncmp(problem->name, assignment, length) == 0;
}

int axes_check_names(const option_list *list, const dae_problem *const *problems, int count)
{
    for (int i = 0; i < list->count; i++) {
        const given_option *given = &list->option[i];
        const int assigns = given->row->id == O_PARAM || given->row->id == O_VARY;
        const size_t length = assigns ? problem_length(given->text) : 0;
        int known = length == 0;
        for (int k = 0; !known && k < count; k++)
            known = is_of(given->text, problems[k]);
        if (known)
            continue;
        cli_at_line(given->line);
        return !cli_error(EXIT_USAGE, "--%s %s: %.*s is none of the problems here", given->row->name, given->text,
                          (int)length, given->text);
    }
    return 1;
}

/* Does a study of the kind vary this parameter itself? One of its --vary: what counts copies, or the first. */
static int varies_itself(const option_uses *u, const option_list *list, int option, study_kind kind,
                         const dae_problem *problem)
{
    int first = -1, counts = -1;
    if (kind != STUDY_CONVERGE && kind != STUDY_SCALE)
        return 0;
    for (int i = 0; i < list->count; i++) {
        if (list->option[i].row->id != O_VARY || !u->option[i].count)
            continue;
        char name[STUDY_NAME];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(u->option[i].value[0], "="), u->option[i].value[0]);
        const dae_parameter *p = dae_parameter_at(problem, dae_parameter_index(problem, name));
        first = first < 0 ? i : first;
        counts = counts < 0 && p && p->range == DAE_COUNT ? i : counts;
    }
    return option == (kind == STUDY_SCALE && counts >= 0 ? counts : first);
}

/* What is behind the name of the problem; NULL where that is another one. */
static const char *strip_problem(const char *text, const dae_problem *problem)
{
    const size_t length = problem_length(text);
    return !length ? text : is_of(text, problem) ? text + length + 1 : NULL;
}

/* ---- all ---- */

static int split_option(option_uses *u, const option_list *list, int i, study_kind kind, const dae_problem *problem,
                        planned *p)
{
    const given_option *given = &list->option[i];
    const option_id id = given->row->id;
    const char *text = u->option[i].count ? u->option[i].value[0] : NULL;
    size_t first = 0;
    cli_at_line(given->line);
    if (!text)
        return 1;
    if (id == O_VARY) {
        const size_t name = strcspn(text, "=");
        return varies_itself(u, list, i, kind, problem) || split(u, i, text, name + (text[name] == '='), 0, p);
    }
    if (id == O_PROJECT && kind != STUDY_DRIFT && given_times(list, O_PROJECT) > 1)
        return join_projections(u, list, i, p);
    if (id == O_ATOL)
        return bare_numbers(text, &first) < 2 || split(u, i, text, first, 1, p);
    if (!takes_one(given->row, kind))
        return 1;
    if ((id == O_STEP || id == O_RTOL) && strchr(text, ':'))
        return split_range(u, i, given->row, text, p);
    return !strchr(text, ',') || split(u, i, text, 0, 0, p);
}

int axes_find(option_uses *u, const option_list *list, const dae_problem *problem, int several, planned *p)
{
    const study_kind kind = planning_kind(list->command);
    int good = 1;
    *u = (option_uses){.option = {{.count = 0}}};
    for (int i = 0; good && i < list->count; i++) {
        const given_option *given = &list->option[i];
        const int assigns = given->row->id == O_PARAM || given->row->id == O_VARY;
        const char *text = assigns ? strip_problem(given->text, problem) : given->text ? given->text : "";
        cli_at_line(given->line);
        if (assigns && several && !problem_length(given->text))
            good = !cli_error(EXIT_USAGE, "--%s %s: of which of the problems? PROBLEM.%s is needed", given->row->name,
                              given->text, given->text);
        else if (text && !option_of_program(given->row))
            good = add_value(u, i, p, allocate_text(text));
    }
    for (int i = 0; good && i < list->count; i++)
        good = split_option(u, list, i, kind, problem, p);
    return good;
}

void axes_free(option_uses *u)
{
    for (int i = 0; i < MOST_GIVEN; i++)
        free(u->option[i].value);
}
