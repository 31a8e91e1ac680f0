/* publish.h - what results say, as a page */
#ifndef DAELAB_PUBLISH_H
#define DAELAB_PUBLISH_H

#include "output/dataset.h"
#include "page/page.h"

/* The page of results; files[count] are their names. NULL where memory is short; page->memory.failed where it
 * was, too: then it must not be written. Texts of the results must stay. */
page *publish(const dataset *const *results, const char *const *files, int count);

#endif
