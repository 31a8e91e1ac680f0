/* converge.c - a convergence study: its runs, the orders they show, and what these rest on */
#include "report/report.h"

#include <math.h>

/* People are shown the first level that there is. */
static const shown_column *drift_column(const dae_mechanical *m)
{
    static const shown_column position = {.name = "drift_position", .title = "drift |g|", .format = "%.3e"},
        velocity = {.name = "drift_velocity", .title = "drift |A v + b|", .format = "%.3e"};
    return m->nonholonomic > 0 && m->nonholonomic == m->nl ? &velocity : &position;
}

static table *level_table(const study_item *item)
{
    const study_specification *o = &item->result.converge.spec;
    table *runs = tidy_rows(item, "runs");
    selection s = select_rows(runs, NULL);
    select_varied(&s, o);
    select_columns(&s, run_columns);
    select_errors(&s, o->run.problem);
    select_column(&s, drift_column(&o->run.problem->mechanical), 1);
    select_counters(&s, "steps rhs", SHOW_ZERO);
    select_switches(&s);
    select_column(&s, &(shown_column){.name = "seconds", .title = "seconds", .format = "%.2e"}, 1);
    table *levels = select_end(&s);
    table_free(runs);
    return levels;
}

static void note_failures(document *doc, const converge_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++)
            if (r->curves[i].runs[k].status) {
                document_note(doc, "%s %s: %s", dae_formulation_describe(r->curves[i].subject.form).name,
                              r->curves[i].info.name, r->curves[i].runs[k].message);
                break;
            }
}

/* What the orders rest on, where that is not the runs of the table. */
static void note_quad(document *doc, const converge_result *r)
{
    const char *square = r->spec.run.problem->mechanical.square;
    int quad = 0;
    for (int i = 0; i < r->count * DAE_CLASSES; i++) {
        const order_result *k = &r->curves[i / DAE_CLASSES].order[i % DAE_CLASSES];
        quad += k->in_quad && k->term == 0;
    }
    if (quad > 0)
        document_note(doc, "%d of the orders, which rounding hides in double precision, are those of "
                      "the same steps in quad precision", quad);
    if (square)
        document_note(doc, "declared of multipliers recovered in index 3: the order of q or twice "
                           "that of v, as %s", square);
}

/* Orders that no ladder comes down to. */
static void note_terms(document *doc, const converge_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (r->curves[i].order[k].term > 0)
                document_note(doc, "below: %s %s %s: in quad precision the error has a term of order %g, "
                              "at large steps %.0e of the unknowns, which rounding of the coefficients "
                              "does not explain: one of them is wrong",
                              dae_formulation_describe(r->curves[i].subject.form).name,
                              r->curves[i].info.name, run_class_names[k],
                              r->curves[i].order[k].observed, r->curves[i].order[k].term);
}

/* One reference, or one for each value. */
static void note_references(document *doc, const converge_result *r)
{
    const study_specification *o = &r->spec;
    char varied[STUDY_NAME];
    for (int v = 0; v < r->values; v++) {
        if (o->values)
            document_note(doc, "%s = %g:", study_varied_name(o, varied), o->value[v]);
        note_reference(doc, &r->s[v]);
    }
}

void report_converge(document *doc, const study_item *item)
{
    const converge_result *r = &item->result.converge;
    document_section_add(doc, "largest error of any component at the end", level_table(item));
    report_orders(doc, item);
    note_references(doc, r);
    note_estimates(doc, item);
    for (int i = 0; i < r->count / r->values; i++)
        remark_wrong(doc, &r->spec.run, r->curves[i].subject.form, r->curves[i].subject.method);
    note_orders(doc, item);
    note_quad(doc, r);
    note_terms(doc, r);
    note_failures(doc, r);
}
