#include "cli/options.h"

#include "catalogue/catalogue.h"

#include <daelab/method.h>

#include <stdlib.h>
#include <string.h>

/* The sentence, and what the compiler said below it, which is freed. */
static int complain(dae_status status, const dae_report *why, char *words)
{
    cli_fail(status, why);
    fputs(words ? words : "", stderr);
    free(words);
    return 0;
}

/* One bad file of a folder does not keep the command from what does not need it. */
static void say_left_out(dae_status status, const dae_report *why, char *words)
{
    complain(status, why, words);
    fputs("daelab: of $DAELAB_PLUGINS this file is left out\n", stderr);
}

int plugins_begin(void)
{
    const char *folders = getenv("DAELAB_PLUGINS");
    dae_report why = {0};
    const dae_status status = folders ? load_folders(folders, say_left_out, &why) : DAE_OK;
    return status ? complain(status, &why, NULL) : 1;
}

int plugins_load(const char *path, load_result *r)
{
    dae_report why = {0};
    char *words;
    const dae_status status = load_file(path, r, &words, &why);
    return status ? complain(status, &why, words) : 1;
}

int plugins_load_all(const option_list *list)
{
    for (int i = 0; i < list->count; i++) {
        cli_at_line(list->option[i].line);
        if (list->option[i].row->id == O_PLUGIN && !plugins_load(list->option[i].text, NULL))
            return 0;
    }
    return 1;
}

/* Row i of what a file offers: problems, then methods. */
static const char *name_of(const load_result *r, int i)
{
    return i < r->problems ? catalogue_problem(r->first_problem + i)->name
                           : catalogue_method(r->first_method + i - r->problems)->info.name;
}

/* It offers these rows, and one of them is wanted. */
static void ask_which(const char *path, const load_result *r, int first, int count)
{
    char names[1024] = "";
    for (int i = first; i < first + count; i++) {
        const size_t end = strlen(names);
        snprintf(names + end, sizeof names - end, "%s%s", i > first ? ", " : "", name_of(r, i));
    }
    cli_error(EXIT_USAGE, "%s offers %s: give --plugin %s, and the name of one", path, names, path);
}

/* The file offers one problem, or method; 0 having complained. */
static int offers_one(const char *path, load_result *r, int method)
{
    if (!plugins_load(path, r))
        return 0;
    const int count = method ? r->methods : r->problems;
    if (!count)
        cli_error(EXIT_USAGE, "%s offers no %s, but %s %s", path, method ? "method" : "problem",
                  method ? "problem" : "method", name_of(r, 0));
    else if (count > 1)
        ask_which(path, r, method ? r->problems : 0, count);
    return count == 1;
}

const dae_problem *plugins_problem(const char *path)
{
    load_result r;
    return offers_one(path, &r, 0) ? catalogue_problem(r.first_problem) : NULL;
}

const dae_method *plugins_method(const char *path)
{
    load_result r;
    return offers_one(path, &r, 1) ? catalogue_method(r.first_method) : NULL;
}

const char *plugins_name(const char *path)
{
    load_result r;
    if (!plugins_load(path, &r))
        return NULL;
    if (r.problems + r.methods == 1)
        return name_of(&r, 0);
    ask_which(path, &r, 0, r.problems + r.methods);
    return NULL;
}
