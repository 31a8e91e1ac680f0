/* scout.h - which events happen, and when to the accuracy of doubles */
#ifndef DAE_SCOUT_H
#define DAE_SCOUT_H

#include "daelab/reference.h"
#include "hybrid/hybrid.h"

typedef struct {
    dae_hybrid *hybrid;         /* the finer run, over; its systems are there to be used */
    int events;
    dae_happening *happening;   /* [events] of it */
    double *apart;              /* [events] from the time that the coarser run has for it */
    double *after;              /* [events x size] state after it */
    double *after_apart;        /* [events x size] from that of the coarser run */
    double *size;               /* [size] largest |x_i| of the finer run */
    int ended;                  /* 1: the last event ended the run */
    double t_end;               /* where it came to */
} dae_scout;

/* Runs from the problem's start to t_end, watched (NULL: not). DAE_NO_CONVERGENCE where two of different tolerances
 * have different events; DAE_ACCUMULATION where events accumulate, and the statuses of failures of a run. The scout is
 * to be freed in any case. */
dae_status dae_scout_run(dae_scout *scout, const dae_problem *problem, const double *parameters,
                         const dae_formulation_options *options, double t_end,
                         const dae_reference_watch *watch, dae_report *report);
void dae_scout_free(dae_scout *scout);

#endif
