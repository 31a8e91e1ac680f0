/* roff.h - text as troff's man macros take it */
#ifndef DAELAB_ROFF_H
#define DAELAB_ROFF_H

#include <stdio.h>

/* Text in a line: what troff would read as an instruction is escaped; a hyphen stays one that can be copied. */
void roff_text(const char *text, FILE *out);

/* .MACRO "TEXT" */
void roff_macro(const char *macro, const char *text, FILE *out);

/* A paragraph of one line. */
void roff_line(const char *text, FILE *out);

/* Lines as they are, from the first that is not empty. */
void roff_lines(const char *text, FILE *out);

#endif
