/* output_format.h - how a result is written to a file: as --format says, or the end of its name */
#ifndef DAELAB_OUTPUT_FORMAT_H
#define DAELAB_OUTPUT_FORMAT_H

#include "cli/options.h"

/* The format of --output PATH (NULL: of standard output) among the options. EXIT_USAGE, having complained, where
 * --format and the ending say different things; else 0. */
int output_format_of(const cli_options *options, const char *path, output_format *format);

/* A folder: it is one, or its name ends with a slash. */
int output_is_folder(const char *path);

#endif
