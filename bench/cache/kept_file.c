/* kept_file.c - where files are kept, and which of them are believed
 *
 * A file that is a link, that another user owns or that others may write is as good as none. A file is
 * written under another name and renamed, which replaces a link, too.
 */
#include "cache/kept_file.h"

#include "host/interrupt.h"
#include "host/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The directory, in a buffer to be freed; NULL where the environment names none. */
static char *cache_directory(void)
{
    static const struct { const char *variable, *below; } places[] = {
        {"DAELAB_CACHE", ""}, {"XDG_CACHE_HOME", "/daelab"}, {"HOME", "/.cache/daelab"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *base = getenv(places[i].variable);
        char *path;
        if (base && *base && (i == 0 || *base == '/'))      /* XDG: a relative one is ignored */
            return asprintf(&path, "%s%s", base, places[i].below) < 0 ? NULL : path;
    }
    return NULL;
}

/* Make a directory and those above it. */
static int make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const int made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return 0;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

char *kept_place(const char *name, uint64_t hash, const char *ending)
{
    char plain[64], *path = NULL, *directory = cache_directory();
    snprintf(plain, sizeof plain, "%s", name);
    for (char *c = plain; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c))
            *c = '_';
    if (directory
        && asprintf(&path, "%s/%s-%016" PRIx64 "%s", directory, plain, hash, ending) < 0)
        path = NULL;
    free(directory);
    return path;
}

int kept_make_folders(const char *path)
{
    char *directory = strdup(path), *slash = directory ? strrchr(directory, '/') : NULL;
    if (slash)
        *slash = 0;
    const int made = slash && make_directories(directory);
    free(directory);
    return made;
}

char *kept_path(const char *name, uint64_t hash, const char *ending)
{
    char *path = kept_place(name, hash, ending);
    if (path && kept_make_folders(path))
        return path;
    free(path);
    return NULL;
}

int kept_open(const char *path)
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid()
        && !(s.st_mode & (S_IWGRP | S_IWOTH)))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

char *kept_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    const int file = kept_open(path);
    FILE *in = file >= 0 ? fdopen(file, "r") : NULL;
    if (!in) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    if (getdelim(&text, &size, 0, in) < 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

FILE *kept_beside(const char *path, char **name)
{
    if (asprintf(name, "%s.%ld", path, (long)getpid()) < 0) {
        *name = NULL;
        return NULL;
    }
    interrupt_file(*name);
    const int file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (file >= 0 && !out)
        close(file);
    if (!out)
        interrupt_file(NULL);
    return out;
}

int kept_replace(FILE *out, const char *name, const char *path)
{
    const int bad = ferror(out), replaced = fclose(out) == 0 && !bad && rename(name, path) == 0;
    if (!replaced)
        unlink(name);
    interrupt_file(NULL);
    return replaced;
}

static char *lock_name(const char *path)
{
    char *name;
    return asprintf(&name, "%s.lock", path) < 0 ? NULL : name;
}

/* The file of a lock holds the number of the process that has it. */
static void sign(int lock)
{
    char number[32];
    const int length = snprintf(number, sizeof number, "%ld\n", (long)getpid());
    if (ftruncate(lock, 0) == 0 && pwrite(lock, number, (size_t)length, 0) != length)
        (void)ftruncate(lock, 0);
}

/* Ctrl-Z, or a debugger, has stopped the process that has the lock. */
static int holder_is_stopped(int lock)
{
    char number[32] = "";
    double cpu;
    const long holder = pread(lock, number, sizeof number - 1, 0) > 0 ? strtol(number, NULL, 10) : 0;
    const int state = holder > 0 ? platform_process_state((pid_t)holder, &cpu) : 0;
    return state == 'T' || state == 't';
}

int kept_lock(const char *path)
{
    char *name = lock_name(path);
    int lock = name ? open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    free(name);
    while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || holder_is_stopped(lock)) {
            close(lock);
            lock = -1;
        } else
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    if (lock >= 0)
        sign(lock);
    return lock;
}

/* Who waits for a file that is gone has the lock of nothing: he finds what this process has left. */
void kept_unlock(const char *path, int lock)
{
    char *name = lock >= 0 ? lock_name(path) : NULL;
    if (name)
        unlink(name);
    free(name);
    if (lock >= 0)
        close(lock);
}
