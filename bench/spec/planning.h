/* planning.h - what was asked for, problems and lists of settings, as a plan of studies */
#ifndef DAELAB_PLANNING_H
#define DAELAB_PLANNING_H

#include "cli/options.h"
#include "study/plan.h"

enum { MOST_ITEMS = 4096 };

/* A plan with the options of each of its items, to which the reports of its runs refer. */
typedef struct {
    study_plan plan;
    cli_options **options;      /* [plan.count] */
    kept_texts texts;           /* values of lists, one by one */
} planned;

/* The kind of study that a command runs; STUDY_KINDS: none. */
study_kind planning_kind(const cli_command *command);

/* Add a part: each problem with each combination of the values that the list gives, checked as far as it can be
 * without a run. front: the options of the program. 0 having complained. List and name stay where they are. */
int planning_add(planned *p, const option_list *list, const char *name, const cli_options *front);

/* Is what the parts of a file share used by some of them? 0 having complained. */
int planning_check_common(const planned *p);
void planning_free(planned *p);

#endif
