/* folder.c - everything that was measured into one folder */
#include "deliver/deliver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* NAME.csv */
static int write_one(const char *folder, const char *name, const table *t)
{
    char *path = path_in(folder, name, ".csv");
    const int status = path ? output_csv(path, t) : EXIT_SYSTEM;
    free(path);
    return status;
}

static int write_study(const char *folder, const json_t *json)
{
    char *path = path_in(folder, dataset_file, "");
    const int status = path ? output_json(path, json) : EXIT_SYSTEM;
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

static void remove_old(const dataset *d, const char *folder)
{
    dataset *old;
    if (dataset_read(&old, folder, NULL))
        return;
    for (int i = 0; i < old->tables; i++)
        if (!dataset_find(d, old->table[i].name))
            remove_file(folder, old->table[i].name, ".csv");
    for (size_t i = 0; i < json_array_size(old->plots); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(old->plots, i), "file"));
        if (name && !has_plot(d, name))
            remove_file(folder, name, "");
    }
    dataset_free(old);
}

/* report.html */
static int write_report(const char *folder, const json_t *json)
{
    char *path = path_in(folder, "report.html", "");
    const int status = path ? page_write_beside(json, path) : EXIT_SYSTEM;
    free(path);
    return status;
}

static int worse(int a, int b) { return a > b ? a : b; }

/* study.json last: it says what else there is. */
int folder_write(const dataset *d, const json_t *json, const char *folder)
{
    int status = EXIT_DONE;
    remove_old(d, folder);
    for (int i = 0; i < d->tables; i++)
        if (table_rows(d->table[i].table))
            status = worse(status, write_one(folder, d->table[i].name, d->table[i].table));
    status = worse(status, write_report(folder, json));
    return worse(status, write_study(folder, json));
}

int folder_make(const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return EXIT_DONE;
    return cli_error(EXIT_SYSTEM, "the folder %s cannot be made: %s", folder, strerror(errno));
}
