/* deriver.h - derive, the program in Python that writes the problem file of a model in words */
#ifndef DAELAB_DERIVER_H
#define DAELAB_DERIVER_H

#include <daelab/status.h>

#include <stdint.h>
#include <stdio.h>

/* *package: its folder, to be freed, that beside the program where it was installed, else that of the tree.
 * *hash: that of its files and of the version of daelab. DAE_FILE where it is not found or cannot be read. */
dae_status deriver_find(char **package, uint64_t *hash, dae_report *report);

/* Call it for a model with some options (ending with NULL), out as its output. DAE_BAD_ARGUMENT for a mistake in
 * the model, with its line, DAE_FILE where there is no Python (DAELAB_PYTHON, else python3), where it lacks SymPy,
 * or fails. *words: what it said where that is more than a sentence, to be freed, or NULL. */
dae_status deriver_run(const char *package, const char *model, const char *const *options, FILE *out, char **words,
                       dae_report *report);

#endif
