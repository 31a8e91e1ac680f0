/* atomic_file.h - a file that others see whole or not at all */
#ifndef DAELAB_ATOMIC_FILE_H
#define DAELAB_ATOMIC_FILE_H

#include <daelab/status.h>
#include <stdio.h>

typedef struct {
    FILE *stream;               /* write here */
    char *path;                 /* the target, symbolic links resolved */
    char *temporary;            /* beside it; NULL: no name yet, or no regular file */
    int nameless;               /* its name comes with the commit */
} atomic_file;

/* Open a file without a name in the folder of path, or where the file system has none, with a name
 * beside it. A path that exists and is no regular file (a terminal, a pipe, /dev/null), and one
 * that is the standard output, is written directly; a pipe that nobody reads is waited for, ten
 * seconds at most. DAE_FILE, with the path and the system's words, on failure. */
dae_status atomic_open(atomic_file *f, const char *path, dae_report *report);

/* Does it open? A pipe stays open until the program ends, so that its reader goes on waiting. */
dae_status atomic_try(const char *path, dae_report *report);

/* Close and rename to the target, with the mode of a new file; or close and remove. f is over after
 * either. A commit that fails leaves the target as it was. */
dae_status atomic_commit(atomic_file *f, dae_report *report);
void atomic_discard(atomic_file *f);

#endif
