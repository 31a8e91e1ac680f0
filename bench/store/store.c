/* store.c - a SQLite file as a store, of this process or of many: one table, entries(kind, key, stamp, text, hash)
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
#include "store/store.h"

#include "host/allocate.h"
#include "host/fnv.h"
#include "host/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct store {
    char *path;
    store_use use;
    sqlite3 *db;
    pid_t owner;                /* the process that has opened it */
    double synced;              /* when a put last waited for the disk */
    int damaged, busy;          /* some call has said so */
    dae_report renewed;         /* its message */
};

/* ---- what SQLite answers -------------------------------------------------------------------- */

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

/* DAE_FILE, with what the last call of SQLite failed of. */
static dae_status failed(store *s, dae_report *report)
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

/* Statements without an answer. */
static dae_status execute(store *s, const char *sql, dae_report *report)
{
    errno = 0;
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? failed(s, report) : DAE_OK;
}

/* The first number of the first row that sql answers, 0 where there is none. */
static dae_status ask_number(store *s, const char *sql, sqlite3_int64 *number, dae_report *report)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL))
        return failed(s, report);
    const int answer = sqlite3_step(statement);
    *number = answer == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    const dae_status status = answer == SQLITE_ROW || answer == SQLITE_DONE ? DAE_OK : failed(s, report);
    sqlite3_finalize(statement);
    return status;
}

/* ---- opened and closed ---------------------------------------------------------------------- */

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
        return failed(s, report);
    return DAE_OK;
}

/* Within a transaction. *is_new: it holds nothing yet. DAE_FILE: it is of another program, or of another format. */
static dae_status look(store *s, int *is_new, dae_report *report)
{
    sqlite3_int64 application, format, tables;
    dae_status status = ask_number(s, "PRAGMA application_id", &application, report);
    if (!status)
        status = ask_number(s, "PRAGMA user_version", &format, report);
    if (!status)
        status = ask_number(s, "SELECT count(*) FROM sqlite_master", &tables, report);
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
    dae_status status = execute(s, "BEGIN", report);
    if (!status)
        status = look(s, &is_new, report);
    if (!status && is_new)
        status = execute(s, "COMMIT; BEGIN IMMEDIATE", report);
    if (!status && is_new)
        status = look(s, &is_new, report);
    if (!status && is_new)
        status = execute(s, schema, report);
    return status ? status : execute(s, "COMMIT", report);
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
        return failed(s, report);
    const int answer = sqlite3_step(statement);
    const char *said = answer == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    dae_status status = DAE_OK;
    if (!said)
        status = failed(s, report);
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
    dae_status status = execute(s, "PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE; PRAGMA locking_mode=EXCLUSIVE;"
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
    const double until = seconds_of(CLOCK_MONOTONIC) + (s->use.wait > HINDERED ? s->use.wait : HINDERED);
    for (;;) {
        s->busy = 0;
        const dae_status status = open_once(s, report);
        const int again = has_moved(s) || (status && s->busy && !s->use.shared);
        if (!again || seconds_of(CLOCK_MONOTONIC) > until)
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
            execute(s, "PRAGMA journal_mode=DELETE", NULL);
        }
        disconnect(s);
    }
    free(s->path);
    free(s);
}

void store_close(store *s) { end(s, 0); }
void store_erase(store *s) { end(s, 1); }

/* ---- entries -------------------------------------------------------------------------------- */

/* A tenth of a second: what a power cut may undo costs no more to compute again. */
static const double UNSYNCED = 0.1;

typedef struct { const char *kind, *key, *stamp, *text; } texts;

/* Of the texts with their ends: a byte that moves from one to the next changes it. */
static sqlite3_int64 hash_of(const texts *t)
{
    const char *const all[] = {t->kind, t->key, t->stamp, t->text};
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        hash = fnv_1a(hash, all[i], strlen(all[i]) + 1);
    return (sqlite3_int64)hash;
}

/* A statement with texts for ?1, ?2, ... up to the first that is NULL. */
static dae_status prepare(store *s, const char *sql, const texts *t, sqlite3_stmt **statement, dae_report *report)
{
    const char *const all[] = {t->kind, t->key, t->stamp, t->text};
    int bad = sqlite3_prepare_v2(s->db, sql, -1, statement, NULL);
    for (int i = 0; !bad && i < 4 && all[i]; i++)
        bad = sqlite3_bind_text64(*statement, i + 1, all[i], strlen(all[i]), SQLITE_STATIC, SQLITE_UTF8);
    if (!bad)
        return DAE_OK;
    const dae_status status = failed(s, report);
    sqlite3_finalize(*statement);
    return status;
}

/* A statement without an answer. */
static dae_status finish(store *s, sqlite3_stmt *statement, dae_report *report)
{
    errno = 0;
    const dae_status status = sqlite3_step(statement) == SQLITE_DONE ? DAE_OK : failed(s, report);
    sqlite3_finalize(statement);
    return status;
}

/* Each put of a file that is shared waits for the disk; of one that is this process's one in a tenth of a second. */
static dae_status choose_sync(store *s, int *waits, dae_report *report)
{
    *waits = s->use.shared || seconds_of(CLOCK_MONOTONIC) - s->synced > UNSYNCED;
    return execute(s, *waits ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", report);
}

dae_status store_put(store *s, const char *kind, const char *key, const char *stamp, const char *text,
                     dae_report *report)
{
    const texts t = {kind, key, stamp, text};
    sqlite3_stmt *put;
    int waits;
    dae_status status = choose_sync(s, &waits, report);
    if (!status)
        status = prepare(s, "INSERT INTO entries (kind, key, stamp, text, hash) VALUES (?1, ?2, ?3, ?4, ?5)"
                         " ON CONFLICT (kind, key) DO UPDATE SET stamp=?3, text=?4, hash=?5", &t, &put, report);
    if (status)
        return status;
    sqlite3_bind_int64(put, 5, hash_of(&t));
    status = finish(s, put, report);
    if (!status && waits)
        s->synced = seconds_of(CLOCK_MONOTONIC);
    return status;
}

/* The texts of the row that a statement "SELECT key, stamp, text, hash" is at, valid until its next step. A text that
 * holds a zero is none that was put. */
static dae_status read_row(store *s, sqlite3_stmt *select, const char *kind, store_entry *e, dae_report *report)
{
    const char *at[3];
    int whole = 1;
    for (int i = 0; i < 3; i++) {
        at[i] = (const char *)sqlite3_column_text(select, i);
        if (!at[i])
            return sqlite3_errcode(s->db) == SQLITE_NOMEM ? failed(s, report)
                   : dae_fail(report, DAE_FILE, "%s is damaged: an entry is without its text", s->path);
        whole &= strlen(at[i]) == (size_t)sqlite3_column_bytes(select, i);
    }
    *e = (store_entry){at[0], at[1], at[2], whole};
    e->whole &= hash_of(&(texts){kind, e->key, e->stamp, e->text}) == sqlite3_column_int64(select, 3);
    return DAE_OK;
}

/* visit(context, entry) for each row of a statement "SELECT key, stamp, text, hash", which ends here. */
static dae_status visit_rows(store *s, sqlite3_stmt *select, const char *kind, store_visit *visit, void *context,
                             dae_report *report)
{
    store_entry entry = {0};
    int answer = SQLITE_DONE;
    dae_status status = DAE_OK;
    while (!status && (answer = sqlite3_step(select)) == SQLITE_ROW) {
        status = read_row(s, select, kind, &entry, report);
        if (!status)
            status = visit(context, &entry, report);
    }
    if (!status && answer != SQLITE_DONE)
        status = failed(s, report);
    sqlite3_finalize(select);
    return status;
}

dae_status store_each(store *s, const char *kind, store_visit *visit, void *context, dae_report *report)
{
    sqlite3_stmt *select;
    const dae_status status = prepare(s, "SELECT key, stamp, text, hash FROM entries WHERE kind=?1 ORDER BY id",
                                      &(texts){.kind = kind}, &select, report);
    return status ? status : visit_rows(s, select, kind, visit, context, report);
}

typedef struct {
    const char *path;
    char **text, **stamp;
} copies;

static dae_status copy(void *context, const store_entry *e, dae_report *report)
{
    const copies *c = context;
    if (!e->whole)
        return dae_fail(report, DAE_FILE, "%s: the entry %s is no longer what was put", c->path, e->key);
    *c->text = allocate_text(e->text);
    if (c->stamp)
        *c->stamp = allocate_text(e->stamp);
    return DAE_OK;
}

dae_status store_get(store *s, const char *kind, const char *key, char **text, char **stamp, dae_report *report)
{
    sqlite3_stmt *select;
    copies c = {s->path, text, stamp};
    *text = NULL;
    if (stamp)
        *stamp = NULL;
    dae_status status = prepare(s, "SELECT key, stamp, text, hash FROM entries WHERE kind=?1 AND key=?2",
                                &(texts){.kind = kind, .key = key}, &select, report);
    if (!status)
        status = visit_rows(s, select, kind, copy, &c, report);
    return status;
}

dae_status store_remove(store *s, const char *kind, const char *key, dae_report *report)
{
    sqlite3_stmt *remove;
    const dae_status status = prepare(s, key ? "DELETE FROM entries WHERE kind=?1 AND key=?2"
                                             : "DELETE FROM entries WHERE kind=?1",
                                      &(texts){.kind = kind, .key = key}, &remove, report);
    return status ? status : finish(s, remove, report);
}

dae_status store_count(store *s, const char *kind, long *count, dae_report *report)
{
    sqlite3_stmt *select;
    dae_status status = prepare(s, "SELECT count(*) FROM entries WHERE kind=?1", &(texts){.kind = kind}, &select,
                                report);
    if (status)
        return status;
    if (sqlite3_step(select) == SQLITE_ROW)
        *count = (long)sqlite3_column_int64(select, 0);
    else
        status = failed(s, report);
    sqlite3_finalize(select);
    return status;
}
