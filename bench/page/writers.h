/* writers.h - a page as one HTML file without anything beside it, as Markdown for GitHub, as LaTeX */
#ifndef DAELAB_WRITERS_H
#define DAELAB_WRITERS_H

#include "page/page.h"

#include <stdio.h>

void write_html(const page *p, FILE *out);

/* Without the tables that are data; Markdown without figures, too, which it cannot hold. */
void write_markdown(const page *p, FILE *out);
void write_latex(const page *p, FILE *out);

/* A number of a column for people; "-" where it is missing. */
enum { SHOWN_NUMBER = 400 };
const char *shown_number(const page_column *column, double x, char text[SHOWN_NUMBER]);

#endif
