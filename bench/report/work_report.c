#include "report/work_report.h"

#include "report/orders.h"
#include "report/remarks.h"
#include "report/run_output.h"

#include <stdio.h>
#include <stdlib.h>

static void notes(document *doc, const work_result *r, const study_specification *o, const study *s)
{
    run_note_reference(doc, s);
    document_note(doc, "time: of one run, median and quartiles over %d round%s, in each of which all points are run "
                       "in turn, and repeated on one solver after a first run", r->rounds, r->rounds == 1 ? "" : "s");
    if (o->targets && o->baseline)
        document_note(doc, "x: how many times faster than the best of %s over its forms, in the same round: median "
                           "and quartiles over the rounds; \"not told from 1\": by the sign test at 95 %%, which "
                           "needs six rounds",
                      dae_method_describe(o->baseline).name);
    run_note_sundials(doc);
}

/* Does some curve have two levels at least? */
static int has_ladders(const work_result *r)
{
    int most = 0;
    for (int i = 0; i < r->count; i++)
        most = r->curves[i].levels > most ? r->curves[i].levels : most;
    return most > 1;
}

document *work_report(const work_result *r)
{
    const study_specification *o = &r->spec;
    const study *s = &r->s;
    const work_curve *curves = r->curves;
    const int count = r->count;
    char heading[80];
    snprintf(heading, sizeof heading, "time to reach an error (%s; %s of the repeats)",
             run_class_names[o->of], o->smallest ? "smallest" : "median");
    document *doc = report_begin("bench", o, s->t0, s->t_end);
    curve_orders *orders = orders_of_work(r);
    if (!doc || !orders) {
        document_free(doc);
        free(orders);
        return NULL;
    }
    document_set(doc, "time", json_string(o->smallest ? "smallest" : "median"));
    document_section_add(doc, "largest error of any component at the end, and the time of a run",
                         work_point_grid(o, curves, count));
    if (has_ladders(r))
        document_section_add(doc, orders_heading, orders_grid(o, orders, count));
    if (o->targets)
        document_section_add(doc, heading, work_at_grid(o, curves, count));
    for (int i = 0; i < count; i++)
        remark_wrong(doc, &o->run, curves[i].form, curves[i].method);
    orders_note(doc, o->run.problem, orders, count);
    orders_note_estimates(doc, orders, count);
    notes(doc, r, o, s);
    free(orders);
    return doc;
}
