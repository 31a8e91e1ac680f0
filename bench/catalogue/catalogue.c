#include "catalogue/catalogue.h"

#include "catalogue/events_off.h"
#include "catalogue/start_set.h"
#include "problems.h"

#include <daelab/method.h>

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { ROOM = 128, LONGEST_NAME = 63 };

typedef enum { PROBLEMS, METHODS, KINDS } kind;
static const char *const kinds[KINDS] = {"problem", "method"};

/* What files have added, in the order of loading. */
static struct {
    int count;
    struct { const void *record; const char *file; } row[ROOM];
} added[KINDS];

static int of_table(kind k)
{
    int count = 0;
    while (k == PROBLEMS ? dae_problems[count] != NULL : dae_method_at(count) != NULL)
        count++;
    return count;
}

static const void *of_file(kind k, int i)
{
    i -= of_table(k);
    return i >= 0 && i < added[k].count ? added[k].row[i].record : NULL;
}

int catalogue_problems(void) { return of_table(PROBLEMS) + added[PROBLEMS].count; }
int catalogue_methods(void) { return of_table(METHODS) + added[METHODS].count; }

const dae_problem *catalogue_problem(int i)
{
    return i >= 0 && i < of_table(PROBLEMS) ? dae_problems[i] : of_file(PROBLEMS, i);
}

const dae_method *catalogue_method(int i)
{
    return i >= 0 && i < of_table(METHODS) ? dae_method_at(i) : of_file(METHODS, i);
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
    const void *begun = start_set_origin(record), *origin = events_off_origin(record);
    for (kind k = PROBLEMS; k < KINDS; k++)
        for (int i = 0; i < added[k].count; i++)
            if (added[k].row[i].record == (origin ? origin : begun))
                return added[k].row[i].file;
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

static dae_status check_name(const char *name, kind k, const char *file, dae_report *report)
{
    if (!name)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a %s has no name", file, kinds[k]);
    if (!can_be_typed(name))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: '%.*s' is no name of a %s: 1 to %d letters, digits, _, "
                        "+ and -, and not all", file, (int)LONGEST_NAME, name, kinds[k], (int)LONGEST_NAME);
    const void *problem = catalogue_find_problem(name), *method = catalogue_find_method(name);
    if (!problem && !method && !dae_find_formulation(name))
        return DAE_OK;
    const char *where = catalogue_file(problem ? problem : method);
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its %s is called %s, as is %s of %s; give it another name", file,
                    kinds[k], name, problem ? "a problem" : method ? "a method" : "a formulation",
                    where ? where : "daelab");
}

static dae_status add(kind k, const void *record, const char *name, const char *file, dae_report *report)
{
    const dae_status status = check_name(name, k, file, report);
    if (!status) {
        added[k].row[added[k].count].record = record;
        added[k].row[added[k].count++].file = file;
    }
    return status;
}

dae_status catalogue_add(const dae_problem *const *problem, int problems, const dae_method *const *method,
                         int methods, const char *file, dae_report *report)
{
    const int problems_before = added[PROBLEMS].count, methods_before = added[METHODS].count;
    dae_status status = DAE_OK;
    if (problems > ROOM - problems_before || methods > ROOM - methods_before)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: more than %d problems or methods from files", file,
                        (int)ROOM);
    for (int i = 0; !status && i < problems; i++)
        status = add(PROBLEMS, problem[i], problem[i]->name, file, report);
    for (int i = 0; !status && i < methods; i++)
        status = add(METHODS, method[i], method[i]->info.name, file, report);
    if (status) {
        added[PROBLEMS].count = problems_before;
        added[METHODS].count = methods_before;
    }
    return status;
}
