/* load.h - files of problems and methods, brought into the catalogue */
#ifndef DAELAB_LOAD_H
#define DAELAB_LOAD_H

#include <daelab/status.h>

/* What a file has added to the catalogue: so many rows from these on. */
typedef struct {
    int first_problem, problems, first_method, methods;
} load_result;

/* Is it meant for a file, and not for a name? It contains '/' or ends in .c, .so or .yaml. */
int load_is_path(const char *name);

/* The ending with which a file of this name is there, ".c"; NULL: there is none. */
const char *load_ending_of(const char *name);

/* Derive what ends in .yaml, compile that or what ends in .c, load that or what ends in .so, and add what it
 * offers; a file that was loaded before is not loaded again. DAE_FILE where it cannot be read, derived, compiled or
 * loaded, DAE_UNSUPPORTED or DAE_BAD_ARGUMENT where it is of another version, is no plug-in, or a record cannot be
 * taken. *words: what the compiler said, to be freed, or NULL. r may be NULL. */
dae_status load_file(const char *path, load_result *r, char **words, dae_report *report);

/* Told of a file of a folder that is left out, with why; words are to be freed, or NULL. */
typedef void load_left_out(dae_status status, const dae_report *why, char *words);

/* Load all that ends in .c or .so, and in .yaml where it is a model, in folders that are separated by colons, by
 * their names. A file that cannot be loaded is left out. DAE_FILE where a folder cannot be read. */
dae_status load_folders(const char *list, load_left_out *left_out, dae_report *report);

#endif
