/* place.h - where programs and their files are */
#ifndef DAELAB_PLACE_H
#define DAELAB_PLACE_H

/* The folder of this program's that holds a file, both from the program's own: as where it was installed, else
 * another one (or NULL), as where it was built; to be freed, NULL where neither holds it. */
char *place_folder(const char *below, const char *another, const char *file);

/* The file that a command is, in PATH or by itself; to be freed, NULL where there is none. */
char *place_in_path(const char *command);

#endif
