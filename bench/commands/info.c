/* info.c - daelab info NAME: a problem, a formulation or a method in words */
#include "host/allocate.h"
#include "host/screen.h"
#include "catalogue/catalogue.h"
#include "cli/options.h"
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

/* The default of a parameter: a number, or of an array a list. */
static json_t *default_json(const dae_problem *p, int first, int count)
{
    json_t *elements = json_array();
    for (int i = first; count > 1 && i < first + count; i++)
        json_array_append_new(elements, json_number(dae_parameter_default(p, i)));
    if (count > 1)
        return elements;
    json_decref(elements);
    return json_number(dae_parameter_default(p, first));
}

static json_t *parameters_json(const dae_problem *p)
{
    json_t *list = json_array();
    const dae_parameter *entry;
    for (int i = 0; (entry = dae_parameter_at(p, i)) != NULL; i += entry->count > 1 ? entry->count : 1) {
        const int count = entry->count > 1 ? entry->count : 1;
        json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:s, s:o*}", "name", entry->name, "default",
                                              default_json(p, i, count), "unit", given(entry->unit), "description",
                                              given(entry->description), "count",
                                              count > 1 ? json_integer(count) : NULL));
    }
    return list;
}

/* The start with the default parameters. */
static json_t *start_json(const dae_problem *p)
{
    const int count = dae_parameter_count(p);
    json_t *start = json_array();
    double *values = dae_parameters_new(count, sizeof *values, NULL);
    for (int i = 0; values && i < count; i++)
        values[i] = dae_parameter_default(p, i);
    const int copies = values ? dae_problem_copies(p, values) : 0;
    const dae_mechanical *m = &p->mechanical;
    const int n = !values ? 0 : m->nq ? copies * (2 * m->nq + m->nl) : p->first_order.n;
    double *u = allocate((size_t)n, sizeof *u);
    if (values)
        p->start.f(values, u);
    for (int i = 0; i < n; i++)
        json_array_append_new(start, json_number(u[i]));
    free(u);
    dae_parameters_free(values);
    return start;
}

static json_t *problem_json(const dae_problem *p)
{
    const dae_invariants *kept = &p->invariants;
    const int nonholonomic = p->mechanical.nonholonomic;
    json_t *forms = json_array();
    for (int i = 0; dae_formulation_at(i); i++)
        if (dae_formulation_applies(dae_formulation_at(i), p))
            json_array_append_new(forms, json_string(dae_formulation_describe(dae_formulation_at(i)).name));
    json_t *tree = json_pack(
        "{s:s, s:s, s:s*, s:s, s:s, s:s, s:s, s:o, s:o, s:[f, f], s:o, s:s, s:b, s:o*, s:o*, s:s*, s:s*}",
        "problem", p->name, "title", given(p->title), "file", catalogue_file(p), "equations", given(p->equations),
        "citation", given(p->citation), "variables", given(p->variables), "units", given(p->units),
        "parameters", parameters_json(p), "start", start_json(p), "interval", p->t0, p->t_end, "formulations", forms,
        "reference", reference_of(p), "analytic_jacobian",
        p->mechanical.partials != NULL || p->first_order.jacobian != NULL,
        "rtol", p->rtol > 0 ? json_real(p->rtol) : NULL,
        "nonholonomic", nonholonomic ? json_integer(nonholonomic) : NULL,
        "invariants", kept->n ? given(kept->names) : NULL, "invariant_units", kept->n ? given(kept->units) : NULL);
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
    return json_pack("{s:s, s:s, s:s*, s:s, s:s, s:s, s:i, s:o, s:o*}", "method", info.name, "title", given(info.title),
                     "file", catalogue_file(method), "citation", given(info.citation), "step",
                     !info.fixed ? "adaptive" : info.adaptive ? "fixed, adaptive" : "fixed", "kind",
                     info.implicit ? "implicit" : "explicit", "stages", info.stages, "declared order",
                     orders_json(&info), "order between steps at most",
                     info.dense_order > 0 ? json_real(info.dense_order) : NULL);
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

/* The default as text, to be freed: one number where all elements have the same (*one := 1), else all of them. */
static char *default_words(const json_t *x, int *one)
{
    const double first = json_number_value(json_is_array(x) ? json_array_get(x, 0) : x);
    char *text;
    size_t length;
    *one = 1;
    for (size_t i = 1; i < json_array_size(x); i++)
        *one = *one && json_number_value(json_array_get(x, i)) == first;
    FILE *out = allocate_stream(&text, &length);
    fprintf(out, "%.15g", first);
    for (size_t i = 1; !*one && i < json_array_size(x); i++)
        fprintf(out, " %.15g", json_number_value(json_array_get(x, i)));
    allocate_stream_end(out);
    return text;
}

static int longer(int least, const char *text) { return (int)strlen(text) > least ? (int)strlen(text) : least; }

/* "k[0..35]" of an array */
static void print_parameter(FILE *out, const json_t *p, int name, int value, int unit)
{
    const int count = (int)json_integer_value(json_object_get(p, "count"));
    int one;
    char *words = default_words(json_object_get(p, "default"), &one);
    char *array = count > 1 ? allocate_print("%s[0..%d]", json_word(p, "name"), count - 1)
                            : allocate_text(json_word(p, "name"));
    fprintf(out, "\n    %-*s = %-*s %-*s %s", name, array, one ? value : 0, words, unit, json_word(p, "unit"),
            json_word(p, "description"));
    free(array);
    free(words);
}

static void print_parameters(FILE *out, const json_t *list)
{
    int name = 10, unit = 7, value = 10, one;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *p = json_array_get(list, i);
        char *words = default_words(json_object_get(p, "default"), &one);
        name = longer(name, json_word(p, "name"));
        unit = longer(unit, json_word(p, "unit"));
        value = one ? longer(value, words) : value;
        free(words);
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        print_parameter(out, json_array_get(list, i), name, value, unit);
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

/* NULL where nothing has the name. */
static json_t *look_up(const char *name)
{
    return catalogue_find_problem(name)  ? problem_json(catalogue_find_problem(name))
           : dae_find_formulation(name)  ? formulation_json(dae_find_formulation(name))
           : catalogue_find_method(name) ? method_json(catalogue_find_method(name)) : NULL;
}

static int unknown(const char *name)
{
    const char *names[3 * MAX_NAMES];
    int count = choice_names(A_PROBLEM, names);
    count += choice_names(A_FORMULATION, names + count);
    count += choice_names(A_METHOD, names + count);
    const char *near = dae_nearest(name, names, count), *ending = load_ending_of(name);
    return ending ? cli_error(EXIT_USAGE, "nothing is called %s; did you mean the file ./%s%s?", name, name, ending)
           : near ? cli_error(EXIT_USAGE, "nothing is called %s; did you mean %s?", name, near)
                  : cli_error(EXIT_USAGE, "nothing is called %s; see daelab list", name);
}

typedef struct { const json_t *tree; output_format format; } wanted_info;

/* For people as wide as the terminal. */
static void print_info(const void *context, FILE *out)
{
    const wanted_info *w = context;
    char *text;
    size_t length;
    if (w->format == FORMAT_JSON) {
        json_file_write(w->tree, out);
        return;
    }
    FILE *page = allocate_stream(&text, &length);
    print_people(page, w->tree);
    allocate_stream_end(page);
    words_print_lines(text, screen_width(out), out);
    free(text);
}

int command_info(const cli_options *o)
{
    wanted_info wanted;
    output_target to;
    if (!o->subject)
        return cli_error(EXIT_USAGE, "info on what? daelab list shows the names");
    const int wrong = outputs_first(o, &to);
    wanted.format = to.format;
    if (wrong)
        return wrong;
    if (wanted.format != FORMAT_JSON && wanted.format != FORMAT_TABLE)
        return cli_error(EXIT_USAGE, "info is a text or json; --format table or json");
    const char *name = o->subject;
    if (load_is_path(name) && !(name = plugins_name(name)))
        return cli_last_status();
    json_t *tree = look_up(name);
    if (!tree)
        return unknown(name);
    wanted.tree = tree;
    const int status = output_write(to.path, (output_content){.write = print_info, .context = &wanted});
    json_decref(tree);
    return status;
}
