/* choose_problem.c - problems on the command line, one or several, with events or without */
#include "cli/choices.h"

#include "catalogue/catalogue.h"
#include "catalogue/events_off.h"
#include "cli/plugins.h"
#include "study/plan.h"

#include <stdlib.h>
#include <string.h>

int problem_names(const char **names, int room)
{
    int count = 0;
    for (; catalogue_problem(count) && count < room; count++)
        names[count] = catalogue_problem(count)->name;
    return count;
}

void choice_unknown(const char *what, const char *typed, const char *const *names, int count)
{
    char all[1024] = "";
    const char *near = dae_nearest(typed, names, count);
    size_t end = 0;
    if (near) {
        cli_error(EXIT_USAGE, "there is no %s '%s'; did you mean %s?", what, typed, near);
        return;
    }
    for (int i = 0; i < count && end < sizeof all; i++)
        end += (size_t)snprintf(all + end, sizeof all - end, "%s%s", i ? ", " : "", names[i]);
    cli_error(EXIT_USAGE, "there is no %s '%s'; known %s %s", what, typed,
              count > 1 ? "are" : "is", count ? all : "none");
}

const dae_problem *choose_problem(const char *name)
{
    const char *names[MAX_NAMES];
    if (load_is_path(name))
        return plugins_problem(name);
    const dae_problem *problem = catalogue_find_problem(name);
    if (!problem)
        choice_unknown("problem", name, names, problem_names(names, MAX_NAMES));
    return problem;
}

/* Studies that compare runs with references know those through events. */
static int takes_events(const char *command)
{
    return strcmp(command, study_kind_names[STUDY_SCALE]) != 0;
}

const dae_problem *choose_smooth(const char *name, const char *command)
{
    const dae_problem *problem = choose_problem(name);
    if (!problem || run_is_smooth(problem) || takes_events(command))
        return problem;
    cli_error(EXIT_USAGE, "%s studies problems that are smooth, and %s has events; daelab solve %s "
              "runs it with them, --no-events without", command, name, name);
    return NULL;
}

static const dae_problem *leave_out_events(const dae_problem *problem)
{
    const dae_problem *without = problem ? events_off(problem) : NULL;
    if (problem && !without)
        cli_error(EXIT_SYSTEM, "out of memory");
    return without;
}

const dae_problem *choose_without_events(const char *name)
{
    return leave_out_events(choose_problem(name));
}

int choose_several(const char *subject)
{
    return strcmp(subject, "all") == 0 || strchr(subject, ',') != NULL;
}

/* All that the command takes */
static int all_problems(const char *smooth, int without_events, const dae_problem **problems, int room)
{
    int count = 0;
    for (int i = 0; catalogue_problem(i) && count < room; i++) {
        const dae_problem *problem = catalogue_problem(i);
        if (without_events)
            problem = leave_out_events(problem);
        if (!problem)
            return 0;
        if (!smooth || run_is_smooth(problem) || takes_events(smooth))
            problems[count++] = problem;
    }
    return count;
}

int choose_problems(const char *list, const char *smooth, int without_events, const dae_problem **problems,
                    int room)
{
    char *copy = strdup(list), *rest = copy, *name;
    int count = 0;
    if (!copy)
        cli_error(EXIT_SYSTEM, "out of memory");
    if (strcmp(list, "all") == 0) {
        count = all_problems(smooth, without_events, problems, room);
        rest = NULL;
    }
    while ((name = strsep(&rest, ","))) {
        const dae_problem *problem = without_events ? choose_without_events(name)
                                     : smooth ? choose_smooth(name, smooth) : choose_problem(name);
        int known = 0;
        for (int i = 0; i < count; i++)
            known |= problems[i] == problem;
        if (!problem || count == room) {
            count = 0;
            break;
        }
        if (!known)
            problems[count++] = problem;
    }
    free(copy);
    return count;
}

const dae_problem *choose_first(const char *list, const char *smooth, int without_events)
{
    const dae_problem *problems[MAX_NAMES];
    return choose_problems(list, smooth, without_events, problems, MAX_NAMES) ? problems[0] : NULL;
}
