/* atomic_file.c - files that others see whole or not at all: written beside the name, renamed */
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* error: an errno */
static dae_status failed(dae_report *report, const char *path, int error)
{
    return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(error));
}

/* A new file path.PID.N, kept as f->temporary. Created with mode 0666, so that the umask applies
 * without being read, which no thread could do safely. */
static int open_beside(atomic_file *f)
{
    enum { TRIES = 1000 };
    const size_t size = strlen(f->path) + 40;
    f->temporary = malloc(size);
    if (!f->temporary)
        return -1;
    for (int i = 0; i < TRIES; i++) {
        snprintf(f->temporary, size, "%s.%ld.%d", f->path, (long)getpid(), i);
        const int file = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return file;
        if (errno != EEXIST)
            break;
    }
    const int error = errno;
    free(f->temporary);
    f->temporary = NULL;
    errno = error;
    return -1;
}

/* The descriptor to write to; -1 with errno. */
static int open_target(atomic_file *f, const char *path)
{
    struct stat s;
    const int exists = stat(path, &s) == 0;
    f->path = exists ? realpath(path, NULL) : strdup(path);
    if (!f->path)
        return -1;
    if (exists && S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(s.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    if (exists && access(path, W_OK) != 0)
        return -1;
    return open_beside(f);
}

dae_status atomic_open(atomic_file *f, const char *path, dae_report *report)
{
    memset(f, 0, sizeof *f);
    const int file = open_target(f, path);
    if (file >= 0)
        f->stream = fdopen(file, "w");
    if (f->stream)
        return DAE_OK;
    const int error = errno;
    if (file >= 0)
        close(file);
    atomic_discard(f);
    return failed(report, path, error);
}

dae_status atomic_commit(atomic_file *f, dae_report *report)
{
    int error = 0;
    errno = 0;
    if (fflush(f->stream) != 0 || ferror(f->stream))
        error = errno ? errno : EIO;
    if (fclose(f->stream) != 0 && !error)
        error = errno;
    f->stream = NULL;
    if (!error && f->temporary) {
        if (rename(f->temporary, f->path) != 0) {
            error = errno;
        } else {
            free(f->temporary);
            f->temporary = NULL;
        }
    }
    const dae_status status = error ? failed(report, f->path, error) : DAE_OK;
    atomic_discard(f);
    return status;
}

void atomic_discard(atomic_file *f)
{
    if (f->stream)
        fclose(f->stream);
    if (f->temporary)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}
