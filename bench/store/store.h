/* store.h - texts in a SQLite file, each under a kind and a key, that outlive any kill
 *
 * What store_put has answered DAE_OK to is there after this process was killed; a power cut loses what was put within
 * the tenth of a second after a put that waited for the disk. An entry holds the hash of its texts: one in which a
 * byte has changed since is told of, never answered.
 *
 * The file is of one process at a time (a study), or of many that take turns, one call each (what is kept for later
 * runs). A process opens a file once; a child that it forks leaves the store alone.
 */
#ifndef DAELAB_STORE_H
#define DAELAB_STORE_H

#include <daelab/status.h>

#include <stdint.h>
#include <sys/types.h>

typedef struct store store;

typedef struct {
    int shared;         /* many processes take turns; 0: this one has the file until it closes it */
    int own;            /* refuse a link, a file of another user, one that others may write; make it for this user */
    int renew;          /* a damaged file becomes PATH.damaged, and a new one is begun */
    double wait;        /* seconds for another process, at each call where the file is shared; 0: none */
} store_use;

/* Open or create. DAE_FILE with a sentence: another process has it (the sentence says which one), it is damaged, of
 * another program or of another version of daelab, or the system says no. A shared file that may not be written can
 * be read. */
dae_status store_open(store **s, const char *path, store_use use, dae_report *report);

/* What became of a damaged file, in a sentence; "" where there was none. */
const char *store_renewed(const store *s);

/* The entry (kind, key) becomes stamp and text, which are the caller's. DAE_FILE: it is as it was. */
dae_status store_put(store *s, const char *kind, const char *key, const char *stamp, const char *text,
                     dae_report *report);

/* *text, and *stamp where stamp is not NULL, to be freed; NULL where there is no such entry. DAE_FILE, too, where it is
 * no longer what was put. */
dae_status store_get(store *s, const char *kind, const char *key, char **text, char **stamp, dae_report *report);

/* Without an entry there is nothing to do. key NULL: all of the kind. */
dae_status store_remove(store *s, const char *kind, const char *key, dae_report *report);

dae_status store_count(store *s, const char *kind, long *count, dae_report *report);

typedef struct {
    const char *key, *stamp, *text;
    int whole;          /* 0: it is no longer what was put */
} store_entry;

/* visit(context, entry) for each of a kind in the order in which they were first put, until one does not answer DAE_OK:
 * that is the answer then. A visit changes nothing in the store. */
typedef dae_status store_visit(void *context, const store_entry *entry, dae_report *report);
dae_status store_each(store *s, const char *kind, store_visit *visit, void *context, dae_report *report);

void store_close(store *s);             /* NULL is allowed */
void store_erase(store *s);             /* the same, and the file goes */

/* ---- what daelab keeps for later runs: in which folder, and texts in one store there ----
 *
 * A folder that cannot be had, read or written is no error: then nothing is kept. */

/* "FOLDER/NAME-HASH.ENDING", to be freed; NULL where there is no folder for it. FOLDER is $DAELAB_CACHE,
 * else $XDG_CACHE_HOME/daelab, else $HOME/.cache/daelab; of the name other characters than letters, digits, _ and -
 * become _. */
char *kept_place(const char *name, uint64_t hash, const char *ending);

/* Make those folders of the path of a file that are not there, with a mode: *made are so many more. An errno. */
int kept_make_folders(const char *path, mode_t mode, int *made);

/* A text under a kind and a key of any length, in FOLDER/kept.db; the name is what people find it by. To be freed; NULL
 * where there is none, or it is no longer what was put. */
char *kept_get(const char *kind, const char *name, const char *key);
void kept_put(const char *kind, const char *name, const char *key, const char *text);

/* One process at a time has the lock of a key, others wait here, but for one that is stopped (SIGSTOP); it is given
 * back by kept_unlock, or as the process ends. -1 where there is none: then nobody waits. */
int kept_lock(const char *key);
void kept_unlock(int lock);

#endif
