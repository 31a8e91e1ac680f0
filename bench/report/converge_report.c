#include "report/converge_report.h"

#include "report/orders.h"
#include "report/remarks.h"
#include "report/run_output.h"

#include <math.h>
#include <stdlib.h>

static void note_failures(document *doc, const converge_curve *studies, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            if (studies[i].runs[k].status) {
                document_note(doc, "%s %s: %s",
                              dae_formulation_describe(studies[i].subject.form).name,
                              studies[i].info.name, studies[i].runs[k].message);
                break;
            }
}

/* What the orders rest on, where that is not the runs of the table. */
static void note_orders(document *doc, const study_specification *o, const converge_curve *studies, int count)
{
    int quad = 0;
    for (int i = 0; i < count * DAE_CLASSES; i++) {
        const order_result *k = &studies[i / DAE_CLASSES].order[i % DAE_CLASSES];
        quad += k->in_quad && k->term == 0;
    }
    if (quad > 0)
        document_note(doc, "%d of the orders, which rounding hides in double precision, are those of "
                      "the same steps in quad precision", quad);
    if (o->run.problem->mechanical.square)
        document_note(doc, "declared of multipliers recovered in index 3: the order of q or twice "
                           "that of v, as %s", o->run.problem->mechanical.square);
}

/* Orders that no ladder comes down to. */
static void note_terms(document *doc, const converge_curve *studies, int count)
{
    for (int i = 0; i < count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (studies[i].order[k].term > 0)
                document_note(doc, "below: %s %s %s: in quad precision the error has a term of order %g, "
                              "at large steps %.0e of the unknowns, which rounding of the coefficients "
                              "does not explain: one of them is wrong",
                              dae_formulation_describe(studies[i].subject.form).name,
                              studies[i].info.name, run_class_names[k],
                              studies[i].order[k].observed, studies[i].order[k].term);
}

/* One reference, or one for each value. */
static void note_references(document *doc, const converge_result *all)
{
    const study_specification *o = &all->spec;
    char varied[STUDY_NAME];
    for (int v = 0; v < all->values; v++) {
        if (o->values)
            document_note(doc, "%s = %g:", study_varied_name(o, varied), o->value[v]);
        run_note_reference(doc, &all->s[v]);
    }
}

document *converge_report(const converge_result *all)
{
    const study_specification *o = &all->spec;
    const converge_curve *studies = all->curves;
    const int count = all->count;
    document *doc = report_begin("converge", o, all->s[0].t0, all->s[0].t_end);
    curve_orders *orders = orders_of_converge(all);
    if (!doc || !orders) {
        document_free(doc);
        free(orders);
        return NULL;
    }
    document_section_add(doc, "largest error of any component at the end",
                         converge_level_grid(o, studies, count));
    document_section_add(doc, orders_heading, orders_grid(o, orders, count));
    note_references(doc, all);
    orders_note_estimates(doc, orders, count);
    for (int i = 0; i < count / all->values; i++)
        remark_wrong(doc, &o->run, studies[i].subject.form, studies[i].subject.method);
    orders_note(doc, o->run.problem, orders, count);
    note_orders(doc, o, studies, count);
    note_terms(doc, studies, count);
    note_failures(doc, studies, count);
    free(orders);
    return doc;
}
