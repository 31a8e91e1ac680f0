/* say_orders.c - what observed orders say, in sentences: errors that do not fall, orders below the declared ones */
#include "gather/order_row.h"
#include "publish/sentences.h"

#include <math.h>
#include <string.h>

enum { MOST_SENTENCES = 8 };

/* ---- errors that do not fall ---- */

static const char *with_unit(const study_view *v, double x, const char *unit)
{
    return arena_format(&v->page->memory, "%.2g%s%s", x, *unit ? " " : "", unit);
}

static const char *size_of_error(const study_view *v, const order_row *o)
{
    if (!isfinite(o->error))
        return "";
    const char *error = with_unit(v, o->error, o->unit);
    if (!(o->scale > 0))
        return arena_format(&v->page->memory, ": %s at the finest level", error);
    return arena_format(&v->page->memory, ": %s at the finest level, %s of its size", error,
                        view_percent(v, o->error / o->scale));
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
    return arena_format(&v->page->memory, ", while the drift off the constraint falls from %.2g to %.2g: a small drift "
                        "does not make it right", coarse, fine);
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
    page_finding(v->page, TONE_BAD, "%s: the error of %s does not fall with the %s (order %s)%s%s%s.", view_pair(v, g),
                 o->class, o->by_rtol ? "tolerance" : "step", order_row_text(o, number), size_of_error(v, o),
                 drift_beside(v, g), better_class(v, g, o));
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
        if (o.stays && !stays++ && sum->stay < MOST_SENTENCES)
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

void say_orders(const study_view *v)
{
    verdicts sum = {.named = ""};
    for (int i = 0; i < v->orders.count; i++)
        judge(v, &v->orders.group[i], &sum);
    if (sum.stay > MOST_SENTENCES)
        page_finding(v->page, TONE_BAD,
                     "Some error does not fall in %d pairs of formulation and method: the tables of orders "
                     "name them all.", sum.stay);
    if (sum.below)
        page_finding(v->page, TONE_BAD, "Below the declared order: %s.", sum.named);
    if (sum.unclear)
        page_finding(v->page, TONE_NOTE,
                     "In %d of %d pairs of formulation and method some order is not determined, for the "
                     "reasons below.", sum.unclear, sum.pairs);
    if (sum.good)
        page_finding(v->page, TONE_GOOD,
                     "%d of %d pairs of formulation and method converge with the declared order, or a "
                     "higher one, in all classes of unknowns.", sum.good, sum.pairs);
}
