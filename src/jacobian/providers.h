/* providers.h - the ways to differentiate F; one row of a table each */
#ifndef DAE_PROVIDERS_H
#define DAE_PROVIDERS_H

#include "jacobian.h"

typedef void dae_provider(dae_jacobian *jac, double t, const double *u, double *F, double *F_t);
dae_provider dae_linearise_dual, dae_linearise_fd, dae_linearise_analytic;

/* dual_mechanics.c: dual numbers for a mechanical F, function by function; NULL where F is another one. create:
 * what it needs beside jac->dual [4 n]; 0, no memory. */
dae_provider *dae_dual_mechanics_provider(const dae_system *sys);
int dae_dual_mechanics_create(dae_jacobian *jac);

/* differentiate: by the provider of jac->kind. linearise_checked: the same, with the check of the pattern,
 * and in steps of stepper/cut.c. */
dae_provider dae_differentiate, dae_linearise_checked;

/* Find the pattern of dF/du and M, and its groups; jac->dual, work, own and direction are ready. */
dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report);

/* 1 where dF/du at (t, u) has no entry outside of the pattern of jac, which has its groups. */
int dae_pattern_holds(dae_jacobian *jac, double t, const double *u);

/* larger := that pattern with the entries that there are near (t, u). */
dae_status dae_pattern_extend(dae_jacobian *jac, double t, const double *u, dae_pattern *larger);

/* size[n] := magnitudes of the unknowns, never 0; top[n] := their largest possible values. F[n] or size may
 * be NULL. */
void dae_unknown_sizes(const dae_jacobian *jac, const double *u, const double *F, double *size,
                       double *top);

/* M on the pattern. */
void dae_fill_mass(dae_jacobian *jac);

/* Choose jac->direction; 0 where there is no memory. */
int dae_choose_direction(dae_jacobian *jac);

/* J and F are those at (t, u). 1 where J lacks an entry: the pattern has been extended, and J must be
 * computed again. Without memory for that, jac->pair.lost := 1. */
int dae_pattern_has_grown(dae_jacobian *jac, double t, const double *u, const double *F);

#endif
