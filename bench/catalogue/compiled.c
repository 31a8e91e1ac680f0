/* compiled.c - sources compiled once
 *
 * Two keys. The first is of what is known without a call of the compiler; under it lies a manifest, which
 * says what each file held that the source was made of, and where the object is. The second is of the
 * preprocessed text; under it lies the object, with the hash of what it holds at its end. A source that
 * includes files of its own has no manifest, and is preprocessed each time.
 */
#include "catalogue/compiled.h"

#include "cache/content.h"
#include "cache/fingerprint.h"
#include "cache/kept_file.h"
#include "catalogue/compiler.h"
#include "catalogue/manifest.h"
#include "host/interrupt.h"
#include "host/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const content_seal object_seal = {"\ndaelab object ", "\n"};

typedef struct {
    const char *source;
    const char *called;
    char *name;                 /* that without its folder and its ending */
    compiler cc;
    uint64_t key;               /* the first */
    char stamp[64];
    char *manifest_path;        /* NULL: nothing can be kept */
    char *object_path;
    char *text;                 /* preprocessed */
    size_t size;
    manifest made_of;
    char **words;
    dae_report *report;
} work;

static dae_status no_memory(const work *w) { return dae_fail(w->report, DAE_NO_MEMORY, "out of memory"); }

/* ---- objects -------------------------------------------------------------------------------- */

/* A kept object that is whole, or -1. */
static int open_kept(const char *path)
{
    const int file = path ? kept_open(path) : -1;
    if (file < 0 || content_seal_holds(file, object_seal))
        return file;
    close(file);
    return -1;
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* The preprocessed text, what it was made of, and the place of its object. */
static dae_status preprocess(work *w)
{
    const char *const more[] = {"-iquote", ".", "-E", "-x", "c", w->source, NULL};
    FILE *out = program_file(w->report);
    if (!out)
        return DAE_FILE;
    const dae_status status = compiler_run(&w->cc, more, w->called, out, w->words, w->report);
    w->text = status ? NULL : content_read(fileno(out), &w->size);
    fclose(out);
    if (status)
        return status;
    if (!w->text)
        return dae_fail(w->report, DAE_FILE, "%s: its preprocessed text cannot be read", w->called);
    manifest_list(&w->made_of, w->text, w->size, w->source, w->cc.include + strlen("-I"));
    return DAE_OK;
}

/* The second key: the text, and what makes an object of it. */
static dae_status place_object(work *w)
{
    const char *const more[] = {"--version", NULL};
    size_t size = 0;
    FILE *out = program_file(w->report);
    const dae_status status = out ? compiler_run(&w->cc, more, w->called, out, w->words, w->report) : DAE_FILE;
    char *version = status ? NULL : content_read(fileno(out), &size);
    if (out)
        fclose(out);
    if (status)
        return status;
    uint64_t hash = fnv_1a(compiler_hash(&w->cc), w->text, w->size);
    hash = fnv_1a(hash, w->stamp, strlen(w->stamp));
    hash = version ? fnv_1a(hash, version, size) : hash;
    free(version);
    w->object_path = kept_path(w->name, hash, ".so");
    return DAE_OK;
}

static dae_status compile_to(work *w, const char *path, int *object)
{
    const char *const more[] = {"-iquote", ".", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--build-id",
                                "-o", path, "-x", "c", w->source, "-x", "none", "-lm", NULL};
    FILE *out = program_file(w->report);
    dae_status status = out ? compiler_run(&w->cc, more, w->called, out, w->words, w->report) : DAE_FILE;
    if (out)
        fclose(out);
    if (status)
        return status;
    *object = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (*object < 0 || fchmod(*object, 0700) || !content_seal_put(*object, object_seal))
        return dae_fail(w->report, DAE_FILE, "%s: %s", path, strerror(errno));
    return DAE_OK;
}

/* In a folder that is gone afterwards. */
static dae_status compile_aside(work *w, int *object)
{
    const char *place = getenv("TMPDIR");
    char *folder = NULL, *path = NULL;
    if (asprintf(&folder, "%s/daelab-XXXXXX", place && *place ? place : P_tmpdir) < 0)
        return no_memory(w);
    if (!mkdtemp(folder)) {
        const dae_status status = dae_fail(w->report, DAE_FILE, "%s: %s", folder, strerror(errno));
        free(folder);
        return status;
    }
    const int known = asprintf(&path, "%s/object.so", folder) >= 0;
    const dae_status status = known ? compile_to(w, path, object) : no_memory(w);
    if (known)
        unlink(path);
    rmdir(folder);
    free(known ? path : NULL);
    free(folder);
    return status;
}

/* Beside its place, which it takes where no file has changed meanwhile. *kept: it has. */
static dae_status compile_beside(work *w, int *object, int *kept)
{
    char *name;
    FILE *file = kept_beside(w->object_path, &name);
    *kept = 0;
    if (!file) {
        free(name);
        return compile_aside(w, object);
    }
    fclose(file);
    const dae_status status = compile_to(w, name, object);
    *kept = !status && manifest_holds(&w->made_of) && rename(name, w->object_path) == 0;
    if (!*kept)
        unlink(name);
    interrupt_file(NULL);
    free(name);
    return status;
}

static dae_status compile(work *w, int *object)
{
    int kept = 1;
    dae_status status = preprocess(w);
    if (!status)
        status = place_object(w);
    if (status)
        return status;
    *object = open_kept(w->object_path);
    if (*object < 0)
        status = w->object_path ? compile_beside(w, object, &kept) : compile_aside(w, object);
    if (!status && kept && w->object_path && w->manifest_path && !w->made_of.own && w->made_of.whole)
        manifest_write(&w->made_of, w->manifest_path, w->key, w->stamp, w->object_path);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* The object of the manifest, or -1. */
static int look_up(const work *w)
{
    char *path = w->manifest_path ? manifest_read(w->manifest_path, w->key, w->stamp) : NULL;
    const int object = open_kept(path);
    free(path);
    return object;
}

/* A model includes itself by its path, which stands between quotes there. */
static dae_status check_path(const work *w)
{
    return strpbrk(w->source, "\"\\\n") ? dae_fail(w->report, DAE_BAD_ARGUMENT, "%s: no compiler includes a file whose "
                                                 "path has a quotation mark, a backslash or a new line in it: call "
                                                 "it otherwise", w->called) : DAE_OK;
}

static dae_status begin(work *w)
{
    const char *slash = strrchr(w->called, '/'), *base = slash ? slash + 1 : w->called;
    char *real = realpath(w->source, NULL);
    const dae_status status = compiler_find(&w->cc, w->report);
    w->name = strndup(base, strcspn(base, "."));
    if (!status && real && w->name) {
        w->key = fnv_1a(compiler_hash(&w->cc), real, strlen(real) + 1);
        w->key = fnv_1a(w->key, w->source, strlen(w->source));
        compiler_stamp(&w->cc, w->stamp);
        w->manifest_path = kept_path(w->name, w->key, ".manifest");
    }
    free(real);
    return status ? status : w->name ? DAE_OK : no_memory(w);
}

dae_status compiled_object(const char *source, const char *called, int *object, char **words, dae_report *report)
{
    work *w = calloc(1, sizeof *w);
    *object = -1;
    *words = NULL;
    if (!w)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    w->source = source;
    w->called = called;
    w->words = words;
    w->report = report;
    dae_status status = check_path(w);
    if (!status)
        status = begin(w);
    if (!status)
        *object = look_up(w);
    if (!status && *object < 0) {
        compiler_settle(&w->cc);
        status = compile(w, object);
    }
    if (status && *object >= 0) {
        close(*object);
        *object = -1;
    }
    manifest_free(&w->made_of);
    compiler_free(&w->cc);
    free(w->text);
    free(w->object_path);
    free(w->manifest_path);
    free(w->name);
    free(w);
    return status;
}
