/* axes.h - the options of a list whose values are run one by one: the axes of a cross product */
#ifndef DAELAB_AXES_H
#define DAELAB_AXES_H

#include "spec/planning.h"

enum { MOST_AXES = 32 };

typedef enum { OPTION_LEFT_OUT, OPTION_FIXED, OPTION_ON_AXIS } option_use;

/* How the options of a list are used for one problem. */
typedef struct {
    option_use use[MOST_GIVEN];
    const char *text[MOST_GIVEN];       /* of a fixed one, without the name of the problem */
    int axes;
    struct { int option, count; const char **value; } axis[MOST_AXES];        /* the last varies fastest */
} option_uses;

/* Of an option with one value none is an axis, nor of what a study varies itself; what is of another problem is
 * left out, "PROBLEM.NAME=V", and so are the options of the program. several: parameters need such a name. The
 * texts are the plan's. 0 having complained. */
int axes_find(option_uses *uses, const option_list *list, const dae_problem *problem, int several, planned *p);
void axes_free(option_uses *uses);

/* Does each name of a problem before a parameter name one of these? 0 having complained. */
int axes_check_names(const option_list *list, const dae_problem *const *problems, int count);

#endif
