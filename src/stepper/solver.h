/* solver.h - the driver's state and what a method has to provide */
#ifndef DAE_SOLVER_H
#define DAE_SOLVER_H

#include "base/numbers.h"
#include "system/system.h"

/* A method is one const record: what it is (info) and five functions. */
struct dae_method {
    dae_method_info info;
    const void *tableau;
    int own_control;            /* chooses and tests its steps itself (IDA) */
    int error_order;            /* order of the error estimate; 0: the stepper sets it */
    int keeps_open;             /* steps cut short are those of cut.c */
    /* DAE_OK where the method can solve the system, else DAE_UNSUPPORTED with the reason */
    dae_status (*supports)(const dae_method *method, const dae_system *sys, dae_report *report);
    /* Allocate solver->stepper for solver->sys and solver->options. */
    dae_status (*create)(dae_solver *solver);
    /* Begin at solver->t, solver->u; may be NULL. */
    dae_status (*start)(dae_solver *solver);
    /* After a start: steps such as the last one kept of another solver of the same method and system,
     * whose stepper is given. NULL for methods that begin as they go on. */
    void (*follow)(dae_solver *solver, const void *stepper);
    /* One step of size h from (t, u) at t into u_new at t_new = t + h (set by the driver). Where the
     * driver chooses steps (adaptive != 0) the step also leaves in solver->error the weighted norm of
     * its local error estimate, of local order error_order + 1: the step is kept where error <= 1.
     * Where its equations are not solved and a smaller step by h_next is to be tried, it sets unsolved
     * and an error above 1, which is no estimate.
     * It may set h_next > 0 to choose the next step itself (and then h_next counts after a rejection
     * too), and end_checked = 1 where it saw F at its end to be finite. A failure DAE_NOT_FINITE,
     * DAE_SINGULAR or DAE_NO_CONVERGENCE is retried smaller.
     * A method with controls of its own (own_control) gets t_stop, sets t_new, and counts its steps.
     * Nothing but u_new, t_new, error, unsolved, h_next, end_checked and the stepper may change. */
    dae_status (*step)(dae_solver *solver, double h, double t_stop);
    /* Called after a step was kept: (t, u) is its end, (t_old, u_new) its begin; may be NULL. It may
     * move u, by a projection. */
    dae_status (*accepted)(dae_solver *solver);
    /* Called after accepted steps that a projection (options.project) has moved by by[n], which u
     * contains already; NULL for methods that go on from u. */
    void (*moved)(dae_solver *solver, const double *by);
    /* Before rows of the last step are asked for: make dense output as good as the step, where that
     * takes some work. The search for events does without. May be NULL. */
    dae_status (*refine)(dae_solver *solver);
    /* Dense output: u[n] at t in the last step kept, [t_old, t]; NULL where there is none. */
    dae_status (*interpolate)(dae_solver *solver, double t, double *u);
    /* A method that finds passages through zero itself: tell it of solver->watcher. After a step that
     * ended at one, watcher->own and found_own say so. NULL: the driver finds them alone. */
    dae_status (*watch)(dae_solver *solver);
    void (*destroy)(dae_solver *solver);
};

struct dae_solver {
    dae_system *sys;
    const dae_method *method;
    dae_options options;
    int n;
    double t, t_new, t_old;
    double *u, *u_new;          /* [n]; they change places when a step is kept */
    double *work;               /* [2 n] scratch of the first step; F(t, u) where F_in_work */
    double *atol;               /* [n] absolute tolerance of each unknown */
    int F_in_work;
    int end_checked;            /* the step has seen itself that F(t_new, u_new) is finite */
    void *stepper;
    struct dae_conserve *conserve;      /* projection after each step, or NULL */
    struct dae_row *row;        /* what rows between steps are moved onto, and multipliers, or NULL */
    int shows, row_measured;    /* is what is shown not the method's own; does row know the last step? */
    struct dae_derivative *derivative;  /* where M is not diagonal, or IDA wants all of u' */
    int adaptive;               /* the driver chooses steps */
    int unsolved;               /* the step has no end: its iteration was too slow */
    double h, h_next;           /* the step to try; what the stepper wants next, or 0 */
    double error, error_old;    /* weighted norm of the last estimate, of the last kept step */
    int error_order;            /* of the estimate; before the first step, 0: not known yet */
    double first_error;         /* h^k |y^(k)| of the first step in tolerances, k = error_order + 1 */
    int *variable_index;        /* [n] differential index of each unknown, for the error norm */
    double *open;               /* [n] cut.c: left open in a step that is cut short; */
    int cuts, cut, was_cut;     /* may there be such steps, is it one, was the last one kept? */
    double *shown;              /* [n] extend.c: what was shown at t_from, where ... */
    double t_from;              /* ... what is new of the last step begins: t_old where it is not longer */
    int extending;
    double full;                /* the step that was to come, before its first try, ... */
    int doubtful;               /* trust.c: ... of which this one is a small part; ... */
    double *half, error_of_half;        /* [2 n] ... ends of steps of half and a quarter of it, an estimate */
    double changes_before;      /* of the last step kept: what changes and was_cut were */
    int was_cut_before;
    int paced;                  /* somebody asks for dae_relative_step, ... */
    int by_interval;            /* the error norm takes its least value: dae_index_scale */
    double t_begun, changes;    /* ... which knows the start, how often u has changed by itself, ... */
    double *largest;            /* [n] ... and for dae_usual_size the largest |u_i| seen; or NULL */
    struct dae_repeat *repeat;  /* what has grown is computed again; NULL in the second solver */
    struct dae_noise *noise;    /* chosen steps: what rounding in F may have done, or NULL */
    struct dae_watcher *watcher;        /* NULL where nothing is watched */
    int searching;              /* for events in the last step */
    double t_target;            /* where this call of dae_solver_advance ends */
    dae_observer *observer;
    void *observer_context;
    dae_statistics count;
    dae_report report;
    dae_jacobian_kind jacobian; /* in use; BEST where the method takes none */
    dae_linear_kind linear;
    int started;
    long generation;            /* of the system's parameters, when the parts were made */
};

/* The parts again, as of a solver that is created now: the system has other parameters. What is watched
 * and who observes stay. After a failure the solver can only be freed, or tried again. */
dae_status dae_solver_renew(dae_solver *solver);

/* DAE_BAD_ARGUMENT where the system's parameters are not those that the solver was started with. */
dae_status dae_solver_check_parameters(dae_solver *solver);

/* The root mean square of e_i/(rtol |u_i| + atol_i) over the unknowns in the error test, where u is the
 * larger of the state before and after, and of dae_usual_size; an unknown of index k counts with
 * dae_index_scale^(k-1). */
double dae_error_norm(const dae_solver *solver, const double *e, double h);

/* size, that of unknown i now, or for multipliers and accelerations of mechanical systems in index 2
 * and 3 the largest since the start, where that is larger (pace.c); not by_interval. */
static inline double dae_usual_size(const dae_solver *s, int i, double size)
{
    return s->largest && !s->by_interval && s->largest[i] > size ? s->largest[i] : size;
}

/* The part of itself by which the solution changes in a step of size h, at its mean pace (pace.c); at
 * most 1, and 1 for h = INFINITY. Free of units. For chosen steps, in index 2 and 3.
 * The part of the interval is its least possible value, for iterations that must not be held up by
 * the rounding of multipliers that pass 0. The scale of index 2 and 3 in the error norm is the one
 * or, by_interval, the other; 1 where nothing is paced. */
double dae_relative_step(const dae_solver *solver, double h);
double dae_index_scale(const dae_solver *solver, double h);
double dae_part_of_interval(const dae_solver *solver, double h);
void dae_pace_start(dae_solver *solver);                /* at solver->t, solver->u */
void dae_pace_kept(dae_solver *solver);                 /* from u_new to u */

/* The first step for a method of order p, from F at the start (Hairer, Norsett, Wanner, II.4), with
 * first_error, DAE_FIRST_ERROR where the constant of its estimate is not known. */
#define DAE_FIRST_ERROR 0.01
double dae_initial_step(dae_solver *solver, int p, double t_end);

/* h with h^k |y^(k)| = error, from |y|, |y'| > 0 and |y''| in units of the tolerance. span: a time to
 * fall back upon. */
double dae_step_of_rates(double d0, double d1, double d2, double span, double error, int k);

/* cut.c: before the first try of a step from (t, u), where one of size full was to come, and after it. */
void dae_cut_begin(dae_solver *solver, double h, double full);
void dae_cut_end(dae_solver *solver);

/* Where F may be asked for its values on the way to t_end: the end of the problem's interval, or t_end. */
static inline double dae_farthest(const dae_solver *solver, double t_end)
{
    const double far = solver->sys->problem->t_end;
    return far > t_end ? far : t_end;
}

/* settle.c: a start that is on the constraints but for its tolerance is moved onto them. */
void dae_settle_start(dae_solver *solver);

/* extend.c: can a step to t_end be the last one, made longer? Do so; kept = 0: it has to be another one. */
int dae_extend_can(const dae_solver *solver, double t_end);
dae_status dae_extend(dae_solver *solver, double t_end, int *kept);

/* jump.c: is F(., u) not smooth between t - back and t + ahead, both positive? Three F. */
int dae_jumps(dae_solver *solver, double t, double back, double ahead);

/* trust.c: before a try of a step of size h to a stop at t_end or before it, where one of size full was to
 * come; with its estimate; before it is kept. And where a run has begun so little time ago that nothing
 * has changed. */
void dae_trust_begin(dae_solver *solver, double h, double t_end);
void dae_trust_pass(dae_solver *solver);
void dae_trust_judge(dae_solver *solver, double h);
void dae_trust_start(dae_solver *solver, double time, const double *start);

/* Try one step from t to t_next; kept: whether it passed, and then the solver is there. A failure that
 * another step might not meet is none. */
dae_status dae_solver_try(dae_solver *solver, double t_next, int *kept);

/* The factor for the next step after an error estimate (PI control), and after a failure. */
enum { DAE_MOST_GROWTH = 5 };
double dae_step_factor(const dae_solver *solver, int kept);

/* DAE_OK where x[n] is finite; else DAE_NOT_FINITE, naming what, the component and the time. */
dae_status dae_solver_check_finite(dae_solver *solver, const double *x, const char *what, double t);

/* The same for F at the solver's (t, u): where a step failed, is that the reason? */
dae_status dae_solver_check_rhs(dae_solver *solver);

#endif
