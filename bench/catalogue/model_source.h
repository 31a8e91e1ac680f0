/* model_source.h - the problem file in C of a model in words (.yaml): from the cache, or derived now (deriver.h) */
#ifndef DAELAB_MODEL_SOURCE_H
#define DAELAB_MODEL_SOURCE_H

#include <daelab/status.h>

#include "host/platform.h"

#include <stdio.h>

/* A problem file in C: a temporary file without a name, gone when it is closed. path: its descriptor as a path, which a
 * compiler can read. */
typedef struct {
    char path[PLATFORM_PATH];
    FILE *file;
} model_source;

/* Open the problem file of a model. It is kept in the cache, beside references; its key is a hash of the model's text,
 * of what derives it, and of the version of daelab. DAE_BAD_ARGUMENT for a mistake in the model, DAE_FILE where it
 * cannot be read or derived; *words: what is said besides, to be freed, or NULL. */
dae_status model_source_open(model_source *d, const char *model, char **words, dae_report *report);
void model_source_close(model_source *d);

/* Is `model:` the first key of the file? Other files end in .yaml, too. */
int model_source_is_model(const char *path);

#endif
