#include "catalogue/deriver.h"

#include "host/allocate.h"
#include "host/program.h"
#include "store/identity.h"
#include "host/fnv.h"

#include <daelab/daelab.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_WORDS = 6 };

/* ---- where it is ---------------------------------------------------------------------------- */

/* Sources, and folders of sources; __pycache__ is none. */
static int is_part(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end ? end != entry->d_name && strcmp(end, ".py") == 0 : *entry->d_name != '_';
}

static int hash_folder(const char *folder, uint64_t *hash);

static int hash_part(const char *folder, const char *name, uint64_t *hash)
{
    char *path = allocate_print("%s/%s", folder, name);
    struct stat about;
    *hash = fnv_1a(*hash, name, strlen(name) + 1);
    const int whole = stat(path, &about) == 0
                      && (S_ISDIR(about.st_mode) ? hash_folder(path, hash) : content_hash(path, hash));
    free(path);
    return whole;
}

/* Its parts by their names; 0 where one cannot be read. */
static int hash_folder(const char *folder, uint64_t *hash)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_part, alphasort);
    int whole = count >= 0;
    for (int i = 0; i < count; i++) {
        whole = whole && hash_part(folder, entries[i]->d_name, hash);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return whole;
}

dae_status deriver_find(char **package, uint64_t *hash, dae_report *report)
{
    *package = program_folder("what derives models in words is", DAELAB_DERIVE_BESIDE, DAELAB_DERIVE_OF_TREE,
                              "__main__.py", report);
    if (!*package)
        return DAE_FILE;
    *hash = fnv_1a(FNV_START, DAELAB_VERSION, sizeof DAELAB_VERSION);
    if (hash_folder(*package, hash))
        return DAE_OK;
    const dae_status status = dae_fail(report, DAE_FILE, "%s: its files cannot be read", *package);
    free(*package);
    *package = NULL;
    return status;
}

/* ---- a call of it --------------------------------------------------------------------------- */

dae_status deriver_run(const char *package, const char *model, const char *const *options, FILE *out, char **words,
                       dae_report *report)
{
    const char *arguments[MOST_WORDS] = {NULL};
    int count = 0;
    while (*options && count < MOST_WORDS - 3)
        arguments[count++] = *options++;
    arguments[count++] = "--";
    arguments[count] = model;
    const dae_status status = program_run_python(package, arguments, "it derives models in words: apt-get install "
                                                 "python3-sympy python3-yaml, or name a Python in DAELAB_PYTHON", NULL,
                                                 out, words, report);
    return *words ? dae_fail(report, status, "%s: no problem file can be derived of it:", model) : status;
}
