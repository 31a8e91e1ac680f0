/* object.h - a shared object brought into the program */
#ifndef DAELAB_OBJECT_H
#define DAELAB_OBJECT_H

#include <daelab/status.h>

/* Load the shared object open at descriptor (which stays open as long as the object is used) and called file;
 * where is a path to it, or NULL: then it is loaded through the descriptor. DAE_FILE with a sentence where it
 * is no whole shared object of this machine, or asks for a function that there is not. *handle is for dlsym
 * and dlclose. */
dae_status object_load(int descriptor, const char *file, const char *where, void **handle, dae_report *report);

#endif
