/* finish.h - one result written where the options say */
#ifndef DAELAB_FINISH_H
#define DAELAB_FINISH_H

#include "cli/options.h"
#include "report/document.h"

/* An output that cannot be written is found before anything runs. An exit status, having complained,
 * or 0. */
int finish_check_files(const cli_options *options);

/* What writes a file: 0 where memory was short. */
typedef int finish_writer(const void *context, FILE *out);

/* Write a file whole or not at all, or to standard output where path is NULL. EXIT_DONE or EXIT_SYSTEM, having
 * complained. */
int finish_output(const char *path, finish_writer *write, const void *context);

/* Write to --output or standard output, say on standard error what has no place in it, and free the document (NULL:
 * there was no memory for it). EXIT_DONE, or another status having complained. */
int finish_document(document *doc, const cli_options *options);

#endif
