/* consistent.h - consistent states of first-order problems */
#ifndef DAE_CONSISTENT_H
#define DAE_CONSISTENT_H

#include "system.h"

/* Move u[n] to the nearest state that satisfies the algebraic equations at t. */
dae_status dae_start_first_order(dae_system *sys, double t, double *u, dae_report *report);

#endif
