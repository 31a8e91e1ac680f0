/* problem.c - a shipped problem by its name */
#include "yardsticks.h"

#include "problems.h"

#include <stdio.h>
#include <string.h>

const dae_problem *speed_problem(const char *name)
{
    for (int i = 0; dae_problems[i]; i++)
        if (strcmp(dae_problems[i]->name, name) == 0)
            return dae_problems[i];
    fprintf(stderr, "the problem %s is missing\n", name);
    return NULL;
}
