/* problems.c - what the problems of a plan are, for the provenance */
#include "tidy/tidy_run.h"

#include "host/fnv.h"
#include "store/identity.h"
#include "catalogue/catalogue.h"
#include "output/json_file.h"
#include "output/provenance.h"

#include <inttypes.h>
#include <stdlib.h>

static json_t *hash_json(int known, uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return known ? json_string(text) : json_null();
}

/* Of the code that holds its functions. */
static json_t *object_json(const dae_problem *problem)
{
    uint64_t hash = 0;
    const int known = model_identity(problem, &hash);
    return hash_json(known, hash);
}

static json_t *file_hash_json(const char *file)
{
    uint64_t hash = FNV_START;
    const int known = file && content_hash(file, &hash);
    return hash_json(known, hash);
}

static const char *class_word(const column_label *label) { return dae_class_name(label->kind); }
static const char *name_word(const column_label *label) { return label->name; }
static const char *unit_word(const column_label *label) { return label->unit; }

static json_t *words_json(const column_label *labels, int count, const char *(*word)(const column_label *))
{
    json_t *words = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(words, json_text(word(&labels[i])));
    return words;
}

/* Of a problem that has several. */
static json_t *modes_json(const dae_problem *problem)
{
    json_t *modes = json_array();
    for (int m = 0; problem->modes && (m == 0 || problem->modes[m - 1]); m++)
        json_array_append_new(modes, json_string(tidy_mode_name(problem, m)));
    return modes;
}

static json_t *problem_json(const run_setting *s)
{
    int count;
    column_label *labels = tidy_labels(s->problem, s->parameters, &count);
    const char *file = catalogue_file(s->problem);
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "hash", object_json(s->problem), "file",
                             file ? json_text(file) : json_null(), "file_hash", file_hash_json(file), "variables",
                             words_json(labels, count, name_word), "units",
                             words_json(labels, count, unit_word), "classes",
                             words_json(labels, count, class_word), "modes", modes_json(s->problem));
    free(labels);
    return json;
}

/* {"NAME": "./FILE.c"}: of methods that came from files */
static void add_methods(json_t *methods, const study_specification *o)
{
    for (int m = 0; m < o->methods; m++) {
        const char *file = catalogue_file(o->method[m]);
        if (file)
            json_object_set_new(methods, dae_method_describe(o->method[m]).name, json_text(file));
    }
}

void tidy_provenance(dataset *d, const study_plan *plan)
{
    json_t *made_by = provenance_json(), *problems = json_object(), *methods = json_object();
    for (int i = 0; i < plan->count; i++) {
        const run_setting *s = &plan->item[i].spec.run;
        if (!json_object_get(problems, s->problem->name))
            json_object_set_new(problems, s->problem->name, problem_json(s));
        add_methods(methods, &plan->item[i].spec);
    }
    json_object_set_new(made_by, "problems", problems);
    json_object_set_new(made_by, "methods", methods);
    json_object_set_new(d->json, "provenance", made_by);
}
