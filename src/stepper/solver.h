/* solver.h - what the driver keeps behind a solver, for itself and for what surrounds a method */
#ifndef DAE_SOLVER_H
#define DAE_SOLVER_H

#include "base/numbers.h"
#include "daelab/method.h"
#include "system/system.h"

typedef struct {
    dae_solver solver;          /* what a method sees; it comes first */
    int started;
    dae_observer *observer;
    void *observer_context;
    /* what is shown, projected and watched */
    struct dae_conserve *conserve;      /* projection after each step, or NULL */
    struct dae_row *row;        /* what rows between steps are moved onto, and multipliers, or NULL */
    int shows, row_measured;    /* is what is shown not the method's own; does row know the last step? */
    struct dae_derivative *derivative;  /* where M is not diagonal, or IDA wants all of u' */
    struct dae_watcher *watcher;        /* NULL where nothing is watched */
    dae_solver *locator;        /* the same method, for steps beside the run; NULL: it needs none */
    /* u[n] := the end of one step of the method from (a, begin[n]) to t, inside the last step. NULL where
     * nothing is watched, or the method finds passages itself. */
    dae_status (*step_beside)(dae_solver *solver, double a, const double *begin, double t, double *u);
    /* steps that are cut short (cut.c) */
    double *open;               /* [n] left open in such a step */
    int cuts, was_cut;          /* may there be such steps, was the last one kept? */
    /* steps to a stop (extend.c, trust.c) */
    double *shown;              /* [n] what was shown at t_from, where ... */
    double t_from;              /* ... what is new of the last step begins: t_old where it is not longer */
    double full;                /* the step that was to come, before its first try, ... */
    int doubtful;               /* ... of which this one is a small part; ... */
    double *half, error_of_half;        /* [2 n] ... ends of steps of half and a quarter of it, an estimate */
    double changes_before;      /* of the last step kept: what changes and was_cut were */
    int was_cut_before;
    /* the pace of the solution (pace.c) */
    int paced;                  /* somebody asks for dae_relative_step, ... */
    double changes;             /* ... which knows how often u has changed by itself, ... */
    double *largest;            /* [n] ... and for dae_usual_size the largest |u_i| seen; or NULL */
    /* doubts about what was computed */
    struct dae_repeat *repeat;  /* what has grown is computed again; NULL in the second solver */
    struct dae_noise *noise;    /* chosen steps: what rounding in F may have done, or NULL */
    long generation;            /* of the system's parameters, when the parts were made */
} dae_driver;

static inline dae_driver *driver(const dae_solver *solver)
{
    return (dae_driver *)(uintptr_t)solver;
}

/* size, that of unknown i now, or for multipliers and accelerations of mechanical systems in index 2
 * and 3 the largest since the start, where that is larger (pace.c); not by_interval. */
static inline double dae_usual_size(const dae_solver *s, int i, double size)
{
    const double *largest = driver(s)->largest;
    return largest && !s->by_interval && largest[i] > size ? largest[i] : size;
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
void dae_pace_kept(dae_solver *solver);                 /* from u_old to u */

/* The first step where the constant of a method's estimate is not known. */
#define DAE_FIRST_ERROR 0.01

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

/* jump.c: is F(., u) not smooth between t - back and t + ahead, both positive? Three F. */
int dae_jumps(dae_solver *solver, double t, double back, double ahead);

/* trust.c: before a try of a step of size h to a stop at t_end or before it, where one of size full was to
 * come; with its estimate; before it is kept. And where a run has begun so little time ago that nothing
 * has changed. */
void dae_trust_begin(dae_solver *solver, double h, double t_end);
void dae_trust_pass(dae_solver *solver);
void dae_trust_judge(dae_solver *solver, double h);
void dae_trust_start(dae_solver *solver, double time, const double *start);

/* After a try of a step: has it an end, and one that passes the error test? */
static inline int dae_step_passes(const dae_solver *solver)
{
    return !solver->unsolved && solver->error <= 1;
}

/* The factor for the next step after an error estimate (PI control), and after a failure. */
enum { DAE_MOST_GROWTH = 5 };
double dae_step_factor(const dae_solver *solver, int kept);

/* DAE_OK where F is finite at the solver's (t, u): where a step failed, is that the reason? */
dae_status dae_solver_check_rhs(dae_solver *solver);

#endif
