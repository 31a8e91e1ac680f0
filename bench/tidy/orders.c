/* orders.c - the order that the errors of a class show in a ladder of runs */
#include "tidy/tidy_run.h"

#include <math.h>

static void slope_cells(table *t, const order_result *o)
{
    static const char *const names[ORDER_SLOPES] = {"slope_1", "slope_2", "slope_3"};
    for (int i = 0; i < ORDER_SLOPES; i++)
        table_number(t, names[i], "", o->slope[i]);
}

/* The size of the reference, of the finest run that was compared with it. */
static double scale_of(const converge_curve *c, dae_class k)
{
    for (int i = c->levels; i-- > 0;)
        if (!c->runs[i].status)
            return c->runs[i].scale[k];
    return NAN;
}

static void add(const tidy_item *item, int i, dae_class k)
{
    const converge_result *r = &item->item->result.converge;
    const converge_curve *c = &r->curves[i];
    const order_result *o = &c->order[k];
    tidy_run run = tidy_curve_run(r, i);
    table *t = dataset_add(item->data, "orders");
    run.step = run.rtol = NAN;
    tidy_begin_row(t, item, &run);
    if (!t)
        return;
    table_text(t, "levels_by", c->subject.tolerances ? "rtol" : "step");
    table_text(t, "class", dae_class_name(k));
    table_number(t, "observed", "", o->observed);
    table_number(t, "low", "", o->low);
    table_number(t, "high", "", o->high);
    slope_cells(t, o);
    table_number(t, "declared", "", o->declared);
    table_text(t, "verdict", o->verdict);
    table_text(t, "reason", o->reason);
    table_text(t, "arithmetic", o->in_quad ? "quad" : "double");
    table_count(t, "levels", o->levels);
    table_count(t, "dropped", o->dropped);
    table_number(t, "error_finest", item->unit[k], o->error);
    table_number(t, "scale", item->unit[k], scale_of(c, k));
    table_number(t, "estimated_order", "", o->estimated_order);
    table_number(t, "estimated_error", item->unit[k], o->estimated_error);
    table_text(t, "unit", item->unit[k]);
}

void tidy_orders(const tidy_item *item)
{
    if (item->item->kind != STUDY_CONVERGE || item->item->status < 0)
        return;
    const converge_result *r = &item->item->result.converge;
    for (int i = 0; i < r->count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (run_shows(item->item->spec.run.problem, k))
                add(item, i, k);
}
