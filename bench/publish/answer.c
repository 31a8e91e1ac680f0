/* answer.c - the section at the top: what the data say, in sentences, the worst first */
#include "publish/curves.h"
#include "publish/fastest.h"
#include "publish/growth.h"
#include "publish/order_row.h"
#include "publish/study_view.h"

#include <math.h>
#include <string.h>

enum { MOST_SENTENCES = 8 };

/* ---- errors that do not fall ---- */

static const char *with_unit(const study_view *v, double x, const char *unit)
{
    return arena_format(&v->page->memory, "%.2g%s%s", x, *unit ? " " : "", unit);
}

/* "14 %", "123 %" */
static const char *percent(const study_view *v, double ratio)
{
    return arena_format(&v->page->memory, ratio < 0.995 ? "%.2g %%" : "%.0f %%", 100 * ratio);
}

static const char *size_of_error(const study_view *v, const order_row *o)
{
    if (!isfinite(o->error))
        return "";
    const char *error = with_unit(v, o->error, o->unit);
    return isfinite(o->scale) && o->scale > 0
               ? arena_format(&v->page->memory, ": %s at the finest level, %s of its size", error, percent(v, o->error / o->scale))
               : arena_format(&v->page->memory, ": %s at the finest level", error);
}

/* Where the constraint itself is better held from level to level: what would make one believe the run. */
static const char *drift_beside(const study_view *v, const row_group *orders)
{
    const row_group *runs = groups_match(&v->runs, orders);
    const int last = runs ? view_finest(v->runs.table, runs) : -1;
    if (last < 0)
        return "";
    const double coarse = row_number(v->runs.table, runs->row[0], "drift_position");
    const double fine = row_number(v->runs.table, last, "drift_position");
    if (!(fine < 0.5 * coarse))
        return "";
    return arena_format(&v->page->memory, ", while the drift off the constraint falls from %.2g to %.2g: a small drift does not "
                        "make it right", coarse, fine);
}

/* Another class of unknowns by which the same quantity is had with an order: named, with it. */
static const char *better_class(const study_view *v, const row_group *g, const order_row *bad)
{
    const table *t = v->orders.table;
    char number[ORDER_TEXT];
    for (int k = 0; k < g->count; k++) {
        const order_row o = order_row_at(t, g->row[k]);
        if (o.tone == TONE_GOOD && strncmp(o.class, bad->class, strlen(bad->class)) == 0)
            return arena_format(&v->page->memory, "; %s has order %s", o.class, order_row_text(&o, number));
    }
    return "";
}

static void say_stays(const study_view *v, const row_group *g, const order_row *o)
{
    char number[ORDER_TEXT];
    page_finding(v->page, TONE_BAD, arena_format(&v->page->memory, "%s: the error of %s does not fall with the %s (order %s)%s%s%s.",
                 view_pair(v, g), o->class, o->by_rtol ? "tolerance" : "step", order_row_text(o, number), size_of_error(v, o),
                 drift_beside(v, g), better_class(v, g, o)));
}

/* ---- counts of verdicts ---- */

typedef struct {
    int pairs, good, below, unclear, stay;      /* pairs of a formulation and a method, each by its worst class */
    const char *named;          /* those below */
} verdicts;

static void say_below(const study_view *v, verdicts *sum, const row_group *g, const order_row *o)
{
    char number[ORDER_TEXT];
    if (sum->below < MOST_SENTENCES)
        sum->named = arena_format(&v->page->memory, "%s%s%s, %s: %s, declared %g", sum->named, *sum->named ? "; " : "",
                                  view_pair(v, g), o->class, order_row_text(o, number), o->declared);
    else if (sum->below == MOST_SENTENCES)
        sum->named = arena_format(&v->page->memory, "%s; and others", sum->named);
}

static void judge(const study_view *v, const row_group *g, verdicts *sum)
{
    page_tone worst = TONE_PLAIN;
    int stays = 0, below = 0;
    for (int k = 0; k < g->count; k++) {
        const order_row o = order_row_at(v->orders.table, g->row[k]);
        worst = o.tone > worst ? o.tone : worst;
        if (o.stays && sum->stay + stays++ < MOST_SENTENCES)
            say_stays(v, g, &o);
        if (!o.stays && o.tone == TONE_BAD && !below++)
            say_below(v, sum, g, &o);
    }
    sum->pairs += worst != TONE_PLAIN;
    sum->good += worst == TONE_GOOD;
    sum->unclear += worst == TONE_NOTE;
    sum->stay += stays > 0;
    sum->below += below > 0;
}

static void say_orders(const study_view *v)
{
    verdicts sum = {.named = ""};
    arena *memory = &v->page->memory;
    for (int i = 0; i < v->orders.count; i++)
        judge(v, &v->orders.group[i], &sum);
    if (sum.below)
        page_finding(v->page, TONE_BAD, arena_format(memory, "Below the declared order: %s.", sum.named));
    if (sum.unclear)
        page_finding(v->page, TONE_NOTE, arena_format(memory, "In %d of %d pairs of formulation and method some order is not "
                                                      "determined, for the reasons below.", sum.unclear, sum.pairs));
    if (sum.good)
        page_finding(v->page, TONE_GOOD, arena_format(memory, "%d of %d pairs of formulation and method converge with the declared "
                                                      "order, or a higher one, in all classes of unknowns.", sum.good, sum.pairs));
}

/* ---- runs without orders: an error that the drift says nothing of ---- */

enum { MOST_CLASS = 64 };

/* The error of a class by its size, of column `column`, "error_CLASS"; NaN: not known. */
static double relative_error(const table *t, int row, int column)
{
    char scale[MOST_CLASS];
    snprintf(scale, sizeof scale, "scale_%s", table_name_of(t, column) + strlen("error_"));
    return table_number_at(t, row, column) / row_number(t, row, scale);
}

/* A hundredth of the size, and a thousand times what the constraint is off by. */
static int looks_right(const table *t, int row, double error)
{
    return error >= 0.01 && isfinite(error)
           && row_number(t, row, "drift_position") / row_number(t, row, "scale_position") <= 1e-3 * error;
}

static int say_looks_right(const study_view *v, const row_group *g)
{
    const table *t = v->runs.table;
    const int row = view_finest(t, g);
    for (int i = 0; row >= 0 && i < table_columns(t); i++) {
        if (strncmp(table_name_of(t, i), "error_", strlen("error_")))
            continue;
        const double error = relative_error(t, row, i);
        if (!looks_right(t, row, error))
            continue;
        page_finding(v->page, TONE_BAD, arena_format(&v->page->memory, "%s: %s is wrong by %s of its size at the end, though "
                     "the drift off the constraint is %.2g: a small drift does not make it right.", view_pair(v, g),
                     table_name_of(t, i) + strlen("error_"), percent(v, error), row_number(t, row, "drift_position")));
        return 1;
    }
    return 0;
}

static void say_all_that_look_right(const study_view *v)
{
    int said = 0;
    for (int i = 0; i < v->runs.count && said < MOST_SENTENCES; i++)
        if (!groups_match(&v->orders, &v->runs.group[i]))
            said += say_looks_right(v, &v->runs.group[i]);
}

/* ---- a glance at drift and error ---- */

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

static void glance(const study_view *v, const row_group *of)
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
        .caption = "From level to level a curve should fall to the left and down. One that goes to the left alone holds the "
                   "constraint better and better, and is as wrong as before.",
        .command = view_command(v, of), .quantities = 2, .rows = 1, .quantity = quantity, .row = &row, .tell_level = 1};
    curves_add(v->page, &v->runs, chosen, count, &plan);
}

/* ---- runs ---- */

static int with_status(const table *t, const char *status)
{
    int count = 0;
    for (int row = 0; row < table_rows(t); row++)
        count += strcmp(row_text_or_empty(t, row, "status"), status) == 0;
    return count;
}

static int is_first_with_status(const table *t, int row)
{
    for (int before = 0; before < row; before++)
        if (strcmp(row_text_or_empty(t, before, "status"), row_text_or_empty(t, row, "status")) == 0)
            return 0;
    return 1;
}

/* "3 DAE_SINGULAR, 1 killed" */
static const char *failures_by_status(const study_view *v, int *failed)
{
    const table *t = v->runs.table;
    const char *text = "";
    *failed = 0;
    for (int row = 0; row < table_rows(t); row++) {
        if (!row_failed(t, row))
            continue;
        ++*failed;
        const char *status = row_text_or_empty(t, row, "status");
        if (is_first_with_status(t, row))
            text = arena_format(&v->page->memory, "%s%s%d %s", text, *text ? ", " : "", with_status(t, status), status);
    }
    return text;
}

static void say_runs(const study_view *v)
{
    arena *memory = &v->page->memory;
    int failed;
    if (!v->runs.table)
        return;
    const int runs = table_rows(v->runs.table);
    const char *statuses = failures_by_status(v, &failed);
    if (failed)
        page_finding(v->page, TONE_NOTE, arena_format(memory, "%d of %d runs failed, or were not made (%s): each with its reason "
                                                      "below.", failed, runs, statuses));
    else
        page_finding(v->page, TONE_GOOD, arena_format(memory, runs == 1 ? "The %d run went through." : "All %d runs went through.",
                                                      runs));
}

static void say_interrupted(const study_view *v)
{
    if (v->data->interrupted)
        page_finding(v->page, TONE_BAD, "The study was interrupted: runs are missing. The same command goes on with it.");
}

/* Of several results: which one it is. */
static void introduce(const study_view *v, const char *file)
{
    if (!v->number)
        return;
    page_text(v->page, arena_format(&v->page->memory, "%s (%s)", v->title, file));
    if (*v->data->question)
        page_text(v->page, v->data->question);
}

void publish_answer(const study_view *v, const char *file)
{
    view_section(v, "answer", "What the data say");
    introduce(v, file);
    say_interrupted(v);
    say_orders(v);
    say_all_that_look_right(v);
    say_growth(v);
    say_fastest(v);
    say_runs(v);
    for (int i = groups_next(&v->orders, 0); i < v->orders.count; i = groups_next(&v->orders, i + 1))
        glance(v, &v->orders.group[i]);
}
