/* solver.h - private data of a solver, which methods do not see */
#ifndef DAE_SOLVER_H
#define DAE_SOLVER_H

#include "base/numbers.h"
#include "base/components.h"
#include "control.h"
#include "daelab/method.h"
#include "system/system.h"

#include <string.h>

/* Guards in the order in which they check; what follows the steps: they, and four parts of a solver. */
enum { DAE_REPEATS, DAE_COMPARES, DAE_SEES_NOISE, DAE_GUARDS, DAE_FOLLOWERS = DAE_GUARDS + 4 };

typedef struct {
    dae_solver solver;          /* the part that a method sees; must be the first member */
    void *memory;               /* one block for the arrays of both */
    int started;
    int inside;                 /* 1: in a call of start or advance, or a part of a hybrid run: what would change
                                   it is refused (driver/entry.c) */
    dae_observer *observer;
    void *observer_context;
    /* Accepts the step that a method with own_control, which makes several in one call, has made to t_new, u_new:
     * what the driver does between two calls. */
    dae_status (*keep_step)(dae_solver *solver);
    /* output, projection and event location */
    struct dae_projection *projection;  /* projection after each step, or NULL */
    struct dae_output *output;  /* corrects dense output and multipliers (output.c), or NULL */
    int corrects_output;        /* 1: output replaces the method's multipliers (index 3: and velocities) by
                                   those of the acceleration level */
    int output_measured;        /* 1: output holds data of the last step */
    dae_control control;        /* what the step-size controller remembers */
    const dae_controller *controller;   /* NULL: that of the method */
    struct dae_derivative *derivative;  /* where M is not diagonal, or IDA wants all of u' */
    struct dae_watcher *watcher;        /* NULL: no event functions */
    dae_solver *event_solver;   /* second solver of the same method, for steps that end at events; or NULL */
    /* u[n] := the end of one step of the method from (a, begin[n]) to t, inside the last step. NULL without
     * event functions, and for multistep methods. */
    dae_status (*step_to_event)(dae_solver *solver, double a, const double *begin, double t, double *u);
    /* steps much shorter than the error estimate allows (cut.c) */
    double *open;               /* [n] the part of F that such a step omits from the algebraic equations */
    int cuts, was_cut;          /* 1: the method allows such steps; 1: the last accepted step was one */
    /* short steps to an output time or t_end (extend.c, short_start.c) */
    double *shown;              /* [n] the state reported at t_from, ... */
    double t_from;              /* begin of the part of the last step not reported yet; t_old, or later in a
                                   step that was repeated longer */
    double full;                /* the step size proposed before it was shortened */
    int is_short;               /* 1: h < full/4 in a first-order problem of index 2 or 3 */
    int half_failed;            /* 1: then a step of size h/2 or h/4 has failed */
    double *half, error_of_half;        /* [2 n] ends of steps of size h/2 and h/4; error estimate of h/2 */
    double variation_before;    /* variation and was_cut before the last accepted step */
    int was_cut_before;
    dae_components *components; /* what has an index where M sees combinations of unknowns; NULL: unknowns */
    /* mean rate of change of the solution (rate.c) */
    int scales_by_rate;         /* 1: steps are chosen by error control, and the index is 2 or 3 */
    double time_scale;          /* that of the start; 0: not known yet */
    double variation;           /* path over largest, the root mean square */
    double *path;               /* [n] the way that each unknown has gone since the start; or NULL */
    double *largest;            /* [n] largest |u_i| since the start; or NULL */
    struct dae_crossing *crossing;      /* jumps of algebraic unknowns (driver/cross.c), or NULL */
    int crossed;                /* 1: the last step is such a jump, from u_old to u */
    /* what follows each accepted step, in this order; checks of the computed solution (driver/guards.h) */
    void (*kept[DAE_FOLLOWERS])(dae_solver *solver);
    int followers;
    void *guard[DAE_GUARDS];    /* what each guard keeps; NULL: it is not there */
    /* Called with the first of these after each accepted step, before all else: u_old and u are the method's own. */
    void *varied;
    void (*vary)(void *varied); /* NULL: neither sensitivities nor a gradient are wanted */
    dae_status (*test)(void *varied);   /* may raise the error of the step that was just made; NULL: none */
    double proposed;            /* the step size that the step was tried with: it may have been shortened */
    int unguarded;              /* 1: the solver is a part of another one's run: it has no guards */
    long runs;                  /* times it was started */
    long generation;            /* sys->generation when this solver was created or renewed */
} dae_driver;

static inline dae_driver *driver(const dae_solver *solver)
{
    return (dae_driver *)(uintptr_t)solver;
}

/* kept is called after each accepted step. */
static inline void dae_follow_with(const dae_solver *s, void (*kept)(dae_solver *))
{
    driver(s)->kept[driver(s)->followers++] = kept;
}

/* The functions of daelab.h and hybrid.h without their checks of arguments and of who calls (driver/entry.c). */
dae_status dae_driver_create(dae_solver **solver, dae_system *sys, const dae_method *method,
                             const dae_options *options, dae_report *report);
dae_status dae_driver_create_unguarded(dae_solver **solver, dae_system *sys, const dae_method *method,
                                       const dae_options *options, dae_report *report);
void dae_driver_free(dae_solver *solver);
dae_status dae_driver_start(dae_solver *solver, double t, const double *u);
dae_status dae_driver_advance(dae_solver *solver, double t_end, double *u);
dae_status dae_driver_interpolate(dae_solver *solver, double t, double *u);

/* The magnitude by which the relative error of unknown i is measured. It is size, the present |u_i|; for
 * multipliers and accelerations of mechanical systems of index 2 and 3 it is the largest |u_i| since the
 * start, if that is larger (rate.c) and index_scale_by_interval is not set. */
static inline double dae_usual_size(const dae_solver *s, int i, double size)
{
    const double *largest = driver(s)->largest;
    return largest && i >= 2 * s->sys->nq && s->sys->nq && !s->index_scale_by_interval && largest[i] > size
               ? largest[i] : size;
}

/* x[n] in what has an index of its own: x itself, or combinations in a work array, valid until the next call;
 * put: in place. */
static inline const double *dae_by_index(const dae_solver *s, const double *x)
{
    const dae_components *c = driver(s)->components;
    if (!c)
        return x;
    dae_components_of(c, x, c->y);
    return c->y;
}

static inline void dae_put_by_index(const dae_solver *s, double *x)
{
    const double *y = dae_by_index(s, x);
    if (y != x)
        memcpy(x, y, (size_t)s->n * sizeof *x);
}

/* Their indices [n]; has component i a derivative in M u'? */
static inline const int *dae_indices(const dae_solver *s)
{
    return driver(s)->components ? driver(s)->components->index : s->variable_index;
}
static inline int dae_has_derivative(const dae_solver *s, int i)
{
    const dae_components *c = driver(s)->components;
    return c ? !c->algebraic[i] : !dae_system_is_algebraic(s->sys, i);
}

/* u[n] := from[n], 0 where that is NULL, in what is of index 2 and above */
static inline void dae_take_higher_index(const dae_solver *s, const double *from, double *u)
{
    if (driver(s)->components)
        dae_components_take(driver(s)->components, from, u);
    for (int i = 0; !driver(s)->components && i < s->n; i++)
        if (s->variable_index[i] > 1)
            u[i] = from ? from[i] : 0;
}

/* relative_step: h times the mean rate at which the solution has changed, relative to its size (rate.c).
 * It has no unit, is at most 1, and is 1 for h = INFINITY. Only with error control, in index 2 and 3.
 * part_of_time: h/T with the time T since the start, for Newton's iteration, so that rounding errors of
 * multipliers near 0 do not prevent convergence.
 * index_scale: the factor of variables of index 2 and 3 in the error norm. It is relative_step, with
 * solver->index_scale_by_interval part_of_time, and 1 where driver(solver)->scales_by_rate is 0. */
double dae_relative_step(const dae_solver *solver, double h);
double dae_index_scale(const dae_solver *solver, double h);
double dae_part_of_time(const dae_solver *solver, double h);
void dae_rate_start(dae_solver *solver);                /* at solver->t, solver->u */
/* The time scale of the start from u' and u''; h where they tell none */
void dae_rate_begin(dae_solver *solver, const double *du, const double *ddu, double h);
void dae_rate_kept(dae_solver *solver);                 /* after an accepted step from u_old to u */
void dae_rate_undo(dae_solver *solver);                 /* it is undone */
void dae_rate_follow(dae_solver *solver, const dae_solver *other);  /* begins where the last step of other did */

/* Default of dae_solver.first_error, for methods that do not set it. */
#define DAE_FIRST_ERROR 0.01

/* The step size h with h^k |y^(k)| = error, from d0 = |y|, d1 = |y'| > 0 and d2 = |y''| in units of the
 * tolerance. d0 = INFINITY: |y| tells no rate of change. */
double dae_step_of_rates(double d0, double d1, double d2, double error, int k);

/* driver->time_scale, of a solver whose first step is given or of no interest here */
void dae_look_at_start(dae_solver *solver, double t_end);


/* cut.c: call begin before a step from (t, u) of size h that was shortened from size full, and end after
 * the step. */
void dae_cut_begin(dae_solver *solver, double h, double full);
void dae_cut_end(dae_solver *solver);

/* F may be evaluated up to this time: the end of the problem's interval, or t_end if that is later. */
static inline double dae_farthest(const dae_solver *solver, double t_end)
{
    const double far = solver->sys->problem->t_end;
    return far > t_end ? far : t_end;
}

/* jump.c: 1 where F(., u) seems discontinuous between t - back and t + ahead (back, ahead > 0). It takes
 * three evaluations of F. */
int dae_jumps(dae_solver *solver, double t, double back, double ahead);

/* short_start.c, for a step of size h that an output time or t_end has made much shorter than driver->full.
 * begin: before the step is tried. pass: after it, may accept its error estimate. judge: before it is
 * accepted, replaces unknowns of index 2 and 3 that are dominated by errors divided by h.
 * start: the same for methods that control their steps, at a time so short after the start that the
 * solution has not changed. */
void dae_short_start_begin(dae_solver *solver, double h, double t_end);
void dae_short_start_pass(dae_solver *solver);
void dae_short_start_judge(dae_solver *solver, double h);
void dae_short_start_start(dae_solver *solver, double time, const double *start);

/* After a step was tried: its equations were solved, and it passes the error test. */
static inline int dae_step_passes(const dae_solver *solver)
{
    return !solver->newton_failed && solver->error <= 1;
}

/* After a try of size h, whose error is set: the factor to the next step size (control.h), and whether it is so
 * large that F in the step should be looked at. Then whether the step was kept. */
double dae_step_factor(const dae_solver *solver, double h);
int dae_step_leaps(const dae_solver *solver, double h);
void dae_step_kept(dae_solver *solver, double h);
void dae_step_rejected(dae_solver *solver);

/* The same for a method whose usual controller is another one, with a factor to its safety (control.h). */
double dae_step_factor_by(const dae_solver *solver, const dae_controller *usual, double h, double caution);

/* After a failed step: DAE_OK if F is finite at the solver's (t, u), else DAE_NOT_FINITE. */
dae_status dae_solver_check_rhs(dae_solver *solver);

#endif
