/* kept_file.c - one store for all that is kept, which many processes share */
#include "store/store.h"

#include "host/allocate.h"
#include "host/fnv.h"
#include "host/platform.h"

#include <daelab/daelab.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LABEL = 84 };

/* The directory, in a buffer to be freed; NULL where the environment names none. */
static char *cache_directory(void)
{
    static const struct { const char *variable, *below; } places[] = {
        {"DAELAB_CACHE", ""}, {"XDG_CACHE_HOME", "/daelab"}, {"HOME", "/.cache/daelab"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *base = getenv(places[i].variable);
        if (base && *base && (i == 0 || *base == '/'))      /* XDG: a relative one is ignored */
            return allocate_print("%s%s", base, places[i].below);
    }
    return NULL;
}

/* The path of a file there, to be freed; NULL where there is no directory. */
static char *path_of(const char *file)
{
    char *directory = cache_directory(), *path = directory ? allocate_print("%s/%s", directory, file) : NULL;
    free(directory);
    return path;
}

/* "NAME-HASH" */
static void label(const char *name, uint64_t hash, char text[LABEL])
{
    snprintf(text, LABEL - 20, "%s", name);
    for (char *c = text; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c))
            *c = '_';
    snprintf(text + strlen(text), 20, "-%016" PRIx64, hash);
}

char *kept_place(const char *name, uint64_t hash, const char *ending)
{
    char file[LABEL + 16];
    label(name, hash, file);
    snprintf(file + strlen(file), 16, "%s", ending);
    return path_of(file);
}

int kept_make_folders(const char *path, mode_t mode, int *made)
{
    char *folder = allocate_text(path);
    int error = 0;
    for (char *slash = strchr(folder + 1, '/'); slash && !error; slash = strchr(slash + 1, '/')) {
        struct stat about;
        *slash = 0;
        const int is_new = mkdir(folder, mode) == 0, why = errno;
        error = is_new || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) ? 0 : why == EEXIST ? ENOTDIR : why;
        *made += is_new;
        *slash = '/';
    }
    free(folder);
    return error;
}

/* ---- texts ---------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *key) { return fnv_1a(FNV_START, key, strlen(key)); }

/* The store, for one call: another process, or a child, may come next. NULL where there is none. */
static store *open_store(void)
{
    const store_use use = {.shared = 1, .own = 1, .renew = 1, .wait = 10};
    store *s = NULL;
    int made = 0;
    char *path = path_of("kept.db");
    if (path && !kept_make_folders(path, 0700, &made))
        store_open(&s, path, use, NULL);
    free(path);
    return s;
}

/* An entry begins with its key: other keys may have the same hash. */
char *kept_get(const char *kind, const char *name, const char *key)
{
    char entry[LABEL], *text = NULL;
    const size_t length = strlen(key);
    store *s = open_store();
    label(name, hash_of(key), entry);
    if (s && store_get(s, kind, entry, &text, NULL, NULL) == DAE_OK && text) {
        if (strncmp(text, key, length) == 0) {
            memmove(text, text + length, strlen(text + length) + 1);
        } else {
            free(text);
            text = NULL;
        }
    }
    store_close(s);
    return text;
}

void kept_put(const char *kind, const char *name, const char *key, const char *text)
{
    char entry[LABEL], *whole = allocate_print("%s%s", key, text);
    store *s = open_store();
    label(name, hash_of(key), entry);
    if (s)
        store_put(s, kind, entry, DAELAB_VERSION, whole, NULL);
    store_close(s);
    free(whole);
}

/* ---- locks ---------------------------------------------------------------------------------- */

/* Ctrl-Z, or a debugger, has stopped the process that has the lock. */
static int holder_is_stopped(int file, struct flock byte)
{
    double cpu;
    if (fcntl(file, F_GETLK, &byte) || byte.l_type == F_UNLCK || byte.l_pid <= 0)
        return 0;
    const int state = platform_process_state(byte.l_pid, &cpu);
    return state == 'T' || state == 't';
}

/* On one byte of the file FOLDER/lock for each key. */
int kept_lock(const char *key)
{
    const struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1,
                               .l_start = (off_t)(hash_of(key) & 0x3fffffff)};
    char *path = path_of("lock");
    int file = path ? open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    free(path);
    while (file >= 0 && fcntl(file, F_SETLK, &byte)) {
        if ((errno == EACCES || errno == EAGAIN || errno == EINTR) && !holder_is_stopped(file, byte)) {
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        } else {
            close(file);
            file = -1;
        }
    }
    return file;
}

void kept_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
