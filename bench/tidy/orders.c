/* orders.c - the order that the errors of a class show in a ladder of runs */
#include "tidy/tidy_run.h"

#include <math.h>

static void slope_cells(table *t, const order_result *o)
{
    static const char *const names[ORDER_SLOPES] = {"slope_1", "slope_2", "slope_3"};
    for (int i = 0; i < ORDER_SLOPES; i++)
        table_number(t, names[i], "", o->slope[i]);
}

static const char *unit_of(const tidy_item *item, int k)
{
    return k == ORDER_EVENT_TIME ? item->time : item->unit[k < RUN_CLASSES ? k % RUN_DERIVATIVES : k - ORDER_AFTER];
}

/* Of the classes that the problem has? */
static int is_first(const run_setting *setting, int k)
{
    while (k-- > 0)
        if (order_shows(setting, k))
            return 0;
    return 1;
}

/* Of the finest run that was compared with the reference. */
static double scale_of(const tidy_curve *c, int k)
{
    for (int i = c->levels; i-- > 0;)
        if (!tidy_curve_result(c, i)->status)
            return order_scale(tidy_curve_result(c, i), k);
    return NAN;
}

/* A class of one ladder. */
static void add(const tidy_item *item, const tidy_curve *c, int k)
{
    const order_result *o = &c->order[k];
    const char *unit = unit_of(item, k);
    tidy_run run = tidy_curve_run(c);
    run.step = run.rtol = NAN;
    run.begins = is_first(&item->item->spec.run, k);
    table *t = tidy_row(item, &run, "orders");
    table_text(t, "levels_by", c->tolerances ? "rtol" : "step");
    table_text(t, "class", order_class_name(k));
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
    table_number(t, "error_finest", unit, o->error);
    table_number(t, "scale", unit, scale_of(c, k));
    table_number(t, "estimated_order", "", o->estimated_order);
    table_number(t, "estimated_error", unit, o->estimated_error);
    table_text(t, "unit", unit);
}

void tidy_orders(const tidy_item *item)
{
    for (int i = 0; i < tidy_curves(item->item); i++) {
        const tidy_curve c = tidy_curve_at(item->item, i);
        for (int k = 0; k < ORDER_CLASSES; k++)         /* of work only where there were two levels */
            if (order_shows(&item->item->spec.run, k) && (!c.points || c.order[k].verdict))
                add(item, &c, k);
    }
}
