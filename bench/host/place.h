/* place.h - where the files of this program are */
#ifndef DAELAB_PLACE_H
#define DAELAB_PLACE_H

/* The folder of this program's that holds a file, both from the program's own: as where it was installed, else
 * another one (or NULL), as where it was built; to be freed, NULL where neither holds it. */
char *place_folder(const char *below, const char *another, const char *file);

#endif
