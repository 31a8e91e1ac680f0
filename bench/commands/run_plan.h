/* run_plan.h - run a plan, and write what came of it: the one way of all studies */
#ifndef DAELAB_RUN_PLAN_H
#define DAELAB_RUN_PLAN_H

#include "spec/planning.h"
#include "spec/study_file.h"

/* Run all items of the plan, one after another, and write the results where the options of the program say;
 * source is what was asked for, to be written as a file that runs it again. The exit status, having complained; the
 * plan is freed. */
int run_plan(planned *p, const cli_options *front, const study_file *source);

#endif
