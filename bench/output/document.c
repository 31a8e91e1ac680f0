#include "output/document.h"

#include "host/atomic_file.h"
#include "numbers/decimal.h"
#include "output/json_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

void document_set(document *doc, const char *key, json_t *value)
{
    if (!value || json_object_set_new(doc->json, key, value))
        doc->failed = 1;
}

static void print_shortest(FILE *out, double x)
{
    char text[DECIMAL];
    fputs(decimal(x, text), out);
}

/* The value of parameter i, or where it is varied all of its values. */
static json_t *parameter_json(const cli_options *o, int i)
{
    if (!o->values || i != o->varied)
        return json_number(o->parameters[i]);
    json_t *values = json_array();
    for (int k = 0; k < o->values; k++)
        json_array_append_new(values, json_number(o->value[k]));
    return values;
}

static void print_parameter(FILE *text, const cli_options *o, int i)
{
    if (!o->values || i != o->varied) {
        print_shortest(text, o->parameters[i]);
        return;
    }
    for (int k = 0; k < o->values; k++) {
        fputs(k ? "," : "", text);
        print_shortest(text, o->value[k]);
    }
}

/* {"m": 1.0, ...}, and "m=1 ..." for people. */
static void set_parameters(document *doc, const cli_options *o)
{
    json_t *object = json_object();
    size_t length = 0;
    FILE *text = open_memstream(&doc->parameters, &length);
    if (!text) {
        doc->failed = 1;
        json_decref(object);
        return;
    }
    for (int i = 0; i < dae_parameter_count(o->problem); i++) {
        const char *name = o->problem->parameters[i].name;
        if (json_object_set_new(object, name, parameter_json(o, i)))
            doc->failed = 1;
        fprintf(text, "%s%s=", i ? " " : "", name);
        print_parameter(text, o, i);
    }
    if (fclose(text) || !doc->parameters)
        doc->failed = 1;
    document_set(doc, "parameters", object);
}

/* What was chosen and the tables do not show, for people. */
/* What ends a run with events, as far as it was given: " stop=x=3 max-events=10"; owned */
static char *event_options(const cli_options *o)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int i = 0; i < o->stops; i++)
        fprintf(out, " stop=%s", o->stop[i]);
    if (o->max_events)
        fprintf(out, " max-events=%d", o->max_events);
    if (isfinite(o->accumulation))
        fprintf(out, " accumulation=%g", o->accumulation);
    if (fclose(out) == 0)
        return text;                                    /* NULL where memory was short at the end */
    free(text);
    return NULL;
}

static void set_options(document *doc, const cli_options *o)
{
    char atol[32] = "atol=rtol", *events = event_options(o);
    if (isfinite(o->atol))
        snprintf(atol, sizeof atol, "atol=%g", o->atol);
    if (!events || asprintf(&doc->options, "start=%s jacobian=%s linear=%s %s error-test=%s alpha=%g "
                 "beta=%g%s%s%s", o->as_given ? "as-given" : "consistent",
                 cli_jacobian_name(o->jacobian), cli_linear_name(o->linear), atol,
                 cli_error_test_name(o->error_test), o->baumgarte.alpha, o->baumgarte.beta,
                 o->project ? " project=" : "", o->project ? cli_project_name(o->project) : "",
                 events) < 0) {
        doc->options = NULL;
        doc->failed = 1;
    }
    free(events);
}

static json_t *options_json(const cli_options *o)
{
    json_t *tree =
        json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:f, s:f}", "atol", json_number(o->atol),
                  "error_test", cli_error_test_name(o->error_test),
                  "jacobian", cli_jacobian_name(o->jacobian),
                  "linear", cli_linear_name(o->linear), "project", cli_project_name(o->project),
                  "start", o->as_given ? "as-given" : "consistent",
                  "alpha", o->baumgarte.alpha, "beta", o->baumgarte.beta);
    json_t *stops = o->stops ? json_array() : NULL;
    for (int i = 0; i < o->stops; i++)
        json_array_append_new(stops, json_string(o->stop[i]));
    if (o->stops)
        json_object_set_new(tree, "stop", stops);
    if (o->max_events)
        json_object_set_new(tree, "max_events", json_integer(o->max_events));
    if (isfinite(o->accumulation))
        json_object_set_new(tree, "accumulation", json_real(o->accumulation));
    return tree;
}

/* What the equations are. */
static void set_problem(document *doc, const char *command, const cli_options *o, double t0,
                        double t_end)
{
    document_set(doc, "problem", json_string(o->problem->name));
    set_parameters(doc, o);
    document_set(doc, "t_start", json_number(t0));
    document_set(doc, "t_end", json_number(t_end));
    if (asprintf(&doc->title, "daelab %s %s %s, t = %g ... %g", DAELAB_VERSION, command,
                 o->problem->name, t0, t_end) < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
}

document *document_new(const char *command, const cli_options *o, double t0, double t_end)
{
    document *doc = calloc(1, sizeof *doc);
    if (!doc)
        return NULL;
    doc->json = json_object();
    if (!doc->json) {
        free(doc);
        return NULL;
    }
    document_set(doc, "daelab", json_string(DAELAB_VERSION));
    document_set(doc, "command", json_string(command));
    if (o->problem) {
        set_problem(doc, command, o, t0, t_end);
    } else if (asprintf(&doc->title, "daelab %s %s %s", DAELAB_VERSION, command, o->subject) < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
    document_set(doc, "options", options_json(o));
    set_options(doc, o);
    document_set(doc, "machine", machine_json());
    document_set(doc, "remarks", json_array());
    return doc;
}

void document_free(document *doc)
{
    if (!doc)
        return;
    json_decref(doc->json);
    free(doc->title);
    free(doc->parameters);
    free(doc->options);
    for (int i = 0; i < doc->parts; i++)
        document_free(doc->part[i]);
    for (int i = 0; i < doc->sections; i++) {
        free(doc->section[i].heading);
        grid_free(doc->section[i].grid);
    }
    for (int i = 0; i < doc->notes; i++)
        free(doc->note[i]);
    free(doc);
}

void document_part_add(document *doc, document *part)
{
    json_t *problems = json_object_get(doc->json, "problems");
    if (!problems) {
        problems = json_array();
        document_set(doc, "problems", problems);
    }
    doc->failed = doc->failed || part->failed || doc->parts == MAX_PARTS
                  || json_array_append(problems, part->json);
    if (doc->parts == MAX_PARTS)
        document_free(part);
    else
        doc->part[doc->parts++] = part;
}

void document_section_add(document *doc, const char *heading, grid *g)
{
    char *copy = heading ? strdup(heading) : NULL;
    if (!g || grid_failed(g) || doc->sections == MAX_SECTIONS || (heading && !copy)) {
        doc->failed = 1;
        free(copy);
        grid_free(g);
        return;
    }
    doc->section[doc->sections++] = (document_section){copy, g};
}

static void add_note(document *doc, const char *format, va_list arguments)
{
    if (doc->notes == MAX_NOTES)
        return;
    if (vasprintf(&doc->note[doc->notes], format, arguments) >= 0)
        doc->notes++;
    else
        doc->failed = 1;
}

void document_note(document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(doc, format, arguments);
    va_end(arguments);
}

void document_remark(document *doc, const char *format, ...)
{
    const int before = doc->notes;
    va_list arguments;
    va_start(arguments, format);
    add_note(doc, format, arguments);
    va_end(arguments);
    if (doc->notes == before)
        return;
    doc->remark[before] = 1;
    if (json_array_append_new(json_object_get(doc->json, "remarks"),
                              json_string(doc->note[before])))
        doc->failed = 1;
}

/* Where the table does not say it on the terminal. */
static void say_remarks(const document *doc)
{
    for (int i = 0; i < doc->parts; i++)
        say_remarks(doc->part[i]);
    for (int i = 0; i < doc->notes; i++)
        if (doc->remark[i])
            fprintf(stderr, "daelab: %s\n", doc->note[i]);
}

static void write_people(const document *doc, output_format format, FILE *out)
{
    const int markdown = format == FORMAT_MARKDOWN;
    for (int i = 0; i < doc->parts; i++) {
        write_people(doc->part[i], format, out);
        fputc('\n', out);
    }
    fprintf(out, markdown ? "**%s**  \n" : "%s\n", doc->title);
    if (doc->parameters)
        fprintf(out, markdown ? "`%s`  \n" : "%s\n", doc->parameters);
    fprintf(out, markdown ? "`%s`\n" : "%s\n", doc->options);
    for (int i = 0; i < doc->sections; i++) {
        fputc('\n', out);
        if (doc->section[i].heading)
            fprintf(out, markdown ? "%s\n\n" : "%s\n", doc->section[i].heading);
        (markdown ? grid_print_markdown : grid_print_table)(doc->section[i].grid, out);
    }
    if (doc->notes)
        fputc('\n', out);
    for (int i = 0; i < doc->notes; i++)
        fprintf(out, markdown ? "- %s\n" : "%s\n", doc->note[i]);
}

static void write_csv(const document *doc, FILE *out)
{
    for (int i = 0; i < doc->parts; i++) {
        write_csv(doc->part[i], out);
        fputc('\n', out);
    }
    fprintf(out, "# %s\n", doc->title);
    if (doc->parameters)
        fprintf(out, "# %s\n", doc->parameters);
    fprintf(out, "# %s\n", doc->options);
    for (int i = 0; i < doc->notes; i++)
        fprintf(out, "# %s\n", doc->note[i]);
    for (int i = 0; i < doc->sections; i++) {
        if (i > 0)
            fputc('\n', out);
        grid_print_csv(doc->section[i].grid, out);
    }
}

/* 0 where memory is short: of JSON. */
static int write_format(const document *doc, output_format format, FILE *out)
{
    if (format == FORMAT_JSON)
        return json_file_write(doc->json, out);
    if (format == FORMAT_CSV)
        write_csv(doc, out);
    else
        write_people(doc, format, out);
    return 1;
}

static int no_memory(void) { return cli_error(EXIT_SYSTEM, "out of memory for the result"); }

static int write_document(const document *doc, const cli_options *o)
{
    atomic_file file;
    dae_report report = {0};
    if (!doc || doc->failed || !json_file_whole())
        return no_memory();
    if (!o->output) {
        const int whole = write_format(doc, o->format, stdout);
        return fflush(stdout) || ferror(stdout)
                   ? cli_error(EXIT_SYSTEM, "standard output cannot be written")
                   : whole ? EXIT_DONE : no_memory();
    }
    if (atomic_open(&file, o->output, &report))
        return cli_error(EXIT_SYSTEM, "%s", report.message);
    if (!write_format(doc, o->format, file.stream)) {
        atomic_discard(&file);
        return no_memory();
    }
    return atomic_commit(&file, &report) ? cli_error(EXIT_SYSTEM, "%s", report.message)
                                         : EXIT_DONE;
}

int document_finish(document *doc, const cli_options *o)
{
    const int status = write_document(doc, o), people = o->format == FORMAT_TABLE;
    if (!status && !o->quiet && (o->output || !people))
        say_remarks(doc);
    document_free(doc);
    return status;
}
