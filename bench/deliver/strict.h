/* strict.h - --strict: orders that are too low are a failure */
#ifndef DAELAB_STRICT_H
#define DAELAB_STRICT_H

#include "cli/options.h"
#include "plan/plan.h"

/* EXIT_NUMERICAL, having named them, where --strict was given and an order of the item is below the declared one, or
 * none is declared and the error does not fall; else EXIT_DONE, or EXIT_SYSTEM where memory is short. */
int strict_status(const study_item *item, const cli_options *options);

#endif
