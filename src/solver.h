/* solver.h - the driver's state and what a method has to provide */
#ifndef DAE_SOLVER_H
#define DAE_SOLVER_H

#include "system.h"

/* A method is one const record: what it is (info) and five functions. */
struct dae_method {
    dae_method_info info;
    const void *tableau;
    /* DAE_OK where the method can solve the system, else DAE_UNSUPPORTED with the reason */
    dae_status (*supports)(const dae_method *method, const dae_system *sys, dae_report *report);
    /* Allocate solver->stepper for solver->sys and solver->options. */
    dae_status (*create)(dae_solver *solver);
    /* Begin at solver->t, solver->u; may be NULL. */
    dae_status (*start)(dae_solver *solver);
    /* One step from (t, u) into (t_new, u_new), not beyond t_stop. Fixed-step methods step by h, and
     * t_new is already set. Nothing but u_new, t_new and the stepper may change before success. */
    dae_status (*step)(dae_solver *solver, double h, double t_stop);
    /* Dense output in the last step; NULL where there is none. */
    dae_status (*interpolate)(dae_solver *solver, double t, double *u);
    void (*destroy)(dae_solver *solver);
};

struct dae_solver {
    dae_system *sys;
    const dae_method *method;
    dae_options options;
    int n;
    double t, t_new;
    double *u, *u_new;          /* [n] */
    void *stepper;
    dae_observer *observer;
    void *observer_context;
    dae_statistics count;
    dae_report report;
    dae_jacobian_kind jacobian; /* in use; BEST where the method takes none */
    dae_linear_kind linear;
    int started;
};

/* DAE_OK where x[n] is finite; else DAE_NOT_FINITE, naming what, the component and the time. */
dae_status dae_solver_check_finite(dae_solver *solver, const double *x, const char *what, double t);

#endif
