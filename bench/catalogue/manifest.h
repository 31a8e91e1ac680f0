/* manifest.h - which files a source was made of, and what they held: so that a later run can tell without a
 * compiler that nothing has changed */
#ifndef DAELAB_MANIFEST_H
#define DAELAB_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_FILES = 1024 };

/* The files that a preprocessed text names, with their hashes. */
typedef struct {
    int count;
    struct { char *path; uint64_t hash; } file[MOST_FILES];
    int own;                    /* the source includes files of its own: one of the same name elsewhere may come
                                   to be found before them */
    int whole;                  /* all of them are here, and could be read */
} manifest;

/* Of the text[size] that was made of source, with the headers of a folder. */
void manifest_list(manifest *m, const char *text, size_t size, const char *source, const char *headers);
void manifest_free(manifest *m);

/* Do the files still hold what they did? */
int manifest_holds(const manifest *m);

/* Keep at path under a key that the object lies in that file; the compiler is told by its stamp. */
void manifest_write(const manifest *m, const char *path, uint64_t key, const char *stamp, const char *object);

/* The object of the manifest at path, to be freed: NULL where there is none of that key, a file has changed, or
 * the compiler has (one that is gone, "", has not). */
char *manifest_read(const char *path, uint64_t key, const char *stamp);

#endif
