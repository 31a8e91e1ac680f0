/* page.h - results as a page to read, which daelab.show writes */
#ifndef DAELAB_DELIVER_PAGE_H
#define DAELAB_DELIVER_PAGE_H

#include <jansson.h>

/* The report.html of a folder, of the result json. Where nothing can show it (no Python, or none that suits) it is left
 * out, and said. EXIT_DONE or EXIT_SYSTEM, having complained. */
int page_write_beside(const json_t *json, const char *path);

/* Write the page of results[count], files or folders, as "html", "md" or "tex" to a file, or to standard output where
 * path is NULL. EXIT_DONE or another status, having complained. */
int page_write(const char *format, const char *const *results, int count, const char *path);

#endif
