/* library.c - this library's side of a comparison: a shipped problem in a formulation, by a method */
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

int speed_open(speed_library *l, const char *problem, const char *form, const char *method, const dae_options *options)
{
    const dae_problem *record = speed_problem(problem);
    dae_report why = {0};
    *l = (speed_library){NULL, NULL};
    if (!record)
        return 0;
    dae_status status = dae_system_create(&l->sys, record, dae_find_formulation(form), NULL, NULL, &why);
    if (!status)
        status = dae_solver_create(&l->solver, l->sys, dae_find_method(method), options, &why);
    if (status)
        fprintf(stderr, "%s, %s, %s: %s\n", problem, form, method, why.message);
    return !status;
}

void speed_close(speed_library *l)
{
    dae_solver_free(l->solver);
    dae_system_free(l->sys);
}

int speed_solve(const speed_library *l, const double *start, double t_end, double *end)
{
    return !dae_solver_start(l->solver, 0, start) && !dae_solver_advance(l->solver, t_end, end);
}
