/* outputs.h - the results of studies written where the options say: all files of one run */
#ifndef DAELAB_OUTPUTS_H
#define DAELAB_OUTPUTS_H

#include "cli/options.h"
#include "report/document.h"
#include "plan/plan.h"

/* What cannot be written is found before anything runs. An exit status, having complained, or 0. */
int outputs_check(const cli_options *options);

/* Write what was measured of a plan and its document for people, which is freed (NULL: there was no memory for it):
 * each --output and --plot, and standard output where no --output is a file. EXIT_DONE or EXIT_SYSTEM, having
 * complained; a file that cannot be written does not keep the others from being. */
int outputs_write(const study_plan *plan, document *doc, const cli_options *options);

#endif
