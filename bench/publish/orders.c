/* orders.c - the section on orders: what was observed, form by form and method by method, and the errors */
#include "gather/curves.h"
#include "gather/order_row.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

/* ---- one table for each problem ---- */

enum { MOST_CLASSES = 16 };

/* Names in the order of their appearance. */
static int add_name(const char **names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return count;
    names[count] = name;
    return count + 1;
}

/* The classes in which some group has an order. */
static int classes_of(const study_view *v, const int *chosen, int count, const char *names[MOST_CLASSES])
{
    int classes = 0;
    for (int i = 0; i < count; i++) {
        const row_group *g = &v->orders.group[chosen[i]];
        for (int k = 0; k < g->count && classes < MOST_CLASSES; k++) {
            const order_row o = order_row_at(v->orders.table, g->row[k]);
            if (isfinite(o.observed))
                classes = add_name(names, classes, o.class);
        }
    }
    return classes;
}

static const char *joined(const char *const *names, int count, arena *memory)
{
    const char *text = "";
    for (int i = 0; i < count; i++)
        text = arena_format(memory, "%s%s%s", text, i ? " · " : "", names[i]);
    return text;
}

static order_row order_of_class(const study_view *v, const row_group *g, const char *class)
{
    for (int k = 0; k < g->count; k++) {
        const order_row o = order_row_at(v->orders.table, g->row[k]);
        if (strcmp(o.class, class) == 0)
            return o;
    }
    return (order_row){.observed = NAN};
}

static void order_cell(const study_view *v, page_table *t, const row_group *g, const char *const *classes, int count)
{
    char number[ORDER_TEXT];
    const char *text = "";
    page_tone tone = TONE_PLAIN;
    int observed = 0;
    for (int k = 0; k < count; k++) {
        const order_row o = order_of_class(v, g, classes[k]);
        observed += isfinite(o.observed) != 0;
        text = arena_format(&v->page->memory, "%s%s%s", text, k ? " · " : "", order_row_text(&o, number));
        tone = o.tone > tone ? o.tone : tone;
    }
    page_table_text(t, tone, observed ? text : "-");
}

static const row_group *group_at(const study_view *v, const int *chosen, int count, const char *form,
                                 const char *label)
{
    for (int i = 0; i < count; i++) {
        const row_group *g = &v->orders.group[chosen[i]];
        if (strcmp(g->form, form) == 0 && strcmp(g->label, label) == 0)
            return g;
    }
    return NULL;
}

/* What the table has: its columns, its rows, the numbers of a cell. */
typedef struct {
    int forms, labels, classes;
    const char **form, **label, *class[MOST_CLASSES];
} order_names;

/* 0: no memory, or no order at all. */
static int names_of(const study_view *v, const int *chosen, int count, order_names *n)
{
    arena *memory = &v->page->memory;
    *n = (order_names){.form = arena_get(memory, (size_t)count, sizeof *n->form),
                       .label = arena_get(memory, (size_t)count, sizeof *n->label)};
    if (!n->form || !n->label)
        return 0;
    n->classes = classes_of(v, chosen, count, n->class);
    for (int i = 0; i < count; i++) {
        n->forms = add_name(n->form, n->forms, v->orders.group[chosen[i]].form);
        n->labels = add_name(n->label, n->labels, v->orders.group[chosen[i]].label);
    }
    return n->classes > 0;
}

static const char *order_caption(const study_view *v, const row_group *first, const order_names *n)
{
    arena *memory = &v->page->memory;
    return arena_format(memory, first->by_rtol ? "%s: slopes of the errors of %s against the tolerance"
                                               : "%s: observed orders of %s in the step",
                        view_subject(v, first), joined(n->class, n->classes, memory));
}

static void order_row_of(const study_view *v, page_table *t, const int *chosen, int count, const order_names *n,
                         const char *label)
{
    page_table_text(t, TONE_PLAIN, label);
    for (int i = 0; i < n->forms; i++) {
        const row_group *g = group_at(v, chosen, count, n->form[i], label);
        if (g)
            order_cell(v, t, g, n->class, n->classes);
        else
            page_table_text(t, TONE_PLAIN, "");
    }
}

static void order_table(const study_view *v, const int *chosen, int count)
{
    order_names n;
    if (!names_of(v, chosen, count, &n))
        return;
    page_table *t = page_table_add(v->page, order_caption(v, &v->orders.group[chosen[0]], &n));
    page_table_column(t, "method", "", NULL);
    for (int i = 0; i < n.forms; i++)
        page_table_column(t, n.form[i], "", NULL);
    for (int k = 0; k < n.labels; k++)
        order_row_of(v, t, chosen, count, &n, n.label[k]);
}

/* ---- what is below, or not determined, and why ---- */

static void explain_order(const study_view *v, page_table *t, const row_group *g, const order_row *o)
{
    arena *memory = &v->page->memory;
    page_table_text(t, TONE_PLAIN, g->form);
    page_table_text(t, TONE_PLAIN, g->label);
    page_table_text(t, TONE_PLAIN, o->class);
    page_table_number(t, TONE_PLAIN, o->observed);
    page_table_text(t, TONE_PLAIN, isfinite(o->low) ? arena_format(memory, "%.2f to %.2f", o->low, o->high) : "");
    page_table_number(t, TONE_PLAIN, o->declared);
    page_table_text(t, o->tone, o->stays ? "does not fall" : o->verdict);
    page_table_text(t, TONE_PLAIN, o->reason);
}

static int needs_words(const order_row *o) { return o->tone == TONE_BAD || o->tone == TONE_NOTE; }

static page_table *explanations(const study_view *v, const row_group *g)
{
    static const char *const titles[] = {"form", "method", "class", "observed", "interval", "declared", "verdict",
                                         "why"};
    static const char *const formats[] = {NULL, NULL, NULL, "%.2f", NULL, "%g", NULL, NULL};
    page_table *t = page_table_add(v->page,
                                   arena_format(&v->page->memory, "%s: orders that are less than declared, or not "
                                                         "determined", view_subject(v, g)));
    for (int c = 0; c < 8; c++)
        page_table_column(t, titles[c], "", formats[c]);
    return t;
}

static void explain(const study_view *v, const int *chosen, int count)
{
    page_table *t = NULL;
    for (int i = 0; i < count; i++) {
        const row_group *g = &v->orders.group[chosen[i]];
        for (int k = 0; k < g->count; k++) {
            const order_row o = order_row_at(v->orders.table, g->row[k]);
            if (!needs_words(&o))
                continue;
            t = t ? t : explanations(v, g);
            explain_order(v, t, g, &o);
        }
    }
}

/* ---- errors against the level ---- */

/* Columns of errors that the table has. */
static const char error_of[] = "error_";

static double any_number(const table *t, int column)
{
    for (int row = 0; row < table_rows(t); row++)
        if (!isnan(table_number_at(t, row, column)))
            return table_number_at(t, row, column);
    return NAN;
}

static int error_columns(const table *t, const char *columns[MOST_CLASSES])
{
    int count = 0;
    for (int i = 0; i < table_columns(t) && count < MOST_CLASSES; i++)
        if (strncmp(table_name_of(t, i), error_of, strlen(error_of)) == 0 && !isnan(any_number(t, i)))
            columns[count++] = table_name_of(t, i);
    return count;
}

/* The level across, the error of each class up: so many rows. */
static int error_quantities(const study_view *v, const row_group *first, curve_quantity quantity[MOST_CLASSES + 1],
                            figure_row row[MOST_CLASSES])
{
    const char *columns[MOST_CLASSES];
    const int classes = error_columns(v->runs.table, columns);
    quantity[0] = (curve_quantity){first->by_rtol ? "rtol" : "step", first->by_rtol ? "relative tolerance" : "step", 1,
                                   FIGURE_X, 1};
    for (int i = 0; i < classes; i++) {
        const char *class = columns[i] + strlen(error_of);
        quantity[i + 1] = (curve_quantity){columns[i], arena_format(&v->page->memory, "error of %s", class), 1,
                                           FIGURE_Y, 0};
        row[i] = (figure_row){class, 0, i + 1};
    }
    return classes;
}

static void error_figure(const study_view *v, const int *chosen, int count)
{
    const row_group *first = &v->runs.group[chosen[0]];
    curve_quantity quantity[MOST_CLASSES + 1];
    figure_row row[MOST_CLASSES];
    const int classes = error_quantities(v, first, quantity, row);
    const char *caption = "Largest error at the end. All panels of a row have the same axes.";
    const curve_plan plan = {
        .title = arena_format(&v->page->memory, "%s: errors against the %s", view_subject(v, first),
                              first->by_rtol ? "tolerance" : "step"),
        .caption = first->by_rtol ? caption
                                  : arena_format(&v->page->memory, "%s Dashed lines have slope 1, 2, 3, 4.", caption),
        .command = view_command(v, first), .quantities = classes + 1, .rows = classes, .quantity = quantity, .row = row,
        .guides = first->by_rtol ? 0 : 4};
    curves_add(v->page, &v->runs, chosen, count, &plan);
}

static int is_study_of_orders(const study_view *v, const row_group *g)
{
    return strcmp(row_text_or_empty(v->runs.table, g->row[0], "kind"), "converge") == 0;
}

static void problem(const study_view *v, const row_group *orders)
{
    int *chosen = arena_get(&v->page->memory, (size_t)(v->orders.count + v->runs.count), sizeof *chosen);
    page_heading(v->page, view_subject(v, orders));
    for (int by_rtol = 0; by_rtol < 2; by_rtol++) {
        const int count = view_beside(&v->orders, (int)(orders - v->orders.group), by_rtol, chosen);
        if (count)
            order_table(v, chosen, count);
    }
    explain(v, chosen, view_beside(&v->orders, (int)(orders - v->orders.group), -1, chosen));
    for (int i = 0; i < v->runs.count; i++) {
        if (!group_beside(&v->runs.group[i], orders) || !is_study_of_orders(v, &v->runs.group[i]))
            continue;
        for (int by_rtol = 0; by_rtol < 2; by_rtol++) {
            const int count = view_beside(&v->runs, i, by_rtol, chosen);
            if (count)
                error_figure(v, chosen, count);
        }
        return;
    }
}

void publish_orders(const study_view *v)
{
    const row_groups *g = &v->orders;
    if (!g->count)
        return;
    view_section(v, "orders", "Orders of convergence");
    page_text(v->page, "✓ the order that the method declares, or more; ✗ less, or an error that does not fall at all; "
                       "? not determined. The numbers are observed orders, class by class.");
    for (int i = groups_next(g, 0); i < g->count; i = groups_next(g, i + 1))
        problem(v, &g->group[i]);
}
