/* row.c - the columns with which every row begins, and those that several tables have */
#include "tidy/tidy_run.h"

#include "catalogue/start_set.h"
#include "host/allocate.h"
#include "host/fnv.h"
#include "numbers/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

static double parameter_of(const tidy_run *run, int i)
{
    return i == run->varied ? run->value : run_parameter(run->setting, i);
}

/* "m=1", "k=2" of an array of equal elements, "k=1,2,3"; of a long one the first elements, and a hash of all. */
static void print_parameter(FILE *out, const tidy_run *run, const dae_parameter *p, int first)
{
    enum { SHOWN = 40 };
    const int count = p->count > 1 ? p->count : 1;
    int same = 1;
    uint64_t hash = FNV_START;
    char text[DECIMAL];
    for (int i = 0; i < count; i++) {
        const double x = parameter_of(run, first + i);
        same = same && x == parameter_of(run, first);
        hash = fnv_1a(hash, &x, sizeof x);
    }
    fprintf(out, "%s%s=", first ? " " : "", p->name);
    for (int i = 0; i < (same ? 1 : count) && i < SHOWN; i++)
        fprintf(out, "%s%s", i ? "," : "", decimal(parameter_of(run, first + i), text));
    if (!same && count > SHOWN)
        fprintf(out, ",..(%d:%016" PRIx64 ")", count, hash);
}

static void parameter_cells(table *t, const tidy_item *item, const tidy_run *run)
{
    char *text, name[TIDY_NAME] = "vary_";
    const dae_problem *problem = run->setting->problem;
    const dae_parameter *p;
    size_t length;
    FILE *all = allocate_stream(&text, &length);
    for (int i = 0; (p = dae_parameter_at(problem, i)) != NULL; i += p->count > 1 ? p->count : 1)
        print_parameter(all, run, p, i);
    fprintf(all, "%s%s", *start_set_words(problem) ? " " : "", start_set_words(problem));
    allocate_stream_end(all);
    table_text(t, "parameters", text);
    free(text);
    for (int i = 0; i < dae_parameter_count(problem); i++)
        if (item->varies[i]) {
            dae_parameter_name(problem, i, name + strlen("vary_"), TIDY_NAME - (int)strlen("vary_"));
            table_number(t, name, "", parameter_of(run, i));
        }
}

/* ---- settings ---- */

/* "T=0.001,velocity=100*rtol" */
static void atol_of_cell(table *t, const run_setting *s)
{
    char text[MAX_ATOLS * (ATOL_NAME + DECIMAL + 8)] = "", number[DECIMAL];
    size_t end = 0;
    for (int k = 0; k < s->atols; k++)
        end += (size_t)snprintf(text + end, sizeof text - end, "%s%s=%s%s", k ? "," : "", s->atol_of[k].of,
                                decimal(s->atol_of[k].value, number), s->atol_of[k].by_rtol ? "*rtol" : "");
    table_text(t, "atol_of", text);
}

static double atol_at(const run_setting *s, double rtol)
{
    return isnan(s->atol) ? rtol : s->atol_by_rtol ? s->atol * rtol : s->atol;
}

/* "L,k[3]" */
static void sensitivity_cell(table *t, const run_setting *s)
{
    char *text;
    size_t length;
    FILE *all = allocate_stream(&text, &length);
    for (int k = 0; k < s->sensitivities; k++)
        fprintf(all, "%s%s", k ? "," : "", run_sensitivity_name(s, k).text);
    allocate_stream_end(all);
    table_text(t, "sensitivity", text);
    free(text);
}

/* "x=3,y=0" */
static void stop_cell(table *t, const run_setting *s)
{
    char *text;
    size_t length;
    FILE *all = allocate_stream(&text, &length);
    for (int k = 0; k < s->stops; k++)
        fprintf(all, "%s%s", k ? "," : "", s->stop[k]);
    allocate_stream_end(all);
    table_text(t, "stop", text);
    free(text);
}

/* Those that are not a row's own number or word. */
static void cells_by_hand(table *t, setting_id id, const tidy_run *run)
{
    const int chosen = isfinite(run->rtol);
    if (id == SETTING_STOP || id == SETTING_SENSITIVITY) {
        (id == SETTING_STOP ? stop_cell : sensitivity_cell)(t, run->setting);
        return;
    }
    table_number(t, "atol", "", chosen ? atol_at(run->setting, run->rtol) : NAN);
    table_column(t, "atol_of", "");
    if (chosen)
        atol_of_cell(t, run->setting);
}

/* Has it a value in this run? */
static int applies(const setting_row *row, const run_setting *s, const tidy_run *run)
{
    switch (row->when) {
    case WHEN_CHOSEN: return isfinite(s->rtol);
    case WHEN_IMPLICIT: return run->method && dae_method_describe(run->method).implicit;
    case WHEN_STABILISED: return run->form && dae_formulation_describe(run->form).stabilised == DAE_BY_FEEDBACK;
    case WHEN_WITH_EVENTS: return setting_is_given(row, s) || !run_is_smooth(s->problem);
    default: return 1;
    }
}

static void setting_cell(table *t, const tidy_item *item, const setting_row *row, const run_setting *s, int applies)
{
    const char *unit = row->kind == KIND_STEP ? item->time : row->kind == KIND_RATE ? item->rate : "";
    if (row->words)
        table_text(t, row->name, applies ? setting_word(row, s) : "");
    else
        table_number(t, row->name, unit, applies && setting_is_given(row, s) ? setting_value(row, s) : NAN);
}

static void setting_cells(table *t, const tidy_item *item, const tidy_run *run)
{
    run_setting s = *run->setting;                      /* as the run had them */
    s.step = run->step;
    s.rtol = run->rtol;
    s.jacobian = run->jacobian;
    s.linear = run->linear;
    s.project = run->project;
    for (setting_id id = 0; id < SETTINGS; id++) {
        const setting_row *row = &run_settings[id];
        if (row->kind == KIND_BY_HAND)
            cells_by_hand(t, id, run);
        else if (row->when != WHEN_NEVER)
            setting_cell(t, item, row, &s, applies(row, &s, run));
    }
}

void tidy_begin_row(table *t, const tidy_item *item, const tidy_run *run)
{
    if (run->begins)
        table_rule(t);
    table_row(t);
    if (run->number)
        table_count(t, "run", run->number);
    table_text(t, "part", item->item->part);
    table_text(t, "kind", study_kind_names[item->item->kind]);
    table_text(t, "problem", run->setting->problem->name);
    table_text(t, "form", run->form ? dae_formulation_describe(run->form).name : "");
    table_text(t, "method", run->method ? dae_method_describe(run->method).name : "");
    parameter_cells(t, item, run);
    table_number(t, "t_start", item->time, run->t0);
    table_number(t, "t_end", item->time, run->t_end);
    setting_cells(t, item, run);
}

table *tidy_row(const tidy_item *item, const tidy_run *run, const char *name)
{
    table *t = dataset_add(item->data, name);
    tidy_begin_row(t, item, run);
    return t;
}

const char *tidy_unit(const column_label *label) { return strcmp(label->unit, "-") ? label->unit : ""; }

/* ---- how it ended, what it cost, how wrong it is ---- */

static const char *status_of(const tidy_run *run, const char **reason)
{
    *reason = "";
    if (run->size) {
        *reason = run->size->reason;
        return outcome_name(run->size->outcome, run->size->failure);
    }
    if (run->solution) {
        const dae_hybrid *hybrid = run->solution->hybrid;
        *reason = run->solution->status ? dae_hybrid_report(hybrid)->message : "";
        return outcome_name(run_outcome_of(run->setting, run->solution->status), run->solution->status);
    }
    if (run->fit) {
        *reason = run->fit->message;
        return outcome_name(RUN_BY_ITSELF, run->fit->status);
    }
    *reason = run->work ? work_reason(run->work) : run->run->message;
    return outcome_name(run->run->outcome, run->run->status);
}

void tidy_end_cells(table *t, const tidy_run *run)
{
    const char *reason, *status = status_of(run, &reason);
    table_text(t, "status", status);
    table_text(t, "reason", strcmp(status, "ok") || run->work || run->size ? reason : "");
}

void tidy_count_cells(table *t, const dae_statistics *n)
{
#define WORK(name) table_count(t, #name, n->name);
#define COST WORK
#define SUM WORK
#define LARGEST(name) table_number(t, #name, "", n->name);
#define ENTRIES(name) table_number(t, #name, "", n->name > 0 ? (double)n->name : NAN);
#define EVENTS(name)                                    /* events.c has them */
#define DAE_STATISTIC(type, name, kind, title, meaning) kind(name)
#include <daelab/statistics.def>
#undef DAE_STATISTIC
}

void tidy_spread_cells(table *t, const char *median, const char *of, const work_spread *spread)
{
    const struct { const char *what; double x; } others[] = {
        {"lower", spread->lower}, {"upper", spread->upper}, {"smallest", spread->smallest},
        {"largest", spread->largest}};
    char name[TIDY_NAME];
    table_number(t, median, "s", spread->median);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        snprintf(name, sizeof name, "%s_%s", of, others[k].what);
        table_number(t, name, "s", others[k].x);
    }
}

const char *tidy_class_column(const char *what, int k, char name[TIDY_NAME])
{
    snprintf(name, TIDY_NAME, "%s_%s", what, order_class_name(k));
    return name;
}

void tidy_class_cells(table *t, const tidy_item *item, const char *what, const double *x, int after)
{
    char name[TIDY_NAME];
    for (int c = 0; c < (after ? DAE_CLASSES : RUN_CLASSES); c++)
        if (order_shows(&item->item->spec.run, after ? ORDER_AFTER + c : c))
            table_number(t, tidy_class_column(what, c, name), item->unit[c % RUN_DERIVATIVES], x[c]);
}
