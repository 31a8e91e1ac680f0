/* folder.c - everything that was measured into one folder */
#include "deliver/results.h"

#include "deliver/finish.h"
#include "output/json_file.h"
#include "page/writers.h"
#include "publish/publish.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "FOLDER/NAME.ENDING", to be freed; NULL where memory is short, having complained. */
static char *path_in(const char *folder, const char *name, const char *ending)
{
    char *path;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (asprintf(&path, "%s%s%s%s", folder, slash, name, ending) >= 0)
        return path;
    cli_error(EXIT_SYSTEM, "out of memory");
    return NULL;
}

static int write_json(const void *context, FILE *out)
{
    const results *r = context;
    return json_file_write(r->doc->json, out);
}

static int write_one(const results *r, const char *folder, const char *name, const table *t)
{
    char *path = path_in(folder, name, t ? ".csv" : "");
    const int status = !path ? EXIT_SYSTEM : t ? results_write_table(path, t) : finish_output(path, write_json, r);
    free(path);
    return status;
}

/* A file that the study before this one has left here, and this one does not have, would be taken for its own. A name
 * that leads elsewhere is left alone. */
static void remove_file(const char *folder, const char *name, const char *ending)
{
    char *path = strchr(name, '/') ? NULL : path_in(folder, name, ending);
    if (path)
        unlink(path);
    free(path);
}

static int has_plot(const dataset *d, const char *file)
{
    for (size_t i = 0; i < json_array_size(d->plots); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(d->plots, i), "file"));
        if (name && strcmp(name, file) == 0)
            return 1;
    }
    return 0;
}

static void remove_old(const results *r, const char *folder)
{
    dataset *old;
    if (dataset_read(&old, folder, NULL))
        return;
    for (int i = 0; i < old->tables; i++)
        if (!dataset_find(r->data, old->table[i].name))
            remove_file(folder, old->table[i].name, ".csv");
    for (size_t i = 0; i < json_array_size(old->plots); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(old->plots, i), "file"));
        if (name && !has_plot(r->data, name))
            remove_file(folder, name, "");
    }
    dataset_free(old);
}

static int write_page(const void *context, FILE *out)
{
    const page *p = context;
    write_html(p, out);
    return 1;
}

/* report.html */
static int write_report(const results *r, const char *folder)
{
    static const char *const files[] = {"study.json"};
    const dataset *const all[] = {r->data};
    char *path = path_in(folder, "report.html", "");
    page *p = path ? publish(all, files, 1) : NULL;
    const int status = p && !p->memory.failed ? finish_output(path, write_page, p)
                                              : cli_error(EXIT_SYSTEM, "out of memory for the report");
    page_free(p);
    free(path);
    return status;
}

static int worse(int a, int b) { return a > b ? a : b; }

static int write_all(const results *r, const char *folder)
{
    int status = results_draw_parts(r, folder);
    remove_old(r, folder);
    for (int i = 0; i < r->data->tables; i++)
        if (table_rows(r->data->table[i].table))
            status = worse(status, write_one(r, folder, r->data->table[i].name, r->data->table[i].table));
    if (!dataset_json(r->data, r->doc->json))
        return cli_error(EXIT_SYSTEM, "out of memory for the result");
    status = worse(status, write_report(r, folder));
    return worse(status, write_one(r, folder, dataset_file, NULL));     /* last: it says what else there is */
}

/* Its pictures are its own: other files know nothing of them. */
int results_write_folder(const results *r, const char *folder)
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
