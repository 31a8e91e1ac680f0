#include "report/check_report.h"

#include "report/heading.h"

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

static void place(table *g, int number)
{
    table_put(g, number ? (double)number : (double)NAN);
}

static void add_row(table *g, const char *compared, const dae_finding *f)
{
    table_put_text(g, f->function);
    table_put_text(g, verdict(f));
    place(g, f->row);
    place(g, f->column);
    table_put(g, f->t);
    table_put(g, f->found);
    table_put(g, f->expected);
    table_put_text(g, compared);
}

/* A line of which nothing was found: right, if all of it was looked at. */
static void add_silent_row(table *g, const char *function, const char *compared, int failed)
{
    table_put_text(g, function);
    table_put_text(g, failed ? "-" : "ok");
    for (int i = 0; i < 5; i++)
        table_put(g, NAN);
    table_put_text(g, compared);
}

/* All findings of one line, or that there are none; those of no line stand at the end. */
static void add_lines(table *g, const check_result *r)
{
    char function[48];
    const char *compared;
    int told[CHECK_FINDINGS] = {0};
    for (int i = 0; dae_check_line(r->spec.run.problem, i, function, &compared); i++) {
        int any = 0;
        for (int k = 0; k < r->count; k++)
            if (is_of(&r->found[k], function)) {
                add_row(g, compared, &r->found[k]);
                told[k] = any = 1;
            }
        if (!any)
            add_silent_row(g, function, compared, r->failed);
    }
    for (int k = 0; k < r->count; k++)
        if (!told[k])
            add_row(g, "", &r->found[k]);
}

static table *check_grid(const check_result *r)
{
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "function", "function", NULL);
    table_head(g, "verdict", "", NULL);
    table_head(g, "row", "row", "%.0f");
    table_head(g, "column", "column", "%.0f");
    table_head(g, "t", "t", "%.6g");
    table_head(g, "found", "found", "%.9g");
    table_head(g, "expected", "expected", "%.9g");
    table_head(g, "compared", "compared with", NULL);
    add_lines(g, r);
    return g;
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
    document_section_add(doc, NULL, check_grid(r));
    for (int k = 0; k < r->count; k++)
        document_note(doc, "%s: %s", verdict(&r->found[k]), r->found[k].sentence);
    if (r->failed)
        document_note(doc, "-: nothing was found, but what rests on something wrong has not been looked at: repair it, "
                           "and check again");
    if (!r->count)
        document_note(doc, "nothing was found");
    return doc;
}

static table *summary_grid(const check_result *results, int count)
{
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "problem", "problem", NULL);
    table_head(g, "verdict", "", NULL);
    table_head(g, "wrong", "wrong", "%.0f");
    table_head(g, "notes", "notes", "%.0f");
    table_head(g, "seconds", "seconds", "%.2e");
    for (int i = 0; i < count; i++) {
        table_put_text(g, results[i].spec.run.problem->name);
        table_put_text(g, results[i].failed ? "WRONG" : "ok");
        table_put(g, results[i].failed);
        table_put(g, results[i].count - results[i].failed);
        table_put(g, results[i].seconds);
    }
    return g;
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
    document_section_add(doc, NULL, summary_grid(results, count));
    return doc;
}
