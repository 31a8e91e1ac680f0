/* model_source.c - models in words, derived once
 *
 * The key is of the text, of the files that derive it and of the version: where it is kept nothing that derives is
 * started.
 */
#include "catalogue/model_source.h"

#include "catalogue/deriver.h"
#include "host/allocate.h"
#include "host/program.h"
#include "store/identity.h"
#include "store/store.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY = 64 };

typedef struct {
    const char *model;
    char *name;                 /* that without its folder and its ending */
    char *package;              /* what derives it */
    char key[KEY];
    char **words;
    dae_report *report;
} work;

/* *package, to be freed, and the key of what the model holds now. */
static dae_status make_key(const char *model, char **package, char key[KEY], dae_report *report)
{
    uint64_t hash;
    const dae_status status = deriver_find(package, &hash, report);
    if (status)
        return status;
    if (!content_hash(model, &hash))
        return dae_fail(report, DAE_FILE, "%s: it cannot be read", model);
    snprintf(key, KEY, "daelab derived %016" PRIx64 "\n", hash);
    return DAE_OK;
}

/* A text that has changed meanwhile is not kept under what it held before. */
static void keep(const work *w, FILE *out)
{
    char *package = NULL, key[KEY] = "";
    char *text = make_key(w->model, &package, key, NULL) == DAE_OK && strcmp(key, w->key) == 0
                     ? program_text(out) : NULL;
    if (text)
        kept_put("derived", w->name, w->key, text);
    free(text);
    free(package);
}

static dae_status derive(const work *w, FILE *out)
{
    static const char *const no_options[] = {NULL};
    const dae_status status = deriver_run(w->package, w->model, no_options, out, w->words, w->report);
    if (!status)
        keep(w, out);
    return status;
}

static dae_status write_text(const work *w, FILE *out, const char *text)
{
    return fputs(text, out) < 0 || fflush(out) ? dae_fail(w->report, DAE_FILE, "%s: its problem file cannot be written",
                                                          w->model) : DAE_OK;
}

/* By the name of its descriptor a file without one can be compiled. */
static dae_status find_or_derive(work *w, model_source *d)
{
    const char *slash = strrchr(w->model, '/'), *base = slash ? slash + 1 : w->model;
    w->name = allocate_print("%.*s", (int)strcspn(base, "."), base);
    dae_status status = make_key(w->model, &w->package, w->key, w->report);
    if (status)
        return status;
    d->file = program_file(w->report);
    if (!d->file)
        return DAE_FILE;
    platform_descriptor(fileno(d->file), d->path);
    char *text = kept_get("derived", w->name, w->key);
    status = text ? write_text(w, d->file, text) : derive(w, d->file);
    free(text);
    return status;
}

dae_status model_source_open(model_source *d, const char *model, char **words, dae_report *report)
{
    work w = {.model = model, .words = words, .report = report};
    *d = (model_source){.file = NULL};
    *words = NULL;
    const dae_status status = find_or_derive(&w, d);
    free(w.package);
    free(w.name);
    return status;
}

void model_source_close(model_source *d)
{
    if (d->file)
        fclose(d->file);
    *d = (model_source){.file = NULL};
}

/* ---- which texts are models ----------------------------------------------------------------- */

/* 1: the line's key is model; -1: it has none, being empty, a comment or the mark of a document. */
static int key_is_model(const char *line)
{
    static const char key[] = "model";
    const char *at = line + (strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (!at[strspn(at, " \t\r\n")] || at[strspn(at, " \t")] == '#' || *at == '%' || strncmp(at, "---", 3) == 0)
        return -1;
    if (strncmp(at, key, sizeof key - 1) != 0)
        return 0;
    at += sizeof key - 1;
    at += strspn(at, " \t");
    return *at == ':';
}

int model_source_is_model(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    int is = -1;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);     /* a pipe would wait for its writer */
    FILE *text = file >= 0 ? fdopen(file, "r") : NULL;
    while (text && is < 0 && getline(&line, &room, text) >= 0)
        is = key_is_model(line);
    free(line);
    if (text)
        fclose(text);
    else if (file >= 0)
        close(file);
    return is == 1;
}
