/* tidy.c - all tables of a plan: which there are, and what fills them */
#include "tidy/tidy_run.h"

#include "host/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVE = 1 << STUDY_SOLVE, CONVERGE = 1 << STUDY_CONVERGE, DRIFT = 1 << STUDY_DRIFT, WORK = 1 << STUDY_WORK,
       SCALE = 1 << STUDY_SCALE, FIT = 1 << STUDY_FIT, RUNS = SOLVE | CONVERGE | DRIFT | WORK | SCALE,
       ANY = RUNS | FIT };

/* A table: its name, the kinds of studies that have it, and the function that adds the rows of one run, or of a whole
 * item. The rows of reference_events and of reference_derivatives are added with those of references. */
static const struct { const char *name; unsigned kinds; tidy_visit *each; void (*fill)(const tidy_item *); } list[] = {
    {"runs", ANY, tidy_runs, NULL},             {"orders", CONVERGE | WORK, NULL, tidy_orders},
    {"work", WORK, tidy_work, NULL},            {"rounds", WORK, tidy_rounds, NULL},
    {"drift", DRIFT, tidy_drift, NULL},         {"growth", DRIFT, tidy_growth, NULL},
    {"scale", SCALE, tidy_scale, NULL},         {"solution", SOLVE, tidy_solution, NULL},
    {"events", RUNS, tidy_events, NULL},        {"exponents", SCALE, tidy_exponents, NULL},
    {"targets", WORK, NULL, tidy_targets},      {"estimates", SOLVE, tidy_estimates, NULL},
    {"references", RUNS, NULL, tidy_references}, {"reference_events", RUNS, NULL, NULL},
    {"reference_derivatives", CONVERGE | WORK, NULL, NULL},
    {"fit", FIT, tidy_fit, NULL},               {"correlations", FIT, tidy_correlations, NULL},
    {"directions", FIT, tidy_directions, NULL}, {"residuals", FIT, tidy_residuals, NULL},
    {"curve", FIT, tidy_curve_of_fit, NULL},
};
enum { LIST = sizeof list / sizeof *list };

/* Add the item's rows to the table of this name (NULL: to all tables). An item that could not begin has one row, in
 * runs, without a run. */
static void fill(const tidy_item *item, const char *name)
{
    const int has_run = tidy_has_run(item->item);
    for (int k = 0; k < LIST; k++) {
        if ((name && strcmp(name, list[k].name)) || !(list[k].kinds >> item->item->kind & 1))
            continue;
        if (!has_run && list[k].each == tidy_runs)
            tidy_failed(item);
        else if (has_run && list[k].each)
            tidy_each_run(item, list[k].each);
        else if (has_run && list[k].fill)
            list[k].fill(item);
    }
}

int tidy_table_names(const char *names[MAX_TABLES])
{
    _Static_assert((int)LIST <= (int)MAX_TABLES, "too many tables");
    int count = 0;
    for (int i = 0; i < LIST; i++)
        if (list[i].each != tidy_rounds)                /* which is a part of "work" */
            names[count++] = list[i].name;
    return count;
}

const char *tidy_main_table(study_kind kind)
{
    static const char *const names[STUDY_KINDS] = {
        [STUDY_SOLVE] = "solution", [STUDY_CONVERGE] = "runs", [STUDY_DRIFT] = "runs", [STUDY_WORK] = "work",
        [STUDY_SCALE] = "scale", [STUDY_FIT] = "fit"};
    return names[kind];
}

/* ---- which parameters vary ---- */

/* Of an array with more elements that vary no element has a column of its own: the column `parameters` has them. */
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

/* varies[parameters of the problem of item i], to be freed: 1 for a parameter of which items of the same problem have
 * different values, or which one of their studies varies. */
static char *varied(const study_plan *plan, int i)
{
    const study_specification *o = &plan->item[i].spec;
    char *varies = allocate((size_t)dae_parameter_count(o->run.problem), 1);
    for (int k = 0; k < plan->count; k++) {
        const study_specification *other = &plan->item[k].spec;
        if (other->run.problem != o->run.problem)
            continue;
        mark_differences(&o->run, &other->run, varies);
        if (other->values)
            varies[other->varied] = 1;
        for (int v = 0; v < plan->item[k].varies; v++)
            varies[plan->item[k].varied[v]] = 1;
    }
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

column_label *tidy_labels(const dae_problem *mode, const double *parameters, int *count)
{
    dae_report why = {0};
    column_label *labels = state_labels(mode, parameters, count, &why);
    *count = labels ? *count : 0;
    return labels;
}

static void class_units(tidy_item *t)
{
    const run_setting *s = &t->item->spec.run;
    int count, several[DAE_CLASSES] = {0};
    column_label *labels = tidy_labels(s->problem, s->parameters, &count);
    for (int i = 0; i < count; i++)
        set_unit(t->unit[labels[i].kind], &several[labels[i].kind], labels[i].unit);
    if (!several[DAE_RECOVERED])
        memcpy(t->unit[DAE_RECOVERED], t->unit[DAE_MULTIPLIER], LABEL);
    free(labels);
}

/* ---- all of it ---- */

/* The tables of item i, or the one of this name; the number of its runs. */
static int add_item(dataset *d, const study_plan *plan, int i, int first, const char *name)
{
    tidy_item t = {.data = d, .item = &plan->item[i], .first = first};
    char *varies = varied(plan, i);
    t.varies = varies;
    class_units(&t);
    if (*time_unit(t.item->spec.run.problem, t.time))
        snprintf(t.rate, sizeof t.rate, "1/%s", t.time);
    fill(&t, name);
    free(varies);
    return tidy_each_run(&t, NULL);
}

table *tidy_rows(const study_item *item, const char *name)
{
    const study_plan alone = {.title = "", .count = 1, .item = (study_item *)item};
    dataset *d = dataset_new("", "");
    add_item(d, &alone, 0, 1, name);
    table *rows = dataset_take(d, name);
    dataset_free(d);
    return rows;
}

/* The title that a study file gives; of a command its name and problems, "converge: pendulum, kepler". To be freed. */
static char *title_of(const study_plan *plan)
{
    char *text;
    size_t length;
    if (*plan->title || !plan->count)
        return allocate_text(plan->title);
    FILE *out = allocate_stream(&text, &length);
    fputs(study_kind_names[plan->item[0].kind], out);
    for (int i = 0; i < plan->count; i++) {
        const dae_problem *problem = plan->item[i].spec.run.problem;
        if (i == 0 || problem != plan->item[i - 1].spec.run.problem)
            fprintf(out, "%s %s", i ? "," : ":", problem->name);
    }
    allocate_stream_end(out);
    return text;
}

dataset *tidy_dataset(const study_plan *plan)
{
    char *title = title_of(plan);
    dataset *d = dataset_new(title, plan->question);
    int first = 1;
    for (int i = 0; i < plan->count; i++)
        if (plan->item[i].status != DAE_STOPPED)        /* it was not run: the study goes on from there */
            first += add_item(d, plan, i, first, NULL);
    tidy_roles(d);
    tidy_provenance(d, plan);
    free(title);
    return d;
}
