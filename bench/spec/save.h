/* save.h - a study as the file that runs it again */
#ifndef DAELAB_SAVE_H
#define DAELAB_SAVE_H

#include "spec/study_file.h"

/* Write title, question ("": none) and parts so that study_file_read gives the same lists; files of problems and
 * methods are named from the folder of path, or where they lie elsewhere whole. 0 having complained. */
int study_file_save(const char *title, const char *question, const study_file_part *part, int parts,
                    const char *path);

#endif
