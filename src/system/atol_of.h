/* atol_of.h - absolute tolerances of unknowns that are named, in one system or in those of several modes */
#ifndef DAE_ATOL_OF_H
#define DAE_ATOL_OF_H

#include "system.h"

/* DAE_BAD_ARGUMENT where the list is not there, or has an entry without a name or twice. */
dae_status dae_check_atol_of(const dae_atol *list, int count, dae_report *report);

/* 1 where an unknown of the system, or their class, has this name. */
int dae_names_unknowns(const dae_system *sys, const char *of);

/* atols[n] := atol, or what a checked list says of the unknown. */
void dae_fill_atols(const dae_system *sys, double atol, const dae_atol *list, int count, double *atols);

/* DAE_BAD_ARGUMENT: nothing has this name; with the nearest that there is. */
dae_status dae_atol_unused(const dae_system *sys, const char *of, dae_report *report);

#endif
