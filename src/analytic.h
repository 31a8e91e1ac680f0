/* analytic.h - the Jacobian of each formulation from a model's analytic derivatives */
#ifndef DAE_ANALYTIC_H
#define DAE_ANALYTIC_H

#include "system.h"

typedef void dae_analytic(dae_system *sys, double t, const double *u, double *J, double *F_t);
dae_analytic dae_analytic_index3, dae_analytic_index2, dae_analytic_index1,
    dae_analytic_baumgarte, dae_analytic_ggl, dae_analytic_native;

#endif
