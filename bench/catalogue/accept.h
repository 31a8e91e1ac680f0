/* accept.h - can a record from a file be run at all? */
#ifndef DAELAB_ACCEPT_H
#define DAELAB_ACCEPT_H

#include <daelab/daelab.h>

/* With its own parameters: the record is complete, and its start and what moves it there are finite numbers.
 * DAE_BAD_ARGUMENT or DAE_UNSUPPORTED with a sentence that begins with the name of the file. */
dae_status accept_problem(const dae_problem *problem, const char *file, dae_report *report);

/* It has a step, and steps of some kind that it declares. */
dae_status accept_method(const dae_method *method, const char *file, dae_report *report);

#endif
