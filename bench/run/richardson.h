/* richardson.h - order and error from three runs, without a reference */
#ifndef DAELAB_RICHARDSON_H
#define DAELAB_RICHARDSON_H

#include "run/run.h"

/* Of class c, from the last three of count runs with falling steps; NaN where they show none. */
void richardson(const run_result *runs, int count, int c, double *order, double *error);

#endif
