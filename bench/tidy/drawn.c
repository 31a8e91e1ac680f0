/* drawn.c - what pictures show of a plan beyond its tables */
#include "tidy/tidy_run.h"

#include <stdio.h>
#include <string.h>

/* ---- solutions ---- */

static table *begin(const tidy_item *item, const char *name, const tidy_run *run)
{
    table *t = dataset_add(item->data, name);
    table_row(t);
    table_count(t, "run", run->number);
    return t;
}

/* "u.3": no unknown is called so. */
static const char *numbered(int number, char name[TIDY_NAME])
{
    snprintf(name, TIDY_NAME, "u.%d", number);
    return name;
}

static const char *called(const dae_disc *body) { return body->name ? body->name : "body"; }

/* "x.bob", or "x.bob 2" of several that are called so. */
static const char *path_column(const char *axis, const dae_picture *picture, int at, char name[TIDY_NAME])
{
    const char *own = called(&picture->body[at]);
    int count = 0, number = 0;
    for (int i = 0; i < picture->bodies; i++) {
        const int same = picture->body[i].radius > 0 && strcmp(called(&picture->body[i]), own) == 0;
        count += same;
        number += same && i <= at;
    }
    snprintf(name, TIDY_NAME, count > 1 ? "%s.%s %d" : "%s.%s", axis, own, number);
    return name;
}

static void add_row(const tidy_item *item, const tidy_run *run, size_t r)
{
    const trajectory *tr = &run->solution->tr;
    const double *row = tr->rows + r * (size_t)tr->width;
    table *t = begin(item, "trajectory", run);
    char name[TIDY_NAME];
    table_number(t, "t", item->time, row[0]);
    table_text(t, "mode", tr->columns.modes > 1 ? dae_hybrid_mode_name(tr->hybrid, tr->mark[r].mode) : "");
    for (int i = 1; i < tr->width; i++)
        table_number(t, numbered(i, name), "", row[i]);
    for (int j = 0; tr->path && j < tr->paths; j++) {
        const double *at = tr->path + 2 * (r * (size_t)tr->paths + (size_t)j);
        table_number(t, path_column("x", tr->first, tr->body[j], name), "", at[0]);
        table_number(t, path_column("y", tr->first, tr->body[j], name), "", at[1]);
    }
}

static void add_unknown(const tidy_item *item, const tidy_run *run, int i)
{
    const column_label *label = &run->solution->tr.columns.label[i - 1];
    table *t = begin(item, "unknowns", run);
    char name[TIDY_NAME];
    table_text(t, "column", numbered(i, name));
    table_text(t, "name", label->name);
    table_text(t, "unit", tidy_unit(label));
    table_text(t, "class", dae_class_name(label->kind));
}

static void add_shapes(const tidy_item *item, const tidy_run *run, int count, const dae_segment *s)
{
    for (int i = 0; i < count; i++) {
        table *t = begin(item, "shapes", run);
        const struct { const char *name; double x; } ends[] = {
            {"x0", s[i].x0}, {"y0", s[i].y0}, {"x1", s[i].x1}, {"y1", s[i].y1}};
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            table_number(t, ends[k].name, "", ends[k].x);
    }
}

static void add_solution(const tidy_item *item, const tidy_run *run)
{
    const trajectory *tr = &run->solution->tr;
    for (size_t r = 0; r < tr->count; r++)
        add_row(item, run, r);
    for (int i = 1; i < tr->width; i++)
        add_unknown(item, run, i);
    if (!tr->path || !tr->paths)
        return;
    add_shapes(item, run, tr->last->walls, tr->last->wall);
    add_shapes(item, run, tr->first->links, tr->first->link);
    add_shapes(item, run, tr->last->links, tr->last->link);
}

/* ---- items ---- */

/* As --axes asks, or time and the error that the study is about. */
static json_t *axes_json(const study_specification *o)
{
    const char *up = o->axes ? work_quantity_names[o->up] : o->run.sensitivities ? order_class_name(work_class(o))
                     : work_quantity_names[(work_quantity)((int)WORK_ERROR + (int)o->of)];
    return json_pack("[s, s]", work_quantity_names[o->axes ? o->across : WORK_TIME], up);
}

static json_t *item_json(const tidy_item *t, int count)
{
    json_t *drifts = json_array();
    for (int k = 0; k < SERIES; k++)
        json_array_append_new(drifts, json_string(drift_title(t->item->spec.run.problem, k)));
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:s?}", "part", t->item->part, "problem",
                     t->item->spec.run.problem->name, "first", t->first, "count", count, "drifts", drifts, "axes",
                     t->item->kind == STUDY_WORK ? axes_json(&t->item->spec) : json_array(), "show",
                     t->item->spec.show);
}

/* Items with their runs; of those that solve what is drawn goes into d, or NULL. */
static json_t *add_items(const study_plan *plan, dataset *d)
{
    json_t *items = json_array();
    int first = 1;
    for (int i = 0; i < plan->count; i++) {
        tidy_item t = {.data = d, .item = &plan->item[i], .first = first};
        if (plan->item[i].status)
            continue;
        time_unit(t.item->spec.run.problem, t.time);
        const int count = tidy_each_run(&t, d && t.item->kind == STUDY_SOLVE ? add_solution : NULL);
        json_array_append_new(items, item_json(&t, count));
        first += count;
    }
    return items;
}

json_t *tidy_items(const study_plan *plan) { return add_items(plan, NULL); }

json_t *tidy_drawn(const study_plan *plan)
{
    dataset *d = dataset_new("", "");
    json_t *drawn = json_object(), *items = add_items(plan, d);
    dataset_json(d, drawn);
    json_object_set_new(drawn, "items", items);
    dataset_free(d);
    return drawn;
}
