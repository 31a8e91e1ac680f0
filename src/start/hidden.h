/* hidden.h - what derivatives of the constraints ask of a start */
#ifndef DAE_HIDDEN_H
#define DAE_HIDDEN_H

#include "system/system.h"

/* u[n] := the start of a first-order problem of index 2 and above that satisfies its hidden constraints too;
 * what does so to rounding is left bit for bit, and all of it where *open := 1: they have not been solved (more
 * than 30 unknowns, no functions in quad precision, or steps that do not agree). relative as in
 * dae_start_change. DAE_NO_MEMORY. */
dae_status dae_start_hidden(dae_system *sys, double t, double *u, double *relative, int *open, dae_report *report);

#endif
