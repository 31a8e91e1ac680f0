/* registry.c - looking names up: parameters, and the nearest known name to a mistyped one */
#include "daelab/daelab.h"

#include <string.h>

int dae_parameter_count(const dae_problem *problem)
{
    int count = 0;
    while (count < DAE_MAX_PARAMETERS && problem->parameters[count].name)
        count++;
    return count;
}

int dae_parameter_index(const dae_problem *problem, const char *name)
{
    for (int i = 0; i < dae_parameter_count(problem); i++)
        if (strcmp(problem->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* Levenshtein distance of a and b, both shorter than 64 characters; d holds one row of the table. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    int d[LONGEST + 1];
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return LONGEST;
    for (int j = 0; j <= nb; j++)
        d[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = d[0];
        d[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int replace = diagonal + (a[i - 1] != b[j - 1]);
            const int skip = 1 + (d[j] < d[j - 1] ? d[j] : d[j - 1]);
            diagonal = d[j];
            d[j] = replace < skip ? replace : skip;
        }
    }
    return d[nb];
}

const char *dae_nearest(const char *typed, const char *const *names, int count)
{
    const char *best = NULL;
    int nearest = 3 + (int)strlen(typed) / 4;           /* farther than this is no mistyping */
    for (int i = 0; i < count; i++) {
        const int d = edit_distance(typed, names[i]);
        const int prefix = *typed && strncmp(typed, names[i], strlen(typed)) == 0;
        if (d < nearest || (prefix && !best)) {
            best = names[i];
            nearest = d < nearest ? d : nearest;
        }
    }
    return best;
}
