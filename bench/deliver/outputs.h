/* outputs.h - the results of a command written where its options say */
#ifndef DAELAB_OUTPUTS_H
#define DAELAB_OUTPUTS_H

#include "cli/options.h"
#include "plan/plan.h"

/* Tables and provenance of a plan among the members of its document. */
void outputs_add(document *doc, const study_plan *plan);

/* Write what was measured of a plan and its document, which is freed (NULL: there was no memory for it). EXIT_DONE
 * or EXIT_SYSTEM, having complained. */
int outputs_write(const study_plan *plan, document *doc, const cli_options *options);

#endif
