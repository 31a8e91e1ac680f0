/* stops.h - conditions "NAME=VALUE" of the user's own, which end a run */
#ifndef DAELAB_STOPS_H
#define DAELAB_STOPS_H

#include <daelab/hybrid.h>

#include "run/setting.h"

typedef struct {
    dae_hybrid *hybrid;
    char name[48];
    double value;
    int *place;                 /* [modes] of the name in (q, v, lambda) or u; from `minimal` on:
                                   among the minimal coordinates; -1: the mode does not have it */
    int minimal;
    int angle;                  /* a minimal coordinate in rad, which the chart gives up to 2 pi */
    double last;                /* the variable where it was asked for last */
    double *scratch;            /* (s, s') */
} stop_condition;

typedef struct {
    int count;
    stop_condition stop[MAX_STOPS];
} stop_list;

/* After dae_hybrid_create, before its start: the stops of the setting become events of the run.
 * DAE_BAD_ARGUMENT where one is not NAME=VALUE, or no mode has such an unknown. The list has to be freed
 * in any case. */
dae_status stops_begin(stop_list *list, dae_hybrid *hybrid, const run_setting *setting,
                       dae_report *report);
void stops_free(stop_list *list);

/* The same without a run: could these be stops of the problem? */
dae_status stops_check(const run_setting *setting, const dae_formulation *form, const dae_method *method,
                       dae_report *report);

#endif
