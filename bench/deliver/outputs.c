#include "deliver/deliver.h"

#include "output/json_file.h"
#include "pool/runner.h"
#include "tidy/tidy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before anything runs ---- */

int outputs_check(const cli_options *o)
{
    int wrong = outputs_possible(o);
    if (!wrong && o->table)
        wrong = output_table_check(o->table);
    if (!wrong && o->table && !output_is_csv(o))
        wrong = cli_error(EXIT_USAGE,
                          "--table %s is not used: nothing is written as CSV; give --format csv or --output "
                          "FILE.csv", o->table);
    return wrong;
}

/* ---- one file ---- */

/* Standard output where path is NULL. */
static int write_file(const delivery *r, const char *path, output_format format)
{
    if (format == FORMAT_CSV) {
        const table *t = output_table(r->data, r->options->table);
        return t ? output_csv(path, t) : EXIT_USAGE;
    }
    return output_document(path, r->doc, format);
}

/* ---- all of them ---- */

static const char *word_of(const document *doc, const char *key)
{
    const char *word = json_string_value(json_object_get(doc->json, key));
    return word ? word : "";
}

/* Of the document and of its parts: in a file the name of the part stands for that of its command. */
static void add_remarks(dataset *d, const document *doc, const char *of)
{
    const char *part = *word_of(doc, "part") ? word_of(doc, "part") : of;
    json_t *remarks = json_object_get(doc->json, "remarks"), *remark;
    size_t i;
    for (int k = 0; k < doc->parts; k++)
        add_remarks(d, doc->part[k], part);
    json_array_foreach(remarks, i, remark)
        if (*part && json_object_set_new(remark, "part", json_text(part)))
            d->failed = 1;
    json_array_extend(d->remarks, remarks);
}

/* Each behind what it is of, where that is one of several: "work kepler: ...". 0 where memory was short. */
static int add_notes(json_t *notes, const document *doc, const char *of)
{
    int whole = 1;
    for (int i = 0; i < doc->parts; i++) {
        const char *part = word_of(doc->part[i], "part"), *problem = word_of(doc->part[i], "problem");
        char name[192];
        snprintf(name, sizeof name, "%s%s%s%s%s", of, part, *part ? " " : "", problem, *problem ? " " : "");
        whole = whole && add_notes(notes, doc->part[i], name);
    }
    for (int i = 0; whole && i < doc->notes; i++) {
        char *line = NULL;
        const int length = *of ? (int)strlen(of) - 1 : 0;
        whole = asprintf(&line, "%.*s%s%s", length, of, *of ? ": " : "", doc->note[i]) >= 0
                && !json_array_append_new(notes, json_text(line));
        free(line);
    }
    return whole;
}

static void set_notes(document *doc)
{
    json_t *notes = json_array();
    doc->failed |= !add_notes(notes, doc, "");
    document_set(doc, "notes", notes);
}

/* How many runs were made at once, and whether timed ones were among them. */
static void set_jobs(dataset *d, const cli_options *o)
{
    const int jobs = runner_processes(o->study.run.runner), together = runner_times_together(o->study.run.runner);
    if (json_object_set_new(d->provenance, "jobs", json_integer(jobs))
        || json_object_set_new(d->provenance, "timed", json_string(together ? "beside other runs" : "alone")))
        d->failed = 1;
}

/* 0 where memory was short. */
static int collect(delivery *r)
{
    r->data = tidy_dataset(r->plan);
    if (!r->data || !r->doc || r->doc->failed)
        return 0;
    r->data->interrupted = runner_interrupted(r->options->study.run.runner);
    set_jobs(r->data, r->options);
    add_remarks(r->data, r->doc, "");
    set_notes(r->doc);
    return dataset_json(r->data, r->doc->json);
}

static int write_all(const delivery *r, const char *folder)
{
    if (json_array_extend(r->data->plots, json_object_get(r->drawn, folder)) && json_object_get(r->drawn, folder))
        return cli_error(EXIT_SYSTEM, "out of memory for the result");
    if (!dataset_json(r->data, r->doc->json))
        return cli_error(EXIT_SYSTEM, "out of memory for the result");
    return folder_write(r->data, r->doc->json, folder);
}

/* Its pictures are its own: other files know nothing of them. */
static int write_folder(const delivery *r, const char *folder)
{
    dataset *d = r->data;
    json_t *others = json_copy(d->plots);
    const int status = others ? write_all(r, folder) : cli_error(EXIT_SYSTEM, "out of memory for the result");
    if (!others)
        return status;
    json_decref(d->plots);
    d->plots = others;
    return dataset_json(d, r->doc->json) ? status : cli_error(EXIT_SYSTEM, "out of memory for the result");
}

/* Where a picture or a folder has all points of the curves, the table on standard output shows some. A path that is too
 * long for the sentence is cut. */
static int write_standard(const delivery *r)
{
    const cli_options *o = r->options;
    char where[192];
    const char *folder = NULL;
    for (int i = 0; i < o->outputs; i++)
        folder = output_is_folder(o->output_at[i]) ? o->output_at[i] : folder;
    if (folder)
        snprintf(where, sizeof where, "all of them are in %s%ssolution.csv", folder,
                 folder[strlen(folder) - 1] == '/' ? "" : "/");
    else
        snprintf(where, sizeof where, "the picture has all of them, and --output FILE.csv or --format csv writes them");
    if (o->format == FORMAT_TABLE && (folder || o->plots > 0))
        document_shorten(r->doc, where);
    return write_file(r, NULL, o->format);
}

static int worse(int a, int b) { return a > b ? a : b; }

static int write_outputs(delivery *r)
{
    const cli_options *o = r->options;
    int status = pictures_draw(r), files = 0;
    if (!dataset_json(r->data, r->doc->json))
        return cli_error(EXIT_SYSTEM, "out of memory for the result");
    for (int i = 0; i < o->outputs; i++) {
        const char *path = o->output_at[i];
        const int folder = output_is_folder(path);
        output_format format = o->format;
        files += !folder;
        status = worse(status, folder ? write_folder(r, path) : output_format_of(o, path, &format));
        if (!folder)
            status = worse(status, write_file(r, path, format));
    }
    return files ? status : worse(status, write_standard(r));
}

/* What is said against the numbers is told where no table on standard output tells it. */
static void say_remarks(const delivery *r)
{
    const cli_options *o = r->options;
    int files = 0;
    for (int i = 0; i < o->outputs; i++)
        files += !output_is_folder(o->output_at[i]);
    if (files || o->format != FORMAT_TABLE)
        output_say(r->doc, o, 1);
}

int outputs_write(const study_plan *plan, document *doc, const cli_options *o)
{
    delivery r = {.plan = plan, .doc = doc, .options = o};
    const int whole = collect(&r);
    const int status = whole ? write_outputs(&r) : cli_error(EXIT_SYSTEM, "out of memory for the result");
    if (whole && !status)
        say_remarks(&r);
    json_decref(r.drawn);
    dataset_free(r.data);
    document_free(doc);
    return status;
}
