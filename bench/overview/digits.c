/* digits.c - the correct digits of all problems of a bench in one table */
#include "overview/overview.h"

#include "report/digits_report.h"
#include "report/remarks.h"
#include "report/work_report.h"

#include <math.h>
#include <string.h>

typedef struct {
    grid *digits, *summary;
    document *doc;
} table;

/* One that could not begin has its row, too. */
static void add_problem(table *t, const study_item *item)
{
    if (item->status) {
        digits_add_failed(t->digits, t->doc, &item->spec, &item->why);
    } else {
        digits_add(t->digits, t->doc, &item->result.work);
        work_summary_add(t->summary, &item->result.work);
    }
}

/* Of one problem with its parameters and interval; of several with the end that all of them were given. */
static document *begin(const study_plan *plan, const study_part *part, const study_specification *o)
{
    const run_setting *run = &o->run;
    if (part->problems == 1)
        return report_begin("bench", o, run->problem->t0, run_end(run));
    study_specification common = overview_common(plan, part);
    document *doc = report_begin_several("bench", part->subject, &common);
    if (doc && isfinite(run->t_end)) {
        document_set(doc, "t_end", json_number(run->t_end));
        document_note(doc, "all of them to t = %g", run->t_end);
    }
    return doc;
}

/* The first item of the part with this combination, which some problem has. */
static const study_item *first_with(const study_plan *plan, const study_part *part, int setting)
{
    const study_item *item = &plan->item[part->first];
    while (item->setting != setting)
        item++;
    return item;
}

document *overview_digits(const study_plan *plan, const study_part *part, int setting)
{
    const study_item *first = first_with(plan, part, setting);
    const study_specification *o = &first->spec;
    table t = {.digits = digits_grid(o), .summary = work_summary_new(), .doc = begin(plan, part, o)};
    if (!t.digits || !t.summary || !t.doc) {
        grid_free(t.digits);
        grid_free(t.summary);
        document_free(t.doc);
        return NULL;
    }
    for (int i = part->first; i < part->first + part->count; i++) {
        const study_item *item = &plan->item[i];
        if (item->setting != setting)
            continue;
        add_problem(&t, item);
        if (part->problems > 1)
            remark_events(t.doc, item->spec.run.problem);
    }
    document_set(t.doc, "digits", grid_json(t.digits));
    document_set(t.doc, "runs", grid_json(t.summary));
    grid_free(t.summary);
    document_section_add(t.doc, "correct digits (mescd)", t.digits);
    digits_note(t.doc, o);
    return t.doc;
}
