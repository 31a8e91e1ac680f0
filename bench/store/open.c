/* open.c - a file becomes a store, of this process or of many
 *
 * Of one process: write-ahead log (WAL), the file locked from the first call to the last. A put is one write at the
 * end of the log, and what a killed process has left there is a part of the file for the next one; it need not wait
 * for the disk to keep the file whole. As the file is locked, nothing of the log lies in memory that processes share,
 * which file systems of a network do not have. At the end the log goes into the file, which then stands alone and can
 * be read where nothing can be written.
 *
 * Of many processes: rollback journal, which is right between machines, too, where WAL is not; its two waits for the
 * disk are nothing beside what it took to compute what is put there.
 *
 * application_id says that the file is daelab's, user_version which format it has.
 */
#include "store/connection.h"

#include "host/allocate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define APPLICATION "1684104556"        /* "dael" */
#define FORMAT "1"

/* Seconds: two processes that open a file at a time may hinder each other so long, though neither has it. */
static const double HINDERED = 0.5;

static const char schema[] =
    "PRAGMA application_id=" APPLICATION "; PRAGMA user_version=" FORMAT ";"
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, stamp TEXT NOT NULL,"
    " text TEXT NOT NULL, hash INTEGER NOT NULL, UNIQUE (kind, key));";

/* A file that is not there is made, by the system call that says what is wrong. An own one is this user's, by its own
 * name, and nobody else may write it. One that is removed meanwhile is made by SQLite. */
static dae_status make_file(const char *path, int own, dae_report *report)
{
    struct stat about;
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, own ? 0600 : 0666);
    if (made >= 0) {
        close(made);
        return DAE_OK;
    }
    if (errno == EEXIST && lstat(path, &about) && errno == ENOENT)
        return DAE_OK;
    if (errno != EEXIST)
        return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(errno));
    if (own && (!S_ISREG(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & (S_IWGRP | S_IWOTH))))
        return dae_fail(report, DAE_FILE, "%s is a link, belongs to others, or others may write it", path);
    return DAE_OK;
}

static void disconnect(store *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
}

/* What is not daelab's is left as it is: closing it puts no log into it. */
static dae_status connect(store *s, dae_report *report)
{
    const dae_status status = make_file(s->path, s->use.own, report);
    if (status)
        return status;
    if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
        || sqlite3_extended_result_codes(s->db, 1)
        || sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL)
        || sqlite3_busy_timeout(s->db, s->use.shared ? (int)(1000 * s->use.wait) : 0))
        return connection_failed(s, report);
    return DAE_OK;
}

/* Within a transaction. *is_new: it holds nothing yet. DAE_FILE: it is of another program, or of another format. */
static dae_status look(store *s, int *is_new, dae_report *report)
{
    sqlite3_int64 application, format, tables;
    dae_status status = connection_number(s, "PRAGMA application_id", &application, report);
    if (!status)
        status = connection_number(s, "PRAGMA user_version", &format, report);
    if (!status)
        status = connection_number(s, "SELECT count(*) FROM sqlite_master", &tables, report);
    if (status)
        return status;
    *is_new = !application && !format && !tables;
    if (!*is_new && application != strtoll(APPLICATION, NULL, 10))
        return dae_fail(report, DAE_FILE, "%s is no store of daelab: it is left as it is", s->path);
    if (!*is_new && format != strtoll(FORMAT, NULL, 10))
        return dae_fail(report, DAE_FILE, "%s is a store of format %lld, this daelab has format %s: it is left as it "
                        "is", s->path, (long long)format, FORMAT);
    return DAE_OK;
}

/* What is new is looked at again when it is locked: another process may have made it meanwhile. */
static dae_status look_or_create(store *s, dae_report *report)
{
    int is_new = 0;
    dae_status status = connection_run(s, "BEGIN", report);
    if (!status)
        status = look(s, &is_new, report);
    if (!status && is_new)
        status = connection_run(s, "COMMIT; BEGIN IMMEDIATE", report);
    if (!status && is_new)
        status = look(s, &is_new, report);
    if (!status && is_new)
        status = connection_run(s, schema, report);
    return status ? status : connection_run(s, "COMMIT", report);
}

/* Is the file still the one of that name? Another process may have removed it before this one had the lock. */
static int has_moved(const store *s)
{
    int moved = 0;
    return s->db && sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static dae_status check_whole(store *s, dae_report *report)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(s->db, "PRAGMA integrity_check(1)", -1, &statement, NULL))
        return connection_failed(s, report);
    const int answer = sqlite3_step(statement);
    const char *said = answer == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    dae_status status = DAE_OK;
    if (!said)
        status = connection_failed(s, report);
    else if (strcmp(said, "ok") != 0) {
        s->damaged = 1;
        status = dae_fail(report, DAE_FILE, "%s is damaged: %s", s->path, said);
    }
    sqlite3_finalize(statement);
    return status;
}

/* A log that is left goes into the file first: a file that was opened with a log shares memory with others from then
 * on. */
static dae_status take_alone(store *s, dae_report *report)
{
    dae_status status = connection_run(s, "PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE; PRAGMA locking_mode=EXCLUSIVE;"
                                       "COMMIT; PRAGMA journal_mode=WAL", report);
    return status ? status : check_whole(s, report);
}

static dae_status open_once(store *s, dae_report *report)
{
    dae_status status = connect(s, report);
    if (!status)
        status = look_or_create(s, report);
    if (!status && !s->use.shared)
        status = sqlite3_db_readonly(s->db, "main")
                     ? dae_fail(report, DAE_FILE, "%s cannot be written here", s->path) : take_alone(s, report);
    return status;
}

/* A pause that is another one for another process. */
static void pause_own(const store *s)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000 + (long)s->owner * 7919 % 32 * 1000000}, NULL);
}

/* To have it alone is tried anew from the beginning, where all locks are given back. */
static dae_status open_current(store *s, dae_report *report)
{
    const double until = connection_now() + (s->use.wait > HINDERED ? s->use.wait : HINDERED);
    for (;;) {
        s->busy = 0;
        const dae_status status = open_once(s, report);
        const int again = has_moved(s) || (status && s->busy && !s->use.shared);
        if (!again || connection_now() > until)
            return again && !status ? dae_fail(report, DAE_FILE, "another process works on %s", s->path) : status;
        disconnect(s);
        pause_own(s);
    }
}

/* PATH-journal and the like are of the file that goes: the next one begins without them. */
static void remove_logs(const store *s)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = allocate_print("%s%s", s->path, endings[i]);
        unlink(name);
        free(name);
    }
}

/* The damaged file under another name, and why. */
static dae_status set_aside(store *s, const dae_report *why, dae_report *report)
{
    char *aside = allocate_print("%s.damaged", s->path);
    const int error = rename(s->path, aside) ? errno : 0;
    if (!error)
        remove_logs(s);
    disconnect(s);
    s->damaged = 0;
    dae_fail(&s->renewed, DAE_FILE, "%s; it is %s now, and a new one is begun", why->message, aside);
    free(aside);
    return error ? dae_fail(report, DAE_FILE, "%s: %s", s->path, strerror(error)) : DAE_OK;
}

static dae_status open_or_renew(store *s, dae_report *report)
{
    dae_report why = {0};
    dae_status status = open_current(s, &why);
    if (!status)
        return DAE_OK;
    if (!s->damaged || !s->use.renew)
        return dae_fail(report, status, "%s", why.message);
    status = set_aside(s, &why, report);
    return status ? status : open_current(s, report);
}

dae_status store_open(store **opened, const char *path, store_use use, dae_report *report)
{
    store *s = *opened = allocate(1, sizeof *s);
    *s = (store){.path = allocate_text(path), .use = use, .owner = getpid()};
    const dae_status status = open_or_renew(s, report);
    if (!status)
        return DAE_OK;
    disconnect(s);
    free(s->path);
    free(s);
    *opened = NULL;
    return status;
}

const char *store_renewed(const store *s) { return s->renewed.message; }

/* Nothing is lost where the log cannot go into the file: it is there for the next process. */
static void end(store *s, int erase)
{
    const dae_report why = {DAE_FILE, "it is damaged"};
    if (!s)
        return;
    if (s->owner == getpid()) {
        if (erase) {
            unlink(s->path);
            remove_logs(s);
        } else if (s->damaged && s->use.renew) {
            set_aside(s, &why, NULL);
        } else if (!s->use.shared) {
            connection_run(s, "PRAGMA journal_mode=DELETE", NULL);
        }
        disconnect(s);
    }
    free(s->path);
    free(s);
}

void store_close(store *s) { end(s, 0); }
void store_erase(store *s) { end(s, 1); }
