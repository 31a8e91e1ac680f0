/* digits.c - the correct digits of all problems of a bench in one table */
#include "overview/overview.h"

#include "report/digits_report.h"
#include "report/remarks.h"
#include "report/work_report.h"

#include <math.h>
#include <string.h>

/* One that could not begin has its row, too. */
static void add_problem(table *digits, document *doc, const study_item *item)
{
    if (item->status)
        digits_add_failed(digits, doc, &item->spec, &item->why);
    else
        digits_add(digits, doc, &item->result.work);
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
    table *digits = digits_grid(o);
    document *doc = digits ? begin(plan, part, o) : NULL;
    if (!doc) {
        table_free(digits);
        return NULL;
    }
    for (int i = part->first; i < part->first + part->count; i++) {
        const study_item *item = &plan->item[i];
        if (item->setting != setting)
            continue;
        add_problem(digits, doc, item);
        if (part->problems > 1)
            remark_events(doc, item->spec.run.problem);
    }
    document_section_add(doc, "correct digits (mescd)", digits);
    digits_note(doc, o);
    return doc;
}
