/* html_table.h - a table of a page in HTML */
#ifndef DAELAB_HTML_TABLE_H
#define DAELAB_HTML_TABLE_H

#include "page/page.h"

#include <stdio.h>

/* A number that is not shown with all of its digits has them in the attribute data-v of its cell. */
void html_table(const page_table *t, FILE *out);

#endif
