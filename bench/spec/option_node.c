#include "spec/option_node.h"

#include "catalogue/load.h"

#include <stdlib.h>
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
static const char *resolve(study_file *file, const char *text)
{
    const char *slash = strrchr(file->path, '/');
    char *path = NULL;
    if (!slash || *text == '/' || !load_is_path(text))
        return study_file_keep(file, text);
    if (asprintf(&path, "%.*s%s", (int)(slash + 1 - file->path), file->path, text) < 0)
        return study_file_keep(file, NULL);
    const char *kept = study_file_keep(file, path);
    free(path);
    return kept;
}

static int names_files(const option_row *row)
{
    return row->id == O_METHOD || row->id == O_BASELINE || row->id == O_PLUGIN;
}

/* An entry of a list, or the value itself. */
static const char *entry(study_file *file, const yaml_node *value, const char *key, int files)
{
    const char *text = option_node_text(value, key);
    return text ? files ? resolve(file, text) : study_file_keep(file, text) : NULL;
}

/* "a,b,c" of a list, or of "a,b,c" */
static const char *joined(study_file *file, const yaml_node *value, const char *key, int files)
{
    const yaml_node *const all = value->kind == YAML_LIST ? value->value : value;
    const int count = value->kind == YAML_LIST ? value->count : 1;
    char *text = NULL;
    size_t length;
    cli_at_line(value->line);
    if (!count)
        cli_error(EXIT_USAGE, "%s: the list is empty", key);
    FILE *out = count ? open_memstream(&text, &length) : NULL;
    int good = out != NULL;
    for (int i = 0; good && i < count; i++) {
        const char *one = entry(file, &all[i], key, files);
        good = one != NULL;
        if (good)
            fprintf(out, "%s%s", i ? "," : "", one);
    }
    if (out && (fclose(out) || !text))
        good = 0;
    const char *kept = good ? study_file_keep(file, text) : NULL;
    free(text);
    return kept;
}

const char *option_node_subject(study_file *file, const yaml_node *value) { return joined(file, value, "problem", 1); }

/* ---- options ---- */

static int add(option_list *list, const option_row *row, const char *text, int line, int common)
{
    if (!text && row->argument)
        return 0;
    cli_at_line(line);
    if (!option_list_add(list, row, text, line))
        return 0;
    list->option[list->count - 1].common = common;
    return 1;
}

/* A switch is on or off. */
static int add_switch(option_list *list, const option_row *row, const yaml_node *value, int common)
{
    const char *text = value->kind == YAML_TEXT && value->plain ? value->text : "";
    cli_at_line(value->line);
    if (strcmp(text, "true") == 0)
        return add(list, row, NULL, value->line, common);
    return strcmp(text, "false") == 0
           || !cli_error(EXIT_USAGE, "%s %s: true or false is needed", row->name,
                         value->kind == YAML_TEXT && value->text ? value->text : "");
}

/* {L: 5, k: [1, 2]}: "L=5" and "k=1,2"; {pendulum: {L: 5}}: "pendulum.L=5" */
static int add_assignments(study_file *file, option_list *list, const option_row *row, const yaml_node *value,
                           const char *prefix, int common)
{
    for (int i = 0; i < value->count; i++) {
        const yaml_node *key = &value->key[i], *of = &value->value[i];
        char *text = NULL;
        const int nested = of->kind == YAML_MAPPING && !*prefix;
        const char *values = nested ? "" : joined(file, of, key->text, 0);
        if (!values)
            return 0;
        if (asprintf(&text, nested ? "%s%s." : "%s%s=%s", prefix, key->text, values) < 0)
            return !cli_error(EXIT_SYSTEM, "out of memory");
        const int good = nested ? add_assignments(file, list, row, of, text, common)
                                : add(list, row, study_file_keep(file, text), key->line, common);
        free(text);
        if (!good)
            return 0;
    }
    return 1;
}

/* {all: 1e-8, T: 1e-3}: "1e-8,T=1e-3" */
static const char *tolerances(study_file *file, const yaml_node *value)
{
    const yaml_node *all = yaml_member(value, "all");
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    const char *first = all ? option_node_text(all, "all") : "";
    int good = out && first;
    if (good)
        fputs(first, out);
    for (int i = 0, some = all != NULL; good && i < value->count; i++) {
        const char *one = &value->value[i] == all ? "" : option_node_text(&value->value[i], value->key[i].text);
        good = one != NULL;
        if (good && &value->value[i] != all)
            fprintf(out, "%s%s=%s", some++ ? "," : "", value->key[i].text, one);
    }
    if (out && (fclose(out) || !text))
        good = 0;
    const char *kept = good ? study_file_keep(file, text) : NULL;
    free(text);
    return kept;
}

/* Each value of a list is run by itself, a set of tolerances of names: the first of a set is that of all. */
static int add_tolerances(study_file *file, option_list *list, const option_row *row, const yaml_node *value,
                          int common)
{
    const yaml_node *const all = value->kind == YAML_LIST ? value->value : value;
    const int count = value->kind == YAML_LIST ? value->count : 1;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int good = out != NULL;
    for (int i = 0; good && i < count; i++) {
        const char *one = all[i].kind == YAML_MAPPING ? tolerances(file, &all[i]) : entry(file, &all[i], row->name, 0);
        good = one != NULL;
        if (good && count > 1 && memchr(one, '=', strcspn(one, ","))) {
            cli_at_line(all[i].line);
            good = !cli_error(EXIT_USAGE, "%s %s: of several, each begins with the number for all unknowns", row->name,
                              one);
        }
        if (good)
            fprintf(out, "%s%s", i ? "," : "", one);
    }
    if (out && (fclose(out) || !text))
        good = 0;
    good = good && add(list, row, study_file_keep(file, text), value->line, common);
    free(text);
    return good;
}

/* Each entry of a list is given by itself. */
static int add_each(study_file *file, option_list *list, const option_row *row, const yaml_node *value, int common)
{
    const yaml_node *const all = value->kind == YAML_LIST ? value->value : value;
    const int count = value->kind == YAML_LIST ? value->count : 1;
    for (int i = 0; i < count; i++)
        if (!add(list, row, entry(file, &all[i], row->name, names_files(row)), all[i].line, common))
            return 0;
    return 1;
}

int option_node_add(study_file *file, option_list *list, const option_row *row, const yaml_node *value, int common)
{
    if (!row->argument)
        return add_switch(list, row, value, common);
    switch (row->id) {
    case O_PARAM: case O_VARY:
        return value->kind == YAML_MAPPING ? add_assignments(file, list, row, value, "", common)
                                           : add_each(file, list, row, value, common);
    case O_ATOL: return add_tolerances(file, list, row, value, common);
    case O_PROJECT: case O_STOP: case O_PLUGIN: return add_each(file, list, row, value, common);
    default:
        return add(list, row, joined(file, value, row->name, names_files(row)), value->line, common);
    }
}
