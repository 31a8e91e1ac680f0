/* compiler.h - the compiler of models: which it is, its flags, and a call of it */
#ifndef DAELAB_COMPILER_H
#define DAELAB_COMPILER_H

#include <daelab/status.h>

#include <stdint.h>
#include <stdio.h>

enum { MOST_ARGUMENTS = 128 };

typedef struct {
    char *command;              /* $CC, cut into words, or the compiler that daelab was built with */
    char *path;                 /* where it is; NULL: nowhere */
    char *include;              /* "-I" and the folder of daelab's headers */
    int arguments;
    char *argument[MOST_ARGUMENTS];     /* the words of command, flags, include; NULL behind the last */
} compiler;

/* Find it, with the flags that daelab's own problems are compiled with, and warnings as errors. DAE_FILE where
 * the headers are not found. A compiler that is nowhere is told by compiler_run. */
dae_status compiler_find(compiler *cc, dae_report *report);
void compiler_free(compiler *cc);

/* The hash of all that is known of it without a call: command, flags, what of the environment it heeds, and
 * the version of daelab. Where it is, and how long and old the file is, are in compiler_stamp (64
 * characters), which is "" where it is nowhere. */
uint64_t compiler_hash(const compiler *cc);
void compiler_stamp(const compiler *cc, char stamp[64]);

/* Call it with some more arguments (ending with NULL), out as its output; *words: what it said, to be freed,
 * or NULL. DAE_FILE with a sentence, of what the source is called, where it is missing or fails. */
dae_status compiler_run(const compiler *cc, const char *const *more, const char *source, FILE *out,
                        char **words, dae_report *report);

/* Leave out the flags that another compiler than daelab's need not have, where it has not: some calls. */
void compiler_settle(compiler *cc);

#endif
