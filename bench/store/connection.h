/* connection.h - what the files of this folder share: a store's connection, and what it says of a failure */
#ifndef DAELAB_STORE_CONNECTION_H
#define DAELAB_STORE_CONNECTION_H

#include "store/store.h"

#include <sqlite3.h>
#include <sys/types.h>

struct store {
    char *path;
    store_use use;
    sqlite3 *db;
    pid_t owner;                /* the process that has opened it */
    double synced;              /* when a put last waited for the disk */
    int damaged, busy;          /* some call has said so */
    dae_report renewed;         /* its message */
};

/* DAE_FILE, with what the last call of SQLite failed of. */
dae_status connection_failed(store *s, dae_report *report);

/* Seconds on the monotonic clock. */
double connection_now(void);

/* Statements without an answer. */
dae_status connection_run(store *s, const char *sql, dae_report *report);

/* The first number of the first row that sql answers, 0 where there is none. */
dae_status connection_number(store *s, const char *sql, sqlite3_int64 *number, dae_report *report);

#endif
