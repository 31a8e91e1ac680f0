#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *verdict(const dae_finding *f)
{
    return f->failed ? "WRONG" : "note";
}

/* Of the function, or of a part of it: "partials.f_q" of "partials". */
static int is_of(const dae_finding *f, const char *function)
{
    const size_t length = strlen(function);
    return strncmp(f->function, function, length) == 0
           && (f->function[length] == 0 || strcmp(function, "partials") == 0);
}

static void place(table *t, int number)
{
    table_put(t, number ? (double)number : (double)NAN);
}

static void add_row(table *t, const char *compared, const dae_finding *f)
{
    table_put_text(t, f->function);
    table_put_text(t, verdict(f));
    place(t, f->row);
    place(t, f->column);
    table_put(t, f->t);
    table_put(t, f->found);
    table_put(t, f->expected);
    table_put_text(t, compared);
}

/* A line of which nothing was found: right, if all of it was looked at. */
static void add_silent_row(table *t, const char *function, const char *compared, int failed)
{
    table_put_text(t, function);
    table_put_text(t, failed ? "-" : "ok");
    for (int i = 0; i < 5; i++)
        table_put(t, NAN);
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
                add_row(t, compared, &r->found[k]);
                told[k] = any = 1;
            }
        if (!any)
            add_silent_row(t, function, compared, r->failed);
    }
    for (int k = 0; k < r->count; k++)
        if (!told[k])
            add_row(t, "", &r->found[k]);
}

static table *check_table(const check_result *r)
{
    table *t = table_new();
    table_head(t, "function", "function", NULL);
    table_head(t, "verdict", "", NULL);
    table_head(t, "row", "row", "%.0f");
    table_head(t, "column", "column", "%.0f");
    table_head(t, "t", "t", "%.6g");
    table_head(t, "found", "found", "%.9g");
    table_head(t, "expected", "expected", "%.9g");
    table_head(t, "compared", "compared with", NULL);
    add_lines(t, r);
    return t;
}

static json_t *findings_json(const check_result *r)
{
    json_t *array = json_array();
    for (int k = 0; array && k < r->count; k++) {
        const dae_finding *f = &r->found[k];
        json_array_append_new(array, json_pack("{s:b, s:s, s:i, s:i, s:o, s:o, s:o, s:s}", "failed",
                                               f->failed, "function", f->function, "row", f->row, "column",
                                               f->column, "t", json_number(f->t), "found",
                                               json_number(f->found), "expected",
                                               json_number(f->expected), "sentence", f->sentence));
    }
    return array;
}

/* Where a check looks, in place of the options of a run, of which it takes none. */
static void set_places(document *doc)
{
    document_set(doc, "options", json_object());
    free(doc->options);
    doc->options = strdup("at the start, at states beside it, along a run, and at random times");
    doc->failed |= doc->options == NULL;
}

document *check_report(const check_result *r)
{
    const study_specification *o = &r->spec;
    document *doc = report_begin("check", o, o->run.problem->t0, o->run.problem->t_end);
    if (!doc)
        return NULL;
    set_places(doc);
    document_set(doc, "failed", json_integer(r->failed));
    document_set(doc, "findings", findings_json(r));
    document_section_add(doc, NULL, check_table(r));
    for (int k = 0; k < r->count; k++)
        document_note(doc, "%s: %s", verdict(&r->found[k]), r->found[k].sentence);
    if (r->failed)
        document_note(doc, "-: nothing was found, but what rests on something wrong has not been looked at: repair it, "
                           "and check again");
    if (!r->count)
        document_note(doc, "nothing was found");
    return doc;
}

static table *summary_table(const check_result *results, int count)
{
    table *t = table_new();
    table_head(t, "problem", "problem", NULL);
    table_head(t, "verdict", "", NULL);
    table_head(t, "wrong", "wrong", "%.0f");
    table_head(t, "notes", "notes", "%.0f");
    table_head(t, "seconds", "seconds", "%.2e");
    for (int i = 0; i < count; i++) {
        table_put_text(t, results[i].spec.run.problem->name);
        table_put_text(t, results[i].failed ? "WRONG" : "ok");
        table_put(t, results[i].failed);
        table_put(t, results[i].count - results[i].failed);
        table_put(t, results[i].seconds);
    }
    return t;
}

document *check_summary(const check_result *results, int count)
{
    document *doc = report_begin_several("check", "of several problems", &results->spec);
    json_t *array = json_array();
    if (!doc || !array) {
        document_free(doc);
        json_decref(array);
        return NULL;
    }
    set_places(doc);
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_pack("{s:s, s:i, s:o}", "problem",
                                               results[i].spec.run.problem->name, "failed",
                                               results[i].failed, "findings", findings_json(results + i)));
        for (int k = 0; k < results[i].count; k++)
            document_note(doc, "%s: %s", verdict(&results[i].found[k]), results[i].found[k].sentence);
    }
    document_set(doc, "problems", array);
    document_section_add(doc, NULL, summary_table(results, count));
    return doc;
}
