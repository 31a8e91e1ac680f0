/* method.h - the interface of an integration method
 *
 * For authors of methods, in C and C++. A method is one const record of functions; dae_solver_create
 * takes it whether it stands in the table of methods or not. A method computes one step. The driver chooses
 * the step size, accepts or rejects steps, locates events and produces output.
 *
 *     static dae_status midpoint_step(dae_solver *s, double h, double t_stop) { ... }
 *     const dae_method my_midpoint = {.info = {.name = "midpoint", ...}, .step = midpoint_step};
 *
 * The equations are dae_system_rhs, dae_system_mass and dae_system_jacobian of study.h, and for explicit
 * methods dae_system_explicit_rhs below.
 */
#ifndef DAELAB_METHOD_H
#define DAELAB_METHOD_H

#include "plugin.h"
#include "study.h"

DAE_API_BEGIN

/* The type that dae_method.tableau points to, and the formulas of a fixed step, which dae_quad_steps also
 * implements in quad. A method outside of daelab has DAE_FAMILY_NONE, or takes one of the two families of
 * tableau.h. */
typedef enum {
    DAE_FAMILY_NONE,
    DAE_FAMILY_EXPLICIT,        /* dae_tableau, explicit_stepper.c */
    DAE_FAMILY_ROSENBROCK,      /* dae_rosenbrock_tableau, rosenbrock.c */
    DAE_FAMILY_CROS,            /* dae_cros_tableau, cros4.c */
    DAE_FAMILY_EXCROS,          /* no tableau; the formulas are in excros.h */
    DAE_FAMILY_RADAU_IIA,       /* int[2], fewest and most stages; fixed steps have the most */
    DAE_FAMILY_BUTCHER,         /* dae_butcher of tableau.h */
    DAE_FAMILY_ROSENBROCK_WANNER,       /* dae_rosenbrock of tableau.h */
    DAE_FAMILIES
} dae_method_family;

struct dae_variation;
struct dae_transpose;

struct dae_method {
    dae_method_info info;       /* name, properties and declared orders */
    const void *tableau;        /* the method's own */
    dae_method_family family;
    int own_control;            /* 1: has its own error test and step size control */
    int limits_steps;           /* with own_control: 1: keeps options.max_step and first_step itself, and may
                                   be given a t_stop beyond them; 0: they come as t_stop */
    int multistep;              /* 1: no step of its own can end at an event, which is placed on dense output */
    int error_order;            /* order of the error estimate; 0: each step sets solver->error_order */
    int keeps_open;             /* 1: in steps much shorter than the proposed size, the method may remove only
                                   a part of the residual of the algebraic equations (solver->cut) */
    /* DAE_OK where the method can solve the system, else DAE_UNSUPPORTED with the reason; NULL: any */
    dae_status (*supports)(const dae_method *method, const dae_system *sys, dae_report *report);
    /* Allocate solver->stepper for solver->sys and solver->options; NULL: nothing to allocate. A
     * failure may leave a part of it, which destroy frees. */
    dae_status (*create)(dae_solver *solver);
    /* Start a run at solver->t, solver->u; may be NULL. */
    dae_status (*start)(dae_solver *solver);
    /* Called after start: take the next step like the last accepted step of another solver of the same method
     * and system, whose stepper is given. NULL for methods without a starting procedure. */
    void (*follow)(dae_solver *solver, const void *stepper);
    /* One step of size h from (t, u) to t_new = t + h (set by the driver); u_new := the new state.
     * With error control (adaptive) it sets error to the weighted norm (dae_error_norm) of its local error
     * estimate, of order error_order + 1 in h. The step is accepted if error <= 1.
     * Optional: newton_failed = 1 if the iteration for its equations did not converge; the step is repeated with
     * size h_next. h_next > 0: the size of the next step, also after a rejection. end_checked = 1: F has been
     * evaluated at the end of the step and is finite.
     * After DAE_NOT_FINITE, DAE_SINGULAR or DAE_NO_CONVERGENCE the driver retries with a smaller h.
     * A method with own_control must not step beyond t_stop; it sets t_new, and counts its steps. */
    dae_status (*step)(dae_solver *solver, double h, double t_stop);
    /* A step from (t_old, u_old) to (t, u) was accepted; u may have been projected. May be NULL. */
    dae_status (*accepted)(dae_solver *solver);
    /* The projection of options.project has changed u by by[n], which is included in u. Called for an
     * accepted step. NULL for methods that keep no other data of the state than u. */
    void (*moved)(dae_solver *solver, const double *by);
    /* Called before output inside the last step: raise the accuracy of dense output to that of the step, if
     * this takes additional work. In the search for events (searching) less will do, as these are placed by steps of
     * the method. May be NULL. */
    dae_status (*refine)(dae_solver *solver);
    /* Dense output: u[n] at t in [t_old, t] of the last accepted step; NULL: no dense output. */
    dae_status (*interpolate)(dae_solver *solver, double t, double *u);
    void (*destroy)(dae_solver *solver);        /* free what create has allocated; may be NULL */
    /* The derivative of the step that was just made, before accepted is called, from (t_old, u_old): all du of
     * variation at its begin become those at its end. NULL: the method has no sensitivities. */
    dae_status (*vary)(dae_solver *solver, struct dae_variation *variation);
    /* The transpose of that map; NULL: the map is asked for column by column. */
    dae_status (*transpose)(dae_solver *solver, struct dae_transpose *transpose);
    /* What the step just made is besides (t, u, h), before accepted is called, a number and count numbers that only an
     * iteration would find again; and: the next fixed step is like that, numbers may be NULL. Both NULL: nothing. */
    int (*shape)(const dae_solver *solver, const double **numbers, int *count);
    dae_status (*take_shape)(dae_solver *solver, int shape, const double *numbers);
};

/* The part of a solver that a method sees. It may write u_new, work, F_in_work, the results of a step (error
 * to end_checked), index_scale_by_interval, jacobian, linear, stepper, count and report; with own_control
 * t_new. accepted may also write u. */
struct dae_solver {
    dae_system *sys;
    const dae_method *method;
    dae_options options;
    int n;                      /* unknowns */
    int adaptive;               /* 1: steps are chosen by error control; 0: they are options.step */
    double t, t_new, t_old;     /* present time; end of the step being tried; begin of the last step */
    double *u, *u_new, *u_old;  /* [n] states at these times. u_old and u_new share memory: trying a step
                                   overwrites u_old. */
    double t_begin, t_end;      /* start of the run; end of this call of dae_solver_advance */
    double h;                   /* the size of the next step */
    double *work;               /* [2 n] work array; its first half is F(t, u) where F_in_work is 1 */
    int F_in_work;
    double *atol;               /* [n] absolute tolerance of each unknown */
    int *variable_index;        /* [n] differential index of each unknown, at least 1 */
    int searching;              /* 1: dense output is used to search for events */
    int cut;                    /* 1: a step much shorter than the proposed size, which removes only a part of
                                   the residual of the algebraic equations */
    int extending;              /* 1: the last step is being repeated with a larger size, to reach t_end */
    void *stepper;              /* data of the method */
    double error;               /* norm of the error estimate of the step tried last; above 1: rejected */
    int error_order;            /* order of the estimate; before the first step 0: not known */
    int newton_failed;          /* 1: the iteration converged too slowly; u_new and error are not set */
    double h_next;              /* step size proposed by the method; 0: the driver computes it from error */
    double first_error;         /* target of h^k |y^(k)|, in tolerances, for the first step, with
                                   k = error_order + 1 */
    int end_checked;            /* 1: F is finite at the end of the step */
    int index_scale_by_interval;        /* 1: variables of index k count in the error norm with
                                   (h/T)^(k-1), T the time since the start; rounding of multipliers then
                                   cannot prevent convergence of Newton's iteration */
    dae_jacobian_kind jacobian; /* in use; BEST where the method needs none */
    dae_linear_kind linear;
    dae_statistics count;       /* a method counts rhs, jacobians, factorizations, solves, newton_failures */
    dae_report report;          /* message of a failure, set by dae_fail */
};

/* Explicit form y' = f(t, y), z = z(t, y): y[ny] the leading unknowns of u, z[n - ny] the multipliers (and
 * accelerations) behind them, solved for at (t, y). explicit_size: ny, or 0 where the system has no such
 * form. dy[ny]; DAE_SINGULAR where the multipliers are not determined. */
int dae_system_explicit_size(const dae_system *sys);
dae_status dae_system_explicit_rhs(dae_system *sys, double t, const double *y, double *dy, double *z);

/* The root mean square of e_i/(rtol |u_i| + atol_i) over the unknowns in the error test, where u is the
 * larger of the state before and after; for multipliers of mechanical systems, of their largest value so
 * far. An unknown of index k counts with the factor (h/T)^(k-1), at most 1, T the time scale of the solution;
 * h = INFINITY: with the factor 1. */
double dae_error_norm(const dae_solver *solver, const double *e, double h);

/* The first step size for a method of order p, from F at the start (Hairer, Norsett, Wanner (1993), Solving
 * Ordinary Differential Equations I, II.4). */
double dae_initial_step(dae_solver *solver, int p, double t_end);

/* DAE_OK where x[n] is finite; else DAE_NOT_FINITE, with a report of what x is, the component and t. */
dae_status dae_solver_check_finite(dae_solver *solver, const double *x, const char *what, double t);

DAE_API_END

#endif
