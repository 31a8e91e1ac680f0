/* study_file.h - a study in words: a title, what its parts share, and for each part the options of a command
 *
 * docs/studies.md says what may stand in it.
 */
#ifndef DAELAB_STUDY_FILE_H
#define DAELAB_STUDY_FILE_H

#include "cli/options.h"
#include "spec/yaml_tree.h"

typedef struct {
    const char *name;
    option_list list;           /* what its command line would hold */
} study_file_part;

typedef struct {
    const char *path;
    const char *title, *question;       /* "": none */
    int parts;
    study_file_part *part;      /* [parts] */
    yaml_node root;             /* what the lists point to, */
    kept_texts texts;           /* and what was made of it */
} study_file;

/* Read a file; names of files in it are relative to it. 0 having complained of a line. It is to be freed in any
 * case; path stays where it is. */
int study_file_read(study_file *file, const char *path);
void study_file_free(study_file *file);

/* Write title, question and parts so that study_file_read gives the same lists; files of problems and methods are named
 * from the folder of path, or where they lie elsewhere whole. 0 having complained. */
int study_file_save(const study_file *file, const char *path);

#endif
