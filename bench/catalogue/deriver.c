#include "catalogue/deriver.h"

#include "cache/content.h"
#include "cache/fingerprint.h"
#include "host/place.h"
#include "host/program.h"

#include <daelab/daelab.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_WORDS = 9, IN_THE_TEXT = 2 };

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
    char *path;
    struct stat about;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return 0;
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
    *package = place_folder(DAELAB_DERIVE_BESIDE, DAELAB_DERIVE_OF_TREE, "__main__.py");
    if (!*package)
        return dae_fail(report, DAE_FILE, "what derives models in words is neither in %s nor in %s beside the program",
                        DAELAB_DERIVE_BESIDE, DAELAB_DERIVE_OF_TREE);
    *hash = fnv_1a(FNV_START, DAELAB_VERSION, sizeof DAELAB_VERSION);
    if (hash_folder(*package, hash))
        return DAE_OK;
    const dae_status status = dae_fail(report, DAE_FILE, "%s: its files cannot be read", *package);
    free(*package);
    *package = NULL;
    return status;
}

/* ---- a call of it --------------------------------------------------------------------------- */

/* A sentence is the report's; more goes to *words. */
static dae_status explain(const char *model, int answer, char *said, char **words, dae_report *report)
{
    const dae_status status = answer == IN_THE_TEXT ? DAE_BAD_ARGUMENT : DAE_FILE;
    char *end = strchr(said, '\n');
    if (!*said)
        return dae_fail(report, DAE_FILE, "%s: its derivation ended with status %d, without a word", model, answer);
    if (end && !end[1] && (size_t)(end - said) < sizeof report->message) {
        *end = 0;
        return dae_fail(report, status, "%s", said);
    }
    *words = strdup(said);
    return dae_fail(report, status, "%s: no problem file can be derived of it:", model);
}

static dae_status say_why(const char *model, int answer, FILE *from, char **words, dae_report *report)
{
    size_t size = 0;
    char *said = content_read(fileno(from), &size);
    if (!said)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    said[size] = 0;
    const dae_status status = explain(model, answer, said, words, report);
    free(said);
    return status;
}

dae_status deriver_run(const char *package, const char *model, const char *const *options, FILE *out, char **words,
                       dae_report *report)
{
    const char *chosen = getenv("DAELAB_PYTHON");
    char *arguments[MOST_WORDS] = {(char *)(uintptr_t)(chosen && *chosen ? chosen : "python3"),
                                   (char *)(uintptr_t)"-B", (char *)(uintptr_t)package};  /* writes nothing there */
    int count = 3, answer = 0;
    while (*options && count < MOST_WORDS - 3)
        arguments[count++] = (char *)(uintptr_t)*options++;
    arguments[count++] = "--";
    arguments[count] = (char *)(uintptr_t)model;
    *words = NULL;
    FILE *in = program_file(report), *said = in ? program_file(report) : NULL;
    dae_status status = said ? DAE_OK : DAE_FILE;
    if (!status)
        status = program_run_aside(arguments, "it derives models in words: apt-get install python3-sympy python3-yaml, "
                                   "or name a Python in DAELAB_PYTHON", in, out, said, &answer, report);
    if (answer)
        status = say_why(model, answer, said, words, report);
    if (in)
        fclose(in);
    if (said)
        fclose(said);
    return status;
}
