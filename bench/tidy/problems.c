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
    json_t *names = json_array(), *units = json_array(), *classes = json_array();
    const char *file = catalogue_file(s->problem);
    uint64_t code = 0, text = FNV_START;
    int count;
    column_label *labels = tidy_labels(s->problem, s->parameters, &count);
    for (int i = 0; i < count; i++) {
        json_array_append_new(names, json_text(labels[i].name));
        json_array_append_new(units, json_text(labels[i].unit));
        json_array_append_new(classes, json_text(dae_class_name(labels[i].kind)));
    }
    free(labels);
    const int known = model_identity(s->problem, &code), has_text = file && content_hash(file, &text);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "hash", hash_json(known, code), "file",
                     file ? json_text(file) : json_null(), "file_hash", hash_json(has_text, text), "variables", names,
                     "units", units, "classes", classes, "modes", modes_json(s->problem));
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
