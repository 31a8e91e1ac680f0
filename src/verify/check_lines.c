/* check_lines.c - what is looked at of a problem, a line for each function */
#include "daelab/check.h"

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
        add(list, maps[i].name, maps[i].compared);
    if (problem->mechanical.nq && dae_gives_partials(&problem->mechanical))
        add(list, "partials", "derivatives of force, reaction, constraint, rate, acceleration");
    if (!problem->mechanical.nq && problem->first_order.jacobian)
        add(list, "jacobian", "derivatives of rhs");
    if (!problem->mechanical.nq)
        add(list, "index", "that of the pencil M - h dF/du");
}

int dae_check_line(const dae_problem *problem, int i, char *function, const char **compared)
{
    if (!problem || !function || !compared || i < 0)
        return 0;
    line_list *list = calloc(1, sizeof *list);
    dae_model_map *maps = calloc(DAE_MOST_MAPS, sizeof *maps);
    if (list && maps) {
        add(list, "variables", "a name and a unit for each unknown, none twice");
        if (dae_parameter_count(problem))
            add(list, "parameters", "in their ranges");
        add_mode(list, problem, maps);
        for (int m = 0; problem->modes && problem->modes[m]; m++)
            add_mode(list, problem->modes[m], maps);
    }
    const int found = list && i < list->count;
    if (found) {
        memcpy(function, list->name[i], sizeof *list->name);
        *compared = list->compared[i];
    }
    free(maps);
    free(list);
    return found;
}
