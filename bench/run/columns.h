/* columns.h - what a run shows against time: the variables of all its modes by name */
#ifndef DAELAB_COLUMNS_H
#define DAELAB_COLUMNS_H

#include <daelab/hybrid.h>

#include "run/setting.h"

enum { LABEL = 48 };

typedef struct {
    char name[LABEL], unit[LABEL];
    dae_class kind;             /* DAE_RECOVERED: lambda, solved for afterwards */
} column_label;

/* The unknowns and the recovered multipliers of each mode are columns; what has the same name in
 * two modes is one. A single mode: in their own order; several: positions, velocities, the rest. */
typedef struct {
    int count;
    column_label *label;        /* [count] */
    int modes;
    int **place;                /* [modes] [unknowns, then recovered]: the column of each */
} column_set;

/* After dae_hybrid_start in this formulation. Fails where a mode cannot be composed. */
dae_status columns_begin(column_set *c, const dae_hybrid *hybrid, const dae_formulation *form,
                         const run_setting *setting, dae_report *report);
void columns_free(column_set *c);

/* Names of x = (q, v, lambda) or u of a mode, to be freed; NULL with a report. */
column_label *state_labels(const dae_problem *mode, const double *parameters, int *count,
                           dae_report *report);

/* Names of the minimal coordinates (s, s'), to be freed. */
column_label *minimal_labels(const dae_problem *mode, int *count);

#endif
