#include "tidy/dataset.h"

#include "host/allocate.h"
#include "output/json_file.h"

#include <daelab/daelab.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char dataset_file[] = "study.json";

dataset *dataset_new(const char *title, const char *question)
{
    dataset *d = allocate(1, sizeof *d);
    d->json = json_pack("{s:i, s:o, s:o, s:{}, s:b, s:[], s:[]}", "schema", DATASET_SCHEMA, "title", json_text(title),
                        "question", json_text(question), "provenance", "interrupted", 0, "remarks", "plots");
    return d;
}

void dataset_free(dataset *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->tables; i++) {
        free(d->table[i].name);
        table_free(d->table[i].table);
    }
    json_decref(d->json);
    free(d);
}

static int place_of(const dataset *d, const char *name)
{
    int i = 0;
    while (i < d->tables && strcmp(d->table[i].name, name) != 0)
        i++;
    return i;
}

/* The dataset owns the table from here on. */
static table *append(dataset *d, const char *name, table *t)
{
    d->table[d->tables++] = (dataset_table){allocate_text(name), t};
    return t;
}

table *dataset_add(dataset *d, const char *name)
{
    const int i = place_of(d, name);
    return i < d->tables ? d->table[i].table : append(d, name, table_new());
}

table *dataset_take(dataset *d, const char *name)
{
    table *taken = dataset_add(d, name);
    d->table[place_of(d, name)].table = NULL;
    return taken;
}

const table *dataset_find(const dataset *d, const char *name)
{
    const int i = place_of(d, name);
    return i < d->tables && table_rows(d->table[i].table) ? d->table[i].table : NULL;
}

json_t *dataset_member(const dataset *d, const char *key) { return json_object_get(d->json, key); }

void dataset_plot(dataset *d, const char *part, const char *file)
{
    json_array_append_new(dataset_member(d, "plots"), json_pack("{s:s, s:o}", "part", part, "file", json_text(file)));
}

void dataset_json(const dataset *d, json_t *object)
{
    json_t *tables = json_object();
    for (int i = 0; i < d->tables; i++)
        if (table_rows(d->table[i].table))
            json_object_set_new(tables, d->table[i].name, table_json(d->table[i].table));
    json_object_update(object, d->json);
    json_object_set_new(object, "tables", tables);
}

/* ---- from JSON ---- */

/* The file itself, or the one in a folder; to be freed. */
static char *file_of(const char *path)
{
    struct stat info;
    if (stat(path, &info) || !S_ISDIR(info.st_mode))
        return allocate_text(path);
    return allocate_print("%s/%s", path, dataset_file);
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
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s, line %d: no JSON: %s; a result is what --format json or "
                    "--output DIR/ wrote",
                    path, wrong.line, wrong.text);
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

/* Of an earlier version, which called the class "recovered" so, too, and its columns "error_multiplier_recovered". */
static void rename_recovered(json_t *texts, size_t i)
{
    static const char old[] = "multiplier_recovered", now[] = "recovered";
    const char *text = json_string_value(json_array_get(texts, i));
    const size_t end = text ? strlen(text) : 0;
    if (end < strlen(old) || strcmp(text + end - strlen(old), old) != 0)
        return;
    char *renamed = allocate_print("%.*s%s", (int)(end - strlen(old)), text, now);
    json_array_set_new(texts, i, json_text(renamed));
    free(renamed);
}

/* Columns of a table, and cells of "class". */
static void rename_in_table(json_t *t)
{
    json_t *columns = json_object_get(t, "columns"), *column, *row;
    size_t i, k;
    json_array_foreach(columns, i, column) {
        if (json_is_string(column) && strcmp(json_string_value(column), "class") == 0)
            json_array_foreach(json_object_get(t, "rows"), k, row)
                rename_recovered(row, i);
        rename_recovered(columns, i);
    }
}

static dae_status read_tables(dataset *d, const char *path, json_t *tables, dae_report *report)
{
    const char *name;
    json_t *json;
    dae_report why = {0};
    json_object_foreach(tables, name, json) {
        table *t;
        rename_in_table(json);
        const dae_status status = d->tables == MAX_TABLES
            ? dae_fail(&why, DAE_BAD_ARGUMENT, "more than %d tables", MAX_TABLES) : table_read(&t, json, &why);
        if (status)
            return dae_fail(report, status, "%s, table %s: %s", path, name, why.message);
        append(d, name, t);
    }
    return DAE_OK;
}

dae_status dataset_read(dataset **read, const char *path, dae_report *report)
{
    json_t *json = NULL;
    char *file = file_of(path);
    *read = NULL;
    dae_status status = load(file, &json, report);
    if (!status)
        status = check_schema(file, json, report);
    if (!status) {
        *read = allocate(1, sizeof **read);
        (*read)->json = json_incref(json);
        status = read_tables(*read, file, json_object_get(json, "tables"), report);
    }
    if (status) {
        dataset_free(*read);
        *read = NULL;
    }
    json_decref(json);
    free(file);
    return status;
}
