/* folder.c - everything that was measured into one folder */
#include "deliver/deliver.h"

#include "host/allocate.h"
#include "output/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
