/* escape.h - text into HTML, JSON inside of HTML, Markdown and LaTeX */
#ifndef DAELAB_ESCAPE_H
#define DAELAB_ESCAPE_H

#include <stdio.h>

/* For elements and for attributes between double quotes; control characters become spaces. */
void escape_html(const char *text, FILE *out);

/* A JSON string with its quotes that may stand in a script element. */
void escape_json(const char *text, FILE *out);

/* Plain words of a paragraph or of a cell of a table, on one line. */
void escape_markdown(const char *text, FILE *out);
void escape_latex(const char *text, FILE *out);

#endif
