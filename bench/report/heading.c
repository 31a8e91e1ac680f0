/* heading.c - what begins a result: version, command, problem, parameters, interval, options, for people and as JSON */
#include "report/report.h"

#include "catalogue/catalogue.h"
#include "catalogue/start_set.h"
#include "host/allocate.h"
#include "numbers/decimal.h"
#include "output/json_file.h"
#include "output/provenance.h"

#include <daelab/daelab.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const dae_parameter *p;
    size_t length;
    FILE *text = allocate_stream(&doc->parameters, &length);
    for (int i = 0; (p = dae_parameter_at(o->run.problem, i)) != NULL; i += p->count > 1 ? p->count : 1) {
        const int count = p->count > 1 ? p->count : 1;
        json_object_set_new(object, p->name, parameter_json(o, i, count));
        print_parameter(text, o, p->name, i, count);
    }
    fprintf(text, "%s%s", *start_set_words(o->run.problem) ? " " : "", start_set_words(o->run.problem));
    allocate_stream_end(text);
    document_set(doc, "parameters", object);
}

static void add_value(char words[VARIED_WORDS], const study_specification *o, int parameter, double value)
{
    const size_t end = strlen(words);
    char name[STUDY_NAME], number[DECIMAL];
    dae_parameter_name(o->run.problem, parameter, name, sizeof name);
    snprintf(words + end, VARIED_WORDS - end, " %s=%s", name, decimal(value, number));
}

const char *varied_words(const study_item *item, int value, char words[VARIED_WORDS])
{
    const study_specification *o = &item->spec;
    *words = 0;
    for (int i = 0; i < item->varies; i++)
        add_value(words, o, item->varied[i], run_parameter(&o->run, item->varied[i]));
    if (o->values && value >= 0)
        add_value(words, o, o->varied, o->value[value]);
    return words;
}

/* " atol=1e-08,T=0.001,velocity=100*rtol", " sensitivity=L,g0", " stop=x=3 stop=y=0" */
static void put_by_hand(FILE *out, setting_id id, const run_setting *s)
{
    if (id == SETTING_STOP) {
        for (int i = 0; i < s->stops; i++)
            fprintf(out, " stop=%s", s->stop[i]);
    }
    for (int i = 0; id == SETTING_SENSITIVITY && i < s->sensitivities; i++)
        fprintf(out, "%s%s", i ? "," : " sensitivity=", run_sensitivity_name(s, i).text);
    if (id != SETTING_ATOL)
        return;
    if (isfinite(s->atol))
        fprintf(out, " atol=%g%s", s->atol, s->atol_by_rtol ? "*rtol" : "");
    else
        fputs(" atol=rtol", out);
    for (int k = 0; k < s->atols; k++)
        fprintf(out, ",%s=%g%s", s->atol_of[k].of, s->atol_of[k].value, s->atol_of[k].by_rtol ? "*rtol" : "");
}

/* A rate that is not given is that of each problem. */
void put_setting(FILE *out, setting_id id, const run_setting *s)
{
    const setting_row *row = &run_settings[id];
    if (row->kind == KIND_BY_HAND) {
        put_by_hand(out, id, s);
        return;
    }
    fputc(' ', out);
    for (const char *c = row->name; *c; c++)
        fputc(*c == '_' ? '-' : *c, out);
    if (row->words)
        fprintf(out, "=%s", setting_word(row, s));
    else if (setting_is_given(row, s))
        fprintf(out, row->kind == KIND_COUNT ? "=%.0f" : "=%g", setting_value(row, s));
    else
        fputs("=20/interval", out);
}

/* What was chosen and the tables do not show, for people, in the order of its places. */
static void set_options(document *doc, const run_setting *s)
{
    enum { PLACES = 100 };
    char *words;
    size_t length;
    FILE *text = allocate_stream(&words, &length);
    for (int k = 0; k < PLACES * SETTINGS; k++) {
        const setting_row *row = &run_settings[k % SETTINGS];
        if (row->said != 1 + k / SETTINGS)
            continue;
        if (row->kind == KIND_BY_HAND || !row->if_given || setting_is_given(row, s))
            put_setting(text, (setting_id)(k % SETTINGS), s);
    }
    allocate_stream_end(text);
    doc->options = allocate_text(words + (*words == ' '));
    free(words);
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

static void set_by_hand(json_t *tree, setting_id id, const run_setting *s)
{
    if (id == SETTING_ATOL) {
        json_object_set_new(tree, "atol", json_number(s->atol_by_rtol ? NAN : s->atol));
        if (s->atol_by_rtol)
            json_object_set_new(tree, "atol_by_rtol", json_number(s->atol));
        set_atols(tree, "atol_of", s, 0);
        set_atols(tree, "atol_of_by_rtol", s, 1);
    } else if (id == SETTING_SENSITIVITY && s->sensitivities) {
        json_t *names = json_array();
        for (int i = 0; i < s->sensitivities; i++)
            json_array_append_new(names, json_text(run_sensitivity_name(s, i).text));
        json_object_set_new(tree, "sensitivity", names);
    } else if (id == SETTING_STOP && s->stops) {
        json_t *stops = json_array();
        for (int i = 0; i < s->stops; i++)
            json_array_append_new(stops, json_string(s->stop[i]));
        json_object_set_new(tree, "stop", stops);
    }
}

static json_t *setting_json(const setting_row *row, const run_setting *s)
{
    return row->words               ? json_string(setting_word(row, s))
           : row->kind == KIND_COUNT ? json_integer((json_int_t)setting_value(row, s))
                                     : json_number(setting_value(row, s));
}

static json_t *options_json(const run_setting *s)
{
    json_t *tree = json_object();
    for (setting_id id = 0; id < SETTINGS; id++) {
        const setting_row *row = &run_settings[id];
        if (row->kind == KIND_BY_HAND)
            set_by_hand(tree, id, s);
        else if (row->said && (!row->if_given || row->kind == KIND_SET || setting_is_given(row, s)))
            json_object_set_new(tree, row->name, setting_json(row, s));
    }
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
    doc->title = allocate_print("daelab %s %s %s%s%s, t = %g ... %g", DAELAB_VERSION, command, o->run.problem->name,
                                file ? " of " : "", file ? file : "", t0, t_end);
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
static void complete(document *doc, const study_specification *o)
{
    json_t *files = files_json(o);
    if (json_object_size(files))
        document_set(doc, "files", files);
    else
        json_decref(files);
    document_set(doc, "options", options_json(&o->run));
    set_options(doc, &o->run);
    document_set(doc, "machine", machine_json());
    document_set(doc, "remarks", json_array());
}

document *report_begin(const char *command, const study_specification *o, double t0, double t_end)
{
    document *doc = document_new(command);
    set_problem(doc, command, o, t0, t_end);
    complete(doc, o);
    remark_events(doc, o->run.problem);
    remark_loose(doc, &o->run);
    return doc;
}

document *report_begin_several(const char *command, const char *subject, const study_specification *o)
{
    document *doc = document_new(command);
    doc->title = allocate_print("daelab %s %s %s", DAELAB_VERSION, command, subject);
    complete(doc, o);
    return doc;
}

document *report_begin_file(const char *title, const char *question)
{
    document *doc = document_new("study");
    document_set(doc, "title", json_text(title));
    document_set(doc, "question", json_text(question));
    document_set(doc, "machine", machine_json());
    document_set(doc, "remarks", json_array());
    doc->opening = allocate_print("%s%s%s\n", title, *question ? "\n" : "", question);
    return doc;
}
