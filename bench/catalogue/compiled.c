#include "catalogue/compiled.h"

#include "catalogue/compiler.h"
#include "host/interrupt.h"
#include "host/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *source, *called;
    char **words;
    dae_report *report;
} work;

static dae_status no_memory(const work *w) { return dae_fail(w->report, DAE_NO_MEMORY, "out of memory"); }

/* Without symbols but those that it offers: the same source gives the same object, whatever its file is called. */
static dae_status run_compiler(const work *w, const char *path)
{
    const char *const more[] = {"-iquote", ".", "-shared", "-fPIC", "-fvisibility=hidden", "-s", "-o", path, "-x", "c",
                                w->source, "-x", "none", "-lm", NULL};
    compiler cc;
    dae_status status = compiler_find(&cc, w->report);
    FILE *out = status ? NULL : program_file(w->report);
    if (out) {
        compiler_settle(&cc);
        status = compiler_run(&cc, more, w->called, out, w->words, w->report);
        fclose(out);
    } else if (!status) {
        status = DAE_FILE;
    }
    compiler_free(&cc);
    return status;
}

static dae_status compile_to(const work *w, const char *path, int *object)
{
    const dae_status status = run_compiler(w, path);
    if (status)
        return status;
    *object = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    return *object < 0 ? dae_fail(w->report, DAE_FILE, "%s: %s", path, strerror(errno)) : DAE_OK;
}

/* In a folder that is gone afterwards, whatever ends the program meanwhile. */
static dae_status compile_aside(const work *w, int *object)
{
    const char *place = getenv("TMPDIR");
    char *folder = NULL, *path = NULL;
    dae_status status = DAE_OK;
    if (asprintf(&folder, "%s/daelab-XXXXXX", place && *place ? place : P_tmpdir) < 0)
        return no_memory(w);
    if (!mkdtemp(folder)) {
        status = dae_fail(w->report, DAE_FILE, "%s: %s", folder, strerror(errno));
    } else if (asprintf(&path, "%s/object.so", folder) < 0) {
        status = no_memory(w);
        path = NULL;
        rmdir(folder);
    } else {
        interrupt_file(path);
        status = compile_to(w, path, object);
        unlink(path);
        interrupt_file(NULL);
        rmdir(folder);
    }
    free(path);
    free(folder);
    return status;
}

/* Of source "models/bead.c" bead.so in the folder. */
static dae_status compile_into(const work *w, const char *folder, int *object)
{
    const char *slash = strrchr(w->called, '/'), *base = slash ? slash + 1 : w->called;
    char *path;
    if (asprintf(&path, "%s/%.*s.so", folder, (int)strcspn(base, "."), base) < 0)
        return no_memory(w);
    const dae_status status = compile_to(w, path, object);
    free(path);
    return status;
}

/* A model includes itself by its path, which stands between quotes there. */
static dae_status check_path(const work *w)
{
    return strpbrk(w->source, "\"\\\n") ? dae_fail(w->report, DAE_BAD_ARGUMENT, "%s: no compiler includes a file whose "
                                                 "path has a quotation mark, a backslash or a new line in it: call "
                                                 "it otherwise", w->called) : DAE_OK;
}

dae_status compiled_object(const char *source, const char *called, int *object, char **words, dae_report *report)
{
    const work w = {source, called, words, report};
    const char *folder = getenv("DAELAB_OBJECTS");
    const dae_status status = check_path(&w);
    *object = -1;
    *words = NULL;
    return status ? status : folder && *folder ? compile_into(&w, folder, object) : compile_aside(&w, object);
}
