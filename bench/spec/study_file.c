#include "spec/study_file.h"

#include "host/allocate.h"
#include "spec/option_node.h"
#include "study/plan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 256, MOST_KEYS = MOST_OPTIONS + 8 };

/* ---- keys ---- */

/* `t_end` is `t-end`. */
static void name_of(const char *key, char name[64])
{
    snprintf(name, 64, "%s", key);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
}

/* The option that a key of parts of these commands is; NULL: none. */
static const option_row *option_of(const char *key, unsigned commands)
{
    char name[64];
    name_of(key, name);
    return option_find(commands, name);
}

/* It says where results go, or how much is said: not what is run. */
static int is_of_program(const option_row *row) { return option_of_program(row) && row->id != O_PLUGIN; }

/* Complain of a key that is none here, with the nearest one. own: those that are no options. */
static int unknown_key(const yaml_node *key, const char *where, const char *const *own, int count, unsigned commands)
{
    const char *names[MOST_KEYS];
    char name[64];
    int known = 0;
    name_of(key->text, name);
    for (; known < count; known++)
        names[known] = own[known];
    for (const option_row *row = option_rows; row->name && known < MOST_KEYS; row++)
        if ((row->commands & commands) && !is_of_program(row))
            names[known++] = row->name;
    const char *near = dae_nearest(name, names, known);
    const option_row *row = option_of(key->text, RUNS);
    cli_at_line(key->line);
    if (row && is_of_program(row))
        return !cli_error(EXIT_USAGE, "%s: it is an option of the command line, not of a study", key->text);
    return near ? !cli_error(EXIT_USAGE, "%s has no key %s; did you mean %s?", where, key->text, near)
                : !cli_error(EXIT_USAGE, "%s has no key %s", where, key->text);
}

static int is_among(const char *key, const char *const *own, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(key, own[i]) == 0)
            return 1;
    return 0;
}

/* ---- parts ---- */

static const char *const part_keys[] = {"name", "kind", "problem"};
static const char *const common_keys[] = {"problem"};
static const char *const file_keys[] = {"study", "question", "plugin", "common", "parts"};
enum { PART_KEYS = 3, COMMON_KEYS = 1, FILE_KEYS = 5 };

/* The command that the word names as a kind of study; NULL having complained. */
static const cli_command *command_of(const char *word)
{
    const cli_command *command = cli_find_command(word);
    if (command && (command->options & RUNS))
        return command;
    const char *near = dae_nearest(word, study_kind_names, STUDY_KINDS);
    cli_error(EXIT_USAGE, "there is no kind of study '%s'; %s%s%s", word, near ? "did you mean " : "known are ",
              near ? near : "solve, converge, drift, bench, scale, fit", near ? "?" : "");
    return NULL;
}

static int add_options(study_file *file, study_file_part *part, const yaml_node *mapping)
{
    for (int i = 0; i < mapping->count; i++) {
        const char *key = mapping->key[i].text;
        const option_row *row = option_of(key, part->list.command->options);
        if (is_among(key, part_keys, PART_KEYS))
            continue;
        if (!row || is_of_program(row))
            return unknown_key(&mapping->key[i], part->list.command->name, part_keys, PART_KEYS,
                               part->list.command->options);
        if (!option_node_add(file, &part->list, row, &mapping->value[i], 0))
            return 0;
    }
    return 1;
}

/* Does the part itself say it? */
static int says(const yaml_node *mapping, const option_row *row)
{
    int said = 0;
    for (int i = 0; i < mapping->count; i++)
        said |= option_of(mapping->key[i].text, row->commands) == row;
    return said;
}

/* Of what all parts share that which the command takes, and the part does not say itself. */
static int add_common(study_file *file, study_file_part *part, const yaml_node *common, const yaml_node *mapping)
{
    for (int i = 0; common && i < common->count; i++) {
        const option_row *row = option_of(common->key[i].text, part->list.command->options);
        if (row && !says(mapping, row) && !option_node_add(file, &part->list, row, &common->value[i], 1))
            return 0;
    }
    return 1;
}

static int set_subject(study_file *file, study_file_part *part, const yaml_node *common, const yaml_node *mapping)
{
    const yaml_node *problem = yaml_member(mapping, "problem");
    problem = problem || !common ? problem : yaml_member(common, "problem");
    cli_at_line(mapping->line);
    if (!problem)
        return !cli_error(EXIT_USAGE, "the part %s says no problem", part->name);
    part->list.subject = option_node_subject(file, problem);
    part->list.subject_line = problem->line;
    return part->list.subject != NULL;
}

/* A name tells one part from another, in tables and in names of files. */
static int set_name(study_file *file, study_file_part *part, const yaml_node *mapping)
{
    const yaml_node *name = yaml_member(mapping, "name");
    part->name = name ? option_node_text(name, "name") : part->list.command->name;
    if (!part->name)
        return 0;
    if (part->name[strspn(part->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")])
        return !cli_error(EXIT_USAGE, "the name '%s' of a part: letters, digits, _ and - are possible, as files are "
                          "named after it", part->name);
    for (int i = 0; i < file->parts; i++)
        if (strcmp(file->part[i].name, part->name) == 0)
            return !cli_error(EXIT_USAGE, "a second part is called %s; give each part a name", part->name);
    return 1;
}

static int read_part(study_file *file, const yaml_node *mapping, const yaml_node *common)
{
    study_file_part *part = &file->part[file->parts];
    const yaml_node *kind = yaml_member(mapping, "kind");
    cli_at_line(mapping->line);
    if (mapping->kind != YAML_MAPPING)
        return !cli_error(EXIT_USAGE, "a part is a mapping: kind: converge, problem: pendulum and so on");
    if (!kind)
        return !cli_error(EXIT_USAGE, "a part says its kind: solve, converge, drift, bench or scale");
    const char *word = option_node_text(kind, "kind");
    const cli_command *command = word ? command_of(word) : NULL;
    if (!command)
        return 0;
    part->list.command = command;
    cli_at_line(mapping->line);
    const int good = set_name(file, part, mapping) && set_subject(file, part, common, mapping)
                     && add_common(file, part, common, mapping) && add_options(file, part, mapping);
    file->parts += good;
    return good;
}

/* What no part could take is a mistake. */
static int check_common(const study_file *file, const yaml_node *common)
{
    unsigned commands = 0;
    for (int k = 0; k < file->parts; k++)
        commands |= file->part[k].list.command->options;
    for (int i = 0; common && i < common->count; i++) {
        const yaml_node *key = &common->key[i];
        const option_row *row = option_of(key->text, RUNS);
        if (is_among(key->text, common_keys, COMMON_KEYS))
            continue;
        if (!row || is_of_program(row))
            return unknown_key(key, "common", common_keys, COMMON_KEYS, RUNS);
        cli_at_line(key->line);
        if (!option_of(key->text, commands))
            return !cli_error(EXIT_USAGE, "common: no part takes %s", key->text);
    }
    return 1;
}

/* ---- the file ---- */

/* "" where there is no such key; NULL having complained. It may go over several lines. */
static const char *text_of(const yaml_node *root, const char *key)
{
    const yaml_node *value = yaml_member(root, key);
    return !value ? "" : value->kind == YAML_TEXT && !yaml_is_null(value) ? value->text : option_node_text(value, key);
}

static int check_keys(const yaml_node *root)
{
    cli_at_line(root->line);
    if (root->kind == YAML_TEXT && yaml_is_null(root))
        return !cli_error(EXIT_USAGE, "it is empty; the first key of a study is study");
    if (root->kind != YAML_MAPPING || !root->count)
        return !cli_error(EXIT_USAGE, "this is no study, whose first key is study");
    if (strcmp(root->key[0].text, "model") == 0)
        return !cli_error(EXIT_USAGE, "this is a model; daelab solve, converge, drift and others take it as a problem");
    if (strcmp(root->key[0].text, "study") != 0)
        return !cli_error(EXIT_USAGE, "the first key is %s, and a study begins with study: ITS TITLE",
                          root->key[0].text);
    for (int i = 0; i < root->count; i++)
        if (!is_among(root->key[i].text, file_keys, FILE_KEYS))
            return unknown_key(&root->key[i], "a study", file_keys, FILE_KEYS, 0);
    return 1;
}

/* Files of problems and methods that all parts need. */
static int add_plugins(study_file *file, const yaml_node *root)
{
    const yaml_node *plugins = yaml_member(root, "plugin");
    for (int k = 0; plugins && k < file->parts; k++) {
        option_list *list = &file->part[k].list;
        if (!option_node_add(file, list, option_find(list->command->options, "plugin"), plugins, 0))
            return 0;
    }
    return 1;
}

static int read_tree(study_file *file, const yaml_node *root)
{
    const yaml_node *parts = yaml_member(root, "parts"), *common = yaml_member(root, "common");
    if (!check_keys(root) || !(file->title = text_of(root, "study")) || !(file->question = text_of(root, "question")))
        return 0;
    cli_at_line(root->line);
    if (!parts)
        return !cli_error(EXIT_USAGE, "a study has parts");
    cli_at_line(parts->line);
    if (parts->kind != YAML_LIST || parts->count < 1 || parts->count > MOST_PARTS)
        return !cli_error(EXIT_USAGE, "parts: a list of 1 to %d parts is needed, each behind a -", (int)MOST_PARTS);
    if (common)
        cli_at_line(common->line);
    if (common && common->kind != YAML_MAPPING)
        return !cli_error(EXIT_USAGE, "common: options by their names are needed, as t-end: 2");
    file->part = allocate((size_t)parts->count, sizeof *file->part);
    for (int i = 0; i < parts->count; i++)
        if (!read_part(file, &parts->value[i], common))
            return 0;
    return check_common(file, common) && add_plugins(file, root);
}

int study_file_read(study_file *file, const char *path)
{
    dae_report why = {0};
    int line;
    *file = (study_file){.path = path, .title = "", .question = ""};
    const dae_status status = yaml_read(path, &file->root, &line, &why);
    cli_at(status == DAE_FILE ? NULL : path, line);
    return status ? (cli_fail(status, &why), 0) : read_tree(file, &file->root);
}

void study_file_free(study_file *file)
{
    yaml_free(&file->root);
    kept_free(&file->texts);
    free(file->part);
    *file = (study_file){.parts = 0};
}
