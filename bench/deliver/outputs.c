#include "deliver/outputs.h"

#include "deliver/finish.h"
#include "deliver/output_format.h"
#include "deliver/results.h"
#include "output/json_file.h"
#include "runner/runner.h"
#include "tidy/tidy.h"

#include <string.h>

/* ---- before anything runs ---- */

static int writes_csv(const cli_options *o)
{
    output_format format = o->format;
    int any = !o->outputs && format == FORMAT_CSV;
    for (int i = 0; i < o->outputs; i++)
        any = any || (!output_is_folder(o->output_at[i]) && !output_format_of(o, o->output_at[i], &format)
                      && format == FORMAT_CSV);
    return any;
}

static int check_table(const cli_options *o)
{
    const char *names[MAX_TABLES];
    const int count = tidy_table_names(names);
    for (int i = 0; o->table && i < count; i++)
        if (strcmp(o->table, names[i]) == 0)
            return writes_csv(o) ? 0 : cli_error(EXIT_USAGE, "--table %s is not used: nothing is written as CSV; "
                                                 "give --format csv or --output FILE.csv", o->table);
    const char *near = o->table ? dae_nearest(o->table, names, count) : NULL;
    return !o->table ? 0 : near ? cli_error(EXIT_USAGE, "--table %s: there is no such table; did you mean %s?",
                                            o->table, near)
                                : cli_error(EXIT_USAGE, "--table %s: there is no such table; daelab help results lists "
                                            "them", o->table);
}

int outputs_check(const cli_options *o)
{
    const int wrong = finish_check_files(o);
    return wrong ? wrong : check_table(o);
}

/* ---- one file ---- */

const table *results_table(const results *r)
{
    const cli_options *o = r->options;
    const int one = r->plan->parts == 1;
    const char *name = o->table ? o->table : one ? tidy_main_table(r->plan->part[0].kind) : "runs";
    const table *t = dataset_find(r->data, name);
    if (!t && !o->table)
        t = dataset_find(r->data, name = "runs");
    if (!t)
        cli_error(EXIT_USAGE, "the study has no table %s: it has no rows", name);
    return t;
}

static int write_csv(const void *context, FILE *out)
{
    grid *g = table_grid(context);
    if (!g)
        return 0;
    grid_print_csv(g, out);
    grid_free(g);
    return 1;
}

int results_write_table(const char *path, const table *t) { return finish_output(path, write_csv, t); }

typedef struct { const document *doc; output_format format; } formatted;

static int write_document(const void *context, FILE *out)
{
    const formatted *f = context;
    return document_write(f->doc, f->format, out);
}

int results_write_file(const results *r, const char *path, output_format format)
{
    if (format == FORMAT_CSV) {
        const table *t = results_table(r);
        return t ? results_write_table(path, t) : EXIT_USAGE;
    }
    return finish_output(path, write_document, &(formatted){r->doc, format});
}

/* ---- all of them ---- */

/* Of the document and of its parts. */
static void add_remarks(dataset *d, const document *doc)
{
    for (int i = 0; i < doc->parts; i++)
        add_remarks(d, doc->part[i]);
    json_array_extend(d->remarks, json_object_get(doc->json, "remarks"));
}

static json_t *notes_json(const document *doc)
{
    json_t *notes = json_array();
    for (int i = 0; i < doc->notes; i++)
        json_array_append_new(notes, json_string(doc->note[i]));
    return notes;
}

/* Each part of a document with its own notes. */
static void set_notes(document *doc)
{
    for (int i = 0; i < doc->parts; i++)
        set_notes(doc->part[i]);
    document_set(doc, "notes", notes_json(doc));
}

/* 0 where memory was short. */
static int collect(results *r)
{
    r->data = tidy_dataset(r->plan);
    if (!r->data || !r->doc || r->doc->failed)
        return 0;
    r->data->interrupted = runner_interrupted(r->options->study.run.runner);
    add_remarks(r->data, r->doc);
    set_notes(r->doc);
    return dataset_json(r->data, r->doc->json) && json_file_whole();
}

static int worse(int a, int b) { return a > b ? a : b; }

static int write_outputs(const results *r)
{
    const cli_options *o = r->options;
    int status = results_write_plots(r), files = 0;
    for (int i = 0; i < o->outputs; i++) {
        const char *path = o->output_at[i];
        const int folder = output_is_folder(path);
        output_format format = o->format;
        files += !folder;
        status = worse(status, folder ? results_write_folder(r, path) : output_format_of(o, path, &format));
        if (!folder)
            status = worse(status, results_write_file(r, path, format));
    }
    return files ? status : worse(status, results_write_file(r, NULL, o->format));
}

static void say(void *context, const char *remark)
{
    (void)context;
    fprintf(stderr, "daelab: %s\n", remark);
}

/* What is said against the numbers is told where no table on standard output tells it. */
static void say_remarks(const results *r)
{
    const cli_options *o = r->options;
    int files = 0;
    for (int i = 0; i < o->outputs; i++)
        files += !output_is_folder(o->output_at[i]);
    if (!o->quiet && (files || o->format != FORMAT_TABLE))
        document_each_remark(r->doc, say, NULL);
}

int outputs_write(const study_plan *plan, document *doc, const cli_options *o)
{
    results r = {.plan = plan, .doc = doc, .options = o};
    const int whole = collect(&r);
    const int status = whole ? write_outputs(&r) : cli_error(EXIT_SYSTEM, "out of memory for the result");
    if (whole && !status)
        say_remarks(&r);
    dataset_free(r.data);
    document_free(doc);
    return status;
}
