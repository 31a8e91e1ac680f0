/* words.h - sentences in lines of a width; widths count characters of UTF-8 text, and what is not printed is blank */
#ifndef DAELAB_WORDS_H
#define DAELAB_WORDS_H

#include <stddef.h>
#include <stdio.h>

size_t words_length(const char *text);
size_t words_length_of(const char *text, size_t bytes);

/* Of the longest word: no line can be narrower. */
size_t words_longest(const char *text);

/* The bytes of text that stand on a line of this width: up to the last space that it reaches, or a first
 * word that is longer. *next: the bytes to what follows. */
size_t words_line(const char *text, size_t width, size_t *next);

/* So many bytes of it. */
void words_put(const char *text, size_t bytes, FILE *out);

/* Text in lines of at most this width (0: one line): `begun` characters stand on the first one already, the others
 * begin with `indent` spaces. */
void words_print(const char *text, size_t width, size_t begun, size_t indent, FILE *out);

/* Lines that are there already, too long ones broken: what follows stands a little to the right of where they begin.
 * Width 0: as they are. */
void words_print_lines(const char *text, size_t width, FILE *out);

#endif
