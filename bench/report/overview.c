/* overview.c - the results of several studies as one document */
#include "report/report.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

document *report_item(const study_item *item)
{
    static void (*const report[STUDY_KINDS])(document *, const study_item *) = {
        [STUDY_SOLVE] = report_solve, [STUDY_CONVERGE] = report_converge, [STUDY_DRIFT] = report_drift,
        [STUDY_WORK] = report_work,   [STUDY_SCALE] = report_scale, [STUDY_FIT] = report_fit};
    const study *s = item->kind == STUDY_SOLVE      ? &item->result.solve.s
                     : item->kind == STUDY_CONVERGE ? item->result.converge.s
                     : item->kind == STUDY_DRIFT    ? &item->result.drift.s
                     : item->kind == STUDY_WORK     ? &item->result.work.s
                     : item->kind == STUDY_FIT      ? &item->result.fit.s : &item->result.scale.s;
    const study_specification *o = &item->result.solve.spec;        /* with it all kinds begin */
    document *doc = report_begin(study_kind_names[item->kind], o, s->t0, s->t_end);
    report[item->kind](doc, item);
    for (int v = 0; item->kind != STUDY_FIT && v < (item->kind == STUDY_CONVERGE ? item->result.converge.values : 1);
         v++)
        remark_start(doc, item, &s[v], v);              /* of converge each value has a study */
    if (item->kind != STUDY_SCALE)
        note_defaults(doc, item);
    return doc;
}

/* One that has no result says why. */
static document *no_result(const study_item *item)
{
    const study_specification *o = &item->spec;
    document *doc = report_begin(study_kind_names[item->kind], o, o->run.problem->t0, run_end(&o->run));
    document_remark(doc, "%s: %s", o->run.problem->name, item->why.message);
    return doc;
}

static document *of_item(const study_item *item) { return item->status ? no_result(item) : report_item(item); }

/* x, or where items differ NaN */
static double common(double x, double other) { return x == other ? x : (double)NAN; }

study_specification overview_common(const study_plan *plan, const study_part *part)
{
    study_specification spec = plan->item[part->first].spec;
    for (int i = part->first; i < part->first + part->count; i++) {
        const run_setting *run = &plan->item[i].spec.run;
        spec.run.baumgarte.alpha = common(run->baumgarte.alpha, spec.run.baumgarte.alpha);
        spec.run.baumgarte.beta = common(run->baumgarte.beta, spec.run.baumgarte.beta);
    }
    return spec;
}

/* The title comes first where nothing of its own follows the parts, which have options of their own. */
static void open_with_title(document *doc)
{
    doc->opening = allocate_print("%s\n", doc->title);
    free(doc->title);
    free(doc->options);
    doc->title = doc->options = NULL;
}

static char *setting_text(setting_id id, const run_setting *s)
{
    char *text;
    size_t length;
    FILE *out = allocate_stream(&text, &length);
    put_setting(out, id, s);
    allocate_stream_end(out);
    return text;
}

/* Behind the title of an item: parameters and settings by which it differs from others of the part that are of the same
 * problem, ", L=2 rtol=1e-05". */
static void tell_apart(document *doc, const study_plan *plan, const study_part *part, const study_item *item)
{
    char varied[VARIED_WORDS], *title = doc->title;
    doc->title = allocate_print("%s,%s", title, varied_words(item, -1, varied));
    for (setting_id id = 0; id < SETTINGS; id++) {
        char *own = setting_text(id, &item->spec.run), *before = doc->title;
        int differs = 0;
        for (int i = part->first; i < part->first + part->count; i++) {
            char *other = setting_text(id, &plan->item[i].spec.run);
            differs |= plan->item[i].problem == item->problem && strcmp(own, other) != 0;
            free(other);
        }
        if (differs) {
            doc->title = allocate_print("%s%s", before, own);
            free(before);
        }
        free(own);
    }
    if (doc->title[strlen(title) + 1] == 0)
        doc->title[strlen(title)] = 0;                  /* nothing differs */
    free(title);
}

/* So many, each the correct digits of one combination of settings, or an item. */
static document *of_several(const study_plan *plan, const study_part *part, int digits, int count)
{
    const study_specification spec = overview_common(plan, part);
    document *doc = report_begin_several(study_kind_names[part->kind], part->subject, &spec);
    for (int i = 0; i < count; i++) {
        const study_item *item = &plan->item[part->first + i];
        document *one = digits ? report_digits(plan, part, i) : of_item(item);
        if (!digits)
            tell_apart(one, plan, part, item);
        document_part_add(doc, one);
    }
    if (part->settings > 1)
        json_object_del(doc->json, "options");          /* they differ, and stand with each */
    if (part->kind == STUDY_WORK && part->settings == 1)
        report_summary(doc, plan, part);
    else
        open_with_title(doc);
    if (part->kind == STUDY_SOLVE)
        report_ends(doc, &plan->item[part->first], count);
    return doc;
}

static document *of_part(const study_plan *plan, const study_part *part)
{
    const study_item *first = &plan->item[part->first];
    const int digits = part->kind == STUDY_WORK && first->spec.digits, count = digits ? part->settings : part->count;
    return count > 1 ? of_several(plan, part, digits, count) : digits ? report_digits(plan, part, 0) : of_item(first);
}

/* Behind its name. */
static document *named(document *doc, const char *name)
{
    char *opening = doc->opening;
    document_set(doc, "part", json_string(name));
    doc->opening = allocate_print("-- %s --%s%s", name, opening ? "\n" : "", opening ? opening : "");
    free(opening);
    return doc;
}

document *overview(const study_plan *plan)
{
    if (!*plan->title)
        return of_part(plan, plan->part);
    document *doc = report_begin_file(plan->title, plan->question);
    for (int k = 0; k < plan->parts; k++)
        document_part_add(doc, named(of_part(plan, &plan->part[k]), plan->part[k].name));
    return doc;
}
