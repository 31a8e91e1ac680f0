#include "spec/option_node.h"

#include "catalogue/load.h"
#include "host/allocate.h"

#include <string.h>

/* ---- texts ---- */

const char *option_node_text(const yaml_node *value, const char *key)
{
    cli_at_line(value->line);
    if (value->kind != YAML_TEXT)
        cli_error(EXIT_USAGE, "%s: one value is needed, not %s", key,
                  value->kind == YAML_LIST ? "a list" : "a mapping");
    else if (yaml_is_null(value))
        cli_error(EXIT_USAGE, "%s: a value is needed", key);
    else if (value->text[strcspn(value->text, "\n")])
        cli_error(EXIT_USAGE, "%s: it goes over several lines", key);
    else
        return value->text;
    return NULL;
}

/* The name of a file as from here, where the study names it as from its own folder; others as they are. */
static const char *resolve(study_file *file, const char *text, int is_file)
{
    const char *slash = strrchr(file->path, '/');
    if (!slash || *text == '/' || !(is_file || load_is_path(text)))
        return text;
    return kept_text(&file->texts, allocate_print("%.*s%s", (int)(slash + 1 - file->path), file->path, text));
}

/* {all: 1e-8, T: 1e-3}: "1e-8,T=1e-3" */
static const char *by_names(study_file *file, const yaml_node *value)
{
    const yaml_node *all = yaml_member(value, "all");
    const char *text = all ? option_node_text(all, "all") : "";
    for (int i = 0, some = all != NULL; text && i < value->count; i++) {
        if (&value->value[i] == all)
            continue;
        const char *key = value->key[i].text, *one = option_node_text(&value->value[i], key);
        text = one ? kept_text(&file->texts, allocate_print("%s%s%s=%s", text, some++ ? "," : "", key, one)) : NULL;
    }
    return text;
}

/* An entry of a list, or the value itself; row NULL: the problem. */
static const char *entry(study_file *file, const yaml_node *value, const option_row *row, const char *key)
{
    if (row && (row->id == O_ATOL || row->id == O_SD || row->id == O_BOUNDS) && value->kind == YAML_MAPPING)
        return by_names(file, value);
    const char *text = option_node_text(value, key);
    const int is_file = row && row->id == O_DATA;
    const int names_files = !row || is_file || row->id == O_METHOD || row->id == O_BASELINE || row->id == O_PLUGIN;
    return text && names_files ? resolve(file, text, is_file) : text;
}

/* "a,b,c" of a list, or of "a,b,c" */
static const char *joined(study_file *file, const yaml_node *value, const option_row *row, const char *key)
{
    const yaml_node *const all = value->kind == YAML_LIST ? value->value : value;
    const int count = value->kind == YAML_LIST ? value->count : 1;
    const char *text = "";
    cli_at_line(value->line);
    if (!count)
        return cli_error(EXIT_USAGE, "%s: the list is empty", key), NULL;
    for (int i = 0; text && i < count; i++) {
        const char *one = entry(file, &all[i], row, key);
        if (one && count > 1 && row && row->id == O_ATOL && memchr(one, '=', strcspn(one, ","))) {
            cli_at_line(all[i].line);
            cli_error(EXIT_USAGE, "%s %s: of several, each begins with the number for all unknowns", key, one);
            return NULL;
        }
        text = one ? kept_text(&file->texts, allocate_print("%s%s%s", text, i ? "," : "", one)) : NULL;
    }
    return text;
}

const char *option_node_subject(study_file *file, const yaml_node *value)
{
    return joined(file, value, NULL, "problem");
}

/* ---- options ---- */

static int add(option_list *list, given_option given, const char *text, int line)
{
    given.text = text;
    given.line = line;
    cli_at_line(line);
    return (text || !given.row->argument) && option_list_add(list, given);
}

/* A switch is on or off. */
static int add_switch(option_list *list, given_option given, const yaml_node *value)
{
    const char *text = value->kind == YAML_TEXT && value->plain ? value->text : "";
    cli_at_line(value->line);
    if (strcmp(text, "true") == 0)
        return add(list, given, NULL, value->line);
    return strcmp(text, "false") == 0
           || !cli_error(EXIT_USAGE, "%s %s: true or false is needed", given.row->name,
                         value->kind == YAML_TEXT && value->text ? value->text : "");
}

/* {L: 5, k: [1, 2]}: "L=5" and "k=1,2"; {pendulum: {L: 5}}: "pendulum.L=5" */
static int add_assignments(study_file *file, option_list *list, given_option given, const yaml_node *value,
                           const char *prefix)
{
    int good = 1;
    for (int i = 0; good && i < value->count; i++) {
        const yaml_node *key = &value->key[i], *of = &value->value[i];
        const char *head = kept_text(&file->texts, allocate_print("%s%s", prefix, key->text));
        if (of->kind == YAML_MAPPING && !*prefix) {
            good = add_assignments(file, list, given, of, kept_text(&file->texts, allocate_print("%s.", head)));
            continue;
        }
        const char *values = joined(file, of, given.row, key->text);
        good = values && add(list, given, kept_text(&file->texts, allocate_print("%s=%s", head, values)), key->line);
    }
    return good;
}

/* Each entry of a list is given by itself. */
static int add_each(study_file *file, option_list *list, given_option given, const yaml_node *value)
{
    const yaml_node *const all = value->kind == YAML_LIST ? value->value : value;
    const int count = value->kind == YAML_LIST ? value->count : 1;
    for (int i = 0; i < count; i++)
        if (!add(list, given, entry(file, &all[i], given.row, given.row->name), all[i].line))
            return 0;
    return 1;
}

int option_node_add(study_file *file, option_list *list, const option_row *row, const yaml_node *value, int common)
{
    const given_option given = {.row = row, .common = common};
    if (!row->argument)
        return add_switch(list, given, value);
    switch (row->id) {
    case O_PARAM: case O_VARY: case O_SET:
        return value->kind == YAML_MAPPING ? add_assignments(file, list, given, value, "")
                                           : add_each(file, list, given, value);
    case O_PROJECT: case O_STOP: case O_PLUGIN: case O_DATA: return add_each(file, list, given, value);
    default: return add(list, given, joined(file, value, row, row->name), value->line);
    }
}
