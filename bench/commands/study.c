/* study.c - daelab study: all that a file says */
#include "cli/options.h"
#include "commands/run_plan.h"
#include "spec/study_file.h"

#include <stdlib.h>
#include <string.h>

/* Is the part among the names of --part? */
static int is_wanted(const cli_options *o, const char *name)
{
    const size_t length = strlen(name);
    const char *list = o->given[O_PART];
    if (!list)
        return 1;
    for (;; list++) {
        const size_t one = strcspn(list, ",");
        if (one == length && strncmp(list, name, length) == 0)
            return 1;
        list += one;
        if (!*list)
            return 0;
    }
}

/* Each name of --part is that of a part. */
static int check_names(const cli_options *o, const study_file *file)
{
    char name[64];
    for (const char *list = o->given[O_PART]; list; list = *list ? list + 1 : NULL) {
        int known = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list, ","), list);
        for (int k = 0; k < file->parts; k++)
            known |= strcmp(file->part[k].name, name) == 0;
        if (!known) {
            cli_at(NULL, 0);
            const char *names[256];
            for (int k = 0; k < file->parts; k++)
                names[k] = file->part[k].name;
            const char *near = dae_nearest(name, names, file->parts);
            return !cli_error(EXIT_USAGE, "--part %s: %s has no part of this name%s%s%s", o->given[O_PART], file->path,
                              near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
        }
        list += strcspn(list, ",");
    }
    return 1;
}

/* What was given on the command line holds for all parts that take it. */
static int override(const cli_options *o, option_list *list)
{
    for (int i = 0; i < o->list->count; i++) {
        const given_option *given = &o->list->option[i];
        const option_row *row = option_find(list->command->options, given->row->name);
        const given_option mine = {.row = row, .text = given->text, .common = 1};
        if (row && !option_of_program(row) && !option_list_replace(list, mine))
            return 0;
    }
    return 1;
}

static int add_parts(planned *p, study_file *file, const cli_options *o)
{
    for (int k = 0; k < file->parts; k++) {
        study_file_part *part = &file->part[k];
        if (!is_wanted(o, part->name))
            continue;
        if (!override(o, &part->list) || !plugins_load_all(&part->list)
            || !planning_add(p, &part->list, part->name, o))
            return 0;
    }
    return planning_check_common(p);
}

int command_study(const cli_options *o)
{
    planned p = {.plan = {.title = "", .question = ""}};
    study_file file = {.path = ""};
    if (!o->subject)
        return cli_error(EXIT_USAGE, "which file? daelab study FILE.yaml");
    int good = study_file_read(&file, o->subject) && check_names(o, &file);
    p.plan.title = file.title;
    p.plan.question = file.question;
    good = good && add_parts(&p, &file, o);
    cli_at(NULL, 0);
    const int status = good ? run_plan(&p, o, &file) : cli_last_status();
    if (!good)
        planning_free(&p);
    study_file_free(&file);
    return status;
}
