#include "tidy/dataset.h"

#include "output/json_file.h"

#include <daelab/daelab.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char dataset_file[] = "study.json";

dataset *dataset_new(const char *title, const char *question)
{
    dataset *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->title = strdup(title ? title : "");
    d->question = strdup(question ? question : "");
    d->provenance = json_object();
    d->remarks = json_array();
    d->plots = json_array();
    if (d->title && d->question && d->provenance && d->remarks && d->plots)
        return d;
    dataset_free(d);
    return NULL;
}

void dataset_free(dataset *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->tables; i++) {
        free(d->table[i].name);
        table_free(d->table[i].table);
    }
    free(d->title);
    free(d->question);
    json_decref(d->provenance);
    json_decref(d->remarks);
    json_decref(d->plots);
    json_decref(d->json);
    free(d);
}

static const dataset_table *named(const dataset *d, const char *name)
{
    for (int i = 0; i < d->tables; i++)
        if (strcmp(d->table[i].name, name) == 0)
            return &d->table[i];
    return NULL;
}

/* The dataset owns the table from here on. */
static table *append(dataset *d, const char *name, table *t)
{
    char *copy = t && d->tables < MAX_TABLES ? strdup(name) : NULL;
    if (!copy) {
        d->failed = 1;
        table_free(t);
        return NULL;
    }
    d->table[d->tables++] = (dataset_table){copy, t};
    return t;
}

table *dataset_add(dataset *d, const char *name)
{
    const dataset_table *there = named(d, name);
    return there ? there->table : append(d, name, table_new());
}

table *dataset_take(dataset *d, const char *name)
{
    table *taken = dataset_add(d, name);
    for (int i = 0; i < d->tables; i++)
        if (d->table[i].table == taken)
            d->table[i].table = NULL;
    return taken;
}

const table *dataset_find(const dataset *d, const char *name)
{
    const dataset_table *there = named(d, name);
    return there && table_rows(there->table) ? there->table : NULL;
}

void dataset_plot(dataset *d, const char *part, const char *file)
{
    if (json_array_append_new(d->plots, json_pack("{s:s, s:o}", "part", part, "file", json_text(file))))
        d->failed = 1;
}

/* 0 where memory was short for it or one of its tables. */
static int dataset_whole(const dataset *d)
{
    int whole = d && !d->failed;
    for (int i = 0; whole && i < d->tables; i++)
        whole = !table_failed(d->table[i].table);
    return whole;
}

/* ---- to JSON ---- */

static json_t *tables_json(const dataset *d)
{
    json_t *tables = json_object();
    for (int i = 0; i < d->tables; i++)
        if (table_rows(d->table[i].table)
            && json_object_set_new(tables, d->table[i].name, table_json(d->table[i].table))) {
            json_decref(tables);
            return NULL;
        }
    return tables;
}

int dataset_json(const dataset *d, json_t *object)
{
    return dataset_whole(d) && !json_object_set_new(object, "schema", json_integer(DATASET_SCHEMA))
           && !json_object_set_new(object, "title", json_text(d->title))
           && !json_object_set_new(object, "question", json_text(d->question))
           && !json_object_set(object, "provenance", d->provenance)
           && !json_object_set_new(object, "interrupted", json_boolean(d->interrupted))
           && !json_object_set(object, "remarks", d->remarks)
           && !json_object_set(object, "plots", d->plots)
           && !json_object_set_new(object, "tables", tables_json(d));
}

/* ---- from JSON ---- */

static dae_status no_memory(dae_report *report)
{
    return dae_fail(report, DAE_NO_MEMORY, "out of memory");
}

/* The file itself, or the one in a folder; to be freed. */
static char *file_of(const char *path)
{
    struct stat info;
    char *file = NULL;
    if (stat(path, &info) || !S_ISDIR(info.st_mode))
        return strdup(path);
    return asprintf(&file, "%s/%s", path, dataset_file) < 0 ? NULL : file;
}

static dae_status load(const char *path, json_t **json, dae_report *report)
{
    json_error_t wrong;
    FILE *file = fopen(path, "r");
    if (!file)
        return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(errno));
    *json = json_loadf(file, JSON_REJECT_DUPLICATES, &wrong);
    const int unread = ferror(file);
    fclose(file);
    if (unread)
        return dae_fail(report, DAE_FILE, "%s cannot be read: %s", path, strerror(errno));
    if (*json)
        return DAE_OK;
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s, line %d: no JSON: %s", path, wrong.line, wrong.text);
}

static dae_status check_schema(const char *path, const json_t *json, dae_report *report)
{
    const json_t *schema = json_object_get(json, "schema");
    if (!json_is_integer(schema) || !json_is_object(json_object_get(json, "tables")))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s holds no result of a study: it has no schema and tables", path);
    if (json_integer_value(schema) != DATASET_SCHEMA)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s has schema %lld, and this daelab %s reads %d", path,
                        (long long)json_integer_value(schema), DAELAB_VERSION, DATASET_SCHEMA);
    return DAE_OK;
}

static dae_status read_tables(dataset *d, const char *path, const json_t *tables, dae_report *report)
{
    const char *name;
    json_t *json;
    dae_report why = {0};
    json_object_foreach((json_t *)tables, name, json) {
        table *t;
        const dae_status status = d->tables == MAX_TABLES
            ? dae_fail(&why, DAE_BAD_ARGUMENT, "more than %d tables", MAX_TABLES) : table_read(&t, json, &why);
        if (status)
            return dae_fail(report, status, "%s, table %s: %s", path, name, why.message);
        append(d, name, t);
    }
    return DAE_OK;
}

/* [of objects]; an empty one where there is none. */
static json_t *array_of(const json_t *json, const char *key)
{
    json_t *array = json_object_get(json, key);
    return json_is_array(array) ? json_incref(array) : json_array();
}

static void take_members(dataset *d, json_t *json)
{
    json_t *provenance = json_object_get(json, "provenance");
    json_decref(d->remarks);
    json_decref(d->plots);
    d->remarks = array_of(json, "remarks");
    d->plots = array_of(json, "plots");
    if (json_is_object(provenance)) {
        json_decref(d->provenance);
        d->provenance = json_incref(provenance);
    }
    d->interrupted = json_is_true(json_object_get(json, "interrupted"));
    d->json = json_incref(json);
}

static dae_status read_json(dataset **read, const char *path, json_t *json, dae_report *report)
{
    dae_status status = check_schema(path, json, report);
    dataset *d = status ? NULL : dataset_new(json_string_value(json_object_get(json, "title")),
                                             json_string_value(json_object_get(json, "question")));
    if (!status && !d)
        return no_memory(report);
    if (!status)
        status = read_tables(d, path, json_object_get(json, "tables"), report);
    if (!status)
        take_members(d, json);
    if (!status && !dataset_whole(d))
        status = no_memory(report);
    if (status)
        dataset_free(d);
    else
        *read = d;
    return status;
}

dae_status dataset_read(dataset **read, const char *path, dae_report *report)
{
    json_t *json = NULL;
    char *file = file_of(path);
    *read = NULL;
    if (!file)
        return no_memory(report);
    dae_status status = load(file, &json, report);
    if (!status)
        status = read_json(read, file, json, report);
    json_decref(json);
    free(file);
    return status;
}
