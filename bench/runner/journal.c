#include "runner/journal.h"

#include "cache/content.h"
#include "host/interrupt.h"
#include "host/platform.h"
#include "host/synced.h"
#include "output/json_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 1, TRIES = 10 };

static const char HEAD[] = "{\"daelab journal\":1}\n";

struct journal {
    char *path;
    int file;
    off_t end;                  /* of the last whole line */
    long records;
};

static dae_status refuse(dae_report *report, const char *path, int error)
{
    return dae_fail(report, DAE_FILE, "the journal %s: %s", path, strerror(error));
}

/* ---- open, and have it alone ---------------------------------------------------------------- */

/* A lock of the process: children do not hold it. */
static int lock(int file)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole) == 0;
}

/* Is the file still the one of that name? Another process may have replaced it before it was locked. */
static int is_current(int file, const char *path)
{
    struct stat mine, there;
    return fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_dev == there.st_dev
           && mine.st_ino == there.st_ino;
}

static int is_safe(int file)
{
    struct stat s;
    return fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid()
           && !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/* journal.NUMBER of a process that was killed while it replaced the journal: who has the lock knows that nobody is at
 * it. */
static void remove_leftovers(const journal *j)
{
    const char *slash = strrchr(j->path, '/'), *base = slash ? slash + 1 : j->path;
    char *folder = slash ? strndup(j->path, (size_t)(slash - j->path) + 1) : strdup("."), *path;
    DIR *entries = folder ? opendir(folder) : NULL;
    const size_t length = strlen(base);
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (strncmp(e->d_name, base, length) == 0 && e->d_name[length] == '.' && e->d_name[length + 1]
            && !e->d_name[length + 1 + strspn(e->d_name + length + 1, "0123456789")]
            && asprintf(&path, "%s/%s", folder, e->d_name) >= 0) {
            unlink(path);
            free(path);
        }
    if (entries)
        closedir(entries);
    free(folder);
}

static dae_status open_alone(journal *j, int safe, dae_report *report)
{
    for (int i = 0; i < TRIES; i++) {
        j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (safe ? O_NOFOLLOW : 0),
                       safe ? 0600 : 0666);
        if (j->file < 0)
            return refuse(report, j->path, errno);
        if (safe && !is_safe(j->file))
            return dae_fail(report, DAE_FILE, "the journal %s belongs to others, or others may write it", j->path);
        if (!lock(j->file))
            return errno == EACCES || errno == EAGAIN
                       ? dae_fail(report, DAE_FILE, "another process works on %s", j->path)
                       : refuse(report, j->path, errno);
        if (is_current(j->file, j->path)) {
            remove_leftovers(j);
            return DAE_OK;
        }
        close(j->file);
        j->file = -1;
    }
    return dae_fail(report, DAE_FILE, "another process works on %s", j->path);
}

/* ---- write ------------------------------------------------------------------------------------ */

/* All of it at the end of the file, or nothing. */
static dae_status put(journal *j, const char *text, size_t size, dae_report *report)
{
    size_t sent = 0;
    while (sent < size) {
        const ssize_t count = write(j->file, text + sent, size - sent);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            const int error = errno;
            if (ftruncate(j->file, j->end))
                return dae_fail(report, DAE_FILE, "the journal %s: %s; its last line is torn", j->path,
                                strerror(error));
            return refuse(report, j->path, error);
        }
        sent += (size_t)count;
    }
    j->end += (off_t)size;
    synced_later(j->file);
    return DAE_OK;
}

static dae_status begin_file(journal *j, dae_report *report)
{
    j->end = 0;
    j->records = 0;
    return ftruncate(j->file, 0) ? refuse(report, j->path, errno) : put(j, HEAD, sizeof HEAD - 1, report);
}

dae_status journal_append(journal *j, const record *r, dae_report *report)
{
    char *line = record_line(r);
    if (!line)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a line of the journal %s", j->path);
    const dae_status status = put(j, line, strlen(line), report);
    free(line);
    j->records += !status;
    return status;
}

/* ---- read ------------------------------------------------------------------------------------- */

static void say(const journal *j, const journal_reader *reader, const char *what, long line)
{
    char sentence[512];
    if (!reader->say)
        return;
    snprintf(sentence, sizeof sentence, "%s, line %ld: %s", j->path, line, what);
    reader->say(reader->say_context, sentence);
}

/* The first line: of this format, of another one, or of another kind of file. A part of it is all that a
 * program that was killed has left. */
static dae_status read_head(journal *j, const char *text, size_t size, dae_report *report)
{
    const size_t length = sizeof HEAD - 1;
    int format = 0;
    if (size < length && memcmp(text, HEAD, size) == 0)
        return begin_file(j, report);
    if (size >= length && memcmp(text, HEAD, length) == 0) {
        j->end = (off_t)length;
        return DAE_OK;
    }
    if (sscanf(text, "{\"daelab journal\":%d}", &format) == 1 && format != FORMAT)
        return dae_fail(report, DAE_FILE, "%s is a journal of format %d, this daelab writes format %d: it is left "
                        "as it is", j->path, format, FORMAT);
    return dae_fail(report, DAE_FILE, "%s is no journal of daelab: it is left as it is", j->path);
}

/* One whole line, without its newline: 1 it was taken, 0 it is none, -1 no memory. */
static int read_line(journal *j, const journal_reader *reader, const char *line, size_t length)
{
    record r;
    if (!record_read(line, length, &r))
        return json_file_whole() ? 0 : -1;
    j->records++;
    return reader->take(reader->context, &r) ? 1 : -1;
}

/* Lines from j->end on. Whatever is no record at the end is cut off. */
static dae_status read_lines(journal *j, const char *text, size_t size, const journal_reader *reader,
                             dae_report *report)
{
    const char *from = text + j->end, *const stop = text + size;
    long number = 1, strange = 0;
    while (from < stop) {
        const char *newline = memchr(from, '\n', (size_t)(stop - from));
        const int taken = newline ? read_line(j, reader, from, (size_t)(newline - from)) : 0;
        if (taken < 0)
            return dae_fail(report, DAE_NO_MEMORY, "no memory for the journal %s", j->path);
        number++;
        if (taken && strange)
            say(j, reader, "this is no record of a run, or no longer what was written, and left out", strange);
        if (taken) {
            strange = 0;
            j->end = newline + 1 - text;
        } else if (!strange) {
            strange = number;
        }
        from = newline ? newline + 1 : stop;
    }
    if (!strange)
        return DAE_OK;
    say(j, reader, "it is torn here, and cut off", strange);
    return ftruncate(j->file, j->end) ? refuse(report, j->path, errno) : DAE_OK;
}

static dae_status read_file(journal *j, int fresh, const journal_reader *reader, dae_report *report)
{
    size_t size;
    char *text = content_read(j->file, &size);
    if (!text)
        return refuse(report, j->path, errno);
    text[size] = 0;                                     /* there is room for it */
    dae_status status = read_head(j, text, size, report);
    if (!status && fresh)
        status = begin_file(j, report);
    else if (!status && size)
        status = read_lines(j, text, size, reader, report);
    free(text);
    return status;
}

dae_status journal_open(journal **opened, const char *path, int fresh, int safe, const journal_reader *reader,
                        dae_report *report)
{
    journal *j = calloc(1, sizeof *j);
    *opened = NULL;
    if (j)
        *j = (journal){.path = strdup(path), .file = -1};
    if (!j || !j->path) {
        journal_close(j);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the journal %s", path);
    }
    dae_status status = open_alone(j, safe, report);
    if (!status)
        status = read_file(j, fresh, reader, report);
    if (status)
        journal_close(j);
    else
        *opened = j;
    return status;
}

/* ---- replace, remove, close --------------------------------------------------------------------- */

static dae_status put_all(journal *j, const record *const *list, int count, dae_report *report)
{
    dae_status status = put(j, HEAD, sizeof HEAD - 1, report);
    for (int i = 0; !status && i < count; i++)
        status = journal_append(j, list[i], report);
    if (!status && platform_sync(j->file) && errno != EINVAL)
        status = refuse(report, j->path, errno);
    return status;
}

dae_status journal_replace(journal *j, const record *const *list, int count, dae_report *report)
{
    journal beside = {.path = NULL, .file = -1};
    struct stat s;
    if (asprintf(&beside.path, "%s.%ld", j->path, (long)getpid()) < 0)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the journal %s", j->path);
    const mode_t mode = fstat(j->file, &s) == 0 ? s.st_mode & 0777 : 0600;
    interrupt_file(beside.path);
    beside.file = open(beside.path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, mode);
    dae_status status = beside.file < 0 ? refuse(report, beside.path, errno) : DAE_OK;
    if (!status)
        status = put_all(&beside, list, count, report);
    if (!status && (!lock(beside.file) || rename(beside.path, j->path)))
        status = refuse(report, j->path, errno);
    if (status && beside.file >= 0) {
        unlink(beside.path);
        synced_now(beside.file);
        close(beside.file);
    } else if (!status) {
        synced_now(j->file);
        close(j->file);
        j->file = beside.file;
        j->end = beside.end;
        j->records = beside.records;
    }
    interrupt_file(NULL);
    free(beside.path);
    return status;
}

long journal_records(const journal *j) { return j->records; }
const char *journal_path(const journal *j) { return j->path; }
void journal_remove(const journal *j) { unlink(j->path); }

void journal_close(journal *j)
{
    if (j && j->file >= 0) {
        synced_now(j->file);
        close(j->file);
    }
    free(j ? j->path : NULL);
    free(j);
}
