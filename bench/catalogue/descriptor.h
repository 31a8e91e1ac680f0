/* descriptor.h - what a loaded object says that it offers, checked before it is believed */
#ifndef DAELAB_DESCRIPTOR_H
#define DAELAB_DESCRIPTOR_H

#include <daelab/plugin.h>

enum { MOST_OFFERED = 128 };

typedef struct {
    int problems, methods;
    const dae_problem *problem[MOST_OFFERED];
    const dae_method *method[MOST_OFFERED];
} offer;

/* All problems and methods of the object behind handle (dlopen), that of file. DAE_UNSUPPORTED for a
 * descriptor of another version or size, DAE_BAD_ARGUMENT for one that makes no sense or none at all. */
dae_status descriptor_read(void *handle, const char *file, offer *o, dae_report *report);

#endif
