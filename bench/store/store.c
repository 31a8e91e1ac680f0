/* store.c - entries of a store: one table, entries(kind, key, stamp, text, hash) */
#include "store/connection.h"

#include "host/allocate.h"
#include "host/fnv.h"

#include <errno.h>
#include <string.h>

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
    const dae_status status = connection_failed(s, report);
    sqlite3_finalize(*statement);
    return status;
}

/* A statement without an answer. */
static dae_status finish(store *s, sqlite3_stmt *statement, dae_report *report)
{
    errno = 0;
    const dae_status status = sqlite3_step(statement) == SQLITE_DONE ? DAE_OK : connection_failed(s, report);
    sqlite3_finalize(statement);
    return status;
}

/* Each put of a file that is shared waits for the disk; of one that is this process's one in a tenth of a second. */
static dae_status choose_sync(store *s, int *waits, dae_report *report)
{
    *waits = s->use.shared || connection_now() - s->synced > UNSYNCED;
    return connection_run(s, *waits ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", report);
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
        s->synced = connection_now();
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
            return sqlite3_errcode(s->db) == SQLITE_NOMEM ? connection_failed(s, report)
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
        status = connection_failed(s, report);
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
        status = connection_failed(s, report);
    sqlite3_finalize(select);
    return status;
}
