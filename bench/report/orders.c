/* orders.c - the orders that curves of a study show, and which are too low */
#include "report/report.h"

#include <math.h>
#include <string.h>

/* ---- the table ---- */

/* A class of which there is an error. */
static int has_error(const table *t, int row)
{
    return table_text_at(t, row, table_find(t, "verdict"))
           && !(isnan(table_number_at(t, row, table_find(t, "error_finest")))
                && isnan(table_number_at(t, row, table_find(t, "estimated_error"))));
}

static const char *class_words(const table *t, int row, char text[ROW_WORDS])
{
    const char *name = table_text_at(t, row, table_find(t, "class"));
    int k = 0;
    (void)text;
    while (k + 1 < ORDER_CLASSES && strcmp(order_class_name(k), name) != 0)
        k++;
    return order_class_title(k);
}

/* "4.97 4.98 5.00" */
static const char *slope_words(const table *t, int row, char text[ROW_WORDS])
{
    const int first = table_find(t, "slope_1");
    text[0] = 0;
    for (int i = 0; i < ORDER_SLOPES; i++) {
        const size_t end = strlen(text);
        const double slope = table_number_at(t, row, first + i);
        if (!isnan(slope))
            snprintf(text + end, ROW_WORDS - end, "%s%.2f", end ? " " : "", slope);
    }
    return text;
}

void report_orders(document *doc, const study_item *item)
{
    static const shown_column who[] = {{.name = "form", .title = "form"}, {.name = "method", .title = "method"}, {0}},
        intervals[] = {{.name = "observed", .title = "observed", .format = "%.2f"},
                       {.name = "low", .title = "low", .format = "%.2f"},
                       {.name = "high", .title = "high", .format = "%.2f"}, {0}},
        judged[] = {{.name = "declared", .title = "declared", .format = "%.0f"},
                    {.name = "verdict", .title = "verdict"},
                    {.name = "error_finest", .title = "error", .format = "%.2e"},
                    {.name = "estimated_error", .title = "estimated*", .format = "%.2e"}, {0}};
    table *orders = tidy_rows(item, "orders");
    selection s = select_rows(orders, has_error);
    select_varied(&s, &item->spec);
    select_columns(&s, who);
    select_words(&s, "class", class_words);
    select_columns(&s, intervals);
    select_words(&s, "slopes", slope_words);
    select_columns(&s, judged);
    document_section_add(doc, "orders: p of error ~ C h^p for small h, between low and high, and the slopes of the "
                         "last steps above rounding (without fixed steps: of log error against log rtol, by scatter)",
                         select_end(&s));
    table_free(orders);
}

/* ---- curves ---- */

/* Those of one curve; what it points to is the result's. */
typedef struct {
    const dae_formulation *form;
    const char *method;
    int tolerances;             /* slopes of the error against rtol, not orders in the step */
    const order_result *order;  /* [ORDER_CLASSES] */
} curve_orders;

static int count_curves(const study_item *item)
{
    return item->kind == STUDY_CONVERGE ? item->result.converge.count : item->result.work.count;
}

static curve_orders curve_of(const study_item *item, int i)
{
    if (item->kind == STUDY_CONVERGE) {
        const converge_curve *c = &item->result.converge.curves[i];
        return (curve_orders){c->subject.form, c->info.name, c->subject.tolerances, c->order};
    }
    const work_curve *c = &item->result.work.curves[i];
    return (curve_orders){c->form, c->info.name, c->adaptive, c->order};
}

static int has_row(const dae_problem *problem, const order_result *k, int c)
{
    return order_shows(problem, c) && k->verdict && !(isnan(k->error) && isnan(k->estimated_error));
}

/* ---- sentences ---- */

void note_orders(document *doc, const study_item *item)
{
    for (int i = 0; i < count_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const curve_orders curve = curve_of(item, i);
            const order_result *k = &curve.order[c];
            const char *form = dae_formulation_describe(curve.form).name;
            if (!has_row(item->spec.run.problem, k, c))
                continue;
            if (*k->reason)
                document_note(doc, "not determined: %s %s %s: %s", form, curve.method, order_class_title(c), k->reason);
            if (k->lost)
                document_remark(doc, "%s %s: the error of %s does not fall with the %s", form, curve.method,
                                order_class_title(c), curve.tolerances ? "tolerance" : "step");
        }
}

void note_estimates(document *doc, const study_item *item)
{
    int some = 0;
    for (int i = 0; i < count_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const order_result *k = &curve_of(item, i).order[c];
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

int orders_below(const study_item *item, dae_report *report)
{
    char names[220] = "", more[32] = "";
    int below = 0, named = 0, all = 0;
    for (int i = 0; i < count_curves(item); i++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const curve_orders curve = curve_of(item, i);
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
