/* program.h - run another program (python3) on anonymous files */
#ifndef DAELAB_PROGRAM_H
#define DAELAB_PROGRAM_H

#include <daelab/status.h>
#include <stdio.h>

/* An anonymous file, gone when it is closed; NULL with a report. */
FILE *program_file(dae_report *report);

/* Run arguments[0], looked up in PATH, with the arguments (ending with NULL), in as its input and out as its output; what
 * it says on its standard error is left in words, for the caller. DAE_FILE where it is missing (the report then says
 * "NAME is not installed; " and purpose) or fails. *said_no: the exit status of a program that ran and failed, else 0. */
dae_status program_run_aside(char *const *arguments, const char *purpose, FILE *in, FILE *out, FILE *words,
                             int *said_no, dae_report *report);

#endif
