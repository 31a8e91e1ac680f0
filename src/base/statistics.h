/* statistics.h - counts of several solvers as one */
#ifndef DAELAB_STATISTICS_H
#define DAELAB_STATISTICS_H

#include <daelab/study.h>

/* Another solver of the same run. */
void dae_statistics_add(dae_statistics *sum, const dae_statistics *c);

/* The work of a solver, from before to now, that judges the steps of this one. */
void dae_statistics_add_work(dae_statistics *sum, const dae_statistics *before, const dae_statistics *now);

#endif
