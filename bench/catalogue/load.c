#include "catalogue/load.h"

#include "catalogue/accept.h"
#include "catalogue/catalogue.h"
#include "catalogue/compiled.h"
#include "catalogue/model_source.h"
#include "catalogue/descriptor.h"
#include "host/allocate.h"
#include "host/platform.h"
#include "store/identity.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LOADED = 256 };

/* The files that were loaded, by what they are on disk; their objects stay open. */
static struct {
    int count;
    struct { dev_t device; ino_t number; char *path; load_result result; } file[MOST_LOADED];
} loaded;

static int ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), by = strlen(ending);
    return length > by && strcmp(name + length - by, ending) == 0;
}

static const char *const endings[] = {".c", ".so", ".yaml"};
enum { ENDINGS = sizeof endings / sizeof *endings };

static int has_known_ending(const char *name)
{
    int k = 0;
    while (k < ENDINGS && !ends_in(name, endings[k]))
        k++;
    return k < ENDINGS;
}

const char *load_ending_of(const char *name)
{
    int k = 0, there = 0;
    for (; k < ENDINGS && !there; k += !there) {
        char *path = allocate_print("%s%s", name, endings[k]);
        there = access(path, R_OK) == 0;
        free(path);
    }
    return there ? endings[k] : NULL;
}

int load_is_path(const char *name) { return strchr(name, '/') != NULL || has_known_ending(name); }

/* ---- one file ------------------------------------------------------------------------------- */

/* Compute the identities now, which are hashes of files: these may be replaced later. */
static void note_identity(const offer *o)
{
    uint64_t hash;
    for (int i = 0; i < o->problems; i++)
        model_identity(o->problem[i], &hash);
    for (int i = 0; i < o->methods; i++)
        method_identity(o->method[i], &hash);
}

static dae_status take_offer(const offer *o, const char *path, load_result *r, dae_report *report)
{
    dae_status status = DAE_OK;
    *r = (load_result){catalogue_problems(), o->problems, catalogue_methods(), o->methods};
    for (int i = 0; !status && i < o->problems; i++)
        status = accept_problem(o->problem[i], path, report);
    for (int i = 0; !status && i < o->methods; i++)
        status = accept_method(o->method[i], path, report);
    if (!status)
        status = catalogue_add(o->problem, o->problems, o->method, o->methods, path, report);
    if (!status)
        note_identity(o);
    return status;
}

/* dlopen of an open file, by its path `where`, or by its descriptor, which stays open as long as the object is used. In
 * a file that was cut short the loader would map pages that are not there, which ends the program: so its segments are
 * compared with its length first. */
static dae_status open_object(int descriptor, const char *file, const char *where, void **handle, dae_report *report)
{
    char through[PLATFORM_PATH];
    const dae_status status = platform_check_object(descriptor, file, report);
    platform_descriptor(descriptor, through);
    const char *path = where ? where : through;
    *handle = status ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (status || *handle)
        return status;
    const char *words = dlerror();
    if (words && strncmp(words, path, strlen(path)) == 0 && strncmp(words + strlen(path), ": ", 2) == 0)
        words += strlen(path) + 2;
    return dae_fail(report, DAE_FILE, "%s: it cannot be loaded: %s", file, words ? words : "no reason is given");
}

/* Load the open object; where it is refused it is unloaded. */
static dae_status take_object(int object, const char *path, const char *where, load_result *r, dae_report *report)
{
    void *handle;
    offer *o = allocate(1, sizeof *o);
    dae_status status = open_object(object, path, where, &handle, report);
    if (!status)
        status = descriptor_read(handle, path, o, report);
    if (!status)
        status = take_offer(o, path, r, report);
    if (status && handle)
        dlclose(handle);
    free(o);
    return status;
}

/* Compile a source that was made of the file at path, which is named wherever the source would be. */
static dae_status load_source(const char *source, const char *path, load_result *r, char **words,
                              dae_report *report)
{
    int object;
    dae_status status = compiled_object(source, path, &object, words, report);
    if (!status)
        status = take_object(object, path, NULL, r, report);
    if (status && object >= 0)
        close(object);
    return status;
}

static dae_status load_model(const char *path, load_result *r, char **words, dae_report *report)
{
    model_source source;
    dae_status status = model_source_open(&source, path, words, report);
    if (!status)
        status = load_source(source.path, path, r, words, report);
    model_source_close(&source);
    return status;
}

static dae_status load_shared(int file, const char *path, load_result *r, dae_report *report)
{
    char *where = realpath(path, NULL);
    const dae_status status = where ? take_object(file, path, where, r, report)
                                    : dae_fail(report, DAE_FILE, "%s: %s", path, strerror(errno));
    free(where);
    return status;
}

/* Open what a path names; a file that is not regular would make the compiler or the loader wait. */
static dae_status open_path(const char *path, int *file, struct stat *about, dae_report *report)
{
    if (*path == '-')
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: to a compiler this is an option; write ./%s", path, path);
    *file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*file < 0 || fstat(*file, about))
        return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about->st_mode))
        return dae_fail(report, DAE_FILE, "%s: it is a folder; DAELAB_PLUGINS takes folders", path);
    if (!S_ISREG(about->st_mode))
        return dae_fail(report, DAE_FILE, "%s: it is no regular file", path);
    if (!has_known_ending(path))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a file of problems or methods ends in .c or .so, a model in "
                        "words in .yaml", path);
    return about->st_size ? DAE_OK : dae_fail(report, DAE_FILE, "%s: the file is empty", path);
}

/* What the file has added already; NULL where it was not loaded. */
static const load_result *known(const struct stat *about)
{
    for (int i = 0; i < loaded.count; i++)
        if (loaded.file[i].device == about->st_dev && loaded.file[i].number == about->st_ino)
            return &loaded.file[i].result;
    return NULL;
}

static dae_status load_by_ending(int file, const char *path, load_result *r, char **words, dae_report *report)
{
    return ends_in(path, ".c")    ? load_source(path, path, r, words, report)
           : ends_in(path, ".so") ? load_shared(file, path, r, report)
                                  : load_model(path, r, words, report);
}

static dae_status load_open(int file, const char *path, const struct stat *about, char **words,
                            dae_report *report)
{
    load_result r;
    if (loaded.count == MOST_LOADED)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: more than %d files", path, (int)MOST_LOADED);
    char *kept = allocate_text(path);                       /* the catalogue names it */
    const dae_status status = load_by_ending(file, kept, &r, words, report);
    if (status) {
        free(kept);
        return status;
    }
    loaded.file[loaded.count].device = about->st_dev;
    loaded.file[loaded.count].number = about->st_ino;
    loaded.file[loaded.count].path = kept;
    loaded.file[loaded.count++].result = r;
    return DAE_OK;
}

dae_status load_file(const char *path, load_result *r, char **words, dae_report *report)
{
    struct stat about;
    int file = -1;
    *words = NULL;
    dae_status status = open_path(path, &file, &about, report);
    if (!status && !known(&about))
        status = load_open(file, path, &about, words, report);
    if (file >= 0)
        close(file);
    if (!status && r)
        *r = *known(&about);
    return status;
}

/* ---- folders -------------------------------------------------------------------------------- */

static int wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && has_known_ending(entry->d_name);
}

static void load_below(const char *folder, const char *name, load_left_out *left_out)
{
    char *path = allocate_print("%s/%s", folder, name), *words = NULL;
    dae_report why = {0};
    const int is_other = ends_in(path, ".yaml") && !model_source_is_model(path);
    const dae_status status = is_other ? DAE_OK : load_file(path, NULL, &words, &why);
    free(path);
    if (status)
        left_out(status, &why, words);
}

static dae_status load_folder(const char *folder, load_left_out *left_out, dae_report *report)
{
    struct dirent **entries;
    struct stat about;
    const int count = scandir(folder, &entries, wanted, alphasort);
    if (count < 0)
        return dae_fail(report, DAE_FILE, "DAELAB_PLUGINS: %s: %s", folder, strerror(errno));
    const int open_to_all = stat(folder, &about) == 0 && (about.st_mode & S_IWOTH);
    for (int i = 0; i < count; i++) {
        if (!open_to_all)
            load_below(folder, entries[i]->d_name, left_out);
        free(entries[i]);
    }
    free(entries);
    return open_to_all ? dae_fail(report, DAE_FILE, "DAELAB_PLUGINS: everybody may write in %s, and what lies there is "
                                  "run: take that away (chmod o-w), or name another folder", folder) : DAE_OK;
}

dae_status load_folders(const char *list, load_left_out *left_out, dae_report *report)
{
    char *copy = allocate_text(list), *rest = copy, *folder;
    dae_status status = DAE_OK;
    while (!status && (folder = strsep(&rest, ":")))
        if (*folder)
            status = load_folder(folder, left_out, report);
    free(copy);
    return status;
}
