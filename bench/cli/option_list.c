#include "cli/options.h"

#include "host/allocate.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Options of earlier versions, and what takes their place. */
static const struct { const char *name, *instead; } gone[] = {
    {"keep-script", "pictures have no script any more; --plot-data writes their points as CSV"},
};

static int bad_option(const cli_command *command, const char *typed)
{
    const char *names[MOST_OPTIONS];
    char bare[64];
    int count = 0;
    for (int i = 0; option_rows[i].name; i++)
        if (option_rows[i].commands & command->options)
            names[count++] = option_rows[i].name;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(typed + strspn(typed, "-"), "="),
             typed + strspn(typed, "-"));
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strcmp(bare, gone[i].name) == 0)
            return cli_error(EXIT_USAGE, "%s: %s", typed, gone[i].instead);
    const char *near = dae_nearest(bare, names, count);
    return near ? cli_error(EXIT_USAGE, "%s has no option %s; did you mean --%s?", command->name,
                            typed, near)
                : cli_error(EXIT_USAGE, "%s has no option %s; see daelab %s --help", command->name,
                            typed, command->name);
}

const cli_command *cli_find_command(const char *name)
{
    const cli_command *command = cli_commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

const option_row *option_find(unsigned commands, const char *name)
{
    const option_row *row = option_rows;
    while (row->name && (!(row->commands & commands) || strcmp(row->name, name) != 0))
        row++;
    return row->name ? row : NULL;
}

static void getopt_table(const cli_command *command, struct option *table)
{
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            *table++ = (struct option){
                row->name, row->argument ? required_argument : no_argument, NULL, 0};
    *table = (struct option){0};
}

/* Sets of projections are several runs, which a film has not. */
static int adds(const option_list *list, const option_row *row)
{
    return !row->argument || (row->commands & AGAIN && (row->id != O_PROJECT || list->command->options & RUNS));
}

const given_option *option_list_last(const option_list *list, option_id id)
{
    for (int i = list->count; i-- > 0;)
        if (list->option[i].row->id == id)
            return &list->option[i];
    return NULL;
}

int option_list_add(option_list *list, given_option given)
{
    const given_option *before = option_list_last(list, given.row->id);
    if (before && !adds(list, given.row))
        return !cli_error(EXIT_USAGE, "--%s is given twice, %s and %s", given.row->name, before->text, given.text);
    if (list->count == MOST_GIVEN)
        return !cli_error(EXIT_USAGE, "more than %d options", list->count);
    list->option[list->count++] = given;
    return 1;
}

int option_list_replace(option_list *list, given_option given)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->option[i].row->id != given.row->id)
            list->option[kept++] = list->option[i];
    list->count = kept;
    return option_list_add(list, given);
}

const char *kept_text(kept_texts *texts, char *text)
{
    texts->text = allocate_more(texts->text, (size_t)texts->count, sizeof *texts->text);
    return texts->text[texts->count++] = text;
}

void kept_free(kept_texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
}

static int take_subject(option_list *list, const char *text)
{
    if (!*list->command->arguments)
        return 1 + cli_error(EXIT_USAGE, "%s takes no name; what is %s?", list->command->name, text);
    if (list->subject && !(list->command->options & SEVERAL))
        return 1 + cli_error(EXIT_USAGE, "%s takes one name, and has %s; what is %s?", list->command->name,
                             list->subject, text);
    if (list->subject_count == MOST_SUBJECTS)
        return 1 + cli_error(EXIT_USAGE, "%s takes %d names; %s is one too many", list->command->name, MOST_SUBJECTS,
                             text);
    list->subjects[list->subject_count++] = text;
    list->subject = list->subjects[0];
    return 0;
}

/* One answer of getopt_long. */
static int take(option_list *list, int c, const char *typed, const char *name)
{
    if (c == 1)
        return take_subject(list, optarg);
    if (c == ':')
        return 1 + cli_error(EXIT_USAGE, "%s needs a value", typed);
    if (c == '?')
        return 1 + bad_option(list->command, optopt ? (char[]){'-', (char)optopt, 0} : typed);
    const option_row *row = option_find(list->command->options, c == 'h' ? "help" : c == 'q' ? "quiet" : name);
    if (!row)
        return 1 + bad_option(list->command, typed);
    if (row->id == O_HELP) {
        cli_help(list->command, stdout);
        return 1;
    }
    return option_list_add(list, (given_option){.row = row, .text = optarg}) ? 0 : 1 + cli_last_status();
}

int option_list_read(option_list *list, int argc, char **argv)
{
    struct option table[MOST_OPTIONS];
    int c, place = 0, stop = 0;
    getopt_table(list->command, table);
    opterr = 0;
    while (!stop && (c = getopt_long(argc, argv, "-:hq", table, &place)) != -1)
        stop = take(list, c, argv[optind - 1], table[place].name);
    while (!stop && optind < argc)                      /* behind -- */
        stop = take_subject(list, argv[optind++]);
    return stop;
}
