/* info.c - daelab info NAME: a problem, a formulation or a method in words */
#include "host/screen.h"
#include "catalogue/catalogue.h"
#include "cli/choices.h"
#include "cli/plugins.h"
#include "deliver/deliver.h"
#include "report/document.h"
#include "output/json_file.h"
#include "table/words.h"
#include "commands/modes.h"

#include <stdlib.h>
#include <string.h>

/* ---- JSON; people read the same tree */

/* What errors are measured against. */
static const char *reference_of(const dae_problem *p)
{
    return !run_is_smooth(p) ? "quad precision from event to event"
           : p->first_order.exact.f ? "exact solution"
           : p->mechanical.minimal.n > 0 ? "minimal coordinates in quad precision"
           : p->mechanical.nq > 0 ? "Cartesian coordinates in quad precision"
           : p->first_order.mass.f ? "M u' = F in quad precision"
                                  : "u' = F in quad precision";
}

/* A record may leave out its texts. */
static const char *given(const char *text)
{
    return text ? text : "";
}

/* A number, or of an array those of its elements. */
static json_t *default_json(const dae_problem *p, int first, int count)
{
    if (count == 1)
        return json_number(dae_parameter_default(p, first));
    json_t *elements = json_array();
    for (int i = first; i < first + count; i++)
        json_array_append_new(elements, json_number(dae_parameter_default(p, i)));
    return elements;
}

static json_t *parameters_json(const dae_problem *p)
{
    json_t *list = json_array();
    const dae_parameter *entry;
    for (int i = 0; (entry = dae_parameter_at(p, i)) != NULL;) {
        const int count = entry->count > 1 ? entry->count : 1;
        json_t *json = json_pack("{s:s, s:o, s:s, s:s}", "name", entry->name, "default", default_json(p, i, count),
                                 "unit", given(entry->unit), "description", given(entry->description));
        if (json && count > 1)
            json_object_set_new(json, "count", json_integer(count));
        json_array_append_new(list, json);
        i += count;
    }
    return list;
}

/* Its start by the defaults of its parameters; NULL where memory is short. */
static json_t *start_json(const dae_problem *p)
{
    const int count = dae_parameter_count(p);
    double *values = dae_parameters_new(count, sizeof *values, NULL), *u = NULL;
    for (int i = 0; values && i < count; i++)
        values[i] = dae_parameter_default(p, i);
    const int copies = dae_problem_copies(p, values);
    const int n = p->mechanical.nq ? copies * (2 * p->mechanical.nq + p->mechanical.nl) : p->first_order.n;
    u = values ? calloc((size_t)n, sizeof *u) : NULL;
    json_t *start = u ? json_array() : NULL;
    if (u)
        p->start.f(values, u);
    for (int i = 0; u && i < n; i++)
        json_array_append_new(start, json_number(u[i]));
    free(u);
    dae_parameters_free(values);
    return start;
}

static json_t *problem_json(const dae_problem *p)
{
    json_t *forms = json_array();
    for (int i = 0; dae_formulation_at(i); i++)
        if (dae_formulation_applies(dae_formulation_at(i), p))
            json_array_append_new(
                forms, json_string(dae_formulation_describe(dae_formulation_at(i)).name));
    json_t *tree =
        json_pack("{s:s, s:s, s:s*, s:s, s:s, s:s, s:s, s:o, s:o, s:[f, f], s:o, s:s, s:b}",
                  "problem", p->name, "title", given(p->title), "file", catalogue_file(p), "equations",
                  given(p->equations), "citation", given(p->citation), "variables",
                  given(p->variables), "units", given(p->units), "parameters", parameters_json(p),
                  "start", start_json(p), "interval", p->t0, p->t_end, "formulations", forms, "reference",
                  reference_of(p), "analytic_jacobian",
                  p->mechanical.partials != NULL || p->first_order.jacobian != NULL);
    if (p->rtol > 0)
        json_object_set_new(tree, "rtol", json_real(p->rtol));
    if (p->mechanical.nonholonomic)
        json_object_set_new(tree, "nonholonomic", json_integer(p->mechanical.nonholonomic));
    if (p->invariants.n) {
        json_object_set_new(tree, "invariants", json_string(given(p->invariants.names)));
        json_object_set_new(tree, "invariant_units", json_string(given(p->invariants.units)));
    }
    modes_json(tree, p);
    return tree;
}

static json_t *formulation_json(const dae_formulation *form)
{
    const dae_formulation_info info = dae_formulation_describe(form);
    json_t *index = info.index < 0 ? json_string("the problem's own") : json_integer(info.index);
    return json_pack("{s:s, s:s, s:o, s:s}", "formulation", info.name, "title", info.title,
                     "index", index, "citation", info.citation);
}

static json_t *declared_json(const double *order)
{
    json_t *row = json_object();
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (order[c] != DAE_UNDECLARED)
            json_object_set_new(row, dae_class_name(c), json_real(order[c] == DAE_ORDER_ZERO ? 0 : order[c]));
    return row;
}

/* {"index 3": {"position": 2, ...}, ...} and formulations with orders of their own: only what is
 * declared. */
static json_t *orders_json(const dae_method_info *info)
{
    json_t *orders = json_object();
    for (int index = 0; index <= DAE_MAX_INDEX; index++) {
        json_t *row = declared_json(info->order[index]);
        char key[32];
        snprintf(key, sizeof key, "index %d", index);
        if (json_object_size(row) && info->fixed)
            json_object_set_new(orders, key, row);
        else
            json_decref(row);
    }
    for (int i = 0; i < DAE_MAX_EXCEPTIONS && info->exceptions[i].stabilised; i++)
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_formulation_info form = dae_formulation_describe(dae_formulation_at(f));
            if (form.stabilised == info->exceptions[i].stabilised)
                json_object_set_new(orders, form.name, declared_json(info->exceptions[i].order));
        }
    return orders;
}

static json_t *method_json(const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    json_t *tree =
        json_pack("{s:s, s:s, s:s*, s:s, s:s, s:s, s:i, s:o}", "method", info.name, "title",
                  given(info.title), "file", catalogue_file(method), "citation", given(info.citation), "step",
                  !info.fixed ? "adaptive" : info.adaptive ? "fixed, adaptive" : "fixed", "kind",
                  info.implicit ? "implicit" : "explicit", "stages", info.stages,
                  "declared order", orders_json(&info));
    if (tree && info.dense_order > 0)
        json_object_set_new(tree, "order between steps at most", json_real(info.dense_order));
    return tree;
}

/* ---- for people */

static void print_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        fprintf(out, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        fprintf(out, json_is_true(value) ? "yes" : "no");
    else if (json_is_number(value))
        fprintf(out, "%.15g", json_number_value(value));
}

/* Of a word of each object, the longest, or least. */
static int longest(const json_t *list, const char *word, int least)
{
    int most = least;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const int length = (int)json_string_length(json_object_get(json_array_get(list, i), word));
        most = length > most ? length : most;
    }
    return most;
}

/* "k[0..35]" of an array */
static void print_name(FILE *out, const json_t *p, int width)
{
    const int count = (int)json_integer_value(json_object_get(p, "count"));
    const char *name = json_string_value(json_object_get(p, "name"));
    const int used = count > 1 ? fprintf(out, "%s[0..%d]", name, count - 1) : fprintf(out, "%s", name);
    fprintf(out, "%*s", width > used ? width - used : 0, "");
}

static double first_value(const json_t *x) { return json_number_value(json_is_array(x) ? json_array_get(x, 0) : x); }

/* How many elements are as the first one. */
static size_t count_alike(const json_t *x)
{
    size_t alike = 1;
    while (alike < json_array_size(x) && json_number_value(json_array_get(x, alike)) == first_value(x))
        alike++;
    return alike;
}

/* The longest default, or least. */
static int longest_default(const json_t *list, int least)
{
    int most = least;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *x = json_object_get(json_array_get(list, i), "default");
        const int length = snprintf(NULL, 0, "%.15g", first_value(x));
        if (count_alike(x) >= json_array_size(x))
            most = length > most ? length : most;
    }
    return most;
}

/* A number, one for all elements, or theirs. */
static void print_default(FILE *out, const json_t *x, int width)
{
    const size_t alike = count_alike(x);
    fprintf(out, "%-*.15g", alike < json_array_size(x) ? 0 : width, first_value(x));
    for (size_t i = 1; alike < json_array_size(x) && i < json_array_size(x); i++)
        fprintf(out, " %.15g", json_number_value(json_array_get(x, i)));
}

static void print_parameters(FILE *out, const json_t *list)
{
    const int name = longest(list, "name", 10), unit = longest(list, "unit", 7), value = longest_default(list, 10);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *p = json_array_get(list, i);
        fputs("\n    ", out);
        print_name(out, p, name);
        fputs(" = ", out);
        print_default(out, json_object_get(p, "default"), value);
        fprintf(out, " %-*s %s", unit, json_string_value(json_object_get(p, "unit")),
                json_string_value(json_object_get(p, "description")));
    }
}

static void print_array(FILE *out, const json_t *array)
{
    if (json_is_object(json_array_get(array, 0))) {
        print_parameters(out, array);
        return;
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        fputs(i ? " " : "", out);
        print_value(out, json_array_get(array, i));
    }
}

static void print_object(FILE *out, const json_t *object)
{
    const char *key, *inner;
    json_t *value, *x;
    json_object_foreach((json_t *)object, key, value) {
        fprintf(out, "\n    %s:", key);
        json_object_foreach(value, inner, x) {
            fprintf(out, "  %s ", inner);
            print_value(out, x);
        }
    }
}

static void print_indented(FILE *out, const char *text)
{
    for (; *text; text++) {
        fputc(*text, out);
        if (*text == '\n')
            fputs("    ", out);
    }
}

/* What the record leaves out. */
static int is_empty(const json_t *value)
{
    return (json_is_string(value) && json_string_length(value) == 0)
           || (json_is_array(value) && json_array_size(value) == 0);
}

static void print_people(FILE *out, const json_t *tree)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)tree, key, value) {
        if (is_empty(value))
            continue;
        fprintf(out, "%s: ", key);
        if (modes_key(key))
            modes_print(out, value);
        else if (json_is_array(value))
            print_array(out, value);
        else if (json_is_object(value))
            print_object(out, value);
        else if (json_is_string(value) && strchr(json_string_value(value), '\n'))
            fputs("\n    ", out), print_indented(out, json_string_value(value));
        else
            print_value(out, value);
        fputc('\n', out);
    }
}

/* 0 where nothing has the name; *tree NULL: no memory */
static int look_up(const char *name, json_t **tree)
{
    int found = 1;
    *tree = NULL;
    if (catalogue_find_problem(name))
        *tree = problem_json(catalogue_find_problem(name));
    else if (dae_find_formulation(name))
        *tree = formulation_json(dae_find_formulation(name));
    else if (catalogue_find_method(name))
        *tree = method_json(catalogue_find_method(name));
    else
        found = 0;
    return found;
}

static int unknown(const char *name)
{
    const char *names[3 * MAX_NAMES];
    int count = choice_names(A_PROBLEM, names);
    count += choice_names(A_FORMULATION, names + count);
    count += choice_names(A_METHOD, names + count);
    const char *near = dae_nearest(name, names, count);
    return near ? cli_error(EXIT_USAGE, "nothing is called %s; did you mean %s?", name, near)
                : cli_error(EXIT_USAGE, "nothing is called %s; see daelab list", name);
}

/* As wide as the terminal; 0 where memory is short. */
static int print_fitted(const json_t *tree, FILE *out)
{
    char *text = NULL;
    size_t size;
    FILE *page = open_memstream(&text, &size);
    if (!page)
        return 0;
    print_people(page, tree);
    const int whole = fclose(page) == 0 && text;      /* NULL where memory was short at the end */
    if (whole)
        words_print_lines(text, screen_width(out), out);
    free(text);
    return whole;
}

typedef struct { const json_t *tree; output_format format; } wanted_info;

static int print_info(const void *context, FILE *out)
{
    const wanted_info *w = context;
    if (w->format != FORMAT_JSON)
        return print_fitted(w->tree, out);
    json_file_write(w->tree, out);
    return 1;
}

int command_info(const cli_options *o)
{
    wanted_info wanted;
    if (!o->subject)
        return cli_error(EXIT_USAGE, "info on what? daelab list shows the names");
    const int wrong = output_format_of(o, o->output, &wanted.format);
    if (wrong)
        return wrong;
    if (wanted.format != FORMAT_JSON && wanted.format != FORMAT_TABLE)
        return cli_error(EXIT_USAGE, "info is a text or json; --format table or json");
    json_t *tree;
    const char *name = o->subject;
    if (load_is_path(name) && !(name = plugins_name(name)))
        return cli_last_status();
    if (!look_up(name, &tree))
        return unknown(name);
    wanted.tree = tree;
    const int status = tree ? output_write(o->output, print_info, &wanted) : cli_error(EXIT_SYSTEM, "out of memory");
    json_decref(tree);
    return status;
}
