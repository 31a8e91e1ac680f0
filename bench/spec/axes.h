/* axes.h - the options of a list whose values are run one by one: the axes of a cross product */
#ifndef DAELAB_AXES_H
#define DAELAB_AXES_H

#include "spec/planning.h"

/* The values of each option of a list for one problem, one of which a run has; count 0: it is left out. Of several the
 * last option varies fastest. */
typedef struct {
    struct { int count, split; const char **value; } option[MOST_GIVEN];
} option_uses;

/* An option has one value, without the name of the problem, or where it is split those between its commas; what a study
 * varies itself is not split. Left out is what is of another problem, "PROBLEM.NAME=V", and what is of the program.
 * several: parameters need such a name. The texts are the plan's. 0 having complained; to be freed in any case. */
int axes_find(option_uses *uses, const option_list *list, const dae_problem *problem, int several, planned *p);
void axes_free(option_uses *uses);

/* Does each name of a problem before a parameter name one of these? 0 having complained. */
int axes_check_names(const option_list *list, const dae_problem *const *problems, int count);

#endif
