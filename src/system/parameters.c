/* parameters.c - how many values of parameters a problem has, which is which, and what each may be */
#include "parameters.h"

#include "base/no_fast_math.h"
#include "base/zeroed.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EACH(entry, problem)                                                                  \
    for (const dae_parameter *entry = dae_parameter_first(problem); entry;                        \
         entry = dae_parameter_next(problem, entry))

/* ---- the list ----------------------------------------------------------------------------- */

static const dae_parameter *if_named(const dae_parameter *entry)
{
    return entry && entry->name ? entry : NULL;
}

const dae_parameter *dae_parameter_first(const dae_problem *problem)
{
    const dae_parameter *first = problem ? if_named(problem->parameters) : NULL;
    return first || !problem ? first : if_named(problem->more_parameters);
}

const dae_parameter *dae_parameter_next(const dae_problem *problem, const dae_parameter *entry)
{
    const uintptr_t at = (uintptr_t)entry, begin = (uintptr_t)problem->parameters;
    if (at < begin || at >= begin + DAE_PARAMETER_ENTRIES * sizeof *entry)
        return if_named(entry + 1);
    const int full = entry + 1 == problem->parameters + DAE_PARAMETER_ENTRIES;
    const dae_parameter *next = full ? NULL : if_named(entry + 1);
    return next ? next : if_named(problem->more_parameters);
}

int dae_parameter_length(const dae_parameter *entry)
{
    return entry->count > 1 ? entry->count : 1;
}

/* The entry that value i belongs to, and its place in that. */
static const dae_parameter *find(const dae_problem *problem, int i, int *element)
{
    const dae_parameter *entry = i < 0 ? NULL : dae_parameter_first(problem);
    while (entry && i >= dae_parameter_length(entry)) {
        i -= dae_parameter_length(entry);
        entry = dae_parameter_next(problem, entry);
    }
    *element = i;
    return entry;
}

double dae_parameter_element(const dae_parameter *entry, int element)
{
    return entry->count > 1 && entry->values ? entry->values[element] : entry->value;
}

int dae_parameter_count(const dae_problem *problem)
{
    int count = 0;
    FOR_EACH(entry, problem)
        count += dae_parameter_length(entry);
    return count;
}

const dae_parameter *dae_parameter_at(const dae_problem *problem, int i)
{
    int element;
    return find(problem, i, &element);
}

double dae_parameter_default(const dae_problem *problem, int i)
{
    int element;
    const dae_parameter *entry = find(problem, i, &element);
    return entry ? dae_parameter_element(entry, element) : NAN;
}

void dae_parameter_values(const dae_problem *problem, const double *values, double *p)
{
    int i = 0;
    FOR_EACH(entry, problem)
        for (int k = 0; k < dae_parameter_length(entry); k++, i++)
            p[i] = values ? values[i] : dae_parameter_element(entry, k);
}

/* ---- names -------------------------------------------------------------------------------- */

void dae_parameter_name(const dae_problem *problem, int i, char *name, int length)
{
    int element;
    const dae_parameter *entry = find(problem, i, &element);
    if (!name || length < 1)
        return;
    name[0] = 0;
    if (entry && entry->count > 1)
        snprintf(name, (size_t)length, "%s[%d]", entry->name, element);
    else if (entry)
        snprintf(name, (size_t)length, "%s", entry->name);
}

/* The place in an array that "k[3]" names, without signs, spaces and zeros in front; -1: in none. */
static int element_named(const dae_parameter *entry, const char *name)
{
    const size_t length = strlen(entry->name);
    const char *digit = name + length + 1;
    long element = 0;
    if (strncmp(name, entry->name, length) != 0 || name[length] != '[' || (digit[0] == '0' && digit[1] != ']'))
        return -1;
    const char *end = digit;
    for (; *end >= '0' && *end <= '9' && element < entry->count; end++)
        element = 10 * element + (*end - '0');
    return end > digit && strcmp(end, "]") == 0 && entry->count > 1 && element < entry->count ? (int)element : -1;
}

int dae_parameter_index(const dae_problem *problem, const char *name)
{
    int first = 0;
    FOR_EACH(entry, name ? problem : NULL) {
        const int element = strcmp(entry->name, name) == 0 ? 0 : element_named(entry, name);
        if (element >= 0)
            return first + element;
        first += dae_parameter_length(entry);
    }
    return -1;
}

/* ---- ranges ------------------------------------------------------------------------------- */

typedef struct { const char *words; double least, most; } range_record;
static const range_record ranges[] = {
    [DAE_ANY_VALUE] = {"finite", -DBL_MAX, DBL_MAX},
    [DAE_POSITIVE] = {"finite and positive", DBL_TRUE_MIN, DBL_MAX},
    [DAE_NONNEGATIVE] = {"finite and not negative", 0, DBL_MAX},
    [DAE_COUNT] = {"a whole number from 1 to 1000000", 1, DAE_MOST_COPIES},
};

static int in_range(dae_range range, double x)
{
    return x >= ranges[range].least && x <= ranges[range].most && (range != DAE_COUNT || x == floor(x));
}

static dae_status refuse_value(const dae_problem *problem, int i, double x, dae_report *report)
{
    char name[64];
    dae_parameter_name(problem, i, name, sizeof name);
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s = %.15g must be %s", problem->name, name, x,
                    ranges[dae_parameter_at(problem, i)->range].words);
}

dae_status dae_check_values(const dae_problem *problem, const double *values, dae_report *report)
{
    int i = 0;
    FOR_EACH(p, problem)
        for (int k = 0; k < dae_parameter_length(p); k++, i++) {
            const double x = values ? values[i] : dae_parameter_element(p, k);
            if (!in_range(p->range, x))
                return refuse_value(problem, i, x, report);
        }
    return DAE_OK;
}

/* ---- copies ------------------------------------------------------------------------------- */

int dae_counting_parameter(const dae_problem *problem)
{
    int first = 0;
    FOR_EACH(entry, problem) {
        if (entry->range == DAE_COUNT)
            return first;
        first += dae_parameter_length(entry);
    }
    return -1;
}

int dae_problem_copies(const dae_problem *problem, const double *p)
{
    const int i = p ? dae_counting_parameter(problem) : -1;
    return i < 0 ? 1 : dae_count(p[i]);
}

/* ---- blocks ------------------------------------------------------------------------------- */

void *dae_parameters_new(int count, size_t size, const void *user_data)
{
    enum { BEHIND = 16 };
    const size_t values = count > 0 ? (size_t)count : 0, behind = values + BEHIND;
    dae_parameters_front *front = dae_zeroed(1, sizeof *front + (values + behind) * size);
    if (!front)
        return NULL;
    front->user_data = user_data;
    memset((char *)(front + 1) + values * size, 0xff, behind * size);   /* a NaN of each kind of number */
    return front + 1;
}

void dae_parameters_free(void *p)
{
    if (p)
        free((dae_parameters_front *)p - 1);
}
