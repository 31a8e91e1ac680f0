/* folder.h - everything that was measured into one folder */
#ifndef DAELAB_FOLDER_H
#define DAELAB_FOLDER_H

#include "tidy/dataset.h"

/* All tables as CSV, the page, and study.json, which holds `json`; what another study has left there, and this one
 * does not have, is removed. EXIT_DONE or EXIT_SYSTEM, having complained. */
int folder_write(const dataset *d, const json_t *json, const char *folder);

/* The folder, where it is not there; not those above it. EXIT_DONE or EXIT_SYSTEM, having complained. */
int folder_make(const char *folder);

#endif
