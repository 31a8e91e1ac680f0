/* study_runner.h - the runner of a command: where its file lies, what limits it has, how the command ends */
#ifndef DAELAB_STUDY_RUNNER_H
#define DAELAB_STUDY_RUNNER_H

#include "cli/options.h"

/* Puts a runner into the setting of the options, unless there is one: its file is study.db in the folder that
 * --output names, which is made, or a file of the cache under the name of what was asked for. An exit
 * status, having complained, or 0. */
int study_runner_begin(cli_options *options);

/* The study is over and its results will be written: signals act at once from here on, and another rank than the
 * first, under mpirun, ends here. */
void study_runner_results(const cli_options *options);

/* The end of a command with this exit status: frees the runner, says how to go on where a signal has ended the
 * study. The exit status of the program. */
int study_runner_end(cli_options *options, int status);

/* The folder that --output names, "results/" or one that exists; NULL: it names a file, or nothing. */
const char *cli_output_folder(const cli_options *options);

/* A file of that folder, to be freed. */
char *cli_output_file(const cli_options *options, const char *name);

#endif
