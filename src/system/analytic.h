/* analytic.h - F and its Jacobian in each formulation from a model's analytic derivatives */
#ifndef DAE_ANALYTIC_H
#define DAE_ANALYTIC_H

#include "system.h"

/* One for each size; those that have no kernels of their own have one for all. */
extern dae_analytic *const dae_analytic_index3[DAE_BODIES], *const dae_analytic_index2[DAE_BODIES],
    *const dae_analytic_index1[DAE_BODIES], *const dae_analytic_baumgarte[DAE_BODIES],
    *const dae_analytic_ggl[DAE_BODIES], *const dae_analytic_native[DAE_BODIES];

#endif
