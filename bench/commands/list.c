/* list.c - daelab list: the three tables, or what a file offers */
#include "host/screen.h"
#include "catalogue/catalogue.h"
#include "cli/choices.h"
#include "cli/plugins.h"
#include "deliver/finish.h"
#include "deliver/output_format.h"
#include "output/grid.h"
#include "output/grid_fit.h"
#include "output/grid_latex.h"
#include "output/json_file.h"
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
static grid *problem_grid(int first, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "name", "problem", NULL);
    grid_column(g, "title", "", NULL);
    grid_column(g, "formulations", "formulations", NULL);
    grid_column(g, "modes", "modes", NULL);
    grid_column(g, "events", "events", NULL);
    for (int i = first; i - first < count && catalogue_problem(i); i++) {
        const dae_problem *problem = catalogue_problem(i);
        char forms[256], modes[256], events[256];
        form_names(problem, forms, sizeof forms);
        grid_text(g, problem->name);
        grid_text(g, problem->title);
        grid_text(g, forms);
        mode_names(problem, modes, sizeof modes);
        event_names(problem, events, sizeof events);
        grid_text(g, *modes ? modes : NULL);
        grid_text(g, *events ? events : NULL);
    }
    return g;
}

static grid *formulation_grid(int first, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "name", "formulation", NULL);
    grid_column(g, "title", "", NULL);
    grid_column(g, "index", "index", NULL);
    for (int i = first; i - first < count && dae_formulation_at(i); i++) {
        const dae_formulation_info info = dae_formulation_describe(dae_formulation_at(i));
        char index[24];
        snprintf(index, sizeof index, info.index < 0 ? "its own" : "%d", info.index);
        grid_text(g, info.name);
        grid_text(g, info.title);
        grid_text(g, index);
    }
    return g;
}

static grid *method_grid(int first, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "name", "method", NULL);
    grid_column(g, "title", "", NULL);
    grid_column(g, "step", "step", NULL);
    grid_column(g, "kind", "kind", NULL);
    grid_column(g, "citation", "source", NULL);
    for (int i = first; i - first < count && catalogue_method(i); i++) {
        const dae_method_info info = dae_method_describe(catalogue_method(i));
        grid_text(g, info.name);
        grid_text(g, info.title);
        grid_text(g, !info.fixed ? "adaptive" : info.adaptive ? "fixed, adaptive" : "fixed");
        grid_text(g, info.implicit ? "implicit" : "explicit");
        grid_text(g, info.citation);
    }
    return g;
}

typedef struct {
    const char *name;
    grid *(*make)(int first, int count);
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

/* {"problems": [{"name": ..., ...}, ...]}: rows as objects. */
static json_t *as_objects(const grid *g)
{
    json_t *flat = grid_json(g), *out = json_array();
    const json_t *columns = json_object_get(flat, "columns");
    const json_t *rows = json_object_get(flat, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *object = json_object();
        for (size_t k = 0; k < json_array_size(columns); k++)
            json_object_set(object, json_string_value(json_array_get(columns, k)),
                            json_array_get(json_array_get(rows, i), k));
        json_array_append_new(out, object);
    }
    json_decref(flat);
    return out;
}

static void print_list(const grid *g, output_format format, FILE *out)
{
    if (format == FORMAT_CSV)
        grid_print_csv(g, out);
    else if (format == FORMAT_MARKDOWN)
        grid_print_markdown(g, out);
    else if (format == FORMAT_LATEX)
        grid_print_latex(g, out);
    else
        grid_print_fitted(g, screen_width(out), out);
}

static int print_lists(const cli_options *o, const list_range *r, FILE *out)
{
    json_t *root = json_object();
    int first = 1, good = root != NULL;
    for (int i = 0; good && i < LISTS; i++) {
        if (r->count[i] == 0)
            continue;
        grid *g = lists[i].make(r->first[i], r->count[i]);
        good = g && !grid_failed(g);
        if (!first && good && o->format != FORMAT_JSON)
            fputc('\n', out);
        first = 0;
        if (good && o->format == FORMAT_JSON)
            json_object_set_new(root, lists[i].name, as_objects(g));
        else if (good)
            print_list(g, o->format, out);
        grid_free(g);
    }
    if (good && o->format == FORMAT_JSON)
        good = json_file_write(root, out);
    json_decref(root);
    return good && json_file_whole();
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
    return wrong ? wrong : finish_output(o.output, write_lists, &wanted);
}
