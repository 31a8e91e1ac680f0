/* derived.h - the problem file of a model in words, derived where it is not kept */
#ifndef DAELAB_DERIVED_H
#define DAELAB_DERIVED_H

#include <daelab/status.h>

#include "host/platform.h"

#include <stdio.h>

/* A problem file in C without a name of its own, which is gone when it is closed. */
typedef struct {
    char path[PLATFORM_PATH];
    FILE *file;
} derived;

/* Find the problem file of a model. Its text is kept beside references, under what the model holds, what
 * derives it, and the version of daelab. DAE_BAD_ARGUMENT for a mistake in the model, DAE_FILE where it cannot be
 * derived; *words: what is said besides, to be freed, or NULL. */
dae_status derived_open(derived *d, const char *model, char **words, dae_report *report);
void derived_close(derived *d);

/* Is `model:` the first key of the text? Other files end in .yaml, too. */
int derived_is_model(const char *path);

#endif
