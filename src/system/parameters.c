/* parameters.c - how many parameters a problem has, which is which, and what one counts */
#include "base/no_fast_math.h"
#include "daelab/problem.h"

#include <string.h>

int dae_parameter_count(const dae_problem *problem)
{
    int count = 0;
    while (problem && count < DAE_MAX_PARAMETERS && problem->parameters[count].name)
        count++;
    return count;
}

int dae_parameter_index(const dae_problem *problem, const char *name)
{
    for (int i = 0; name && i < dae_parameter_count(problem); i++)
        if (strcmp(problem->parameters[i].name, name) == 0)
            return i;
    return -1;
}

int dae_problem_copies(const dae_problem *problem, const double *p)
{
    for (int i = 0; p && i < dae_parameter_count(problem); i++)
        if (problem->parameters[i].range == DAE_COUNT)
            return dae_count(p[i]);
    return 1;
}
