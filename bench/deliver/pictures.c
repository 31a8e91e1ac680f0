#include "deliver/pictures.h"

#include "plots/plots.h"

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

static int draw(const study_plan *plan, const study_part *part, const char *path, const cli_options *o)
{
    const study_item **items = calloc((size_t)part->count + 1, sizeof *items);
    plot_file to = {.path = path, .look = o->look};
    dae_report why = {0};
    dae_status status = DAE_NO_MEMORY;
    for (int i = 0; items && i < part->count; i++)
        items[i] = &plan->item[part->first + i];
    if (items)
        status = plots_write(items, part->count, &to, &why);
    else
        dae_fail(&why, status, "%s: no memory for the plot", path);
    free(items);
    if (status)
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    if (*to.said && !o->quiet)
        fprintf(stderr, "daelab: %s\n", to.said);
    return EXIT_DONE;
}

int pictures_write(const study_plan *plan, const char *path, const cli_options *o)
{
    int status = EXIT_DONE;
    for (int i = 0; i < plan->parts; i++) {
        char *own = plan->parts > 1 ? part_path(path, plan->part[i].name) : strdup(path);
        const int one = own ? draw(plan, &plan->part[i], own, o) : cli_error(EXIT_SYSTEM, "out of memory");
        status = one > status ? one : status;
        free(own);
    }
    return status;
}
