/* providers.h - the ways to differentiate F; one row of a table each */
#ifndef DAE_PROVIDERS_H
#define DAE_PROVIDERS_H

#include "jacobian.h"

typedef void dae_provider(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);
dae_provider dae_linearise_dual, dae_linearise_fd, dae_linearise_analytic;

/* Find the pattern of dF/du and M; jac->dual and jac->work are ready. */
dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report);

#endif
