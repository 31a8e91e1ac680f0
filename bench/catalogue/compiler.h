/* compiler.h - the compiler of models: which it is, its flags, and a call of it */
#ifndef DAELAB_COMPILER_H
#define DAELAB_COMPILER_H

#include <daelab/status.h>

#include <stdio.h>

enum { MOST_ARGUMENTS = 128 };

typedef struct {
    char *command;              /* $CC, cut into words, or the compiler that daelab was built with */
    char *include;              /* "-I" and the folder of daelab's headers */
    int arguments;
    char *argument[MOST_ARGUMENTS];     /* the words of command, flags, include; NULL behind the last */
} compiler;

/* Find it, with the flags that daelab's own problems are compiled with, and warnings as errors. DAE_FILE where
 * the headers are not found. A compiler that is nowhere is told by compiler_run. */
dae_status compiler_find(compiler *cc, dae_report *report);
void compiler_free(compiler *cc);

/* Call it with some more arguments (ending with NULL), out as its output; *words: what it said, to be freed,
 * or NULL. DAE_FILE with a sentence, of what the source is called, where it is missing or fails. */
dae_status compiler_run(const compiler *cc, const char *const *more, const char *source, FILE *out,
                        char **words, dae_report *report);

/* Leave out the flags that another compiler than daelab's need not have, where it has not: some calls. */
void compiler_settle(compiler *cc);

#endif
