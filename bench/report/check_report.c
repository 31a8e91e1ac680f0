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

static void place(grid *g, int number)
{
    grid_number(g, number ? (double)number : (double)NAN);
}

static void add_row(grid *g, const char *compared, const dae_finding *f)
{
    grid_text(g, f->function);
    grid_text(g, verdict(f));
    place(g, f->row);
    place(g, f->column);
    grid_number(g, f->t);
    grid_number(g, f->found);
    grid_number(g, f->expected);
    grid_text(g, compared);
}

/* A line of which nothing was found: right, if all of it was looked at. */
static void add_silent_row(grid *g, const char *function, const char *compared, int failed)
{
    grid_text(g, function);
    grid_text(g, failed ? "-" : "ok");
    for (int i = 0; i < 5; i++)
        grid_number(g, NAN);
    grid_text(g, compared);
}

/* All findings of one line, or that there are none; those of no line stand at the end. */
static void add_lines(grid *g, const check_result *r)
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

static grid *check_grid(const check_result *r)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "function", "function", NULL);
    grid_column(g, "verdict", "", NULL);
    grid_column(g, "row", "row", "%.0f");
    grid_column(g, "column", "column", "%.0f");
    grid_column(g, "t", "t", "%.6g");
    grid_column(g, "found", "found", "%.9g");
    grid_column(g, "expected", "expected", "%.9g");
    grid_column(g, "compared", "compared with", NULL);
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

static grid *summary_grid(const check_result *results, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "problem", "problem", NULL);
    grid_column(g, "verdict", "", NULL);
    grid_column(g, "wrong", "wrong", "%.0f");
    grid_column(g, "notes", "notes", "%.0f");
    grid_column(g, "seconds", "seconds", "%.2e");
    for (int i = 0; i < count; i++) {
        grid_text(g, results[i].spec.run.problem->name);
        grid_text(g, results[i].failed ? "WRONG" : "ok");
        grid_number(g, results[i].failed);
        grid_number(g, results[i].count - results[i].failed);
        grid_number(g, results[i].seconds);
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
