/* outputs.c - what was measured of a plan, into all that --output and --plot name */
#include "deliver/deliver.h"

#include "cli/options.h"
#include "host/allocate.h"
#include "output/json_file.h"
#include "pool/runner.h"
#include "tidy/tidy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- before anything runs ---- */

int outputs_check(const cli_options *o)
{
    output_list list;
    int wrong = outputs_possible(o), one = 0;
    if (!wrong && o->table)
        wrong = output_table_check(o->table);
    if (wrong || !o->table || outputs_list(o, &list))
        return wrong;
    for (int i = 0; i < list.count; i++)
        one |= list.at[i].kind != TO_PLOT && list.at[i].kind != TO_FOLDER
               && formats[list.at[i].format].holds == HOLDS_TABLE;
    return one ? 0 : cli_error(EXIT_USAGE, "--table %s is not used: nothing is written as CSV; give --format csv or "
                               "--output FILE.csv", o->table);
}

int output_file(const document *doc, const dataset *d, const cli_options *o, const output_target *to)
{
    if (formats[to->format].holds != HOLDS_TABLE)
        return output_write(to->path, (output_content){.doc = doc, .format = to->format});
    const table *t = output_table(d, o->table);
    return t ? output_write(to->path, (output_content){.table = t, .format = to->format}) : EXIT_USAGE;
}

/* ---- everything into one folder ---- */

/* A file that the study before this one has left here, and this one does not have, would be taken for its own. A name
 * that leads elsewhere is left alone. */
static void remove_file(const char *folder, const char *name, const char *ending)
{
    char *path = folder_path(folder, name, ending);
    if (!strchr(name, '/'))
        unlink(path);
    free(path);
}

static const char *plot_at(const json_t *plots, size_t i)
{
    return json_word(json_array_get(plots, i), "file");
}

static int has_plot(const json_t *plots, const char *file)
{
    size_t i = 0;
    while (i < json_array_size(plots) && strcmp(plot_at(plots, i), file) != 0)
        i++;
    return i < json_array_size(plots);
}

static void remove_old(const dataset *d, const json_t *plots, const char *folder)
{
    dataset *old;
    if (dataset_read(&old, folder, NULL))
        return;
    for (int i = 0; i < old->tables; i++)
        if (!dataset_find(d, old->table[i].name))
            remove_file(folder, old->table[i].name, formats[FORMAT_CSV].ending);
    const json_t *drawn = dataset_member(old, "plots");
    for (size_t i = 0; i < json_array_size(drawn); i++)
        if (*plot_at(drawn, i) && !has_plot(plots, plot_at(drawn, i)))
            remove_file(folder, plot_at(drawn, i), "");
    dataset_free(old);
}

static int worse(int a, int b) { return a > b ? a : b; }

/* study.json last: it says what else there is. */
int folder_write(const dataset *d, const json_t *json, const char *folder)
{
    char *page = folder_path(folder, "report", ".html"), *result = folder_path(folder, dataset_file, "");
    int status = EXIT_DONE;
    remove_old(d, json_object_get(json, "plots"), folder);
    for (int i = 0; i < d->tables; i++) {
        char *path = folder_path(folder, d->table[i].name, formats[FORMAT_CSV].ending);
        if (table_rows(d->table[i].table))
            status = worse(status, output_write(path, (output_content){.table = d->table[i].table,
                                                                       .format = FORMAT_CSV}));
        free(path);
    }
    status = worse(status, page_write_beside(json, page));
    status = worse(status, output_write(result, (output_content){.json = json}));
    free(page);
    free(result);
    return status;
}

int folder_make(const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return EXIT_DONE;
    return cli_error(EXIT_SYSTEM, "the folder %s cannot be made: %s", folder, strerror(errno));
}

/* ---- all of them ---- */

/* Of the document and of its parts: in a file the name of the part stands for that of its command. */
static void add_remarks(dataset *d, const document *doc, const char *of)
{
    const char *part = *json_word(doc->json, "part") ? json_word(doc->json, "part") : of;
    json_t *remarks = json_object_get(doc->json, "remarks"), *remark;
    size_t i;
    for (int k = 0; k < doc->parts; k++)
        add_remarks(d, doc->part[k], part);
    json_array_foreach(remarks, i, remark)
        if (*part)
            json_object_set_new(remark, "part", json_text(part));
    json_array_extend(dataset_member(d, "remarks"), remarks);
}

/* Each behind what it is of, where that is one of several: "work kepler: ...". */
static void add_notes(json_t *notes, const document *doc, const char *of)
{
    for (int i = 0; i < doc->parts; i++) {
        const char *part = json_word(doc->part[i]->json, "part"), *problem = json_word(doc->part[i]->json, "problem");
        char name[192];
        snprintf(name, sizeof name, "%s%s%s%s%s", of, part, *part ? " " : "", problem, *problem ? " " : "");
        add_notes(notes, doc->part[i], name);
    }
    for (int i = 0; i < doc->notes; i++) {
        const int length = *of ? (int)strlen(of) - 1 : 0;
        char *line = allocate_print("%.*s%s%s", length, of, *of ? ": " : "", doc->note[i]);
        json_array_append_new(notes, json_text(line));
        free(line);
    }
}

/* The dataset of the plan, and its members in the JSON of the document. */
static void collect(delivery *r)
{
    const struct runner *by = r->options->study.run.runner;
    json_t *notes = json_array();
    r->data = tidy_dataset(r->plan);
    json_t *made_by = dataset_member(r->data, "provenance");
    json_object_set_new(r->data->json, "interrupted", json_boolean(runner_interrupted(by)));
    json_object_set_new(made_by, "jobs", json_integer(runner_processes(by)));
    json_object_set_new(made_by, "timed", json_string(runner_times_together(by) ? "beside other runs" : "alone"));
    add_remarks(r->data, r->doc, "");
    add_notes(notes, r->doc, "");
    document_set(r->doc, "notes", notes);
    document_set(r->doc, "items", tidy_items(r->plan));
    dataset_json(r->data, r->doc->json);
}

/* The pictures in a folder are listed in the study.json of that folder only. */
static int write_folder(const delivery *r, const char *folder)
{
    json_t *own = json_copy(r->doc->json), *plots = json_copy(dataset_member(r->data, "plots"));
    json_array_extend(plots, json_object_get(r->drawn, folder));
    json_object_set_new(own, "plots", plots);
    const int status = folder_write(r->data, own, folder);
    json_decref(own);
    return status;
}

/* The table on standard output shows some rows of a solution where a picture has all of them. */
static void shorten(const delivery *r)
{
    if (r->options->plots > 0 && !r->options->given[O_FORMAT])
        document_shorten(r->doc, "the picture has all of them, and --output FILE.csv or --format csv writes them");
}

static int write_to(const delivery *r, const output_target *to)
{
    if (to->kind == TO_STANDARD && summary_is_wanted(r->options))
        return output_write(NULL, (output_content){.write = summary_write, .context = r});
    if (to->kind == TO_STANDARD && to->format == FORMAT_TABLE)
        shorten(r);
    return to->kind == TO_PLOT     ? EXIT_DONE          /* it is drawn */
           : to->kind == TO_FOLDER ? write_folder(r, to->path)
                                   : output_file(r->doc, r->data, r->options, to);
}

int outputs_write(const study_plan *plan, document *doc, const cli_options *o)
{
    delivery r = {.plan = plan, .doc = doc, .options = o, .drawn = json_object()};
    int status = outputs_list(o, &r.to), told = 0;
    collect(&r);
    if (!status)
        status = pictures_draw(&r);
    for (int i = 0; i < r.to.count; i++) {
        const int one = write_to(&r, &r.to.at[i]);
        status = worse(status, one);
        told |= r.to.at[i].kind == TO_STANDARD && o->format == FORMAT_TABLE;
    }
    if (!status && !told)                               /* what is said against the numbers */
        output_say(doc, o, 1);
    json_decref(r.drawn);
    dataset_free(r.data);
    document_free(doc);
    return status;
}
