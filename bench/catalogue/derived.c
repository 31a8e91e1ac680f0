/* derived.c - models in words, derived once
 *
 * The key is of the text, of the files that derive it and of the version: from the cache nothing else is
 * started. A file ends with the hash of what stands before it; one that was changed or cut is derived again.
 */
#include "catalogue/derived.h"

#include "cache/content.h"
#include "cache/kept_file.h"
#include "catalogue/deriver.h"
#include "host/platform.h"
#include "host/program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const content_seal source_seal = {"/* daelab derived ", " */\n"};

typedef struct {
    const char *model;
    char *package;              /* what derives it */
    uint64_t key;
    char *kept;                 /* where the problem file is kept; NULL: nowhere */
    char **words;
    dae_report *report;
} work;

static dae_status no_memory(const work *w) { return dae_fail(w->report, DAE_NO_MEMORY, "out of memory"); }

/* A kept file that is whole. */
static int is_kept(const char *path)
{
    const int file = kept_open(path);
    const int whole = file >= 0 && content_seal_holds(file, source_seal);
    if (file >= 0)
        close(file);
    return whole;
}

/* The key, and the place under it. */
static dae_status find_place(work *w)
{
    const char *slash = strrchr(w->model, '/'), *base = slash ? slash + 1 : w->model;
    dae_status status = deriver_find(&w->package, &w->key, w->report);
    if (status)
        return status;
    if (!content_hash(w->model, &w->key))
        return dae_fail(w->report, DAE_FILE, "%s: it cannot be read", w->model);
    char *name = strndup(base, strcspn(base, "."));
    if (!name)
        return no_memory(w);
    w->kept = kept_path(name, w->key, ".c");
    free(name);
    return DAE_OK;
}

/* Does the model still hold what the key says? */
static int is_unchanged(const work *w)
{
    char *package;
    uint64_t key;
    if (deriver_find(&package, &key, NULL))
        return 0;
    free(package);
    return content_hash(w->model, &key) && key == w->key;
}

static FILE *derive(work *w, dae_status *status)
{
    static const char *const no_options[] = {NULL};
    FILE *out = program_file(w->report);
    *status = out ? deriver_run(w->package, w->model, no_options, out, w->words, w->report) : DAE_FILE;
    if (out && *status) {
        fclose(out);
        out = NULL;
    }
    return out;
}

/* Put what was derived of the model that is still the same in its place, sealed; 0 where it cannot be kept. */
static int keep(const work *w, FILE *text)
{
    char *name = NULL, seal[CONTENT_SEAL];
    size_t size;
    char *bytes = is_unchanged(w) ? content_read(fileno(text), &size) : NULL;
    FILE *out = bytes ? kept_beside(w->kept, &name) : NULL;
    int whole = 0;
    if (out) {
        const size_t length = content_seal_text(bytes, size, source_seal, seal);
        fwrite(bytes, 1, size, out);
        fwrite(seal, 1, length, out);
        whole = kept_replace(out, name, w->kept);
    }
    free(name);
    free(bytes);
    return whole;
}

/* By the name of its descriptor a file without one can be compiled. */
static dae_status name_aside(derived *d, FILE *text, const work *w)
{
    char path[PLATFORM_PATH];
    d->path = strdup(platform_descriptor(fileno(text), path));
    if (!d->path) {
        fclose(text);
        return no_memory(w);
    }
    d->aside = text;
    return DAE_OK;
}

static dae_status find_or_derive(work *w, derived *d)
{
    dae_status status = find_place(w);
    if (status)
        return status;
    if (!w->kept || !is_kept(w->kept)) {
        FILE *text = derive(w, &status);
        if (!text || !w->kept || !keep(w, text))
            return text ? name_aside(d, text, w) : status;
        fclose(text);
    }
    d->path = w->kept;
    w->kept = NULL;
    return DAE_OK;
}

dae_status derived_open(derived *d, const char *model, char **words, dae_report *report)
{
    work w = {.model = model, .words = words, .report = report};
    *d = (derived){0};
    *words = NULL;
    const dae_status status = find_or_derive(&w, d);
    free(w.package);
    free(w.kept);
    return status;
}

void derived_close(derived *d)
{
    if (d->aside)
        fclose(d->aside);
    free(d->path);
    *d = (derived){0};
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

int derived_is_model(const char *path)
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
