/* plugins.h - files of problems and methods on the command line and in the environment */
#ifndef DAELAB_PLUGINS_H
#define DAELAB_PLUGINS_H

#include "catalogue/load.h"

#include <daelab/daelab.h>

/* Each complains on stderr, with the words of the compiler below, and answers 0 or NULL where it fails. */
int plugins_begin(void);                                        /* the folders of $DAELAB_PLUGINS */
int plugins_load(const char *path, load_result *r);             /* r may be NULL */

/* The one problem, or method, of a file; the name of the one thing that it offers. */
const dae_problem *plugins_problem(const char *path);
const dae_method *plugins_method(const char *path);
const char *plugins_name(const char *path);

#endif
