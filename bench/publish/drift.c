/* drift.c - the section on drift: how far runs leave the constraints, energy and invariants, against time */
#include "gather/curves.h"
#include "publish/growth.h"
#include "publish/study_view.h"

#include <string.h>

static const curve_quantity quantities[] = {
    {"t", "time", 0, FIGURE_X, 0}, {"position", "|g|", 1, FIGURE_Y, 0}, {"velocity", "|dg/dt|", 1, FIGURE_Y, 0},
    {"acceleration", "|d²g/dt²|", 1, FIGURE_Y, 0}, {"energy", "balance of energy", 1, FIGURE_Y, 0},
    {"invariant", "invariants, relative", 1, FIGURE_Y, 0}};
static const figure_row rows[] = {{"constraint", 0, 1}, {"its first derivative", 0, 2}, {"its second derivative", 0, 3},
                                  {"energy", 0, 4}, {"invariants", 0, 5}};

static void problem(const study_view *v, int first)
{
    const row_group *of = &v->drift.group[first];
    int *chosen = arena_get(&v->page->memory, (size_t)v->drift.count, sizeof *chosen);
    const int count = view_beside(&v->drift, first, -1, chosen);
    const curve_plan plan = {
        .title = arena_format(&v->page->memory, "%s: drift against time", view_subject(v, of)),
        .caption = "The largest values so far. All panels of a row have the same axes.", .command = view_command(v, of),
        .quantities = sizeof quantities / sizeof *quantities, .rows = sizeof rows / sizeof *rows,
        .quantity = quantities, .row = rows, .steps = 1};
    curves_add(v->page, &v->drift, chosen, count, &plan);
}

void publish_drift(const study_view *v)
{
    if (!v->drift.count)
        return;
    view_section(v, "drift", "Drift");
    growth_tables(v);
    for (int i = groups_next(&v->drift, 0); i < v->drift.count; i = groups_next(&v->drift, i + 1))
        problem(v, i);
}
