/* compare.c - daelab compare OLD NEW: what changed, and was it for the worse? daelab.show compares; this shows it */
#include "deliver/deliver.h"
#include "host/program.h"
#include "numbers/decimal.h"
#include "table/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is shown ---- */

/* A table in full, or below a heading as people read it, which says what all its rows share. */
static void add_section(document *doc, const json_t *section)
{
    dae_report why = {0};
    table *t;
    char *text = NULL, *shared = NULL;
    const char *heading = json_string_value(json_object_get(section, "heading"));
    if (table_read(&t, json_object_get(section, "table"), &why)) {
        doc->failed = 1;
        return;
    }
    if (heading) {
        table *all = t;
        t = select_people(all, &shared);
        table_free(all);
    }
    if (heading && (!t || asprintf(&text, "%s%s%s", heading, *shared ? "; in all: " : "", shared) < 0)) {
        doc->failed = 1;
        text = NULL;
    }
    document_section_add(doc, text, t);
    free(text);
    free(shared);
}

static document *document_of(const json_t *found)
{
    document *doc = document_new("compare");
    const char *key;
    json_t *value;
    size_t i;
    if (!doc)
        return NULL;
    doc->title = strdup(json_string_value(json_object_get(found, "title")));
    doc->failed |= !doc->title;
    json_object_foreach(json_object_get(found, "result"), key, value)
        document_set(doc, key, json_incref(value));
    json_array_foreach(json_object_get(found, "sections"), i, value)
        add_section(doc, value);
    json_array_foreach(json_object_get(found, "notes"), i, value)
        document_note(doc, "%s", json_string_value(value));
    return doc;
}

/* As CSV all changes. */
static int write_csv(const json_t *result, const char *path)
{
    dae_report why = {0};
    table *t;
    if (table_read(&t, json_object_get(result, "changes"), &why))
        return cli_fail(why.status, &why);
    const int status = output_csv(path, t);
    table_free(t);
    return status;
}

static int show(const json_t *found, const cli_options *o)
{
    output_format format;
    int status = output_format_of(o, o->output, &format);
    if (status || format == FORMAT_CSV)
        return status ? status : write_csv(json_object_get(found, "result"), o->output);
    document *doc = document_of(found);
    status = output_document(o->output, doc, format);
    document_free(doc);
    return status;
}

/* ---- what is found ---- */

static int is_empty(const json_t *result)
{
    return json_integer_value(json_object_get(json_object_get(result, "rows"), "matched")) == 0;
}

/* Shown, and judged. */
static int conclude(const json_t *found, const cli_options *o)
{
    const json_t *result = json_object_get(found, "result");
    const int status = show(found, o);
    if (!status && is_empty(result))
        return cli_error(EXIT_USAGE, "%s and %s have no run in common", o->subjects[0], o->subjects[1]);
    return status ? status : json_is_true(json_object_get(result, "worse")) ? EXIT_NUMERICAL : EXIT_DONE;
}

static dae_status compare(const cli_options *o, FILE *out, dae_report *report)
{
    char tolerance[DECIMAL], time_tolerance[DECIMAL];
    const char *arguments[9] = {"compare"};
    int count = 1;
    if (!isnan(o->tolerance)) {
        arguments[count++] = "--tolerance";
        arguments[count++] = decimal(o->tolerance, tolerance);
    }
    if (!isnan(o->time_tolerance)) {
        arguments[count++] = "--time-tolerance";
        arguments[count++] = decimal(o->time_tolerance, time_tolerance);
    }
    arguments[count++] = "--";
    arguments[count++] = o->subjects[0];
    arguments[count++] = o->subjects[1];
    return show_call(arguments, stdin, out, report);
}

/* NULL having complained, with an exit status. */
static json_t *found_by_python(const cli_options *o, int *status)
{
    dae_report report = {0};
    FILE *out = program_file(&report);
    json_t *found = NULL;
    if (!out || compare(o, out, &report)) {
        *status = cli_fail(report.status, &report);
    } else {
        rewind(out);
        found = json_loadf(out, 0, NULL);
        *status = found ? EXIT_DONE : cli_error(EXIT_SYSTEM, "out of memory for the result");
    }
    if (out)
        fclose(out);
    return found;
}

int command_compare(const cli_options *o)
{
    if (o->subject_count != 2)
        return cli_error(EXIT_USAGE, "compare takes two results, the old one first, and has %d", o->subject_count);
    int status = outputs_possible(o);
    if (status)
        return status;
    json_t *found = found_by_python(o, &status);
    if (found)
        status = conclude(found, o);
    json_decref(found);
    return status;
}
