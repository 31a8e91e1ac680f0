/* check.c - what daelab check has found */
#include "report/report.h"

#include "host/allocate.h"
#include "run/time_unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *verdict(const dae_finding *f)
{
    return f->failed ? "wrong" : "note";
}

/* Of the function, or of a part of it: "partials.f_q" of "partials". */
static int is_of(const dae_finding *f, const char *function)
{
    const size_t length = strlen(function);
    return strncmp(f->function, function, length) == 0
           && (f->function[length] == 0 || strcmp(function, "partials") == 0);
}

/* A finding, or NULL: nothing was found in the function, which is right if all of it was looked at. */
static void add_row(table *t, const char *function, const char *said, const dae_finding *f, const char *compared)
{
    char index[48] = "";
    table_put_text(t, function);
    table_put_text(t, said);
    table_put(t, f && f->row ? (double)f->row : (double)NAN);
    table_put(t, f && f->column ? (double)f->column : (double)NAN);
    if (f && f->row && f->column)
        snprintf(index, sizeof index, "[%d], [%d]", f->row - 1, f->column - 1);
    else if (f && f->row)
        snprintf(index, sizeof index, "[%d]", f->row - 1);
    table_put_text(t, *index ? index : NULL);
    table_put(t, f ? f->t : NAN);
    table_put(t, f ? f->found : NAN);
    table_put(t, f ? f->expected : NAN);
    table_put_text(t, compared);
}

/* All findings of one line, or that there are none; those of no line stand at the end. */
static void add_lines(table *t, const check_result *r)
{
    char function[48];
    const char *compared;
    int told[CHECK_FINDINGS] = {0};
    for (int i = 0; dae_check_line(r->spec.run.problem, i, function, &compared); i++) {
        int any = 0;
        for (int k = 0; k < r->count; k++)
            if (is_of(&r->found[k], function)) {
                add_row(t, r->found[k].function, verdict(&r->found[k]), &r->found[k], compared);
                told[k] = any = 1;
            }
        if (!any)
            add_row(t, function, r->failed ? "-" : "ok", NULL, compared);
    }
    for (int k = 0; k < r->count; k++)
        if (!told[k])
            add_row(t, r->found[k].function, verdict(&r->found[k]), &r->found[k], "");
}

static table *check_table(const check_result *r)
{
    char time[TIME_TITLE];
    table *t = table_new();
    table_head(t, "function", "function", NULL);
    table_head(t, "verdict", "verdict", NULL);
    table_head(t, "row", "row", "%.0f");
    table_head(t, "column", "column", "%.0f");
    table_head(t, "index", "in C", NULL);
    table_head(t, "t", time_title(r->spec.run.problem, "t", time), "%.6g");
    table_head(t, "found", "found", "%.9g");
    table_head(t, "expected", "expected", "%.9g");
    table_head(t, "compared", "compared with", NULL);
    add_lines(t, r);
    return t;
}

static json_t *findings_json(const check_result *r)
{
    json_t *array = json_array();
    for (int k = 0; k < r->count; k++) {
        const dae_finding *f = &r->found[k];
        json_array_append_new(array, json_pack("{s:b, s:s, s:i, s:i, s:o, s:o, s:o, s:s}", "failed", f->failed,
                                               "function", f->function, "row", f->row, "column", f->column, "t",
                                               json_number(f->t), "found", json_number(f->found), "expected",
                                               json_number(f->expected), "sentence", f->sentence));
    }
    return array;
}

static void note_findings(document *doc, const check_result *r)
{
    for (int k = 0; k < r->count; k++)
        document_note(doc, "%s: %s", verdict(&r->found[k]), r->found[k].sentence);
}

/* Where a check looks, in place of the options of a run, of which it takes none. */
static document *say_where(document *doc)
{
    document_set(doc, "options", json_object());
    free(doc->options);
    doc->options = allocate_text("at the start, at states beside it, along a run, and at random times");
    return doc;
}

document *check_report(const check_result *r)
{
    const dae_problem *problem = r->spec.run.problem;
    document *doc = say_where(report_begin("check", &r->spec, problem->t0, problem->t_end));
    document_set(doc, "failed", json_integer(r->failed));
    document_set(doc, "findings", findings_json(r));
    document_section_add(doc, NULL, check_table(r));
    note_findings(doc, r);
    if (r->failed)
        document_note(doc, "-: nothing was found, but what rests on something wrong has not been looked at: repair it, "
                           "and check again");
    if (!r->count)
        document_note(doc, "nothing was found");
    return doc;
}

document *check_summary(const check_result *results, int count)
{
    document *doc = say_where(report_begin_several("check", "of several problems", &results->spec));
    json_t *array = json_array();
    table *t = table_new();
    table_head(t, "problem", "problem", NULL);
    table_head(t, "verdict", "verdict", NULL);
    table_head(t, "wrong", "wrong", "%.0f");
    table_head(t, "notes", "notes", "%.0f");
    table_head(t, "seconds", "time [s]", "%.2e");
    for (const check_result *r = results; r < results + count; r++) {
        table_put_text(t, r->spec.run.problem->name);
        table_put_text(t, r->failed ? "wrong" : "ok");
        table_put(t, r->failed);
        table_put(t, r->count - r->failed);
        table_put(t, r->seconds);
        json_array_append_new(array, json_pack("{s:s, s:i, s:o}", "problem", r->spec.run.problem->name, "failed",
                                               r->failed, "findings", findings_json(r)));
        note_findings(doc, r);
    }
    document_set(doc, "problems", array);
    document_section_add(doc, NULL, t);
    return doc;
}
