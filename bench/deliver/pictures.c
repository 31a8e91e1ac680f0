/* pictures.c - the results of a plan as pictures: one of each part */
#include "deliver/results.h"

#include "plots/plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PATH-NAME.svg, to be freed; a name is a word of a file, whose slashes are none here. */
static char *part_path(const char *path, const char *name)
{
    const char *dot = strrchr(path, '.');
    const size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    char *new = malloc(strlen(path) + strlen(name) + 2);
    if (!new)
        return NULL;
    sprintf(new, "%.*s-%s%s", (int)stem, path, name, path + stem);
    for (char *c = new + stem + 1; *c && c < new + stem + 1 + strlen(name); c++)
        *c = *c == '/' ? '-' : *c;
    return new;
}

/* What was drawn among the plots of the result: the file, or its pages FILE-1.svg, ... Others of these names may be of
 * another study. */
static void list_files(const results *r, const char *part, const plot_file *drawn, const char *listed)
{
    if (drawn->files == 1)
        dataset_plot(r->data, part, listed);
    for (int page = 1; drawn->files > 1 && page <= drawn->files; page++) {
        char number[16];
        snprintf(number, sizeof number, "%d", page);
        char *name = part_path(listed, number);
        if (name)
            dataset_plot(r->data, part, name);
        else
            r->data->failed = 1;
        free(name);
    }
}

/* listed: the name that the result has for it */
static dae_status draw(const results *r, const study_part *part, const char *path, const char *listed, dae_report *why)
{
    const cli_options *o = r->options;
    const study_item **items = calloc((size_t)part->count + 1, sizeof *items);
    plot_file to = {.path = path, .look = o->look};
    dae_status status = DAE_NO_MEMORY;
    for (int i = 0; items && i < part->count; i++)
        items[i] = &r->plan->item[part->first + i];
    if (items)
        status = plots_write(items, part->count, &to, why);
    else
        dae_fail(why, status, "%s: no memory for the plot", path);
    free(items);
    if (status)
        return status;
    list_files(r, part->name, &to, listed);
    if (*to.said && !o->quiet)
        fprintf(stderr, "daelab: %s\n", to.said);
    return DAE_OK;
}

/* One --plot: of several parts a file each. */
static int write_plot(const results *r, const char *path)
{
    int status = EXIT_DONE;
    for (int i = 0; i < r->plan->parts; i++) {
        const study_part *part = &r->plan->part[i];
        char *own = r->plan->parts > 1 ? part_path(path, part->name) : strdup(path);
        dae_report why = {0};
        if (!own)
            status = cli_error(EXIT_SYSTEM, "out of memory");
        else if (draw(r, part, own, own, &why))
            status = cli_error(EXIT_SYSTEM, "%s", why.message);
        free(own);
    }
    return status;
}

int results_write_plots(const results *r)
{
    int status = EXIT_DONE;
    for (int i = 0; i < r->options->plots; i++) {
        const int one = write_plot(r, r->options->plot_at[i]);
        status = one > status ? one : status;
    }
    return status;
}

/* "NAME.svg" of a part, "FOLDER/NAME.svg"; 0 where memory is short. */
static int names_in(const char *folder, const char *part, char **path, char **name)
{
    *path = *name = NULL;
    if (asprintf(name, "%s.svg", part) < 0)
        *name = NULL;
    for (char *c = *name; c && *c; c++)
        *c = *c == '/' ? '-' : *c;
    if (*name && asprintf(path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", *name) < 0)
        *path = NULL;
    return *path != NULL;
}

int results_draw_parts(const results *r, const char *folder)
{
    dae_report why = {0};
    dae_status status = plot_check("x.svg", &why);
    for (int i = 0; !status && i < r->plan->parts; i++) {
        char *path, *name;
        const study_part *part = &r->plan->part[i];
        if (names_in(folder, part->name, &path, &name))
            status = draw(r, part, path, name, &why);
        else
            status = dae_fail(&why, DAE_NO_MEMORY, "out of memory");
        free(path);
        free(name);
        if (status == DAE_BAD_ARGUMENT)                 /* there is nothing to draw */
            status = DAE_OK;
    }
    if (status && !r->options->quiet)
        fprintf(stderr, "daelab: no pictures in %s: %s\n", folder, why.message);
    return status == DAE_NO_MEMORY ? EXIT_SYSTEM : EXIT_DONE;
}
