#include "report/orders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const orders_heading =
    "orders: p of error ~ C h^p for small h, between low and high, and the slopes of the last steps above rounding "
    "(without fixed steps: of log error against log rtol, by scatter)";

curve_orders *orders_of_converge(const converge_result *r)
{
    curve_orders *rows = calloc((size_t)r->count + 1, sizeof *rows);
    for (int i = 0; rows && i < r->count; i++) {
        const converge_curve *c = &r->curves[i];
        rows[i] = (curve_orders){c->value, c->subject.form, c->info.name, c->subject.tolerances, c->order};
    }
    return rows;
}

curve_orders *orders_of_work(const work_result *r)
{
    curve_orders *rows = calloc((size_t)r->count + 1, sizeof *rows);
    for (int i = 0; rows && i < r->count; i++) {
        const work_curve *c = &r->curves[i];
        rows[i] = (curve_orders){NAN, c->form, c->info.name, c->adaptive, c->order};
    }
    return rows;
}

/* ---- the table */

/* "4.97 4.98 5.00" */
static void slopes_cell(table *g, const order_result *k)
{
    char text[16 * ORDER_SLOPES] = "";
    for (int i = 0; i < ORDER_SLOPES; i++) {
        const size_t end = strlen(text);
        if (!isnan(k->slope[i]))
            snprintf(text + end, sizeof text - end, "%s%.2f", end ? " " : "", k->slope[i]);
    }
    table_put_text(g, text);
}

static void value_column(table *g, const study_specification *o)
{
    char varied[STUDY_NAME];
    const char *name = study_varied_name(o, varied);
    if (o->values)
        table_head(g, name, name, "%.4g");
}

static table *columns(const study_specification *o)
{
    table *g = table_new();
    if (!g)
        return NULL;
    value_column(g, o);
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    table_head(g, "class", "class", NULL);
    table_head(g, "observed", "observed", "%.2f");
    table_head(g, "low", "low", "%.2f");
    table_head(g, "high", "high", "%.2f");
    table_head(g, "slopes", "slopes", NULL);
    table_head(g, "declared", "declared", "%.0f");
    table_head(g, "verdict", "verdict", NULL);
    table_head(g, "error", "error", "%.2e");
    table_head(g, "estimated_error", "estimated*", "%.2e");
    return g;
}

static int has_row(const dae_problem *problem, const order_result *k, int c)
{
    return order_shows(problem, c) && k->verdict && !(isnan(k->error) && isnan(k->estimated_error));
}

static void add_row(table *g, const study_specification *o, const curve_orders *c, int class)
{
    const order_result *k = &c->order[class];
    if (o->values)
        table_put(g, c->value);
    table_put_text(g, dae_formulation_describe(c->form).name);
    table_put_text(g, c->method);
    table_put_text(g, order_class_title(class));
    table_put(g, k->observed);
    table_put(g, k->low);
    table_put(g, k->high);
    slopes_cell(g, k);
    table_put(g, k->declared);
    table_put_text(g, k->verdict);
    table_put(g, k->error);
    table_put(g, k->estimated_error);
}

table *orders_grid(const study_specification *o, const curve_orders *curves, int count)
{
    table *g = columns(o);
    for (int i = 0; g && i < count; i++) {
        table_rule(g);
        for (int c = 0; c < ORDER_CLASSES; c++)
            if (has_row(o->run.problem, &curves[i].order[c], c))
                add_row(g, o, &curves[i], c);
    }
    return g;
}

/* ---- sentences */

void orders_note(document *doc, const dae_problem *problem, const curve_orders *curves, int count)
{
    for (int i = 0; i < count; i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const order_result *k = &curves[i].order[c];
            const char *form = dae_formulation_describe(curves[i].form).name;
            if (!has_row(problem, k, c))
                continue;
            if (*k->reason)
                document_note(doc, "not determined: %s %s %s: %s", form, curves[i].method, order_class_title(c),
                              k->reason);
            if (k->lost)
                document_remark(doc, "%s %s: the error of %s does not fall with the %s", form, curves[i].method,
                                order_class_title(c), curves[i].tolerances ? "tolerance" : "step");
        }
}

void orders_note_estimates(document *doc, const curve_orders *curves, int count)
{
    int some = 0;
    for (int i = 0; i < count * ORDER_CLASSES; i++) {
        const order_result *k = &curves[i / ORDER_CLASSES].order[i % ORDER_CLASSES];
        some |= k->verdict && !isnan(k->estimated_error);
    }
    if (some)
        document_note(doc, "estimated*: the error as Richardson's rule sees it without a reference; where it is far "
                           "below the error, the method converges to something else");
}

static int is_below(const order_result *k)
{
    return k->verdict && (strcmp(k->verdict, "below") == 0 || k->lost);
}

/* "index1 rk4 velocity 2.98 (declared: 4)" behind text, where it has room; else 0 */
static int name_order(char *text, size_t room, const curve_orders *c, int class)
{
    const order_result *k = &c->order[class];
    const size_t end = strlen(text);
    char declared[32] = "the error does not fall";
    if (!isnan(k->declared))
        snprintf(declared, sizeof declared, "declared: %g", k->declared);
    const int needs = snprintf(text + end, room - end, "%s%s %s %s %.2f (%s)", end ? ", " : "",
                               dae_formulation_describe(c->form).name, c->method, order_class_title(class), k->observed,
                               declared);
    const int fits = needs > 0 && (size_t)needs < room - end;
    if (!fits)
        text[end] = 0;
    return fits;
}

int orders_below(const curve_orders *curves, int count, dae_report *report)
{
    char names[220] = "", more[32] = "";
    int below = 0, named = 0, all = 0;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const order_result *k = &curves[i].order[c];
            all += k->verdict && !isnan(k->observed);
            if (!is_below(k))
                continue;
            below++;
            named += name_order(names, sizeof names, &curves[i], c);
        }
    if (below > named)
        snprintf(more, sizeof more, " and %d more", below - named);
    if (below)
        dae_fail(report, DAE_BACKEND, "%d of %d orders %s too low: %s%s", below, all, below == 1 ? "is" : "are", names,
                 more);
    return below;
}
