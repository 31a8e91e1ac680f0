/* study.h - tables, declared orders, constraints, energy, Jacobians, statistics: what a study measures
 *
 * For programs that compare formulations and methods, or look inside a system, in C and C++.
 */
#ifndef DAELAB_STUDY_H
#define DAELAB_STUDY_H

#include "api.h"
#include "daelab.h"
#include "description.h"

DAE_API_BEGIN

/* What a variable is; errors, orders and error tests are kept apart by class. */
typedef enum {
    DAE_POSITION,
    DAE_VELOCITY,
    DAE_MULTIPLIER,
    DAE_RECOVERED,              /* multiplier computed from q and v by the acceleration level */
    DAE_DIFFERENTIAL,           /* first-order problems: a variable with a derivative in M u' */
    DAE_ALGEBRAIC,              /* first-order problems: a variable without one */
    DAE_AUXILIARY,              /* multipliers that a formulation adds and that vanish exactly */
    DAE_CLASSES
} dae_class;
const char *dae_class_name(dae_class c);

/* ---- tables ------------------------------------------------------------------------------- */

/* Rows 0, 1, ... of a table; NULL past its end. */
const dae_formulation *dae_formulation_at(int i);
const dae_method *dae_method_at(int i);

/* How a formulation limits the drift off constraints that it has differentiated. */
typedef enum {
    DAE_NOT_STABILISED,
    DAE_BY_FEEDBACK,            /* Baumgarte: 0 = g'' + 2 alpha g' + beta^2 g, with options alpha and beta */
    DAE_BY_MULTIPLIERS          /* the original constraints are added, with multipliers mu (Gear, Gupta,
                                   Leimkuhler) */
} dae_stabilisation;

typedef struct {
    const char *name, *title, *citation;
    int index;                  /* differential index of the system; -1: that of the problem */
    dae_stabilisation stabilised;
} dae_formulation_info;
dae_formulation_info dae_formulation_describe(const dae_formulation *form);

/* Does this formulation exist for this problem? */
int dae_formulation_applies(const dae_formulation *form, const dae_problem *problem);

enum { DAE_MAX_INDEX = 3, DAE_MAX_EXCEPTIONS = 2 };
#define DAE_UNDECLARED 0.0      /* no order is declared; the value of an omitted entry */
#define DAE_ORDER_ZERO (-1.0)   /* order 0 is declared: it does not converge to the solution */

/* Uses for which a method is the default. */
enum {
    DAE_FOR_ONE_RUN = 1,        /* a single run with error control */
    DAE_FOR_SCALING = 2,        /* cost as a function of the size of a problem */
    DAE_FOR_TIME_SCALE = 4      /* its step sizes are taken as the time scale of a solution */
};

typedef struct {
    dae_stabilisation stabilised;       /* the formulations meant; DAE_NOT_STABILISED: entry not used */
    double order[DAE_CLASSES];
} dae_form_orders;

typedef struct {
    const char *name, *title, *citation;
    int stages;
    int fixed;                  /* can take fixed steps */
    int adaptive;               /* can choose its steps by rtol and atol */
    int implicit;               /* uses a Jacobian */
    int dense_output;           /* dae_solver_interpolate works */
    double dense_order;         /* order of dense output if lower than that of the steps; 0: the same */
    int switches;               /* switches between an explicit and an implicit method */
    unsigned roles;             /* DAE_FOR_...: uses for which it is the default */
    int quad_steps;             /* dae_quad_steps makes its fixed steps in quad precision */
    double order[DAE_MAX_INDEX + 1][DAE_CLASSES];   /* declared, by index and class of variable */
    dae_form_orders exceptions[DAE_MAX_EXCEPTIONS]; /* stabilised formulations with other orders */
} dae_method_info;
dae_method_info dae_method_describe(const dae_method *method);

/* The order declared for a class of unknowns of a system of this index in a formulation (index 0, an
 * ODE: in any); 0 where it converges to something else, NaN where none is declared. */
double dae_method_order(const dae_method *method, const dae_formulation *form, int index, dae_class c);

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

const dae_problem *dae_system_problem(const dae_system *sys);
const double *dae_system_parameters(const dae_system *sys);
const void *dae_system_user_data(const dae_system *sys);
int dae_system_positions(const dae_system *sys);                /* nq; 0: first order */
int dae_system_multipliers(const dae_system *sys);              /* nl */
int dae_system_index(const dae_system *sys);                    /* differential index of M u' = F;
                                                                   without constraints 0, or 1 where
                                                                   accelerations are unknowns */
dae_class dae_system_class(const dae_system *sys, int i);       /* of unknown i */

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
 * multipliers); out[nl]. Nonholonomic ones have A v + b at level 1, behind the others, and none at 0.
 * First-order problems have level 0 (their algebraic equations), and level 1
 * where the problem gives a reduced form. The number of rows; 0 where a level does not exist. */
int dae_system_constraint(dae_system *sys, int level, double t, const double *u, double *out);

/* Mechanical: the energy H(t, q, v) and its explicit derivative dH/dt, the power that the change in
 * time puts in. 0 where the problem states no energy, else 1. */
int dae_system_energy(dae_system *sys, double t, const double *q, const double *v, double *energy,
                      double *power);

/* J[n x n] = dF/du (column-major) and F_t[n] = dF/dt at (t, u), analytic, by dual numbers or by differences.
 * DAE_UNSUPPORTED where the problem gives no analytic derivatives. The increment of a difference is
 * proportional to |u_i|, or where u_i = 0 to the largest unknown of its class. Entries lost to rounding,
 * because their row has much larger terms, are computed again with a larger increment. */
dae_status dae_system_jacobian(dae_system *sys, dae_jacobian_kind kind, double t, const double *u,
                               double *J, double *F_t, dae_report *report);

/* ---- solvers ------------------------------------------------------------------------------ */

/* Counts of a solver since its start; statistics.def says what each is. */
typedef struct {
#define DAE_STATISTIC(type, name, kind, title, meaning) type name;
#include "statistics.def"
#undef DAE_STATISTIC
} dae_statistics;

/* Statistic i in the order of statistics.def, as a number, with its name and the title of its column (pointers may be
 * NULL). NaN, and NULL for both, where i is below 0 or behind the last. */
double dae_statistic(const dae_statistics *s, int i, const char **name, const char **title);

dae_statistics dae_solver_statistics(const dae_solver *solver);
/* The kinds in use, where the options say BEST. */
dae_jacobian_kind dae_solver_jacobian(const dae_solver *solver);
dae_linear_kind dae_solver_linear(const dae_solver *solver);

/* The differential index of unknown i, at least 1, which the error test goes by: errors of an unknown of index k > 1
 * are multiplied by the (k-1)-th power of the step over the time in which the solution changes (Hairer, Wanner
 * (1996), Solving Ordinary Differential Equations II, VII.4), and may be above the tolerance. 0: no such unknown. */
int dae_solver_index(const dae_solver *solver, int i);

/* ---- the rank of the constraints along a run ------------------------------------------------ */

/* Does a run of a mechanical system pass a state where G, the gradient of its constraints (and A of nonholonomic
 * ones), loses rank within its tolerance? There multipliers need not exist, and solutions may branch: a
 * four-bar linkage on one line goes on as a parallelogram or as an antiparallelogram. A state is passed where a
 * change of q within atol + rtol |q| of each coordinate, or as large as the drift of g, makes rows depend on
 * each other, or where the drift is what joins branches otherwise that meet nearby (s d/2 < |g|, d the way to
 * such a state, s^2 the eigenvalue of G M^-1 G^T); with fixed steps by the drift alone.
 *
 *     dae_rank_watch_create(&watch, sys, &options, &why);
 *     dae_rank_watch_begin(watch, t0, u0);                    again behind each jump of the state
 *     dae_rank_watch_step(watch, t, u, solver);               after each step; solver: its dense output
 *     dae_rank_watch_end(watch, &lost, &why);
 *
 * create: *watch is NULL, which all others take and do nothing with, where there are no constraints or more
 * than 400 coordinates and constraints together; options as those of the run. DAE_BAD_ARGUMENT,
 * DAE_NO_MEMORY. step: about as much work as two evaluations of the accelerations, and where the smallest
 * eigenvalue of G M^-1 G^T has a minimum inside the step, about ten more. end: *lost, which is to be zero, or
 * of another watch of the same run, becomes the first state, of the eight minima that are smallest;
 * DAE_NO_MEMORY. */
typedef struct dae_rank_watch dae_rank_watch;
typedef struct {
    int found;                  /* 1: there is one; the rest is 0 else */
    double t;
    int rows;                   /* so many constraints depend on each other there, */
    char which[96];             /* these, from 1: "1, 2, 3", as many as fit */
    double distance;            /* largest change of a coordinate that makes them, in its tolerance */
} dae_rank_loss;
dae_status dae_rank_watch_create(dae_rank_watch **watch, dae_system *sys, const dae_options *options,
                                 dae_report *report);
void dae_rank_watch_free(dae_rank_watch *watch);
void dae_rank_watch_begin(dae_rank_watch *watch, double t, const double *u);
void dae_rank_watch_step(dae_rank_watch *watch, double t, const double *u, dae_solver *solver);
dae_status dae_rank_watch_end(dae_rank_watch *watch, dae_rank_loss *lost, dae_report *report);

DAE_API_END

#endif
