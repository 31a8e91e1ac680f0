/* kept_file.h - files that daelab keeps for later runs: where they are, and which of them it believes */
#ifndef DAELAB_KEPT_FILE_H
#define DAELAB_KEPT_FILE_H

#include <stdint.h>
#include <stdio.h>

/* "FOLDER/NAME-HASH.ENDING", to be freed; NULL where there is no folder for it. FOLDER is $DAELAB_CACHE,
 * else $XDG_CACHE_HOME/daelab, else $HOME/.cache/daelab, and is made; of the name other characters than
 * letters, digits, _ and - become _. */
char *kept_path(const char *name, uint64_t hash, const char *ending);

/* The same, and no folder is made; and the folders of such a path, 0 where they cannot be made. */
char *kept_place(const char *name, uint64_t hash, const char *ending);
int kept_make_folders(const char *path);

/* The descriptor of a regular file of this user's that nobody else may write, by its own name; else -1. */
int kept_open(const char *path);

/* All of such a file, 0-ended, to be freed; NULL where it cannot be read. */
char *kept_text(const char *path);

/* One process at a time has the lock of path, others wait here, but for one that is stopped (SIGSTOP); kept_unlock
 * gives it back. -1 where there is none: then nobody waits. */
int kept_lock(const char *path);
void kept_unlock(const char *path, int lock);

/* A new file beside path, which nobody else reads or writes; *name is to be freed. NULL where there is
 * none. A signal that ends the program removes it. */
FILE *kept_beside(const char *path, char **name);

/* Close it, and let it take the place of path. Where that fails it is removed: 0. */
int kept_replace(FILE *out, const char *name, const char *path);

#endif
