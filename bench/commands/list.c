/* list.c - daelab list: the three tables, or what a file offers */
#include "catalogue/catalogue.h"
#include "cli/choices.h"
#include "cli/plugins.h"
#include "deliver/deliver.h"
#include "output/json_file.h"
#include "table/table_print.h"
#include "commands/modes.h"

#include <limits.h>
#include <string.h>

/* Names of the formulations that a problem has, separated by spaces. */
static void form_names(const dae_problem *problem, char *out, size_t length)
{
    out[0] = 0;
    for (int i = 0; dae_formulation_at(i); i++)
        if (dae_formulation_applies(dae_formulation_at(i), problem)) {
            const size_t used = strlen(out);
            snprintf(out + used, length - used, "%s%s", used ? " " : "",
                     dae_formulation_describe(dae_formulation_at(i)).name);
        }
}

/* Rows first ... first + count - 1 of a table, as far as there are any. */
static table *problem_grid(int first, int count)
{
    table *t = table_new();
    if (!t)
        return NULL;
    table_head(t, "name", "problem", NULL);
    table_head(t, "title", "", NULL);
    table_head(t, "formulations", "formulations", NULL);
    table_head(t, "modes", "modes", NULL);
    table_head(t, "events", "events", NULL);
    for (int i = first; i - first < count && catalogue_problem(i); i++) {
        const dae_problem *problem = catalogue_problem(i);
        char forms[256], modes[256], events[256];
        form_names(problem, forms, sizeof forms);
        table_put_text(t, problem->name);
        table_put_text(t, problem->title);
        table_put_text(t, forms);
        mode_names(problem, modes, sizeof modes);
        event_names(problem, events, sizeof events);
        table_put_text(t, *modes ? modes : NULL);
        table_put_text(t, *events ? events : NULL);
    }
    return t;
}

static table *formulation_grid(int first, int count)
{
    table *t = table_new();
    if (!t)
        return NULL;
    table_head(t, "name", "formulation", NULL);
    table_head(t, "title", "", NULL);
    table_head(t, "index", "index", NULL);
    for (int i = first; i - first < count && dae_formulation_at(i); i++) {
        const dae_formulation_info info = dae_formulation_describe(dae_formulation_at(i));
        char index[24];
        snprintf(index, sizeof index, info.index < 0 ? "its own" : "%d", info.index);
        table_put_text(t, info.name);
        table_put_text(t, info.title);
        table_put_text(t, index);
    }
    return t;
}

static table *method_grid(int first, int count)
{
    table *t = table_new();
    if (!t)
        return NULL;
    table_head(t, "name", "method", NULL);
    table_head(t, "title", "", NULL);
    table_head(t, "step", "step", NULL);
    table_head(t, "kind", "kind", NULL);
    table_head(t, "citation", "source", NULL);
    for (int i = first; i - first < count && catalogue_method(i); i++) {
        const dae_method_info info = dae_method_describe(catalogue_method(i));
        table_put_text(t, info.name);
        table_put_text(t, info.title);
        table_put_text(t, !info.fixed ? "adaptive" : info.adaptive ? "fixed, adaptive" : "fixed");
        table_put_text(t, info.implicit ? "implicit" : "explicit");
        table_put_text(t, info.citation);
    }
    return t;
}

typedef struct {
    const char *name;
    table *(*make)(int first, int count);
} list_row;

static const list_row lists[] = {{"problems", problem_grid}, {"formulations", formulation_grid},
                                 {"methods", method_grid}};
enum { LISTS = sizeof lists / sizeof *lists };

/* The rows that are asked for, of each list. */
typedef struct {
    int first[LISTS], count[LISTS];
} list_range;

/* All of one list, or of each; or what a file adds to them, which is loaded. 0 having complained. */
static int choose_range(const char *subject, list_range *r)
{
    load_result file;
    *r = (list_range){0};
    if (subject && load_is_path(subject)) {
        if (!plugins_load(subject, &file))
            return 0;
        *r = (list_range){{file.first_problem, 0, file.first_method}, {file.problems, 0, file.methods}};
        return 1;
    }
    for (int i = 0; i < LISTS; i++)
        r->count[i] = !subject || strcmp(subject, lists[i].name) == 0 ? INT_MAX : 0;
    return 1;
}

/* {"problems": [{"name": ..., ...}, ...]}: rows, which are texts, as objects. */
static json_t *as_objects(const table *t)
{
    json_t *objects = json_array();
    for (int row = 0; row < table_rows(t); row++) {
        json_t *object = json_object();
        for (int i = 0; i < table_columns(t); i++) {
            const char *text = table_text_at(t, row, i);
            json_object_set_new(object, table_name_of(t, i), text ? json_text(text) : json_null());
        }
        json_array_append_new(objects, object);
    }
    return objects;
}

static int print_lists(const cli_options *o, const list_range *r, FILE *out)
{
    json_t *root = json_object();
    int first = 1, good = root != NULL;
    for (int i = 0; good && i < LISTS; i++) {
        if (r->count[i] == 0)
            continue;
        table *t = lists[i].make(r->first[i], r->count[i]);
        good = t && !table_failed(t);
        if (!first && good && o->format != FORMAT_JSON)
            fputc('\n', out);
        first = 0;
        if (good && o->format == FORMAT_JSON)
            json_object_set_new(root, lists[i].name, as_objects(t));
        else if (good)
            good = table_write(t, o->format, out);
        table_free(t);
    }
    if (good && o->format == FORMAT_JSON)
        json_file_write(root, out);
    json_decref(root);
    return good;
}

static int known(const char *subject)
{
    const char *names[LISTS];
    for (int i = 0; i < LISTS; i++) {
        names[i] = lists[i].name;
        if (!subject || load_is_path(subject) || strcmp(subject, names[i]) == 0)
            return 1;
    }
    const char *near = dae_nearest(subject, names, LISTS);
    cli_error(EXIT_USAGE, "there is no list %s; did you mean %s?", subject,
              near ? near : "problems, formulations or methods");
    return 0;
}

typedef struct { const cli_options *options; list_range range; } wanted_lists;

static int write_lists(const void *context, FILE *out)
{
    const wanted_lists *w = context;
    return print_lists(w->options, &w->range, out);
}

int command_list(const cli_options *given)
{
    cli_options o = *given;
    wanted_lists wanted = {.options = &o};
    if (!known(o.subject))
        return EXIT_USAGE;
    if (!choose_range(o.subject, &wanted.range))
        return cli_last_status();
    const int wrong = output_format_of(given, o.output, &o.format);
    return wrong ? wrong : output_write(o.output, write_lists, &wanted);
}
