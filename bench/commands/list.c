/* list.c - daelab list: the three tables, or what a file offers */
#include "catalogue/catalogue.h"
#include "cli/options.h"
#include "host/allocate.h"
#include "host/screen.h"
#include "deliver/deliver.h"
#include "output/json_file.h"
#include "table/table_print.h"
#include "table/words.h"
#include "commands/modes.h"

#include <limits.h>
#include <stdlib.h>
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

/* Put row i of a list into the table; 0 where the list has none. */
static int put_problem(table *t, int i)
{
    const dae_problem *problem = catalogue_problem(i);
    char forms[256], modes[256], events[256];
    if (!problem)
        return 0;
    form_names(problem, forms, sizeof forms);
    mode_names(problem, modes, sizeof modes);
    event_names(problem, events, sizeof events);
    table_put_text(t, problem->name);
    table_put_text(t, problem->title);
    table_put_text(t, forms);
    table_put_text(t, *modes ? modes : NULL);
    table_put_text(t, *events ? events : NULL);
    return 1;
}

static int put_formulation(table *t, int i)
{
    const dae_formulation *form = dae_formulation_at(i);
    char index[24];
    if (!form)
        return 0;
    const dae_formulation_info info = dae_formulation_describe(form);
    snprintf(index, sizeof index, info.index < 0 ? "its own" : "%d", info.index);
    table_put_text(t, info.name);
    table_put_text(t, info.title);
    table_put_text(t, index);
    return 1;
}

static int put_method(table *t, int i)
{
    const dae_method *method = catalogue_method(i);
    if (!method)
        return 0;
    const dae_method_info info = dae_method_describe(method);
    table_put_text(t, info.name);
    table_put_text(t, info.title);
    table_put_text(t, !info.fixed ? "adaptive" : info.adaptive ? "fixed, adaptive" : "fixed");
    table_put_text(t, info.implicit ? "implicit" : "explicit");
    table_put_text(t, info.citation);
    return 1;
}

enum { MOST_COLUMNS = 5 };
static const struct {
    const char *name;
    int (*put)(table *t, int i);
    struct { const char *name, *title; } column[MOST_COLUMNS + 1];
} lists[] = {
    {"problems", put_problem, {{"name", "problem"}, {"title", ""}, {"formulations", "formulations"},
                               {"modes", "modes"}, {"events", "events"}}},
    {"formulations", put_formulation, {{"name", "formulation"}, {"title", ""}, {"index", "index"}}},
    {"methods", put_method, {{"name", "method"}, {"title", ""}, {"step", "step"}, {"kind", "kind"},
                             {"citation", "source"}}}};
enum { LISTS = sizeof lists / sizeof *lists };

/* Rows first ... first + count - 1 of a list, as far as there are any. */
static table *make_list(int k, int first, int count)
{
    table *t = table_new();
    for (int c = 0; lists[k].column[c].name; c++)
        table_head(t, lists[k].column[c].name, lists[k].column[c].title, NULL);
    for (int i = 0; i < count && lists[k].put(t, first + i); i++)
        ;
    return t;
}

/* The rows that are asked for, of each list. */
typedef struct {
    int first[LISTS], count[LISTS];
} list_range;

/* All rows of the list with this name, or of each; or those that a file adds, which is loaded. 0 having complained. */
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

typedef struct { output_format format; list_range range; int names; } wanted_lists;

/* "problems      pendulum linear_dae ..", each list in a few lines. */
static void write_names(FILE *out)
{
    enum { COLUMN = 14, USUAL = 80 };
    const size_t width = screen_width(out);
    for (int k = 0; k < LISTS; k++) {
        table *t = make_list(k, 0, INT_MAX);
        size_t length;
        char *words;
        FILE *text = allocate_stream(&words, &length);
        for (int row = 0; row < table_rows(t); row++)
            fprintf(text, "%s%s", row ? " " : "", table_text_at(t, row, 0));
        allocate_stream_end(text);
        fprintf(out, "%-*s", (int)COLUMN, lists[k].name);
        words_print(words, width ? width : USUAL, COLUMN, COLUMN, out);
        free(words);
        table_free(t);
    }
    fputc('\n', out);
    words_print("daelab list problems, formulations or methods: with titles; daelab info NAME: all of one",
                width ? width : USUAL, 0, 0, out);
}

static void write_lists(const void *context, FILE *out)
{
    const wanted_lists *w = context;
    const int in_json = formats[w->format].holds == HOLDS_JSON;
    json_t *root = json_object();
    if (w->names)
        write_names(out);
    for (int i = 0, told = 0; i < LISTS; i++) {
        if (w->names || w->range.count[i] == 0)
            continue;
        table *t = make_list(i, w->range.first[i], w->range.count[i]);
        if (told++ && !in_json)
            fputc('\n', out);
        if (in_json)
            json_object_set_new(root, lists[i].name, as_objects(t));
        else
            formats[w->format].table(t, out);
        table_free(t);
    }
    if (in_json)
        json_file_write(root, out);
    json_decref(root);
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

int command_list(const cli_options *o)
{
    wanted_lists wanted;
    output_target to;
    if (!known(o->subject))
        return EXIT_USAGE;
    if (!choose_range(o->subject, &wanted.range))
        return cli_last_status();
    const int wrong = outputs_first(o, &to);
    wanted.format = to.format;
    wanted.names = !o->subject && to.format == FORMAT_TABLE;
    return wrong ? wrong : output_write(to.path, (output_content){.write = write_lists, .context = &wanted});
}
