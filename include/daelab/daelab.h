/* daelab.h - stiff differential-algebraic equations: problems, formulations, methods, solvers
 *
 *   problem  + formulation + parameters  ->  system    M u' = F(t, u)
 *   system   + method      + options     ->  solver    u(t)
 *
 *     dae_system *sys;  dae_solver *solver;  dae_report why;
 *     dae_system_create(&sys, problem, dae_find_formulation("index2"), NULL, NULL, &why);
 *     dae_system_start(sys, u, &why);
 *     dae_consistent_start(sys, t0, u, NULL, &why);
 *     dae_solver_create(&solver, sys, dae_find_method("cros"), &options, &why);
 *     dae_solver_start(solver, t0, u);
 *     dae_solver_advance(solver, t_end, u);
 *
 * Every function that can fail answers a dae_status and explains itself in a dae_report. The library
 * never prints, never exits and keeps no global state: several threads may each run their own
 * systems and solvers. A system owns scratch memory, so one system belongs to one thread. An argument
 * that is NULL where something is needed, outside its table or not a number is DAE_BAD_ARGUMENT; what
 * answers a value then answers none: NULL, 0, NaN, an empty name.
 */
#ifndef DAELAB_H
#define DAELAB_H

#include "problem.h"
#include "status.h"

#define DAELAB_VERSION "0.1.0"

typedef struct dae_formulation dae_formulation;
typedef struct dae_method dae_method;
typedef struct dae_system dae_system;
typedef struct dae_solver dae_solver;

/* ---- tables ------------------------------------------------------------------------------- */

/* Rows 0, 1, ... of a table; NULL past its end. dae_find_* look a name up; NULL if unknown. */
const dae_formulation *dae_formulation_at(int i);
const dae_formulation *dae_find_formulation(const char *name);
const dae_method *dae_method_at(int i);
const dae_method *dae_find_method(const char *name);

typedef struct {
    const char *name, *title, *citation;
    int index;                  /* differential index of what it composes; -1: the problem's own */
    int stabilised;             /* takes alpha and beta */
} dae_formulation_info;
dae_formulation_info dae_formulation_describe(const dae_formulation *form);

/* Does this formulation exist for this problem? */
int dae_formulation_applies(const dae_formulation *form, const dae_problem *problem);

enum { DAE_MAX_INDEX = 3, DAE_MAX_EXCEPTIONS = 2 };
#define DAE_UNDECLARED (-1.0)   /* no order is declared */

typedef struct {
    const char *form;           /* name of a formulation, or NULL */
    double order[DAE_CLASSES];
} dae_form_orders;

typedef struct {
    const char *name, *title, *citation;
    int stages;
    int fixed;                  /* can take fixed steps */
    int adaptive;               /* can choose its steps by rtol and atol */
    int implicit;               /* takes a Jacobian */
    int dense_output;           /* dae_solver_interpolate works */
    double dense_order;         /* of rows between steps, where that is less than the order of the steps;
                                   0: it is not */
    int quad_stages;            /* fixed steps are those of Radau IIA of so many stages, which
                                   dae_quad_steps can make in quad precision; 0: they are not */
    double order[DAE_MAX_INDEX + 1][DAE_CLASSES];   /* declared, by index and class of variable */
    dae_form_orders exceptions[DAE_MAX_EXCEPTIONS]; /* forms whose orders are not their index's */
} dae_method_info;
dae_method_info dae_method_describe(const dae_method *method);

/* Declared orders[DAE_CLASSES] of a system of this index in a formulation; 0, an ODE: in any. */
const double *dae_method_orders(const dae_method *method, const dae_formulation *form, int index);

/* The known name nearest to a mistyped one by edit distance, or NULL where none is near. */
const char *dae_nearest(const char *typed, const char *const *names, int count);

/* The version of the SUNDIALS in use ("6.4.1"), written into text[length]. */
void dae_sundials_version(char *text, int length);

typedef struct {
    char version[32];
    int distribution;           /* loaded from the system's folders, not from a build of one's own */
    int optimised;              /* compiled with optimisation: 1 yes, -1 no, 0 not known */
    double slowness;            /* its z = a x + b y takes so many times as long as daelab's; NaN */
} dae_sundials_build;

/* What SUNDIALS is in use; measures for about a millisecond. */
dae_sundials_build dae_sundials_describe(void);

/* ---- systems ------------------------------------------------------------------------------ */

typedef struct {
    double alpha, beta;         /* Baumgarte: 0 = g'' + 2 alpha g' + beta^2 g, [1/s] */
} dae_formulation_options;
dae_formulation_options dae_default_formulation_options(void);

/* Compose a system. parameters: as many values as the problem has parameters, or NULL for their
 * defaults; options may be NULL. DAE_BAD_ARGUMENT for a record that is not complete (it says what is
 * missing) and for a parameter outside its range, DAE_UNSUPPORTED where the formulation does not exist
 * for the problem. */
dae_status dae_system_create(dae_system **sys, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *options, dae_report *report);
void dae_system_free(dae_system *sys);

const dae_problem *dae_system_problem(const dae_system *sys);
const double *dae_system_parameters(const dae_system *sys);
int dae_system_positions(const dae_system *sys);                /* nq; 0: first order */
int dae_system_multipliers(const dae_system *sys);              /* nl */
int dae_system_size(const dae_system *sys);
int dae_system_index(const dae_system *sys);                    /* differential index of M u' = F;
                                                                   without constraints 0, or 1 where
                                                                   accelerations are unknowns */
dae_class dae_system_class(const dae_system *sys, int i);       /* of unknown i */
const char *dae_class_name(dae_class c);

/* Name ("vx") and unit ("m/s") of unknown i, written into name and unit (length each, 0-ended). */
void dae_system_unknown(const dae_system *sys, int i, char *name, char *unit, int length);

/* u[n] := the problem's start, in the unknowns of this formulation. Minimal coordinates express consistent
 * states only: there it is made consistent first (DAE_INCONSISTENT as in dae_consistent_start, which
 * says of this u how far it has been moved). */
dae_status dae_system_start(dae_system *sys, double *u, dae_report *report);

/* F[n] := F(t, u);  out[n] := M x. */
void dae_system_rhs(dae_system *sys, double t, const double *u, double *F);
void dae_system_mass(const dae_system *sys, const double *x, double *out);

/* Mechanical systems: q[nq], v[nq], lambda[nl] of a state u in any formulation. In minimal
 * coordinates lambda is recovered from the acceleration level. */
dae_status dae_system_split(dae_system *sys, double t, const double *u, double *q, double *v,
                            double *lambda);

/* Mechanical systems: solve M a + G^T lambda = f, d2g/dt2(t, q, v, a) = 0 for a[nq], lambda[nl]
 * (index-1 constraint solved exactly: multiplier recovery). DAE_SINGULAR where G M^-1 G^T is. */
dae_status dae_system_accelerate(dae_system *sys, double t, const double *q, const double *v,
                                 double *a, double *lambda);

/* Residual of the constraints at level 0 (g), 1 (dg/dt), 2 (d2g/dt2 with the state's own
 * multipliers); out[nl]. First-order problems have level 0 (their algebraic equations), and level 1
 * where the problem gives a reduced form. The number of rows; 0 where a level does not exist. */
int dae_system_constraint(dae_system *sys, int level, double t, const double *u, double *out);

/* Mechanical: the energy H(t, q, v) and its explicit derivative dH/dt, the power that the change in
 * time puts in. 0 where the problem states no energy, else 1. */
int dae_system_energy(dae_system *sys, double t, const double *q, const double *v, double *energy,
                      double *power);

typedef struct {
    double position, velocity, multiplier;      /* largest change of any component */
    int changed;                                /* 1 if more than rounding */
    double relative;            /* the move of the positions beside the size of the motion, the largest of
                                   any constraint: the change of its gradient along the move, or the
                                   move over the way that (v, a) lead in the interval of the problem
                                   (HUGE_VAL where nothing moves). First order: of the differential
                                   unknowns, beside the terms of an algebraic equation. Above 0.1 the
                                   start is another than that which was given. */
} dae_start_change;

/* Make (t, u) consistent, closest to what was given: positions on g = 0 and velocities on dg/dt = 0
 * in the mass norm, multipliers from the acceleration level, auxiliary multipliers zero. What holds to
 * rounding of its own terms is left bit for bit. Of several positions that are nearest among their
 * neighbours the nearest that a descent and Newton's method find. First-order problems: nearest
 * differential variables on the constraints, then the algebraic ones. Nonlinear equations are solved by
 * KINSOL. change may be NULL. DAE_INCONSISTENT with KINSOL's words where it fails; u is then as it
 * was. */
dae_status dae_consistent_start(dae_system *sys, double t, double *u, dae_start_change *change,
                                dae_report *report);

/* ---- solvers ------------------------------------------------------------------------------ */

typedef enum { DAE_JACOBIAN_BEST, DAE_JACOBIAN_ANALYTIC, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD }
    dae_jacobian_kind;          /* BEST: analytic where the problem gives one, else dual */
typedef enum { DAE_LINEAR_BEST, DAE_LINEAR_DENSE, DAE_LINEAR_KLU }
    dae_linear_kind;            /* BEST: by size and sparsity */

typedef enum { DAE_TEST_ALL, DAE_TEST_DIFFERENTIAL } dae_error_test;

typedef struct {
    double step;                /* > 0: fixed steps of this size; 0: steps chosen by rtol and atol */
    double rtol, atol;          /* |error_i| <= rtol |u_i| + atol in the root mean square */
    const double *atols;        /* [n] an atol for each unknown, copied; NULL: atol for all. A hybrid
                                   run takes those of its modes, one behind the other (their n is
                                   dae_hybrid_size). What the modes share may, on entry to one, be
                                   wrong by what the largest of them make of it. */
    dae_error_test error_test;  /* unknowns in the error estimate: all, or without algebraic ones */
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    long max_steps;             /* for one call of dae_solver_advance */
    unsigned project;           /* DAE_PROJECT_*: what a state is moved onto after each step; 0: nothing */
    long max_events;            /* of a hybrid run, for one call of dae_hybrid_advance */
    double accumulation;        /* events accumulate where, by the ratio of their intervals, the rest
                                   of them would take less than this part (1e-5) of what they have
                                   taken, and their limit is known to the tolerance, or as near to it
                                   as rounding lets it be */
} dae_options;

/* The nearest state with g = 0, with dg/dt = 0 (mechanical problems, mass norm), with the value that
 * its invariants had at the start. Where that would move a state by more than its tolerance, the step
 * is made smaller instead; fixed steps are moved however far it is. */
enum { DAE_PROJECT_POSITION = 1, DAE_PROJECT_VELOCITY = 2, DAE_PROJECT_INVARIANT = 4 };

dae_options dae_default_options(void);

typedef struct {
    long steps, rejected;       /* accepted steps; steps undone by an error test or a failure */
    long rhs, jacobians, factorizations, solves, newton_failures;
    long explicit_steps;        /* method auto: steps that were explicit; */
    long switches;              /* changes between explicit and implicit steps, either way */
    long nonzeros, fill;        /* entries of dF/du and M together; in the factors of a pencil, or of
                                   IDA's matrix (dense: n^2); 0 where there are none yet */
    long events;
    long projections;           /* states moved by options.project, ... */
    long too_far;               /* ... steps undone because they would have been moved too far, ... */
    double correction;          /* ... and the largest change of an unknown by one of them */
} dae_statistics;

/* The solver uses sys until it is freed; sys stays the caller's. DAE_UNSUPPORTED where the method
 * cannot solve the system, or the system has nothing of what options.project names; DAE_BAD_ARGUMENT
 * for options out of range, and where a first-order problem is not of the index that it declares. */
dae_status dae_solver_create(dae_solver **solver, dae_system *sys, const dae_method *method,
                             const dae_options *options, dae_report *report);
void dae_solver_free(dae_solver *solver);

/* Begin, or begin again, at (t, u[n]). Where steps are chosen, in index 2 and 3, positions and velocities
 * that are on the constraints but for their tolerance are moved onto them, inside. */
dae_status dae_solver_start(dae_solver *solver, double t, const double *u);

/* Called after each accepted step with its end; anything but 0 stops the run with DAE_STOPPED. */
typedef int dae_observer(void *context, double t, const double *u);
void dae_solver_observe(dae_solver *solver, dae_observer *observer, void *context);

/* Advance from the solver's time to t_end; u[n] := the state there. A fixed step is taken as often
 * as it fits, and once shorter where t_end asks for it. On failure u holds the last accepted state
 * and dae_solver_time() its time; before dae_solver_start u is left alone. Refused at once:
 * DAE_MAX_STEPS where max_steps cannot hold the fixed steps to t_end (unless the solver watches, and
 * may end before), DAE_BAD_ARGUMENT where t_end lies before t or, closer than 1e-100, too near.
 *
 * Where steps are chosen t_end may lie as close to the solver's time as it likes. In index 2 and 3 the last
 * step is then made longer rather than followed by one of almost no length, whose multipliers would be
 * errors divided by it; IDA goes past t_end, and shows what its polynomial is there, but where F jumps in
 * time at t_end. F may be asked for its values up to the end of the problem's interval, or t_end if that is
 * later, and no farther.
 *
 * Where an unknown with a derivative has grown to a million times its size (of its start, or atol/rtol),
 * a second solver makes the run again with half the step or a hundredth of the tolerances:
 * DAE_ERROR_TEST where they differ by more than half of the solution. DAE_ERROR_TEST, too, where steps
 * are chosen and rounding in F (large terms that cancel) moves an unknown by 20 tolerances and more. A
 * failure that rounding or another index than declared explains says so.
 *
 * No step is limited but by its error test, which knows F at its stages only: a pulse between two of
 * them goes by unseen. Where F changes for a short time only, advance to where that begins: no step
 * goes beyond t_end, and an interval in pieces costs about a step more for each. */
dae_status dae_solver_advance(dae_solver *solver, double t_end, double *u);

/* u[n] := the solution at t inside the last step, as good as its ends: mechanical states violate their
 * constraints as much as those do. Only for methods with dense output (DAE_UNSUPPORTED otherwise;
 * DAE_BAD_ARGUMENT where t lies outside the last step; the first row may allocate, DAE_NO_MEMORY).
 *
 * Where steps are chosen, the multipliers of index 2 and 3 are, here and at the ends of steps, those of
 * the acceleration level, and the velocities of index 3 are on dg/dt = 0; fixed steps show those of the
 * method. */
dae_status dae_solver_interpolate(dae_solver *solver, double t, double *u);

double dae_solver_time(const dae_solver *solver);
dae_statistics dae_solver_statistics(const dae_solver *solver);
const dae_report *dae_solver_report(const dae_solver *solver);
dae_jacobian_kind dae_solver_jacobian(const dae_solver *solver);        /* what BEST became */
dae_linear_kind dae_solver_linear(const dae_solver *solver);

/* Residual-free look at a Jacobian: J[n x n] column-major dF/du and F_t[n] = dF/dt at (t, u), by
 * one of the providers. DAE_UNSUPPORTED where the problem gives no analytic one. Differences take the
 * size of an unknown from its value, or where that is 0 from the largest of its class; entries that are
 * lost beside larger terms of their row they take again with longer increments. */
dae_status dae_system_jacobian(dae_system *sys, dae_jacobian_kind kind, double t, const double *u,
                               double *J, double *F_t, dae_report *report);

/* ---- events and modes --------------------------------------------------------------------- */

/* A solver that watches functions of its state. values writes g[count] at (t, u) and answers
 * DAE_OK, or DAE_NOT_FINITE where one of them has no value.
 *
 * After each step every passage of g_i through zero in its direction is located on the dense output,
 * in the order of their times, to a few units in the last place of t, double roots within the step
 * as far as samples of the step show them; the state there is that of a step of the method that ends
 * there (IDA: of its own root finding). Functions that this state has taken across, too, happen with
 * it; one that jumps is located where it has jumped. Then happened(t, u, fired) is called with the functions that
 * passed zero at t: fired[i] is -1 (falling), 1 (rising), or 0. It answers 0 to go on, or 1: then
 * dae_solver_advance ends at this t and u with DAE_EVENT, and dae_solver_start has to come before the
 * next step. Where it begins at this t, what has happened there waits until it has left zero. */
typedef struct {
    int count;
    const dae_direction *direction;             /* [count] */
    dae_status (*values)(void *context, double t, const double *u, double *g, dae_report *report);
    int (*happened)(void *context, double t, const double *u, const int *fired);
    void *context;
} dae_watch;
/* Before dae_solver_start; *watch is copied, direction is not. DAE_UNSUPPORTED without dense output. */
dae_status dae_solver_watch(dae_solver *solver, const dae_watch *watch);

/* A problem with its events and modes, in one formulation, by one method. A problem without either is
 * one with a single mode and no events. Each mode has a system and a solver of its own; positions
 * and velocities (or u) pass from one to the next, multipliers are solved for on entry.
 *
 *     dae_hybrid_create(&hybrid, problem, form, NULL, NULL, method, &options, &why);
 *     dae_hybrid_start(hybrid);
 *     dae_hybrid_advance(hybrid, t_end);
 */
typedef struct dae_hybrid dae_hybrid;
dae_status dae_hybrid_create(dae_hybrid **hybrid, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *form_options,
                             const dae_method *method, const dae_options *options,
                             dae_report *report);
void dae_hybrid_free(dae_hybrid *hybrid);

/* One more event of all modes, which stops the run: where condition(context, t, x) passes zero, with x
 * as in dae_event. Before dae_hybrid_start. name is not copied. */
typedef double dae_condition(void *context, double t, const double *x);
dae_status dae_hybrid_stop_where(dae_hybrid *hybrid, const char *name, dae_condition *condition,
                                 void *context, dae_direction direction);

/* Begin in the first mode at the problem's t0 and start, made consistent unless as_given (change as
 * in dae_consistent_start, may be NULL); or in a mode at (t, x) with x = (q, v) or u. Both with the
 * parameters of dae_hybrid_create, whatever actions of an earlier run have made of them. */
dae_status dae_hybrid_start(dae_hybrid *hybrid, int as_given, dae_start_change *change);
dae_status dae_hybrid_start_at(dae_hybrid *hybrid, int mode, double t, const double *x);

/* Advance to t_end. DAE_EVENT where a terminal event ended the run before, DAE_ACCUMULATION where
 * events accumulate and no mode is entered there; dae_hybrid_report says which and when. After
 * DAE_EVENT it may be called again to go on. Where a mode refuses the state (DAE_INCONSISTENT), or
 * an action makes none, or parameters that cannot be, the run ends at the state before, in the mode
 * and with the parameters that it had. */
dae_status dae_hybrid_advance(dae_hybrid *hybrid, double t_end);

/* Called at the start, after each step, and at an event with the state before and the state after it;
 * between steps dae_solver_interpolate of dae_hybrid_solver works. Not 0: stop with DAE_STOPPED. */
typedef int dae_hybrid_observer(void *context, dae_hybrid *hybrid);
void dae_hybrid_observe(dae_hybrid *hybrid, dae_hybrid_observer *observer, void *context);

/* Where the run is: the mode, its problem, system and solver, t and the unknowns u[n] of that
 * system, and x = (q, v, lambda recovered) or u. */
int dae_hybrid_mode(const dae_hybrid *hybrid);
int dae_hybrid_modes(const dae_hybrid *hybrid);                 /* how many there are */
const dae_problem *dae_hybrid_problem(const dae_hybrid *hybrid, int mode);
const char *dae_hybrid_mode_name(const dae_hybrid *hybrid, int mode);
dae_system *dae_hybrid_system(const dae_hybrid *hybrid);
dae_solver *dae_hybrid_solver(const dae_hybrid *hybrid);
double dae_hybrid_time(const dae_hybrid *hybrid);
const double *dae_hybrid_unknowns(const dae_hybrid *hybrid);
const double *dae_hybrid_parameters(const dae_hybrid *hybrid);  /* as actions have left them */
dae_status dae_hybrid_state(dae_hybrid *hybrid, double t, const double *u, double *x);
int dae_hybrid_state_size(const dae_hybrid *hybrid);            /* of x without lambda: 2 nq or n */
int dae_hybrid_size(const dae_hybrid *hybrid, int mode);        /* n, of a mode; 0 where it is none */
int dae_hybrid_most_unknowns(const dae_hybrid *hybrid);         /* of any mode; x fits, too */
dae_statistics dae_hybrid_statistics(const dae_hybrid *hybrid); /* of all modes together */
const dae_report *dae_hybrid_report(const dae_hybrid *hybrid);

/* An event that has happened. Those of one instant follow one another; before and after are
 * x[state_size] around each, the last one's after is where the run goes on. */
typedef struct {
    double t;
    const char *name, *title;   /* of the event; a condition of the user has no title */
    int direction;              /* -1 fell, 1 rose; 0: by a jump, by entering a mode, or a limit */
    int from, to;               /* modes; to differs for the event that changes it */
    int accumulated;            /* this is the limit of infinitely many */
    const double *before, *after;
    double measure;             /* NaN where the event has none */
    const char *measures, *unit;
} dae_event_record;
int dae_hybrid_events(const dae_hybrid *hybrid);
dae_event_record dae_hybrid_event(const dae_hybrid *hybrid, int i);     /* 0 <= i < events */

/* ---- reference solutions ------------------------------------------------------------------ */

enum { DAE_QUAD_TEXT = 48 };    /* characters that hold a quad number */

typedef struct {
    int nq, nl;                 /* first-order problems: nq = n, nl = 0, v and lambda NULL */
    dae_quad *q, *v, *lambda;   /* [count x nq], [count x nq], [count x nl] */
    double digits;              /* of the two runs that agree, -log10 of the largest difference */
    const char *source;         /* "exact", "minimal coordinates", "Cartesian coordinates",
                                   "extrapolation" (of u' = F), "collocation" (of M u' = F) or
                                   "collocation, slow solution": see dae_reference_solve; or "exact,
                                   but for the rounding of its start" */
} dae_reference;

/* Solve in quad precision from (t0, u0) (a state of sys) to the count increasing times, by
 * extrapolation with two different orders and steps that must agree, each of which looks at the
 * equations in every ten thousandth of the interval; or evaluate the problem's exact solution, where the
 * start is on it to more than 30 digits. First-order problems with M singular, or too stiff, by collocation likewise, from
 * a start made consistent. Where rounding to doubles alone makes the start of a stiff problem
 * oscillate about a slow solution, that is the reference: digits do not count the oscillation.
 * The functions of the model are compared with each other, at the start and at all times: g and dg/dt
 * are 0, rate, acceleration, reaction, minimal coordinates, energy, invariants and derivatives are what
 * they say; DAE_BAD_ARGUMENT, with the function and its row, where they are not.
 * DAE_INCONSISTENT where a start of index 2 or 3 violates its constraints by more than rounding,
 * DAE_UNSUPPORTED where the problem has events or modes. */
dae_status dae_reference_solve(dae_reference *reference, dae_system *sys, double t0,
                               const double *u0, const double *times, int count,
                               dae_report *report);
void dae_reference_free(dae_reference *reference);

/* The same, and tell(context, t) is called at every step with the time that a run has come to; it comes
 * to t more than once. Where it answers 1 there is no reference: DAE_STOPPED. */
typedef struct {
    int (*tell)(void *context, double t);
    void *context;
} dae_reference_watch;
dae_status dae_reference_solve_watched(dae_reference *reference, dae_system *sys, double t0,
                                       const double *u0, const double *times, int count,
                                       const dae_reference_watch *watch, dae_report *report);

/* The same problem with fixed steps of Radau IIA of so many stages in quad precision: what a method of
 * info.quad_stages does, without its rounding. (t0, u0) is a state of the system that a reference was
 * asked for, any of its formulations; the run begins where that reference does. Between two times, count of
 * them, all steps are equal, steps in number. result as for dae_reference_solve, but for lambda, the
 * multipliers of the method; recovered[count x nl] those of the acceleration level, where not NULL.
 * DAE_UNSUPPORTED for minimal coordinates that the problem does not give, and for problems with more
 * unknowns than dense matrices are for; DAE_NO_CONVERGENCE where Newton's iteration does not. */
dae_status dae_quad_steps(dae_reference *result, dae_quad *recovered, dae_system *sys, int stages,
                          double t0, const double *u0, const double *times, int count, int steps,
                          dae_report *report);

/* The names that source may have, i = 0, 1, ...; NULL past the last. */
const char *dae_reference_source(int i);

#endif
