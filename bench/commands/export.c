/* export.c - daelab export RESULT: its tables in any format */
#include "deliver/deliver.h"
#include "table/select.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const dataset *data;
    const table *chosen;        /* by --table; NULL: all */
} exported;

/* "runs, 12 rows: problem pendulum, ..." */
static void add_section(document *doc, const char *name, const table *t)
{
    char *shared, *heading = NULL;
    table *own = select_people(t, &shared);
    if (!own || asprintf(&heading, "%s, %d row%s%s%s", name, table_rows(t), table_rows(t) == 1 ? "" : "s",
                       *shared ? ": " : "", shared) < 0) {
        doc->failed = 1;
        heading = NULL;
    }
    document_section_add(doc, heading, own);
    free(heading);
    free(shared);
}

/* The tables for people. */
static document *make_document(const exported *e, const char *path)
{
    const dataset *d = e->data;
    document *doc = document_new("export");
    if (!doc)
        return NULL;
    if (asprintf(&doc->title, "%s%s%s", path, *d->title ? ": " : "", d->title) < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
    for (int i = 0; i < d->tables; i++)
        if (table_rows(d->table[i].table) && (!e->chosen || e->chosen == d->table[i].table))
            add_section(doc, d->table[i].name, d->table[i].table);
    return doc;
}

static int export_json(const exported *e, const char *path)
{
    json_t *one = e->chosen ? table_json(e->chosen) : json_incref(e->data->json);
    const int status = one ? output_json(path, one) : cli_error(EXIT_SYSTEM, "out of memory");
    json_decref(one);
    return status;
}

static int export_file(const exported *e, const cli_options *o, const char *path, output_format format)
{
    if (format == FORMAT_JSON)
        return export_json(e, path);
    if (format == FORMAT_CSV) {
        const table *t = e->chosen ? e->chosen : output_table(e->data, NULL);
        return t ? output_csv(path, t) : EXIT_USAGE;
    }
    document *doc = make_document(e, o->subject);
    const int status = output_document(path, doc, format);
    document_free(doc);
    return status;
}

/* The result without the plots that do not lie in the folder; to be freed with json_decref, NULL: no memory. */
static json_t *json_for(const dataset *d, const char *folder)
{
    json_t *json = json_copy(d->json), *plots = json_array();
    int good = json && plots;
    for (size_t i = 0; good && i < json_array_size(d->plots); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(d->plots, i), "file"));
        char *path = NULL;
        if (asprintf(&path, "%s/%s", folder, name ? name : "") < 0) {
            path = NULL;
            good = 0;
        }
        if (good && name && access(path, F_OK) == 0)
            good = !json_array_append(plots, json_array_get(d->plots, i));
        free(path);
    }
    if (good && !json_object_set(json, "plots", plots)) {
        json_decref(plots);
        return json;
    }
    json_decref(plots);
    json_decref(json);
    return NULL;
}

static int export_folder(const exported *e, const char *folder)
{
    const int wrong = folder_make(folder);
    json_t *json = wrong ? NULL : json_for(e->data, folder);
    const int status = wrong ? wrong : json ? folder_write(e->data, json, folder)
                                            : cli_error(EXIT_SYSTEM, "out of memory for the result");
    json_decref(json);
    return status;
}

static int export_to(const exported *e, const cli_options *o, const char *path)
{
    output_format format;
    const int status = output_format_of(o, path, &format);
    return status ? status : output_is_folder(path) ? export_folder(e, path) : export_file(e, o, path, format);
}

static int export_all(const exported *e, const cli_options *o)
{
    int worst = EXIT_DONE;
    if (!o->outputs)
        return export_file(e, o, NULL, o->format);
    for (int i = 0; i < o->outputs; i++) {
        const int status = export_to(e, o, o->output_at[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* What is written into a folder is all of it. */
static int check(const cli_options *o)
{
    int files = !o->outputs;
    for (int i = 0; i < o->outputs; i++)
        files += !output_is_folder(o->output_at[i]);
    if (o->table && !files)
        return cli_error(EXIT_USAGE, "--table %s is not used: a folder has all tables; leave it out", o->table);
    const int wrong = o->table ? output_table_check(o->table) : 0;
    return wrong ? wrong : outputs_possible(o);
}

int command_export(const cli_options *o)
{
    dae_report why = {0};
    exported e = {.chosen = NULL};
    dataset *d;
    if (!o->subject)
        return cli_error(EXIT_USAGE, "export what? daelab export RESULT; a result is a study.json, a folder that "
                         "holds one, or what --format json wrote");
    int status = check(o);
    if (status)
        return status;
    const dae_status unread = dataset_read(&d, o->subject, &why);
    if (unread)
        return cli_fail(unread, &why);
    e.data = d;
    e.chosen = o->table ? output_table(d, o->table) : NULL;
    status = o->table && !e.chosen ? EXIT_USAGE : export_all(&e, o);
    dataset_free(d);
    return status;
}
