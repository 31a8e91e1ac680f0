/* kept.h - what the file of a study keeps, for tests that compare two of them */
#ifndef DAELAB_TEST_KEPT_H
#define DAELAB_TEST_KEPT_H

#include "support.h"

#include "store/store.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    char *line[4096];
    int count;
} kept;

/* What a clock has measured, and whether a reference lay in the cache. */
static void kept_drop_times(json_t *tree)
{
    const char *key;
    json_t *value;
    void *next;
    size_t i;
    if (json_is_array(tree)) {
        json_array_foreach(tree, i, value)
            kept_drop_times(value);
        return;
    }
    json_object_foreach_safe(tree, next, key, value) {
        if (strstr(key, "seconds") || strcmp(key, "from_cache") == 0)
            json_object_del(tree, key);
        else
            kept_drop_times(value);
    }
}

static dae_status kept_take(void *context, const store_entry *e, dae_report *report)
{
    kept *k = context;
    json_t *tree = json_loads(e->text, 0, NULL);
    (void)report;
    assert_true(e->whole && tree && k->count < (int)(sizeof k->line / sizeof *k->line));
    kept_drop_times(tree);
    char *plain = json_dumps(tree, JSON_SORT_KEYS | JSON_COMPACT), *line;
    assert_true(asprintf(&line, "%s %s\n", e->key, plain) > 0);
    k->line[k->count++] = line;
    free(plain);
    json_decref(tree);
    return DAE_OK;
}

static int kept_by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One line for each run, in the order of their texts, without times; "" where there is no file; to be freed. */
static inline char *kept_lines(const char *path)
{
    static kept k;
    struct stat about;
    store *s;
    size_t length = 1;
    dae_report why = {0};
    k.count = 0;
    if (stat(path, &about) == 0) {
        if (store_open(&s, path, (store_use){.wait = 0}, &why) || store_each(s, "runs", kept_take, &k, &why))
            fail_msg("%s", why.message);
        store_close(s);
    }
    qsort(k.line, (size_t)k.count, sizeof *k.line, kept_by_text);
    for (int i = 0; i < k.count; i++)
        length += strlen(k.line[i]);
    char *text = calloc(1, length), *end = text;
    assert_non_null(text);
    for (int i = 0; i < k.count; i++) {
        end = stpcpy(end, k.line[i]);
        free(k.line[i]);
    }
    return text;
}

/* So many runs are in one of these texts; and so many of them, of a kind of question, are not in the other. */
static inline int kept_count(const char *lines)
{
    int count = 0;
    for (const char *c = lines; *c; c++)
        count += *c == '\n';
    return count;
}

static inline int kept_new(const char *lines, const char *before, const char *kind)
{
    char *copy = strdup(lines), *rest = copy;
    int count = 0;
    for (char *line; (line = strsep(&rest, "\n"));)
        count += *line && strstr(line, kind) && !strstr(before, line);
    free(copy);
    return count;
}

/* [bytes] of the file and of what SQLite has beside it while a process writes */
static inline long kept_bytes(const char *path)
{
    char beside[512];
    struct stat about;
    long bytes = stat(path, &about) ? 0 : (long)about.st_size;
    snprintf(beside, sizeof beside, "%s-wal", path);
    return bytes + (stat(beside, &about) ? 0 : (long)about.st_size);
}

#endif
