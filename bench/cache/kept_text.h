/* kept_text.h - quad numbers and words in the texts of kept files */
#ifndef DAELAB_KEPT_TEXT_H
#define DAELAB_KEPT_TEXT_H

#include <daelab/reference.h>
#include <daelab/scalar.h>
#include <stdio.h>

/* Skip word at *at; 0 where something else stands there. */
int kept_expect(const char **at, const char *word);

/* x[count], each behind a space: 36 digits, which bring a quad number back exactly. Reading answers 0 where there
 * are fewer. */
void kept_write_quads(FILE *out, const dae_quad *x, int count);
int kept_read_quads(const char **at, dae_quad *x, int count);

/* A whole number behind a space; 0 where there is none from least to most. */
int kept_read_int(const char **at, int least, int most, int *x);

/* "source NAME\n"; *source := that of the library. */
int kept_read_source(const char **at, const char **source);

/* 1 where behind `at` only "end HASH\n" stands, HASH that of all between text and it. */
int kept_is_whole(const char *text, const char *at);

/* key, and what write_body writes of `reference`, become the file at path, with its end; where that fails there is
 * none. */
void kept_write(const char *path, const char *key, void (*write_body)(FILE *out, const void *reference),
                const void *reference);

#endif
