/* work.c - the sections on cost: work against precision, and cost against size */
#include "gather/curves.h"
#include "publish/fastest.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

enum { MOST = 32, ANY = FIGURE_X | FIGURE_Y };

/* The quantities of a table that have a place on an axis. */
typedef struct { const char *column, *label; } known_quantity;

static const known_quantity costs[] = {
    {"wall", "time of a run"}, {"cpu", "processor time of a run"}, {"steps", "steps"}, {"rejected", "rejected steps"},
    {"rhs", "evaluations of F"}, {"jacobians", "Jacobians"}, {"factorizations", "factorisations"},
    {"solves", "linear solves"},
    {"scd", "significant correct digits"}, {"mescd", "mixed-error correct digits"}, {"drift_position", "drift of |g|"},
    {"drift_velocity", "drift of |dg/dt|"}, {"drift_energy", "drift of the energy"}};
enum { COSTS = sizeof costs / sizeof *costs };

static int is_digits(const char *column) { return strstr(column, "scd") != NULL; }

/* Errors first, as far as there are any, then costs. */
static int work_quantities(const study_view *v, curve_quantity quantity[MOST])
{
    const table *t = v->work.table;
    int count = 0;
    for (int i = 0; i < table_columns(t) && count < MOST - COSTS; i++) {
        const char *name = table_name_of(t, i);
        if (strncmp(name, "error_", 6) == 0 && strcmp(name, "error_test"))
            quantity[count++] = (curve_quantity){name, arena_format(&v->page->memory, "error of %s", name + 6), 1, ANY,
                                                 0};
    }
    for (int i = 0; i < COSTS; i++)
        if (table_find(t, costs[i].column) >= 0)
            quantity[count++] = (curve_quantity){costs[i].column, costs[i].label, !is_digits(costs[i].column), ANY, 0};
    return count;
}

/* The first of the quantities of which one of the chosen groups has a number. */
static int first_measured(const study_view *v, const int *chosen, int count, const curve_quantity *quantity,
                          int quantities)
{
    const table *t = v->work.table;
    for (int i = 0; i < quantities; i++)
        for (int k = 0; k < count; k++)
            for (int j = 0; j < v->work.group[chosen[k]].count; j++)
                if (isfinite(row_number(t, v->work.group[chosen[k]].row[j], quantity[i].column)))
                    return i;
    return 0;
}

static int index_of(const curve_quantity *quantity, int count, const char *column)
{
    for (int i = 0; i < count; i++)
        if (strcmp(quantity[i].column, column) == 0)
            return i;
    return 0;
}

static void work_problem(const study_view *v, int first)
{
    const row_group *of = &v->work.group[first];
    curve_quantity quantity[MOST];
    int *chosen = arena_get(&v->page->memory, (size_t)v->work.count, sizeof *chosen);
    const int count = view_beside(&v->work, first, -1, chosen), quantities = work_quantities(v, quantity);
    const figure_row row = {"", first_measured(v, chosen, count, quantity, quantities),
                            index_of(quantity, quantities, "wall")};
    const curve_plan plan = {
        .title = arena_format(&v->page->memory, "%s: work against precision", view_subject(v, of)),
        .caption = "Lower and further to the left is better. All panels have the same axes.",
        .command = view_command(v, of),
        .quantities = quantities, .rows = 1, .quantity = quantity, .row = &row, .chooses = 1, .tell_level = 1};
    curves_add(v->page, &v->work, chosen, count, &plan);
}

void publish_work(const study_view *v)
{
    if (!v->work.count)
        return;
    view_section(v, "work", "Work and precision");
    fastest_table(v);
    for (int i = groups_next(&v->work, 0); i < v->work.count; i = groups_next(&v->work, i + 1))
        work_problem(v, i);
}

/* ---- cost against size ---- */

static const curve_quantity sizes[] = {
    {"value", "value of the parameter", 1, FIGURE_X, 1}, {"unknowns", "unknowns", 1, FIGURE_X, 1},
    {"seconds_step", "time of a step", 1, FIGURE_Y, 0}, {"seconds_solve", "time of a solve", 1, FIGURE_Y, 0},
    {"seconds_setup", "time of the setup", 1, FIGURE_Y, 0}, {"bytes_memory", "memory held", 1, FIGURE_Y, 0},
    {"bytes_peak", "growth of the process", 1, FIGURE_Y, 0}};
static const figure_row size_rows[] = {{"a step", 0, 2}, {"a solve", 0, 3}, {"the setup", 0, 4}, {"memory", 0, 5},
                                       {"peak of memory", 0, 6}};

void publish_scale(const study_view *v)
{
    const row_groups g = groups_of(dataset_find(v->data, "scale"), 1, &v->page->memory);
    int *chosen = arena_get(&v->page->memory, (size_t)g.count + 1, sizeof *chosen);
    if (!g.count)
        return;
    view_section(v, "scale", "Cost against size");
    for (int i = groups_next(&g, 0); i < g.count; i = groups_next(&g, i + 1)) {
        const int count = view_beside(&g, i, -1, chosen);
        const curve_plan plan = {
            .title = arena_format(&v->page->memory, "%s: cost against size", view_subject(v, &g.group[i])),
            .caption = "Straight lines are powers of the size.", .command = view_command(v, &g.group[i]),
            .quantities = sizeof sizes / sizeof *sizes, .rows = sizeof size_rows / sizeof *size_rows, .quantity = sizes,
            .row = size_rows};
        curves_add(v->page, &g, chosen, count, &plan);
    }
}
