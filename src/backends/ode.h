/* ode.h - a system with a regular M as CVODE and ARKODE ask for it: y' = f(t, y) */
#ifndef DAE_ODE_H
#define DAE_ODE_H

#include "integration.h"

#include "stepper/implicit.h"

typedef struct {
    dae_integration run;
    dae_linearised mass;        /* M alone where it has entries off its diagonal, else zeroed */
    double *u, *F;              /* [n] each, one block */
} dae_ode;

/* The leading unknowns y that M determines the derivatives of; 0 where M is singular. Behind them stand
 * accelerations of unconstrained mechanical systems with a full M(q), which are eliminated. */
int dae_ode_size(const dae_system *sys);

/* DAE_OK where that is not 0. */
dae_status dae_ode_supports(const dae_method *method, const dae_system *sys, dae_report *report);

/* All parts of s->stepper, which is zeroed, but the integrator's memory; implicit: with a Jacobian. */
dae_status dae_ode_create(dae_solver *s, const dae_integrator *code, int implicit);
void dae_ode_destroy(dae_solver *s);

/* Functions as the integrators take them; data is the dae_solver. dy := f(t, y), 1 where it is not finite
 * or not determined; A := M - gamma J, with J of before where current is 1 on entry; weights of the error
 * test, alike for fixed steps. */
int dae_ode_slope(double t, N_Vector y, N_Vector dy, void *data);
int dae_ode_newton_matrix(double t, N_Vector y, SUNMatrix A, int current, int *renewed, double gamma,
                          dae_solver *s);
int dae_ode_weights(N_Vector y, N_Vector out, void *data);

#endif
