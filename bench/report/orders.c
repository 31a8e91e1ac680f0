/* orders.c - the orders that curves of a study show, and which are too low */
#include "report/report.h"

#include <math.h>
#include <string.h>

/* A class of which there is an error. */
static int has_error(const table *t, int row)
{
    return table_text_at(t, row, table_find(t, "verdict"))
           && !(isnan(table_number_at(t, row, table_find(t, "error_finest")))
                && isnan(table_number_at(t, row, table_find(t, "estimated_error"))));
}

void report_orders(document *doc, const study_item *item)
{
    report_table(doc, "orders: p of error ~ C h^p for small h, between low and high, and the slopes of the last steps "
                 "above rounding; where steps are chosen, the slope of log error against log rtol", item, "orders",
                 "@varied form method @classes @observed low high @slopes declared verdict error_finest "
                 "estimated_error",
                 has_error);
}

static int has_row(const run_setting *setting, const order_result *k, int c)
{
    return order_shows(setting, c) && k->verdict && !(isnan(k->error) && isnan(k->estimated_error));
}

/* ---- sentences ---- */

void note_orders(document *doc, const study_item *item)
{
    for (int i = 0; i < tidy_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const tidy_curve curve = tidy_curve_at(item, i);
            const order_result *k = &curve.order[c];
            const run_words run = report_run(curve.form, curve.method);
            if (!has_row(&item->spec.run, k, c))
                continue;
            if (*k->reason)
                document_note(doc, "not determined: %s %s: %s", run.text, order_class_title(c), k->reason);
            if (k->lost)
                document_remark(doc, "%s: the error of %s does not fall with the %s", run.text,
                                order_class_title(c), curve.tolerances ? "tolerance" : "step");
        }
}

void note_estimates(document *doc, const study_item *item)
{
    int some = 0;
    for (int i = 0; i < tidy_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const order_result *k = &tidy_curve_at(item, i).order[c];
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
static int name_order(char *text, size_t room, const tidy_curve *c, int class)
{
    const order_result *k = &c->order[class];
    const size_t end = strlen(text);
    char declared[32] = "the error does not fall";
    if (!isnan(k->declared))
        snprintf(declared, sizeof declared, "declared: %g", k->declared);
    const int needs = snprintf(text + end, room - end, "%s%s %s %.2f (%s)", end ? ", " : "",
                               report_run(c->form, c->method).text, order_class_title(class), k->observed, declared);
    const int fits = needs > 0 && (size_t)needs < room - end;
    if (!fits)
        text[end] = 0;
    return fits;
}

int orders_below(const study_item *item, dae_report *report)
{
    char names[220] = "", more[32] = "";
    int below = 0, named = 0, all = 0;
    for (int i = 0; i < tidy_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const tidy_curve curve = tidy_curve_at(item, i);
            const order_result *k = &curve.order[c];
            all += k->verdict && !isnan(k->observed);
            if (!is_below(k))
                continue;
            below++;
            named += name_order(names, sizeof names, &curve, c);
        }
    if (below > named)
        snprintf(more, sizeof more, " and %d more", below - named);
    if (below)
        dae_fail(report, DAE_BACKEND, "%d of %d orders %s too low: %s%s", below, all, below == 1 ? "is" : "are", names,
                 more);
    return below;
}
