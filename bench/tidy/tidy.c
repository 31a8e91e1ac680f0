/* tidy.c - all tables of a plan */
#include "tidy/tidy_run.h"

#include "tidy/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; void (*fill)(const tidy_item *item); } list[] = {
    {"runs", tidy_runs},         {"orders", tidy_orders},     {"work", tidy_work},
    {"drift", tidy_drift},       {"growth", tidy_growth},     {"scale", tidy_scale},
    {"solution", tidy_solution}, {"events", tidy_events},     {"exponents", tidy_exponents},
    {"targets", tidy_targets},   {"estimates", tidy_estimates},
    {"references", tidy_references}, {"reference_events", tidy_reference_events},
};
enum { LIST = sizeof list / sizeof *list };

int tidy_table_names(const char *names[MAX_TABLES])
{
    _Static_assert((int)LIST <= (int)MAX_TABLES, "too many tables");
    for (int i = 0; i < LIST; i++)
        names[i] = list[i].name;
    return LIST;
}

const char *tidy_main_table(study_kind kind)
{
    static const char *const names[STUDY_KINDS] = {
        [STUDY_SOLVE] = "solution", [STUDY_CONVERGE] = "runs", [STUDY_DRIFT] = "runs", [STUDY_WORK] = "work",
        [STUDY_SCALE] = "scale"};
    return names[kind];
}

/* ---- which parameters vary ---- */

/* An array whose elements are all others is told by `parameters` alone. */
enum { MOST_VARIED = 8 };

static void mark_differences(const run_setting *a, const run_setting *b, char *varies)
{
    for (int i = 0; i < dae_parameter_count(a->problem); i++)
        varies[i] = varies[i] || run_parameter(a, i) != run_parameter(b, i);
}

static void leave_long_arrays(const dae_problem *problem, char *varies)
{
    const dae_parameter *p;
    for (int i = 0; (p = dae_parameter_at(problem, i)) != NULL; i += p->count > 1 ? p->count : 1) {
        int count = 0;
        for (int k = 0; k < p->count; k++)
            count += varies[i + k];
        if (count > MOST_VARIED)
            memset(varies + i, 0, (size_t)p->count);
    }
}

/* [parameters] of the problem of item i, to be freed: those that other items of it have other values of, and those
 * that its own study varies. */
static char *varied(const study_plan *plan, int i)
{
    const study_specification *o = &plan->item[i].spec;
    char *varies = calloc((size_t)dae_parameter_count(o->run.problem) + 1, 1);
    for (int k = 0; varies && k < plan->count; k++) {
        const study_specification *other = &plan->item[k].spec;
        if (other->run.problem != o->run.problem)
            continue;
        mark_differences(&o->run, &other->run, varies);
        if (other->values)
            varies[other->varied] = 1;
        for (int v = 0; v < plan->item[k].varies; v++)
            varies[plan->item[k].varied[v]] = 1;
    }
    if (varies)
        leave_long_arrays(o->run.problem, varies);
    return varies;
}

/* ---- units of classes ---- */

static void set_unit(char unit[LABEL], int *several, const char *found)
{
    const char *words = strcmp(found, "-") ? found : "";
    if (*several == 0)
        snprintf(unit, LABEL, "%s", words);
    else if (strcmp(unit, words) != 0)
        unit[0] = 0;
    (*several)++;
}

static void class_units(tidy_item *t)
{
    const run_setting *s = &t->item->spec.run;
    int count, several[DAE_CLASSES] = {0};
    dae_report why = {0};
    column_label *labels = state_labels(s->problem, s->parameters, &count, &why);
    t->data->failed |= !labels && why.status == DAE_NO_MEMORY;
    for (int i = 0; labels && i < count; i++)
        set_unit(t->unit[labels[i].kind], &several[labels[i].kind], labels[i].unit);
    if (!several[DAE_RECOVERED])
        memcpy(t->unit[DAE_RECOVERED], t->unit[DAE_MULTIPLIER], LABEL);
    free(labels);
}

/* ---- all of it ---- */

static int add_item(dataset *d, const study_plan *plan, int i, int first)
{
    tidy_item t = {.data = d, .item = &plan->item[i], .first = first};
    char *varies = varied(plan, i);
    t.varies = varies;
    if (!varies) {
        d->failed = 1;
        return 0;
    }
    class_units(&t);
    if (*time_unit(t.item->spec.run.problem, t.time))
        snprintf(t.rate, sizeof t.rate, "1/%s", t.time);
    for (int k = 0; k < LIST; k++)
        list[k].fill(&t);
    free(varies);
    return tidy_each_run(&t, NULL);
}

/* That of a file; of a command "converge: pendulum, kepler". To be freed, NULL where memory is short. */
static char *title_of(const study_plan *plan)
{
    char *text = NULL;
    size_t length;
    if (*plan->title || !plan->count)
        return strdup(plan->title);
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs(study_kind_names[plan->item[0].kind], out);
    for (int i = 0; i < plan->count; i++) {
        const dae_problem *problem = plan->item[i].spec.run.problem;
        if (i == 0 || problem != plan->item[i - 1].spec.run.problem)
            fprintf(out, "%s %s", i ? "," : ":", problem->name);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

dataset *tidy_dataset(const study_plan *plan)
{
    char *title = title_of(plan);
    dataset *d = title ? dataset_new(title, plan->question) : NULL;
    free(title);
    int first = 1;
    for (int i = 0; d && i < plan->count; i++)
        if (plan->item[i].status != DAE_STOPPED)        /* it was not run: the study goes on from there */
            first += add_item(d, plan, i, first);
    if (d && !tidy_provenance(d, plan))
        d->failed = 1;
    return d;
}
