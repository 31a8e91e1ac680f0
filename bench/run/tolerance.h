/* tolerance.h - the absolute tolerances of a run where a setting names unknowns or classes */
#ifndef DAELAB_TOLERANCE_H
#define DAELAB_TOLERANCE_H

#include "run/setting.h"

/* Give options of run_options what the setting says of unknowns by name, in list, which has to stay while
 * they are used; of names that sys does not have nothing, sys NULL: of all. */
void run_set_atols(const run_setting *setting, const dae_system *sys, dae_options *options,
                   dae_atol list[MAX_ATOLS]);

/* The absolute tolerances of all unknowns of a system, at any rtol: fixed + by_rtol rtol. */
typedef struct {
    double *fixed, *by_rtol;    /* [n] by class; owned; NULL: all are alike */
    double same_fixed, same_by_rtol;
    int first[DAE_CLASSES];     /* the place of the first unknown of each class */
    int count;                  /* n; of unknowns that another mode has more they are alike */
} run_absolute;

void run_absolute_begin(run_absolute *a, const run_setting *setting, const dae_system *sys);
void run_absolute_free(run_absolute *a);

/* atol/rtol of unknown number i of a class; recovered multipliers are as the multipliers. */
double run_absolute_at(const run_absolute *a, dae_class c, int i, double rtol);

#endif
