/* solution.c - the section on solutions: unknowns against time */
#include "gather/curves.h"
#include "publish/study_view.h"

#include <string.h>

enum { MOST = 24 };

/* Variables stand before the column of runs. */
static int variables(const study_view *v, const table *t, curve_quantity quantity[MOST + 1], figure_row row[MOST])
{
    int count = 0;
    quantity[0] = (curve_quantity){"t", "time", 0, FIGURE_X, 0};
    for (int i = 0; i < table_columns(t) && count < MOST; i++) {
        const char *name = table_name_of(t, i);
        if (strcmp(name, "run") == 0)
            break;
        if (strcmp(name, "t") == 0)
            continue;
        quantity[++count] = (curve_quantity){name, name, 0, FIGURE_Y, 0};
        row[count - 1] = (figure_row){arena_format(&v->page->memory, "%s", name), 0, count};
    }
    return count;
}

void publish_solution(const study_view *v)
{
    const table *t = dataset_find(v->data, "solution");
    const row_groups g = groups_of(t, 0, &v->page->memory);
    int *chosen = arena_get(&v->page->memory, (size_t)g.count + 1, sizeof *chosen);
    curve_quantity quantity[MOST + 1];
    figure_row row[MOST];
    if (!g.count)
        return;
    view_section(v, "solution", "Solutions");
    const int count = variables(v, t, quantity, row);
    for (int i = groups_next(&g, 0); i < g.count; i = groups_next(&g, i + 1)) {
        const int groups = view_beside(&g, i, -1, chosen);
        const curve_plan plan = {.title = arena_format(&v->page->memory, "%s: the solution",
                                                       view_subject(v, &g.group[i])),
                                 .caption = "", .command = view_command(v, &g.group[i]), .quantities = count + 1,
                                 .rows = count, .quantity = quantity, .row = row};
        curves_add(v->page, &g, chosen, groups, &plan);
    }
}
