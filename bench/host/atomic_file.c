/* atomic_file.c - files that others see whole or not at all: written without a name, or beside the
 * name, and renamed */
#include "host/atomic_file.h"

#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 1000, WAIT_MS = 10000, PAUSE_MS = 20 };

/* error: an errno */
static dae_status failed(dae_report *report, const char *path, int error)
{
    return dae_fail(report, DAE_FILE, "%s: %s", path,
                    error == ENXIO ? "nobody reads from this pipe" : strerror(error));
}

/* Make f->temporary: path.PID.N by `make`, which answers -1 with errno, for the first N that is
 * free. */
static int name_beside(atomic_file *f, int (*make)(const char *name, int file), int file)
{
    const size_t size = strlen(f->path) + 40;
    f->temporary = allocate(size, 1);
    for (int i = 0; i < TRIES; i++) {
        snprintf(f->temporary, size, "%s.%ld.%d", f->path, (long)getpid(), i);
        interrupt_file(f->temporary);
        const int made = make(f->temporary, file);
        if (made >= 0)
            return made;
        interrupt_file(NULL);
        if (errno != EEXIST)
            break;
    }
    const int error = errno;
    free(f->temporary);
    f->temporary = NULL;
    errno = error;
    return -1;
}

static int give(const char *name, int file) { return platform_give_name(file, name); }

/* Created with mode 0666, so that the umask applies without being read, which no thread could do
 * safely. */
static int create(const char *name, int file)
{
    (void)file;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* A file in the folder that nobody sees, and that is gone with the process; -1 where there is
 * none. */
static int open_nameless(atomic_file *f)
{
    char *folder = allocate_text(f->path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    const int file = platform_open_nameless(slash ? folder : ".");
    free(folder);
    f->nameless = file >= 0;
    return file;
}

/* A pipe, a terminal, a device. The first one who opens a pipe waits for the other. */
static int open_directly(const char *path, mode_t mode)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000};
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    for (int waited = 0; S_ISFIFO(mode) && file < 0 && errno == ENXIO && waited < WAIT_MS;
         waited += PAUSE_MS) {
        nanosleep(&pause, NULL);
        file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (file >= 0 && fcntl(file, F_SETFL, O_WRONLY) != 0) {
        close(file);
        return -1;
    }
    return file;
}

/* "/dev/stdout", whatever that is. */
static int is_standard_output(const struct stat *s)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == s->st_dev && out.st_ino == s->st_ino;
}

/* The descriptor to write to; -1 with errno. */
static int open_target(atomic_file *f, const char *path)
{
    struct stat s;
    const int exists = stat(path, &s) == 0;
    const int regular = !exists || S_ISREG(s.st_mode);
    if (exists && is_standard_output(&s)) {
        f->path = allocate_text(path);
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    f->path = exists && regular ? realpath(path, NULL) : allocate_text(path);
    if (!f->path)
        return -1;
    if (exists && S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!regular)
        return open_directly(path, s.st_mode);
    if (exists && access(path, W_OK) != 0)
        return -1;
    const int file = open_nameless(f);
    return file >= 0 ? file : name_beside(f, create, -1);
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

dae_status atomic_try(const char *path, dae_report *report)
{
    struct stat s;
    atomic_file file;
    if (stat(path, &s) == 0 && S_ISFIFO(s.st_mode) && !is_standard_output(&s))
        return open_directly(path, s.st_mode) < 0 ? failed(report, path, errno) : DAE_OK;
    const dae_status status = atomic_open(&file, path, report);
    if (!status)
        atomic_discard(&file);
    return status;
}

/* Answers an errno. A new file gets its name at once; one that replaces another is renamed. */
static int give_name(atomic_file *f, int file)
{
    if (f->nameless && platform_give_name(file, f->path) == 0)
        return 0;
    if (f->nameless && (errno != EEXIST || name_beside(f, give, file) < 0))
        return errno;
    if (!f->temporary)
        return 0;
    if (rename(f->temporary, f->path) != 0)
        return errno;
    free(f->temporary);
    f->temporary = NULL;
    return 0;
}

dae_status atomic_commit(atomic_file *f, dae_report *report)
{
    int error = 0;
    errno = 0;
    if (fflush(f->stream) != 0 || ferror(f->stream))
        error = errno ? errno : EIO;
    const int file = f->nameless ? fcntl(fileno(f->stream), F_DUPFD_CLOEXEC, 3) : -1;
    if (!error && f->nameless && file < 0)
        error = errno;
    if (fclose(f->stream) != 0 && !error)
        error = errno;
    f->stream = NULL;
    if (!error)
        error = give_name(f, file);
    if (file >= 0)
        close(file);
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
    interrupt_file(NULL);
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}
