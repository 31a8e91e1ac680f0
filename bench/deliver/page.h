/* page.h - results as a page to read, which daelab.show writes */
#ifndef DAELAB_DELIVER_PAGE_H
#define DAELAB_DELIVER_PAGE_H

#include <jansson.h>

/* Write the page of results[count], files or folders, as "html", "md" or "tex" to a file, or to standard output where
 * path is NULL; the result "-" is that of json. EXIT_DONE or another status, having complained. */
int page_write(const char *format, const char *const *results, int count, const json_t *json, const char *path);

#endif
