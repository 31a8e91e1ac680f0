/* row.c - the columns with which every row begins, and those that several tables have */
#include "tidy/tidy_run.h"

#include "cache/fingerprint.h"
#include "numbers/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

double tidy_parameter(const tidy_run *run, int i)
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
        const double x = tidy_parameter(run, first + i);
        same = same && x == tidy_parameter(run, first);
        hash = fnv_1a(hash, &x, sizeof x);
    }
    fprintf(out, "%s%s=", first ? " " : "", p->name);
    for (int i = 0; i < (same ? 1 : count) && i < SHOWN; i++)
        fprintf(out, "%s%s", i ? "," : "", decimal(tidy_parameter(run, first + i), text));
    if (!same && count > SHOWN)
        fprintf(out, ",..(%d:%016" PRIx64 ")", count, hash);
}

char *tidy_parameters(const tidy_run *run)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    const dae_parameter *p;
    for (int i = 0; (p = dae_parameter_at(run->setting->problem, i)) != NULL; i += p->count > 1 ? p->count : 1)
        print_parameter(out, run, p, i);
    if (fclose(out) == 0)
        return text;                                    /* NULL where memory was short at the end */
    free(text);
    return NULL;
}

static void parameter_cells(table *t, const tidy_item *item, const tidy_run *run)
{
    char *text = tidy_parameters(run), name[TIDY_NAME] = "vary_";
    table_text(t, "parameters", text);
    table_as(t, ROLE_NONE);
    if (!text)
        table_fail(t);
    free(text);
    for (int i = 0; i < dae_parameter_count(run->setting->problem); i++)
        if (item->varies[i]) {
            dae_parameter_name(run->setting->problem, i, name + strlen("vary_"), TIDY_NAME - (int)strlen("vary_"));
            table_number(t, name, "", tidy_parameter(run, i));
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

/* Those of steps that are chosen stay empty where these are fixed. */
static void tolerance_cells(table *t, const tidy_item *item, const tidy_run *run)
{
    const run_setting *s = run->setting;
    const int chosen = isfinite(run->rtol);
    table_as(t, ROLE_LEVEL);
    table_number(t, "step", item->time, run->step);
    table_number(t, "rtol", "", run->rtol);
    table_number(t, "atol", "", chosen ? atol_at(s, run->rtol) : NAN);
    table_as(t, ROLE_SETTING);
    table_column(t, "atol_of", "");
    if (chosen)
        atol_of_cell(t, s);
    table_number(t, "max_step", item->time, chosen ? s->max_step : NAN);
    table_number(t, "first_step", item->time, chosen ? s->first_step : NAN);
}

static void solver_cells(table *t, const tidy_item *item, const tidy_run *run)
{
    const run_setting *s = run->setting;
    const int implicit = run->method && dae_method_describe(run->method).implicit;
    const int stabilised = run->form && dae_formulation_describe(run->form).stabilised == DAE_BY_FEEDBACK;
    table_text(t, "start", run_start_name(s->as_given));
    table_as(t, ROLE_CHOICE);
    table_text(t, "jacobian", implicit ? run_jacobian_name(run->jacobian) : "");
    table_text(t, "linear", implicit ? run_linear_name(run->linear) : "");
    table_as(t, ROLE_SETTING);
    table_text(t, "error_test", isfinite(run->rtol) ? run_error_test_name(s->error_test) : "");
    table_text(t, "project", run_project_name(run->project));
    table_number(t, "alpha", item->rate, stabilised ? s->baumgarte.alpha : NAN);
    table_number(t, "beta", item->rate, stabilised ? s->baumgarte.beta : NAN);
    table_text(t, "events", s->no_events ? "off" : run_is_smooth(s->problem) ? "" : "on");
}

/* "x=3,y=0" */
static void stop_cell(table *t, const run_setting *s)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int k = 0; out && k < s->stops; k++)
        fprintf(out, "%s%s", k ? "," : "", s->stop[k]);
    if (!out || fclose(out) || !text)
        table_fail(t);
    else
        table_text(t, "stop", text);
    free(text);
}

static double if_given(int value) { return value ? (double)value : NAN; }

/* Where a run ends before its time. */
static void bound_cells(table *t, const run_setting *s)
{
    table_number(t, "limit_steps", "", if_given(s->max_steps));
    table_number(t, "max_events", "", if_given(s->max_events));
    table_number(t, "accumulation", "", s->accumulation);
    stop_cell(t, s);
}

void tidy_begin_row(table *t, const tidy_item *item, const tidy_run *run)
{
    if (table_failed(t))
        return;
    table_row(t);
    if (run->number)
        table_count(t, "run", run->number);
    table_as(t, ROLE_SETTING);
    table_text(t, "part", item->item->part);
    table_text(t, "kind", study_kind_names[item->item->kind]);
    table_text(t, "problem", run->setting->problem->name);
    table_text(t, "form", run->form ? dae_formulation_describe(run->form).name : "");
    table_text(t, "method", run->method ? dae_method_describe(run->method).name : "");
    parameter_cells(t, item, run);
    table_as(t, ROLE_SETTING);
    table_number(t, "t_start", item->time, run->t0);
    table_number(t, "t_end", item->time, run->t_end);
    tolerance_cells(t, item, run);
    solver_cells(t, item, run);
    bound_cells(t, run->setting);
    table_as(t, ROLE_NONE);
}

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
    *reason = run->work ? work_reason(run->work) : run->run->message;
    return outcome_name(run->run->outcome, run->run->status);
}

void tidy_end_cells(table *t, const tidy_run *run)
{
    const char *reason, *status = status_of(run, &reason);
    table_text(t, "status", status);
    table_as(t, ROLE_NONE);
    table_text(t, "reason", strcmp(status, "ok") || run->work || run->size ? reason : "");
}

void tidy_count_cells(table *t, const dae_statistics *n)
{
#define WORK(name) table_count(t, #name, n->name);
#define COST WORK
#define SUM(name) table_as(t, ROLE_NONE); WORK(name)
#define LARGEST(name) table_as(t, ROLE_NONE); table_number(t, #name, "", n->name);
#define ENTRIES(name) table_as(t, ROLE_NONE); table_number(t, #name, "", n->name > 0 ? (double)n->name : NAN);
#define EVENTS(name)                                    /* events.c has them */
#define DAE_STATISTIC(type, name, kind, title, meaning) kind(name)
#include <daelab/statistics.def>
#undef DAE_STATISTIC
}

void tidy_spread_cells(table *t, const char *const name[3], const work_spread *spread)
{
    table_as(t, ROLE_TIME);
    table_number(t, name[0], "s", spread->median);
    table_as(t, ROLE_LOWER);
    table_number(t, name[1], "s", spread->lower);
    table_as(t, ROLE_UPPER);
    table_number(t, name[2], "s", spread->upper);
    table_as(t, ROLE_NONE);
}

const char *tidy_class_column(const char *what, dae_class c, char name[TIDY_NAME])
{
    snprintf(name, TIDY_NAME, "%s_%s", what, dae_class_name(c));
    return name;
}

void tidy_error_cells(table *t, const tidy_item *item, const run_result *run)
{
    char name[TIDY_NAME];
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(item->item->spec.run.problem, c))
            table_number(t, tidy_class_column("error", c, name), item->unit[c], run->error[c]);
}
