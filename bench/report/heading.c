#include "report/heading.h"

#include "catalogue/catalogue.h"
#include "numbers/decimal.h"
#include "output/json_file.h"
#include "output/machine.h"
#include "report/remarks.h"

#include <daelab/daelab.h>

#include <math.h>
#include <stdlib.h>

static void print_shortest(FILE *out, double x)
{
    char text[DECIMAL];
    fputs(decimal(x, text), out);
}

static int is_varied(const study_specification *o, int i) { return o->values && i == o->varied; }

/* The value of parameter i, or where it is varied all of its values. */
static json_t *value_json(const study_specification *o, int i)
{
    if (!is_varied(o, i))
        return json_number(run_parameter(&o->run, i));
    json_t *values = json_array();
    for (int k = 0; k < o->values; k++)
        json_array_append_new(values, json_number(o->value[k]));
    return values;
}

/* Of an array, those of its elements. */
static json_t *parameter_json(const study_specification *o, int first, int count)
{
    if (count == 1)
        return value_json(o, first);
    json_t *elements = json_array();
    for (int i = first; i < first + count; i++)
        json_array_append_new(elements, value_json(o, i));
    return elements;
}

static void print_value(FILE *text, const study_specification *o, int i)
{
    if (!is_varied(o, i)) {
        print_shortest(text, run_parameter(&o->run, i));
        return;
    }
    for (int k = 0; k < o->values; k++) {
        fputs(k ? "," : "", text);
        print_shortest(text, o->value[k]);
    }
}

/* The value that all elements of an array have, but for one that is varied; NaN where they differ. */
static double common_value(const study_specification *o, int first, int count)
{
    const double common = run_parameter(&o->run, first + (count > 1 && is_varied(o, first)));
    for (int i = first; i < first + count; i++)
        if (!is_varied(o, i) && run_parameter(&o->run, i) != common)
            return NAN;
    return common;
}

/* "m=1", "k=2" or "k=1,2,3" of an array, as --param takes it; the elements of long ones as far as SHOWN, and
 * one that is varied by itself, "k[3]=1,2". */
static void print_parameter(FILE *text, const study_specification *o, const char *name, int first, int count)
{
    enum { SHOWN = 40 };
    const double common = common_value(o, first, count);
    fprintf(text, "%s%s=", first ? " " : "", name);
    if (count == 1)
        print_value(text, o, first);
    else if (!isnan(common))
        print_shortest(text, common);
    for (int i = 0; count > 1 && isnan(common) && i < count && i < SHOWN; i++) {
        fputs(i ? "," : "", text);
        print_shortest(text, run_parameter(&o->run, first + i));
    }
    if (isnan(common) && count > SHOWN)
        fprintf(text, ",.. (%d)", count);
    if (count > 1 && o->values && o->varied >= first && o->varied < first + count) {
        fprintf(text, " %s[%d]=", name, o->varied - first);
        print_value(text, o, o->varied);
    }
}

/* {"m": 1.0, ...}, and "m=1 ..." for people. */
static void set_parameters(document *doc, const study_specification *o)
{
    json_t *object = json_object();
    size_t length = 0;
    FILE *text = open_memstream(&doc->parameters, &length);
    if (!text) {
        doc->failed = 1;
        json_decref(object);
        return;
    }
    const dae_parameter *p;
    for (int i = 0; (p = dae_parameter_at(o->run.problem, i)) != NULL; i += p->count > 1 ? p->count : 1) {
        const int count = p->count > 1 ? p->count : 1;
        if (json_object_set_new(object, p->name, parameter_json(o, i, count)))
            doc->failed = 1;
        print_parameter(text, o, p->name, i, count);
    }
    if (fclose(text) || !doc->parameters)
        doc->failed = 1;
    document_set(doc, "parameters", object);
}

/* What bounds steps and ends a run with events, as far as it was given: " max-step=0.1 stop=x=3"; owned */
static char *given_options(const study_specification *o)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (isfinite(o->run.max_step))
        fprintf(out, " max-step=%g", o->run.max_step);
    if (isfinite(o->run.first_step))
        fprintf(out, " first-step=%g", o->run.first_step);
    for (int i = 0; i < o->run.stops; i++)
        fprintf(out, " stop=%s", o->run.stop[i]);
    if (o->run.no_events)
        fputs(" events=off", out);
    if (o->run.max_events)
        fprintf(out, " max-events=%d", o->run.max_events);
    if (o->run.max_steps)
        fprintf(out, " limit-steps=%d", o->run.max_steps);
    if (isfinite(o->run.accumulation))
        fprintf(out, " accumulation=%g", o->run.accumulation);
    if (fclose(out) == 0)
        return text;                                    /* NULL where memory was short at the end */
    free(text);
    return NULL;
}

/* "atol=1e-08,T=0.001,velocity=100*rtol"; owned */
static char *atol_words(const run_setting *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (isfinite(s->atol))
        fprintf(out, "atol=%g%s", s->atol, s->atol_by_rtol ? "*rtol" : "");
    else
        fputs("atol=rtol", out);
    for (int k = 0; k < s->atols; k++)
        fprintf(out, ",%s=%g%s", s->atol_of[k].of, s->atol_of[k].value, s->atol_of[k].by_rtol ? "*rtol" : "");
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* alpha or beta; NaN: each problem has its own */
static const char *feedback_words(double x, char text[32])
{
    if (isnan(x))
        snprintf(text, 32, "20/interval");
    else
        snprintf(text, 32, "%g", x);
    return text;
}

/* What was chosen and the tables do not show, for people. */
static void set_options(document *doc, const study_specification *o)
{
    char *atol = atol_words(&o->run), *given = given_options(o), alpha[32], beta[32];
    if (!atol || !given || asprintf(&doc->options, "start=%s jacobian=%s linear=%s %s error-test=%s alpha=%s "
                 "beta=%s%s%s%s", run_start_name(o->run.as_given),
                 run_jacobian_name(o->run.jacobian), run_linear_name(o->run.linear), atol,
                 run_error_test_name(o->run.error_test), feedback_words(o->run.baumgarte.alpha, alpha),
                 feedback_words(o->run.baumgarte.beta, beta), o->run.project ? " project=" : "",
                 o->run.project ? run_project_name(o->run.project) : "", given) < 0) {
        doc->options = NULL;
        doc->failed = 1;
    }
    free(atol);
    free(given);
}

/* Of "atol_of" those that are numbers, or of "atol_of_by_rtol" those in units of rtol: {"T": 0.001} */
static void set_atols(json_t *tree, const char *key, const run_setting *s, int by_rtol)
{
    json_t *object = json_object();
    for (int k = 0; k < s->atols; k++)
        if (s->atol_of[k].by_rtol == by_rtol)
            json_object_set_new(object, s->atol_of[k].of, json_number(s->atol_of[k].value));
    if (json_object_size(object))
        json_object_set(tree, key, object);
    json_decref(object);
}

static json_t *options_json(const study_specification *o)
{
    const int by_rtol = o->run.atol_by_rtol;
    json_t *tree =
        json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "atol", json_number(by_rtol ? NAN : o->run.atol),
                  "error_test", run_error_test_name(o->run.error_test),
                  "jacobian", run_jacobian_name(o->run.jacobian),
                  "linear", run_linear_name(o->run.linear), "project", run_project_name(o->run.project),
                  "start", run_start_name(o->run.as_given),
                  "alpha", json_number(o->run.baumgarte.alpha), "beta", json_number(o->run.baumgarte.beta));
    if (isfinite(o->run.max_step))
        json_object_set_new(tree, "max_step", json_real(o->run.max_step));
    if (isfinite(o->run.first_step))
        json_object_set_new(tree, "first_step", json_real(o->run.first_step));
    if (by_rtol)
        json_object_set_new(tree, "atol_by_rtol", json_number(o->run.atol));
    set_atols(tree, "atol_of", &o->run, 0);
    set_atols(tree, "atol_of_by_rtol", &o->run, 1);
    json_t *stops = o->run.stops ? json_array() : NULL;
    for (int i = 0; i < o->run.stops; i++)
        json_array_append_new(stops, json_string(o->run.stop[i]));
    if (o->run.stops)
        json_object_set_new(tree, "stop", stops);
    if (o->run.no_events)
        json_object_set_new(tree, "events", json_string("off"));
    if (o->run.max_steps)
        json_object_set_new(tree, "limit_steps", json_integer(o->run.max_steps));
    if (o->run.max_events)
        json_object_set_new(tree, "max_events", json_integer(o->run.max_events));
    if (isfinite(o->run.accumulation))
        json_object_set_new(tree, "accumulation", json_real(o->run.accumulation));
    return tree;
}

/* What the equations are. */
static void set_problem(document *doc, const char *command, const study_specification *o, double t0,
                        double t_end)
{
    document_set(doc, "problem", json_string(o->run.problem->name));
    set_parameters(doc, o);
    document_set(doc, "t_start", json_number(t0));
    document_set(doc, "t_end", json_number(t_end));
    const char *file = catalogue_file(o->run.problem);
    if (asprintf(&doc->title, "daelab %s %s %s%s%s, t = %g ... %g", DAELAB_VERSION, command,
                 o->run.problem->name, file ? " of " : "", file ? file : "", t0, t_end) < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
}

/* The files that problem and methods came from, by name: {"bead": "./bead.c"}. */
static json_t *files_json(const study_specification *o)
{
    json_t *files = json_object();
    if (o->run.problem && catalogue_file(o->run.problem))
        json_object_set_new(files, o->run.problem->name, json_text(catalogue_file(o->run.problem)));
    for (int i = 0; i < o->methods; i++)
        if (catalogue_file(o->method[i]))
            json_object_set_new(files, dae_method_describe(o->method[i]).name,
                                json_text(catalogue_file(o->method[i])));
    return files;
}

/* What was chosen, and what ran it. */
static document *complete(document *doc, const study_specification *o)
{
    json_t *files = files_json(o);
    if (json_object_size(files))
        document_set(doc, "files", files);
    else
        json_decref(files);
    document_set(doc, "options", options_json(o));
    set_options(doc, o);
    document_set(doc, "machine", machine_json());
    document_set(doc, "remarks", json_array());
    return doc;
}

document *report_begin(const char *command, const study_specification *o, double t0,
                       double t_end)
{
    document *doc = document_new(command);
    if (!doc)
        return NULL;
    set_problem(doc, command, o, t0, t_end);
    complete(doc, o);
    remark_events(doc, o->run.problem);
    remark_loose(doc, &o->run);
    return doc;
}

document *report_begin_several(const char *command, const char *subject,
                               const study_specification *o)
{
    document *doc = document_new(command);
    if (!doc)
        return NULL;
    if (asprintf(&doc->title, "daelab %s %s %s", DAELAB_VERSION, command, subject) < 0) {
        doc->title = NULL;
        doc->failed = 1;
    }
    return complete(doc, o);
}

document *report_begin_file(const char *title, const char *question)
{
    document *doc = document_new("study");
    if (!doc)
        return NULL;
    document_set(doc, "title", json_text(title));
    document_set(doc, "question", json_text(question));
    document_set(doc, "machine", machine_json());
    document_set(doc, "remarks", json_array());
    if (asprintf(&doc->opening, "%s%s%s\n", title, *question ? "\n" : "", question) < 0) {
        doc->opening = NULL;
        doc->failed = 1;
    }
    return doc;
}
