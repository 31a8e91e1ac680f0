/* check_lines.c - what is looked at of a problem, a line for each function */
#include "daelab/check.h"

#include "base/no_fast_math.h"
#include "checks/model_maps.h"
#include "jacobian/sparse_partials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 512 };

typedef struct {
    int count;
    char name[MOST_LINES][48];
    const char *compared[MOST_LINES];
} line_list;

/* What a function is compared with beside its passes; others are by their passes only. */
static const struct { const char *function, *compared; } relations[] = {
    {"inertia", "linear, symmetric, positive definite; all passes"},
    {"force", "energy, minimal.acceleration and partials, where they are stated; all passes"},
    {"constraint", "rows independent; rate and reaction; all passes"},
    {"rate", "d/dt constraint; of nonholonomic ones linear in v; all passes"},
    {"acceleration", "d/dt rate; all passes"},
    {"reaction", "(d constraint/dq)^T lambda, which is (d rate/dv)^T lambda; all passes"},
    {"energy", "dH/dt along the motion; all passes"},
    {"minimal.embed", "on the constraints, its velocity d/dt of its position; all passes"},
    {"minimal.chart", "inverse of minimal.embed; all passes"},
    {"minimal.acceleration", "the constrained motion; all passes"},
    {"rhs", "finite at the start; jacobian, where it is stated; all passes"},
    {"mass", "linear; constant, unless it is said to vary; all passes"},
    {"exact", "M u' = F; all passes"},
    {"invariants", "constant along the motion; all passes"},
    {"start", "consistent; doubles, quad, tangent"},
};

static const char *relation_of(const char *function)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (strcmp(relations[i].function, function) == 0)
            return relations[i].compared;
    return "all passes";
}

static void add(line_list *list, const char *function, const char *compared)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->name[i], function) == 0)
            return;
    if (list->count == MOST_LINES)
        return;
    snprintf(list->name[list->count], sizeof *list->name, "%s", function);
    list->compared[list->count++] = compared;
}

static void add_mode(line_list *list, const dae_problem *problem, dae_model_map *maps)
{
    const dae_state_places places = dae_places_of(problem, 1);
    const int count = dae_list_maps(problem, &places, maps);
    for (int i = 0; i < count; i++)
        add(list, maps[i].name, relation_of(maps[i].name));
    if (problem->mechanical.nq && dae_gives_partials(&problem->mechanical))
        add(list, "partials", "derivatives of force, reaction, constraint, rate, acceleration");
    if (!problem->mechanical.nq && problem->first_order.jacobian)
        add(list, "jacobian", "derivatives of rhs");
    if (!problem->mechanical.nq)
        add(list, "index", "that of the pencil M - h dF/du");
}

static void fill(line_list *list, const dae_problem *problem, dae_model_map *maps)
{
    add(list, "variables", "a name and a unit for each unknown, none twice");
    if (dae_parameter_count(problem))
        add(list, "parameters", "in their ranges");
    add_mode(list, problem, maps);
    for (int m = 0; problem->modes && problem->modes[m]; m++)
        add_mode(list, problem->modes[m], maps);
}

int dae_check_line(const dae_problem *problem, int i, char *function, const char **compared)
{
    if (!problem || !function || !compared || i < 0)
        return 0;
    line_list *list = calloc(1, sizeof *list);
    dae_model_map *maps = calloc(DAE_MOST_MAPS, sizeof *maps);
    if (list && maps)
        fill(list, problem, maps);
    const int found = list && i < list->count;
    if (found) {
        memcpy(function, list->name[i], sizeof *list->name);
        *compared = list->compared[i];
    }
    free(maps);
    free(list);
    return found;
}
