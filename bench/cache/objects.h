/* objects.h - the program and the shared objects that hold functions of a model or of a method */
#ifndef DAELAB_OBJECTS_H
#define DAELAB_OBJECTS_H

#include <daelab/method.h>
#include <daelab/problem.h>

#include "host/platform.h"

typedef void object_function(void);

enum { MOST_FUNCTIONS = 40 };

typedef struct {
    object_function *at[MOST_FUNCTIONS];
    int count;
} object_functions;

/* A function, if it is one, into the list; those of a problem's record, of a method's. */
void object_add(object_functions *f, object_function *at);
void object_add_model(object_functions *f, const dae_problem *problem);
void object_add_method(object_functions *f, const dae_method *method);

/* visit(object, context) for each object that holds one of them, in the order in which they were loaded, and then for
 * each that one of these was linked with, however far: what a model calls is a part of it. What the program itself was
 * linked with is left out. 0 where one of the functions lies in no object, or too many are linked. */
typedef void object_visit(const platform_object *object, void *context);
int objects_holding(const object_functions *f, object_visit *visit, void *context);

#endif
