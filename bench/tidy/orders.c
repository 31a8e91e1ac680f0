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
    return k == ORDER_EVENT_TIME ? item->time : item->unit[k < DAE_CLASSES ? k : k - ORDER_AFTER];
}

/* Of the classes that the problem has? */
static int is_first(const dae_problem *problem, int k)
{
    while (k-- > 0)
        if (order_shows(problem, k))
            return 0;
    return 1;
}

/* A class of one ladder; scale: the size of the reference. */
static void add(const tidy_item *item, tidy_run run, int tolerances, int k, const order_result *o, double scale)
{
    const char *unit = unit_of(item, k);
    run.step = run.rtol = NAN;
    run.begins = is_first(item->item->spec.run.problem, k);
    table *t = tidy_row(item, &run, "orders");
    table_as(t, ROLE_SETTING);
    table_text(t, "levels_by", tolerances ? "rtol" : "step");
    table_text(t, "class", order_class_name(k));
    table_as(t, ROLE_ORDER);
    table_number(t, "observed", "", o->observed);
    table_as(t, ROLE_NONE);
    table_number(t, "low", "", o->low);
    table_number(t, "high", "", o->high);
    slope_cells(t, o);
    table_number(t, "declared", "", o->declared);
    table_as(t, ROLE_ORDER);
    table_text(t, "verdict", o->verdict);
    table_as(t, ROLE_NONE);
    table_text(t, "reason", o->reason);
    table_text(t, "arithmetic", o->in_quad ? "quad" : "double");
    table_count(t, "levels", o->levels);
    table_count(t, "dropped", o->dropped);
    table_number(t, "error_finest", unit, o->error);
    table_number(t, "scale", unit, scale);
    table_number(t, "estimated_order", "", o->estimated_order);
    table_number(t, "estimated_error", unit, o->estimated_error);
    table_text(t, "unit", unit);
}

/* Of the finest run that was compared with the reference. */
static double scale_of_converge(const converge_curve *c, int k)
{
    for (int i = c->levels; i-- > 0;)
        if (!c->runs[i].status)
            return order_scale(&c->runs[i], k);
    return NAN;
}

static double scale_of_work(const work_curve *c, int k)
{
    for (int i = c->levels; i-- > 0;)
        if (!c->point[i].run.status)
            return order_scale(&c->point[i].run, k);
    return NAN;
}

static void orders_of_converge(const tidy_item *item, int k, int i)
{
    const converge_result *r = &item->item->result.converge;
    const converge_curve *c = &r->curves[i];
    add(item, tidy_curve_run(r, i), c->subject.tolerances, k, &c->order[k], scale_of_converge(c, k));
}

static void orders_of_work(const tidy_item *item, int k, int i)
{
    const work_curve *c = &item->item->result.work.curves[i];
    if (c->order[k].verdict)                            /* there were two levels */
        add(item, tidy_work_curve_run(item->item, i), c->adaptive, k, &c->order[k], scale_of_work(c, k));
}

void tidy_orders(const tidy_item *item)
{
    const study_item *of = item->item;
    const int converge = of->kind == STUDY_CONVERGE;
    const int count = converge ? of->result.converge.count : of->result.work.count;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < ORDER_CLASSES; k++)
            if (order_shows(of->spec.run.problem, k))
                (converge ? orders_of_converge : orders_of_work)(item, k, i);
}
