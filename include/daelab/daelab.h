/* daelab.h - stiff differential-algebraic equations: create, start, advance, free
 *
 * For every program, in C and C++.
 *
 *   problem  + formulation + parameters  ->  system    M u' = F(t, u)
 *   system   + method      + options     ->  solver    u(t)
 *
 *     extern const dae_problem dae_bead;          (in C++ inside extern "C")
 *     dae_system *sys;  dae_solver *solver;  dae_report why;
 *     dae_system_create(&sys, &dae_bead, dae_find_formulation("index2"), NULL, NULL, &why);
 *     dae_system_start(sys, u, &why);
 *     dae_consistent_start(sys, t0, u, NULL, &why);
 *     dae_solver_create(&solver, sys, dae_find_method("cros"), &options, &why);
 *     dae_solver_start(solver, t0, u);
 *     dae_solver_advance(solver, t_end, u);
 *     dae_solver_free(solver);
 *     dae_system_free(sys);
 *
 * Other headers, each for those who need it:
 *
 *   a study, a front end    description.h  what a problem says of itself
 *                           study.h        tables, orders, constraints, energy, Jacobians, statistics
 *                           hybrid.h       events and changes of mode
 *                           rows.h         a run as rows of numbers, in one call
 *                           doubt.h        what speaks against the numbers of a run
 *                           reference.h    reference solutions
 *                           quad_reference.h  the same as quad numbers, in C only
 *                           event_reference.h  those of problems with events, in C only
 *                           sensitivity.h  derivatives with respect to parameters
 *                           check.h        does a model agree with itself?
 *                           binding.h      for other languages: problems of callbacks, sizes, names
 *   the author of a problem model.h        with problem.h, functions.h, dual.h, scalar.h; drawing.h
 *
 * Every function that can fail answers a dae_status and explains itself in a dae_report. The library
 * never prints, never exits and keeps no global state: several threads may each run their own
 * systems and solvers. A system owns scratch memory, so one system belongs to one thread. An argument
 * that is NULL where something is needed, outside its table or not a number is DAE_BAD_ARGUMENT; what
 * answers a value then answers none: NULL, 0, NaN, an empty name.
 *
 * What a run calls (functions of the model, event functions, actions, observers) finds it amid a step. It may ask
 * for times, reports, counts and names, and an observer for dae_solver_interpolate and for what study.h measures; what
 * would change the run is DAE_BAD_ARGUMENT there and changes nothing: create, start, advance, interpolate, watch,
 * set_parameters and the like of its solver, of any solver of its system, of its hybrid run. To free one of these is
 * refused, too: then the call that runs ends with DAE_BAD_ARGUMENT. Such a function returns; one that leaves by
 * longjmp or by an exception leaves its solver so for ever.
 */
#ifndef DAELAB_H
#define DAELAB_H

#include "api.h"
#include "status.h"

DAE_API_BEGIN

#define DAELAB_VERSION "0.1.0"

typedef struct dae_problem dae_problem;
typedef struct dae_formulation dae_formulation;
typedef struct dae_method dae_method;
typedef struct dae_system dae_system;
typedef struct dae_solver dae_solver;

/* A formulation ("index2"), a method ("radau") by its name; NULL if unknown. study.h lists them. */
const dae_formulation *dae_find_formulation(const char *name);
const dae_method *dae_find_method(const char *name);

/* ---- systems ------------------------------------------------------------------------------ */

typedef struct {
    double alpha, beta;         /* Baumgarte: 0 = g'' + 2 alpha g' + beta^2 g, [1/s]; of nonholonomic
                                   constraints, with r = A v + b, 0 = r' + 2 alpha r */
    const void *user_data;      /* what functions of the model find by dae_user_data(p); it is the
                                   caller's and stays, unchanged, while the system is used */
} dae_formulation_options;

/* alpha = beta = 20/(t_end - t0) of the problem's interval, whatever its unit of time, so that what violates a
 * constraint decays in a twentieth of it, where it is nonholonomic in half of that; 10 for a problem without
 * an interval, or NULL. */
dae_formulation_options dae_default_formulation_options(const dae_problem *problem);

/* Compose a system. parameters: as many values as the problem has (dae_parameter_count, arrays element by
 * element), or NULL for their defaults; options may be NULL. DAE_BAD_ARGUMENT for a record that is not
 * complete (it says what is missing) and for a parameter outside its range, DAE_UNSUPPORTED where the
 * formulation does not exist for the problem. */
dae_status dae_system_create(dae_system **sys, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *options, dae_report *report);
void dae_system_free(dae_system *sys);

/* Give a system other parameters, as many as the problem has, or NULL for their defaults. It is then as
 * one that was created with them; where that fails, it is as it was. DAE_BAD_ARGUMENT for a parameter
 * outside its range, DAE_UNSUPPORTED where the number or the kind of the unknowns would be another one
 * (a DAE_COUNT; a mass matrix that ceases to be diagonal). Solvers of the system must be started again:
 * until then they answer DAE_BAD_ARGUMENT, and take no step. */
dae_status dae_system_set_parameters(dae_system *sys, const double *parameters, dae_report *report);

int dae_system_size(const dae_system *sys);

/* Name ("vx") and unit ("m/s") of unknown i, written into name and unit (length each, 0-ended). */
void dae_system_unknown(const dae_system *sys, int i, char *name, char *unit, int length);

/* u[n] := the problem's start, in the unknowns of this formulation. Minimal coordinates express consistent
 * states only: there it is made consistent first (DAE_INCONSISTENT as in dae_consistent_start, which
 * says of this u how far it has been moved). */
dae_status dae_system_start(dae_system *sys, double *u, dae_report *report);

typedef struct {
    double position, velocity, multiplier;      /* largest change of any component */
    int changed;                                /* 1 if more than rounding */
    double relative;            /* the move of the positions beside the size of the motion, the largest of
                                   any constraint: the change of its gradient along the move, or the
                                   move over the way that (v, a) lead in the interval of the problem
                                   (HUGE_VAL where nothing moves). First order: of the differential
                                   unknowns, beside the terms of an algebraic equation. Above 0.1 the
                                   start is another than that which was given. */
    int open;                   /* 1: first order of index 2 and above, whose hidden constraints could not be
                                   solved; they may not hold */
} dae_start_change;

/* Make (t, u) consistent, closest to what was given: positions on g = 0 and velocities on dg/dt = 0
 * in the mass norm, multipliers from the acceleration level, auxiliary multipliers zero. What holds to
 * rounding of its own terms is left bit for bit. Of several positions that are nearest among their
 * neighbours the nearest that a descent and Newton's method find. First-order problems: nearest
 * differential variables on the constraints, then the algebraic ones; of index 2 and above also what
 * derivatives of the constraints determine, by collocation forth and back over short steps in quad precision
 * (src/start/hidden.c). Nonlinear equations are solved by KINSOL. change may be NULL. DAE_INCONSISTENT
 * with KINSOL's words where it fails; u is then as it was. */
dae_status dae_consistent_start(dae_system *sys, double t, double *u, dae_start_change *change,
                                dae_report *report);

/* ---- solvers ------------------------------------------------------------------------------ */

typedef enum { DAE_JACOBIAN_BEST, DAE_JACOBIAN_ANALYTIC, DAE_JACOBIAN_DUAL, DAE_JACOBIAN_FD }
    dae_jacobian_kind;          /* BEST: analytic where the problem gives one, else dual */
typedef enum { DAE_LINEAR_BEST, DAE_LINEAR_DENSE, DAE_LINEAR_KLU, DAE_LINEAR_BAND }
    dae_linear_kind;            /* BEST: by size, sparsity, and the work that KLU and a band would take; BAND
                                   is not for dae_matrices */

typedef enum { DAE_TEST_ALL, DAE_TEST_DIFFERENTIAL } dae_error_test;

/* An absolute tolerance of some unknowns. */
typedef struct {
    const char *of;             /* one unknown by its name ("T", "x12"); or of a problem of many copies that
                                   of each ("x"); or else a class ("velocity", dae_class_name) */
    double atol;                /* > 0, in the unit of each */
} dae_atol;

typedef struct {
    double step;                /* > 0: fixed steps of this size; 0: steps chosen by rtol and atol */
    double rtol, atol;          /* |error_i| <= rtol |u_i| + atol in the root mean square */
    const double *atols;        /* [n] an atol for each unknown, copied; NULL: atol for all. A hybrid
                                   run takes those of its modes, one behind the other (their n is
                                   dae_hybrid_size). What the modes share may, on entry to one, be
                                   wrong by what the largest of them make of it. */
    const dae_atol *atol_of;    /* [atol_count] or what differs from atol, in any order: a name before that
                                   of many copies, that before a class. Copied. The system, or one mode of
                                   a hybrid run, has what they name; not beside atols. */
    int atol_count;
    dae_error_test error_test;  /* unknowns in the error estimate: all, or without algebraic ones */
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    double max_step;            /* > 0, in the unit of t: no accepted step is longer, but by the 1e-9 of it
                                   that spares a last one of rounding; 0: none */
    double first_step;          /* > 0: size of the first step that is tried after dae_solver_start, and in a
                                   hybrid run after each event, there no longer than the flight before.
                                   Shorter where the error test or t_end asks for it, longer where t has
                                   no digits for it; at most max_step. 0: chosen. A run in pieces starts
                                   once. Both are for steps chosen by tolerance: beside step they are
                                   DAE_BAD_ARGUMENT. */
    long max_steps;             /* for one call of dae_solver_advance */
    unsigned project;           /* DAE_PROJECT_*: what a state is moved onto after each step; 0: nothing */
    long max_events;            /* of a hybrid run, for one call of dae_hybrid_advance */
    double accumulation;        /* events accumulate where, by the ratio of their intervals, the rest
                                   of them would take less than this part (1e-5) of what they have
                                   taken, and their limit is known to the tolerance, or as near to it
                                   as rounding lets it be */
} dae_options;

/* The nearest state with g = 0, with dg/dt = 0 and A v + b = 0 (mechanical problems, mass norm), with the
 * value that its invariants had at the start. Where that would move a state by more than its tolerance, the step
 * is made smaller instead; fixed steps are moved however far it is. */
enum { DAE_PROJECT_POSITION = 1, DAE_PROJECT_VELOCITY = 2, DAE_PROJECT_INVARIANT = 4 };

dae_options dae_default_options(void);

/* atols[n] := atol, or what list[count] says of an unknown, as options.atol_of; NULL: are there such
 * unknowns? DAE_BAD_ARGUMENT with the nearest name where one of the list names none, or is there twice. */
dae_status dae_system_atols(const dae_system *sys, double atol, const dae_atol *list, int count,
                            double *atols, dae_report *report);

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
 * as it fits; where t_end asks for a shorter one, the last two are equal. On failure u holds the last accepted state
 * and dae_solver_time() its time; before dae_solver_start u is left alone. Refused at once:
 * DAE_MAX_STEPS where max_steps cannot hold the steps to t_end that are fixed, or no longer than max_step
 * (unless the solver watches, and may end before), DAE_BAD_ARGUMENT where t_end lies before t or, closer
 * than 1e-100, too near.
 *
 * Where steps are chosen t_end may lie as close to the solver's time as it likes. In index 2 and 3 the last
 * step is then made longer rather than followed by one of almost no length, whose multipliers would be
 * errors divided by it; those of SUNDIALS go past t_end, and show what their polynomial is there, but where
 * F jumps in time at t_end. F may be asked for its values up to the end of the problem's interval, or t_end
 * if that is later, and no farther.
 *
 * Where an unknown with a derivative has grown to a million times its size (of its start, or atol/rtol),
 * a second solver makes the run again with half the step or a hundredth of the tolerances:
 * DAE_ERROR_TEST where they differ by more than half of the solution. DAE_ERROR_TEST, too, where steps
 * are chosen and rounding in F (large terms that cancel) moves an unknown by 20 tolerances and more. A
 * failure that rounding or another index than declared explains says so.
 *
 * The error test knows F at the stages of a step only: a pulse between two of them goes by unseen. Where F
 * changes for a short time only, a max_step of about that time shows it; where one knows when, advance to
 * where it begins: no step goes beyond t_end, and an interval in pieces costs about a step more for
 * each. */
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
const dae_report *dae_solver_report(const dae_solver *solver);

DAE_API_END

#endif
