/* compare.c - daelab compare OLD NEW: what changed, and was it for the worse? daelab.show compares; this shows it */
#include "deliver/deliver.h"
#include "host/allocate.h"
#include "numbers/decimal.h"
#include "table/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is shown ---- */

/* A table in full, or below a heading as people read it, which says what all its rows share. */
static dae_status add_section(document *doc, const json_t *section, dae_report *report)
{
    table *all;
    const char *heading = json_string_value(json_object_get(section, "heading"));
    const dae_status status = table_read(&all, json_object_get(section, "table"), report);
    if (status)
        return status;
    if (!heading) {
        document_section_add(doc, NULL, all);
        return DAE_OK;
    }
    document_people_add(doc, heading, "; in all: ", all);
    table_free(all);
    return DAE_OK;
}

/* For people; what programs read is in the result. */
static dae_status fill(document *doc, const json_t *found, dae_report *report)
{
    const char *key;
    json_t *value;
    size_t i;
    dae_status status = DAE_OK;
    doc->title = allocate_text(json_string_value(json_object_get(found, "title")));
    json_object_foreach(json_object_get(found, "result"), key, value)
        document_set(doc, key, json_incref(value));
    json_array_foreach(json_object_get(found, "sections"), i, value)
        status = status ? status : add_section(doc, value, report);
    json_array_foreach(json_object_get(found, "notes"), i, value)
        document_note(doc, "%s", json_string_value(value));
    return status;
}

/* A format that holds one table has all changes. */
static int show(const json_t *found, const cli_options *o)
{
    output_target to;
    dae_report why = {0};
    dae_status status;
    table *changes = NULL;
    int code = outputs_first(o, &to);
    if (code)
        return code;
    document *doc = document_new("compare");
    if (formats[to.format].holds == HOLDS_TABLE)
        status = table_read(&changes, json_object_get(json_object_get(found, "result"), "changes"), &why);
    else
        status = fill(doc, found, &why);
    code = status ? cli_fail(status, &why)
           : output_write(to.path, (output_content){.doc = changes ? NULL : doc, .table = changes,
                                                    .format = to.format});
    table_free(changes);
    document_free(doc);
    return code;
}

/* ---- what is found ---- */

/* Shown, and judged. */
static int conclude(const json_t *found, const cli_options *o)
{
    const json_t *result = json_object_get(found, "result");
    const int status = show(found, o);
    return status ? status : json_is_true(json_object_get(result, "worse")) ? EXIT_NUMERICAL : EXIT_DONE;
}

static dae_status compare(const cli_options *o, json_t **found, dae_report *report)
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
    arguments[count++] = o->list->subjects[0];
    arguments[count++] = o->list->subjects[1];
    return show_run(arguments, NULL, found, report);
}

int command_compare(const cli_options *o)
{
    dae_report why = {0};
    json_t *found = NULL;
    if (o->list->subject_count != 2)
        return cli_error(EXIT_USAGE, "compare takes two results, the old one first, and has %d",
                         o->list->subject_count);
    const int wrong = outputs_possible(o);
    if (wrong)
        return wrong;
    const dae_status failed = compare(o, &found, &why);
    const int status = failed ? cli_fail(failed, &why) : conclude(found, o);
    json_decref(found);
    return status;
}
