#include "catalogue/catalogue.h"

#include "catalogue/events_off.h"
#include "problems.h"

#include <daelab/method.h>

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { ROOM = 128, LONGEST_NAME = 63 };

/* What files have added, in the order of loading. */
static struct {
    int problems, methods;
    struct { const dae_problem *record; const char *file; } problem[ROOM];
    struct { const dae_method *record; const char *file; } method[ROOM];
} added;

static int table_problems(void)
{
    int count = 0;
    while (dae_problems[count])
        count++;
    return count;
}

static int table_methods(void)
{
    int count = 0;
    while (dae_method_at(count))
        count++;
    return count;
}

int catalogue_problems(void) { return table_problems() + added.problems; }
int catalogue_methods(void) { return table_methods() + added.methods; }

const dae_problem *catalogue_problem(int i)
{
    const int first = table_problems();
    return i < 0 || i >= first + added.problems ? NULL
           : i < first ? dae_problems[i] : added.problem[i - first].record;
}

const dae_method *catalogue_method(int i)
{
    const int first = table_methods();
    return i < 0 || i >= first + added.methods ? NULL
           : i < first ? dae_method_at(i) : added.method[i - first].record;
}

const dae_problem *catalogue_find_problem(const char *name)
{
    for (int i = 0; name && catalogue_problem(i); i++)
        if (strcmp(catalogue_problem(i)->name, name) == 0)
            return catalogue_problem(i);
    return NULL;
}

const dae_method *catalogue_find_method(const char *name)
{
    for (int i = 0; name && catalogue_method(i); i++)
        if (strcmp(catalogue_method(i)->info.name, name) == 0)
            return catalogue_method(i);
    return NULL;
}

const char *catalogue_file(const void *record)
{
    const dae_problem *origin = events_off_origin(record);
    for (int i = 0; i < added.problems; i++)
        if (added.problem[i].record == (origin ? origin : record))
            return added.problem[i].file;
    for (int i = 0; i < added.methods; i++)
        if (added.method[i].record == record)
            return added.method[i].file;
    return NULL;
}

/* ---- names -------------------------------------------------------------------------------- */

/* A name can be typed in a list, is no path, and is not the word for all of them. */
static int can_be_typed(const char *name)
{
    const size_t length = strlen(name);
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-+", *c))
            return 0;
    return length >= 1 && length <= LONGEST_NAME && *name != '-' && strcmp(name, "all") != 0;
}

/* What has the name already, in words; NULL: nothing. */
static const char *taken_by(const char *name)
{
    return catalogue_find_problem(name)    ? "a problem"
           : catalogue_find_method(name)   ? "a method"
           : dae_find_formulation(name)    ? "a formulation" : NULL;
}

static dae_status check_name(const char *name, const char *kind, const char *file, dae_report *report)
{
    if (!name)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a %s has no name", file, kind);
    if (!can_be_typed(name))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: '%.*s' is no name of a %s: 1 to %d letters, digits, _, "
                        "+ and -, and not all", file, (int)LONGEST_NAME, name, kind, (int)LONGEST_NAME);
    const char *other = taken_by(name);
    const char *where = catalogue_find_problem(name) ? catalogue_file(catalogue_find_problem(name))
                                                     : catalogue_file(catalogue_find_method(name));
    if (!other)
        return DAE_OK;
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its %s is called %s, as is %s of %s; give it another name",
                    file, kind, name, other, where ? where : "daelab");
}

dae_status catalogue_add(const dae_problem *const *problem, int problems, const dae_method *const *method,
                         int methods, const char *file, dae_report *report)
{
    const int problems_before = added.problems, methods_before = added.methods;
    dae_status status = DAE_OK;
    if (problems > ROOM - added.problems || methods > ROOM - added.methods)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: more than %d problems or methods from files", file,
                        (int)ROOM);
    for (int i = 0; !status && i < problems; i++) {
        status = check_name(problem[i]->name, "problem", file, report);
        added.problem[added.problems].record = problem[i];
        added.problem[added.problems].file = file;
        added.problems += !status;
    }
    for (int i = 0; !status && i < methods; i++) {
        status = check_name(method[i]->info.name, "method", file, report);
        added.method[added.methods].record = method[i];
        added.method[added.methods].file = file;
        added.methods += !status;
    }
    if (status) {
        added.problems = problems_before;
        added.methods = methods_before;
    }
    return status;
}
