/* converge.c - a convergence study: its runs, the orders they show, and what these rest on */
#include "report/report.h"

static void note_failures(document *doc, const converge_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++)
            if (r->curves[i].runs[k].status) {
                document_note(doc, "%s: %s", report_run(r->curves[i].subject.form, r->curves[i].subject.method).text,
                              r->curves[i].runs[k].message);
                break;
            }
}

/* Does the theorem of the problem declare more of some curve than its method does? */
static int uses_square(const converge_result *r)
{
    int some = 0;
    for (int i = 0; r->spec.run.problem->mechanical.square && i < r->count; i++) {
        const order_subject *s = &r->curves[i].subject;
        const order_result *k = &r->curves[i].order[DAE_RECOVERED];
        some |= dae_formulation_describe(s->form).index == 3 && k->verdict
                && k->declared > dae_method_order(s->method, s->form, 3, DAE_RECOVERED);
    }
    return some;
}

/* What the orders rest on, where that is not the runs of the table. */
static void note_quad(document *doc, const converge_result *r)
{
    int quad = 0;
    for (int i = 0; i < r->count * RUN_CLASSES; i++) {
        const order_result *k = &r->curves[i / RUN_CLASSES].order[i % RUN_CLASSES];
        quad += k->in_quad && k->term == 0;
    }
    if (quad > 0)
        document_note(doc, "%d of the orders, which rounding hides in double precision, are those of "
                      "the same steps in quad precision", quad);
    if (uses_square(r))
        document_note(doc, "declared of multipliers recovered in index 3: the order of q or twice "
                           "that of v, as %s", r->spec.run.problem->mechanical.square);
}

/* Orders that no ladder comes down to. */
static void note_terms(document *doc, const converge_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (r->curves[i].order[k].term > 0)
                document_note(doc, "below: %s %s: in quad precision the error has a term of order %g, "
                              "at large steps %.0e of the unknowns, which rounding of the coefficients "
                              "does not explain: one of them is wrong",
                              report_run(r->curves[i].subject.form, r->curves[i].subject.method).text,
                              dae_class_name(k), r->curves[i].order[k].observed, r->curves[i].order[k].term);
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
    report_table(doc, "largest error of any component at the end", item, "runs",
                 "@varied form method step rtol @status @errors @drift steps:0 rhs:0 @switches seconds", NULL);
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
