/* tangent.h - the pass in which parameters are dual numbers, for what is built on it */
#ifndef DAE_SYSTEM_TANGENT_H
#define DAE_SYSTEM_TANGENT_H

#include "daelab/sensitivity.h"
#include "system/system.h"

/* p_tangent := p + e dp (NULL: 0), with room for what follows, and the inverse of the mass. */
dae_status dae_tangent_begin(dae_system *sys, const double *dp, dae_report *report);

/* The same again, of a system for which it has succeeded, without its checks; dp moves no DAE_COUNT. */
void dae_tangent_set(dae_system *sys, const double *dp);

/* dF[n] := d/de F(t, u, p), behind either. */
void dae_tangent_rhs(dae_system *sys, double t, const double *u, const dae_tangent *along, double *dF);

/* The same with parameters held, which is less work. */
void dae_tangent_rhs_held(dae_system *sys, double t, const double *u, const double *du, double *dF);

/* out := x + e dx (NULL: 0);  dx := the derivative of x. */
void dae_tangent_pack(int n, const double *x, const double *dx, dae_dual *out);
void dae_tangent_unpack(int n, const dae_dual *x, double *dx);

/* f(k-th unit vector of parameters, column k of out[rows x np]) for each parameter. */
typedef dae_status dae_tangent_column(void *context, const double *dp, double *column, dae_report *report);
dae_status dae_tangent_columns(const dae_system *sys, int rows, dae_tangent_column *f, void *context,
                               double *out, dae_report *report);

#endif
