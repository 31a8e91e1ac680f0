/* kept_file.h - what daelab keeps for later runs: in which folder, and texts in one store there
 *
 * A folder that cannot be had, read or written is no error: then nothing is kept.
 */
#ifndef DAELAB_KEPT_FILE_H
#define DAELAB_KEPT_FILE_H

#include <stdint.h>

/* "FOLDER/NAME-HASH.ENDING", to be freed; NULL where there is no folder for it. FOLDER is $DAELAB_CACHE,
 * else $XDG_CACHE_HOME/daelab, else $HOME/.cache/daelab; of the name other characters than letters, digits, _ and -
 * become _. */
char *kept_place(const char *name, uint64_t hash, const char *ending);

/* Make the folders of such a path; 0 where they cannot be made. */
int kept_make_folders(const char *path);

/* A text under a kind and a key of any length, in FOLDER/kept.db; the name is what people find it by. To be freed; NULL
 * where there is none, or it is no longer what was put. */
char *kept_get(const char *kind, const char *name, const char *key);
void kept_put(const char *kind, const char *name, const char *key, const char *text);

/* One process at a time has the lock of a key, others wait here, but for one that is stopped (SIGSTOP); it is given
 * back by kept_unlock, or as the process ends. -1 where there is none: then nobody waits. */
int kept_lock(const char *key);
void kept_unlock(int lock);

#endif
