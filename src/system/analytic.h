/* analytic.h - F and its Jacobian in each formulation from a model's analytic derivatives */
#ifndef DAE_ANALYTIC_H
#define DAE_ANALYTIC_H

#include "system.h"

/* F(t, u) [n], J = dF/du [n x n] column-major, F_t = dF/dt [n] */
typedef void dae_analytic(dae_system *sys, double t, const double *u, double *F, double *J,
                          double *F_t);
dae_analytic dae_analytic_index3, dae_analytic_index2,
    dae_analytic_index1, dae_analytic_baumgarte, dae_analytic_ggl, dae_analytic_native;

#endif
