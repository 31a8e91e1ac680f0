/* entry_plan.h - where the entries of a model's derivatives go in dF/du: the pattern, and J on it */
#ifndef DAE_ENTRY_PLAN_H
#define DAE_ENTRY_PLAN_H

#include "base/sparsity.h"
#include "system/system.h"

typedef struct dae_entry_plan dae_entry_plan;

/* 1 where the system's derivatives can be taken entry by entry. */
int dae_entries_exist(const dae_system *sys);

/* pattern := that of dF/du and M, or, where full, it is given as full. DAE_BAD_MODEL where an entry lies outside
 * of its block, or the model puts entries elsewhere when it is asked again. */
dae_status dae_entry_plan_create(dae_entry_plan **plan, dae_system *sys, int full, dae_pattern *pattern,
                                 dae_report *report);
void dae_entry_plan_free(dae_entry_plan *plan);

/* F[n], J on the pattern, which has room for one entry more, and F_t[n], unless that is NULL, at (t, u). From the first
 * call on in which the model puts an entry elsewhere than before J is NaN, and the answer 0. */
int dae_entry_plan_linearise(dae_entry_plan *plan, double t, const double *u, double *F, double *J, double *F_t);

#endif
