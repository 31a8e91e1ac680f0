/* glance.c - error against drift, where an error stays though the drift falls */
#include "gather/curves.h"
#include "gather/order_row.h"
#include "publish/sentences.h"

#include <string.h>

/* The class whose error stays, of some pair of this problem; else NULL. */
static const char *class_that_stays(const study_view *v, const row_group *of)
{
    for (int i = 0; i < v->orders.count; i++)
        for (int k = 0; group_beside(of, &v->orders.group[i]) && k < v->orders.group[i].count; k++) {
            const order_row o = order_row_at(v->orders.table, v->orders.group[i].row[k]);
            if (o.stays)
                return o.class;
        }
    return NULL;
}

/* Does the error of some class stay by this method, in some formulation? */
static int label_stays(const study_view *v, const row_group *runs)
{
    for (int i = 0; i < v->orders.count; i++) {
        const row_group *g = &v->orders.group[i];
        for (int k = 0; group_beside(g, runs) && strcmp(g->label, runs->label) == 0 && k < g->count; k++) {
            const order_row o = order_row_at(v->orders.table, g->row[k]);
            if (o.stays)
                return 1;
        }
    }
    return 0;
}

static int labels_beside(const study_view *v, const int *chosen, int count)
{
    int labels = 0;
    for (int i = 0; i < count; i++) {
        int first = 0;
        while (strcmp(v->runs.group[chosen[first]].label, v->runs.group[chosen[i]].label))
            first++;
        labels += first == i;
    }
    return labels;
}

/* The runs of a problem; those of too many methods for one picture only where an error stays. */
static int choose_for_glance(const study_view *v, const row_group *of, int *chosen)
{
    int count = 0, kept = 0;
    for (int i = 0; i < v->runs.count; i++)
        if (group_beside(of, &v->runs.group[i]))
            chosen[count++] = i;
    if (labels_beside(v, chosen, count) <= CURVES_MOST)
        return count;
    for (int i = 0; i < count; i++)
        if (label_stays(v, &v->runs.group[chosen[i]]))
            chosen[kept++] = chosen[i];
    return kept;
}

static void draw(const study_view *v, const row_group *of)
{
    arena *memory = &v->page->memory;
    const char *class = class_that_stays(v, of);
    int *chosen = arena_get(memory, (size_t)v->runs.count + 1, sizeof *chosen);
    const int count = class && chosen ? choose_for_glance(v, of, chosen) : 0;
    if (!count)
        return;
    const curve_quantity quantity[] = {
        {"drift_position", "drift off the constraint", 1, FIGURE_X, 0},
        {arena_format(memory, "error_%s", class), arena_format(memory, "error of %s", class), 1, FIGURE_Y, 0}};
    const figure_row row = {"", 0, 1};
    const curve_plan plan = {
        .title = arena_format(memory, "%s: does a small drift mean a small error?", view_subject(v, of)),
        .caption = "From level to level a curve should fall to the left and down. One that goes to the left alone "
                   "holds the constraint better and better, and is as wrong as before.",
        .command = view_command(v, of), .quantities = 2, .rows = 1, .quantity = quantity, .row = &row, .tell_level = 1};
    curves_add(v->page, &v->runs, chosen, count, &plan);
}

void draw_glances(const study_view *v)
{
    for (int i = groups_next(&v->orders, 0); i < v->orders.count; i = groups_next(&v->orders, i + 1))
        draw(v, &v->orders.group[i]);
}
