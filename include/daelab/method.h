/* method.h - what a method gets, must do and must count
 *
 * For authors of methods, in C and C++. A method is one const record of functions; dae_solver_create
 * takes it whether it stands in the table of methods or not. The driver chooses the steps, keeps or
 * rejects them, finds events and makes rows of output; a method makes one step.
 *
 *     static dae_status midpoint_step(dae_solver *s, double h, double t_stop) { ... }
 *     const dae_method my_midpoint = {.info = {.name = "midpoint", ...}, .step = midpoint_step};
 *
 * The equations are dae_system_rhs, dae_system_mass and dae_system_jacobian of study.h, and for explicit
 * methods dae_system_explicit_rhs below.
 */
#ifndef DAELAB_METHOD_H
#define DAELAB_METHOD_H

#include "study.h"

DAE_API_BEGIN

/* What the tableau of one of daelab's methods is, and which formulas its fixed steps follow, those of the
 * file named: dae_quad_steps has a stepper for each. Methods of one's own have none. */
typedef enum {
    DAE_FAMILY_NONE,
    DAE_FAMILY_EXPLICIT,        /* dae_tableau, explicit_stepper.c */
    DAE_FAMILY_ROSENBROCK,      /* dae_rosenbrock_tableau, rosenbrock.c */
    DAE_FAMILY_CROS,            /* dae_cros_tableau, cros4.c */
    DAE_FAMILY_EXCROS,          /* none: excros.h has the formulas */
    DAE_FAMILY_RADAU_IIA,       /* int[2], fewest and most stages; fixed steps have the most */
    DAE_FAMILIES
} dae_method_family;

struct dae_method {
    dae_method_info info;       /* what it is, and the orders that are declared */
    const void *tableau;        /* the method's own */
    dae_method_family family;
    int own_control;            /* chooses and tests its steps itself */
    int error_order;            /* order of the error estimate; 0: each step sets solver->error_order */
    int keeps_open;             /* a step much shorter than wanted may leave algebraic equations open */
    /* DAE_OK where the method can solve the system, else DAE_UNSUPPORTED with the reason; NULL: any */
    dae_status (*supports)(const dae_method *method, const dae_system *sys, dae_report *report);
    /* Allocate solver->stepper for solver->sys and solver->options; NULL: nothing to allocate. A
     * failure may leave a part of it, which destroy frees. */
    dae_status (*create)(dae_solver *solver);
    /* Begin at solver->t, solver->u; may be NULL. */
    dae_status (*start)(dae_solver *solver);
    /* After a start: steps such as the last one kept of another solver of the same method and system,
     * whose stepper is given. NULL for methods that begin as they go on. */
    void (*follow)(dae_solver *solver, const void *stepper);
    /* One step of size h from (t, u) to t_new = t + h (set by the driver) into u_new. Where steps are
     * chosen (adaptive) it leaves in error the weighted norm (dae_error_norm) of its local error
     * estimate, of local order error_order + 1: the step is kept where error <= 1. Where its equations
     * are not solved, and a smaller step by h_next is to be tried, it sets unsolved. It may set
     * h_next > 0 to choose the next step itself, which then counts after a rejection, too; and
     * end_checked where it saw F at its end to be finite. A failure DAE_NOT_FINITE, DAE_SINGULAR or
     * DAE_NO_CONVERGENCE is retried smaller.
     * A method with own_control gets t_stop, which no step passes, sets t_new, and counts its steps. */
    dae_status (*step)(dae_solver *solver, double h, double t_stop);
    /* A step was kept: it led from (t_old, u_old) to (t, u), which may be moved by a projection. May be
     * NULL. */
    dae_status (*accepted)(dae_solver *solver);
    /* After accepted, where options.project has moved the end by by[n], which u contains already; NULL
     * for methods that go on from u. */
    void (*moved)(dae_solver *solver, const double *by);
    /* Before rows of the last step are asked for: make dense output as good as the step, where that
     * takes some work. The search for events does without. May be NULL. */
    dae_status (*refine)(dae_solver *solver);
    /* Dense output: u[n] at t in the last step kept, [t_old, t]; NULL where there is none. */
    dae_status (*interpolate)(dae_solver *solver, double t, double *u);
    /* A method that finds passages through zero itself is told of what is watched. NULL: the driver
     * finds them alone. */
    dae_status (*watch)(dae_solver *solver);
    void (*destroy)(dae_solver *solver);        /* free what create has made; NULL: nothing */
};

/* What a method sees. It may change u_new, the scratch work, what is said of the step (error to
 * end_checked), by_interval, stepper, count and report, with own_control t_new; accepted may change u. */
struct dae_solver {
    dae_system *sys;
    const dae_method *method;
    dae_options options;
    int n;                      /* unknowns */
    int adaptive;               /* steps are chosen; else they are options.step */
    double t, t_new, t_old;     /* where the solver is; where a step leads; where the last one began */
    double *u, *u_new, *u_old;  /* [n] there. u_old and u_new are one memory: a try of a step writes over the
                                   begin of the last one. */
    double t_begin, t_end;      /* of this run; of this call of dae_solver_advance */
    double h;                   /* the step to try */
    double *work;               /* [2 n] scratch; F(t, u) where F_in_work */
    int F_in_work;
    double *atol;               /* [n] absolute tolerance of each unknown */
    int *variable_index;        /* [n] differential index of each unknown, at least 1 */
    int searching;              /* rows are asked for by the search for events */
    int cut;                    /* the step leaves algebraic equations open, as it is cut short */
    int extending;              /* the last step is made again, longer, to come to a stop */
    void *stepper;              /* the method's own */
    double error;               /* norm of the estimate of the last try; above 1: too large */
    double error_old;           /* of the last step kept */
    int error_order;            /* of the estimate; before the first step 0: not known yet */
    int unsolved;               /* the iteration was too slow: no end, and no estimate */
    double h_next;              /* what the method wants next; 0: the driver's choice by the error */
    double first_error;         /* h^k |y^(k)| of the first step in tolerances, k = error_order + 1 */
    int end_checked;
    int by_interval;            /* its iterations must not be held up by rounding of multipliers: the scale
                                   of index 2 and 3 in the norm is the least possible */
    dae_jacobian_kind jacobian; /* in use; BEST where the method takes none */
    dae_linear_kind linear;
    dae_statistics count;       /* a method counts rhs, jacobians, factorizations, solves, newton_failures */
    dae_report report;          /* a failure in words, by dae_fail */
};

/* Explicit form y' = f(t, y), z = z(t, y): y[ny] the leading unknowns of u, z[n - ny] the multipliers (and
 * accelerations) behind them, solved for at (t, y). explicit_size: ny, or 0 where the system has no such
 * form. dy[ny]; DAE_SINGULAR where the multipliers are not determined. */
int dae_system_explicit_size(const dae_system *sys);
dae_status dae_system_explicit_rhs(dae_system *sys, double t, const double *y, double *dy, double *z);

/* The root mean square of e_i/(rtol |u_i| + atol_i) over the unknowns in the error test, where u is the
 * larger of the state before and after; multipliers of mechanics count against their largest value so
 * far. An unknown of index k counts with (h/T)^(k-1), T the time in which the solution changes; h =
 * INFINITY: without. */
double dae_error_norm(const dae_solver *solver, const double *e, double h);

/* The first step for a method of order p, from F at the start (Hairer, Norsett, Wanner (1993), Solving
 * Ordinary Differential Equations I, II.4). */
double dae_initial_step(dae_solver *solver, int p, double t_end);

/* DAE_OK where x[n] is finite; else DAE_NOT_FINITE, naming what, the component and the time. */
dae_status dae_solver_check_finite(dae_solver *solver, const double *x, const char *what, double t);

DAE_API_END

#endif
