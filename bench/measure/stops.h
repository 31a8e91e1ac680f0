/* stops.h - --stop NAME=VALUE: conditions of the user's own, which end a run */
#ifndef DAELAB_STOPS_H
#define DAELAB_STOPS_H

#include <daelab/hybrid.h>

#include "cli/options.h"

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

/* After dae_hybrid_create, before its start: the stops of the options become events of the run. An
 * exit status, having complained, or 0. */
int stops_begin(stop_list *list, dae_hybrid *hybrid, const cli_options *options);
void stops_free(stop_list *list);

#endif
