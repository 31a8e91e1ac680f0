/* program.h - other programs, run on anonymous files: a compiler, python3; and where the files of this one are */
#ifndef DAELAB_PROGRAM_H
#define DAELAB_PROGRAM_H

#include <daelab/status.h>
#include <stdio.h>

/* The folder of this program's that holds a file, both from the program's own: as where it was installed, else
 * another one, as where it was built; to be freed. NULL where neither holds it: DAE_FILE says so of what, "headers
 * are". */
char *program_folder(const char *what, const char *below, const char *another, const char *file, dae_report *report);

/* An anonymous file, gone when it is closed; NULL with a report. */
FILE *program_file(dae_report *report);

/* All that one holds, to be freed. */
char *program_text(FILE *from);

/* Run arguments[0], looked up in PATH, with the arguments (ending with NULL), in (NULL: nothing) as its input and out
 * as its output. DAE_FILE where it is missing (the report then says "NAME is not installed; " and purpose) or fails.
 * *said_no: the exit status of a program that ran and failed, else 0; *words, to be freed, is then what it said on its
 * standard error, else NULL. */
dae_status program_run(char *const *arguments, const char *purpose, FILE *in, FILE *out, char **words, int *said_no,
                       dae_report *report);

/* Run a program in Python that comes with this one, a folder with a __main__.py, by the Python that DAELAB_PYTHON
 * names, else python3. DAE_BAD_ARGUMENT: it ended with 2, a mistake of the user; DAE_FILE: with another one than 0, or
 * there is no Python. *words: what it said where that is more than one sentence, which is the report's; to be freed, or
 * NULL. */
dae_status program_run_python(const char *folder, const char *const *arguments, const char *purpose, FILE *in,
                              FILE *out, char **words, dae_report *report);

#endif
