/* allocate.h - memory for the laboratory, which ends where there is none
 *
 * The library answers DAE_NO_MEMORY and goes on. The laboratory keeps every answer of a study on disk as it comes, so
 * nothing is lost where a process of it ends: none of these functions returns without memory. It says one sentence
 * and ends with exit status EXIT_SYSTEM; the process of a run ends so, too, and its study hears why.
 */
#ifndef DAELAB_ALLOCATE_H
#define DAELAB_ALLOCATE_H

#include <stddef.h>
#include <stdio.h>

/* count elements of so many bytes each, all 0; count 0: of one. Freed by free. */
void *allocate(size_t count, size_t size);

/* The same as realloc: what was there stays, what comes behind it is not set. */
void *allocate_again(void *old, size_t count, size_t size);

/* Room for element number count = 0, 1, ... of a list that has grown by this function, one at a time: it doubles
 * whenever it is full. */
void *allocate_more(void *list, size_t count, size_t size);

/* A copy of a text; NULL of NULL. */
char *allocate_text(const char *text);

/* What printf would print. */
char *allocate_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the library, or the system, has answered; it ends here where that is NULL for want of memory. */
void *allocate_held(void *memory);

/* A stream that writes *text, of *length bytes and a 0: both are there once it has ended. */
FILE *allocate_stream(char **text, size_t *length);
void allocate_stream_end(FILE *stream);

/* The same end, where the library has answered DAE_NO_MEMORY: it may have some another day. */
_Noreturn void allocate_end(void);

/* Where there is no memory these words go to the file descriptor, and nothing to standard error: the process is one of
 * a study's, which says what became of it. Not copied. */
void allocate_last_words(int file, const char *words);

/* Jansson's values come from here, too: from now on its functions fail by what they are given alone. */
void allocate_json(void);

#endif
