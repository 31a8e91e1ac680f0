#include "store/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Where SQLite locks a file: PENDING_BYTE, and the 512 from there ("Locking", os.h of SQLite). */
enum { LOCKED_FROM = 0x40000000, LOCKED = 512 };

/* The process that has locked the file: 0 nobody any more, -1 one that has no number here. */
static pid_t holder_of(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKED_FROM, .l_len = LOCKED};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const int known = file >= 0 && fcntl(file, F_GETLK, &lock) == 0;
    if (file >= 0)
        close(file);
    return !known || lock.l_type == F_UNLCK ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
}

static dae_status busy(store *s, dae_report *report)
{
    s->busy = 1;
    char host[HOST_NAME_MAX + 1] = "";
    const pid_t holder = holder_of(s->path);
    if (gethostname(host, sizeof host - 1))
        strcpy(host, "this machine");
    if (holder > 0)
        return dae_fail(report, DAE_FILE, "another process works on %s: %ld on %s", s->path, (long)holder, host);
    return dae_fail(report, DAE_FILE, "another process works on %s%s", s->path,
                    holder ? ": on another machine than this one, or in a container" : "");
}

/* Where the system has said no, its reason; else SQLite's. error: errno, which SQLite does not take down where the
 * end of a transaction fails. */
static const char *reason(sqlite3 *db, int code, int error)
{
    const int noted = sqlite3_system_errno(db);
    if (code != SQLITE_CANTOPEN && code != SQLITE_IOERR)
        return sqlite3_errmsg(db);
    return noted ? strerror(noted) : error ? strerror(error) : sqlite3_errmsg(db);
}

dae_status connection_failed(store *s, dae_report *report)
{
    const int error = errno, extended = sqlite3_extended_errcode(s->db), code = extended & 0xff;
    switch (code) {
    case SQLITE_BUSY:
        return busy(s, report);
    case SQLITE_NOTADB:
        s->damaged = 1;
        return dae_fail(report, DAE_FILE, "%s is no store of daelab: it is left as it is", s->path);
    case SQLITE_CORRUPT:
        s->damaged = 1;
        return dae_fail(report, DAE_FILE, "%s is damaged: %s", s->path, sqlite3_errmsg(s->db));
    case SQLITE_FULL:
        return dae_fail(report, DAE_FILE, "%s: the disk is full", s->path);
    case SQLITE_READONLY:
        return dae_fail(report, DAE_FILE, "%s cannot be written here", s->path);
    default:
        return dae_fail(report, DAE_FILE, "%s: %s", s->path, reason(s->db, code, error));
    }
}

double connection_now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

dae_status connection_run(store *s, const char *sql, dae_report *report)
{
    errno = 0;
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? connection_failed(s, report) : DAE_OK;
}

dae_status connection_number(store *s, const char *sql, sqlite3_int64 *number, dae_report *report)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL))
        return connection_failed(s, report);
    const int answer = sqlite3_step(statement);
    *number = answer == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    const dae_status status = answer == SQLITE_ROW || answer == SQLITE_DONE ? DAE_OK : connection_failed(s, report);
    sqlite3_finalize(statement);
    return status;
}
