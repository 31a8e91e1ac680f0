/* export.c - daelab export RESULT: its tables in any format */
#include "deliver/deliver.h"
#include "host/allocate.h"
#include "output/json_file.h"
#include "table/select.h"

#include <stdlib.h>
#include <unistd.h>

/* "runs, 12 rows: problem pendulum, ..." */
static void add_section(document *doc, const char *name, const table *t)
{
    char *heading = allocate_print("%s, %d row%s", name, table_rows(t), table_rows(t) == 1 ? "" : "s");
    document_people_add(doc, heading, ": ", t);
    free(heading);
}

/* The chosen table, or (NULL) all of them, for people; as JSON it, or the result. */
static document *make_document(const dataset *d, const table *chosen, const char *path)
{
    document *doc = document_new("export");
    const char *title = json_word(d->json, "title");
    json_decref(doc->json);
    doc->json = chosen ? table_json(chosen) : json_incref(d->json);
    doc->title = allocate_print("%s%s%s", path, *title ? ": " : "", title);
    for (int i = 0; i < d->tables; i++)
        if (table_rows(d->table[i].table) && (!chosen || chosen == d->table[i].table))
            add_section(doc, d->table[i].name, d->table[i].table);
    return doc;
}

/* The result without the plots that do not lie in the folder; to be freed with json_decref. */
static json_t *json_for(const dataset *d, const char *folder)
{
    json_t *json = json_copy(d->json), *plots = json_array(), *plot;
    size_t i;
    json_array_foreach(dataset_member(d, "plots"), i, plot) {
        const char *name = json_word(plot, "file");
        char *path = allocate_print("%s/%s", folder, name);
        if (*name && access(path, F_OK) == 0)
            json_array_append(plots, plot);
        free(path);
    }
    json_object_set_new(json, "plots", plots);
    return json;
}

static int export_folder(const dataset *d, const char *folder)
{
    const int wrong = folder_make(folder);
    if (wrong)
        return wrong;
    json_t *json = json_for(d, folder);
    const int status = folder_write(d, json, folder);
    json_decref(json);
    return status;
}

static int export_all(const dataset *d, const cli_options *o)
{
    const table *chosen = o->table ? output_table(d, o->table) : NULL;
    output_list to;
    int worst = outputs_list(o, &to);
    if (worst || (o->table && !chosen))
        return EXIT_USAGE;
    document *doc = make_document(d, chosen, o->subject);
    for (int i = 0; i < to.count; i++) {
        const output_target *one = &to.at[i];
        if (o->outputs && one->kind == TO_STANDARD)
            continue;
        const int status = one->kind == TO_FOLDER ? export_folder(d, one->path) : output_file(doc, d, o, one);
        worst = status > worst ? status : worst;
    }
    document_free(doc);
    return worst;
}

/* What is written into a folder is all of it. */
static int check(const cli_options *o)
{
    output_list to;
    int wrong = outputs_list(o, &to);
    if (!wrong && o->table && o->outputs && to.at[to.count - 1].kind == TO_STANDARD)
        wrong = cli_error(EXIT_USAGE, "--table %s is not used: a folder has all tables; leave it out", o->table);
    if (!wrong && o->table)
        wrong = output_table_check(o->table);
    return wrong ? wrong : outputs_possible(o);
}

int command_export(const cli_options *o)
{
    dae_report why = {0};
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
    status = export_all(d, o);
    dataset_free(d);
    return status;
}
