/* finish.h - results written where the options say */
#ifndef DAELAB_FINISH_H
#define DAELAB_FINISH_H

#include "cli/options.h"
#include "measure/run.h"

/* Do people read the format? A table or Markdown. */
int finish_people(const cli_options *options);

/* An output that cannot be written is found before anything runs. An exit status, having complained,
 * or 0. */
int finish_check_files(const cli_options *options);

/* Write to --output or standard output, say remarks on standard error where no table is on standard
 * output, and free the document (NULL: there was no memory for it). EXIT_DONE or EXIT_SYSTEM, having
 * complained. */
int finish_document(document *doc, const cli_options *options);

/* The exit status of runs that ended so, having said what went wrong. */
int finish_tally(const run_tally *tally);

#endif
