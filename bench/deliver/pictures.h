/* pictures.h - the results of a plan as pictures: one of each part */
#ifndef DAELAB_PICTURES_H
#define DAELAB_PICTURES_H

#include "cli/options.h"
#include "plan/plan.h"

/* Draw into path, of several parts into PATH-NAME.svg each; what is to be said of it goes to standard error. An
 * exit status, having complained. */
int pictures_write(const study_plan *plan, const char *path, const cli_options *options);

#endif
