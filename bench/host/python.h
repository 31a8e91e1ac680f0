/* python.h - programs in Python that come with this one, each a folder with a __main__.py */
#ifndef DAELAB_PYTHON_H
#define DAELAB_PYTHON_H

#include <daelab/status.h>
#include <stdio.h>

/* The folder of daelab.show, which draws, reports and compares results: that beside the program where it was installed,
 * else that of the tree; to be freed. NULL with a report (DAE_FILE) where it is not found. */
char *python_show(dae_report *report);

/* Run the program in a folder with arguments (ending with NULL), by the Python that DAELAB_PYTHON names, else python3:
 * in is its standard input, out its standard output. *answer is its exit status where it ran, else 0.
 * DAE_BAD_ARGUMENT: it ended with 2, a mistake of the user; DAE_FILE: with another one than 0, or there is no Python:
 * the report then says the purpose. *words: what it said on standard error where that is more than one sentence, which
 * is the report's; to be freed, or NULL. */
dae_status python_run(const char *folder, const char *const *arguments, const char *purpose, FILE *in, FILE *out,
                      int *answer, char **words, dae_report *report);

#endif
