/* table_file.h - one tidy table in a file */
#ifndef DAELAB_TABLE_FILE_H
#define DAELAB_TABLE_FILE_H

#include "cli/options.h"
#include "tidy/dataset.h"

/* The table of this name (NULL: the main one of the kind of study, else the runs), or NULL having complained. */
const table *table_file_choose(const dataset *d, const char *name);

/* As CSV, to standard output where path is NULL. EXIT_DONE or EXIT_SYSTEM, having complained. */
int table_file_csv(const char *path, const table *t);

/* Is there a table of this name in any study? EXIT_USAGE having complained, or 0. */
int table_file_check(const char *name);

/* Is something written as CSV by these options? */
int table_file_is_csv(const cli_options *options);

#endif
