/* event_reference.h - reference solutions of problems with events and modes, as quad numbers
 *
 * For programs that measure errors of hybrid runs. In C.
 */
#ifndef DAELAB_EVENT_REFERENCE_H
#define DAELAB_EVENT_REFERENCE_H

#include "api.h"
#include "daelab.h"
#include "reference.h"
#include "scalar.h"

DAE_API_BEGIN

/* An event of the solution. Of several at one time each begins with the state after the one before, in the
 * order in which a run records them (dae_event_record). before and after are (q, v, lambda) with lambda from
 * the acceleration level of the mode, or u: dae_event_reference.size numbers and nl of modes from and to. */
typedef struct {
    const char *name;           /* "floor", "diode[3]"; as long as the reference exists */
    int number;                 /* k of its entry */
    int direction;              /* -1 falling, 1 rising; 0: caused by an action or by entering a mode */
    int from, to;               /* modes before and after */
    dae_quad t;
    const dae_quad *before, *after;
} dae_reference_event;

typedef struct {
    int size, width;            /* of (q, v) or u; numbers in a row of x: size and the largest nl */
    int count;                  /* of the times those that the solution reaches */
    int *mode;                  /* [count] in which it is there */
    dae_quad *x;                /* [count x width] (q, v, lambda) or u at the times; at an event after it */
    int events;
    dae_reference_event *event; /* [events] */
    int ended;                  /* 1: the last event ended the run, before the last of the times */
    double digits;              /* of two computations that agree, -log10 of the largest difference: of event
                                   times against the interval, of states against the largest of their class */
    const char *source;         /* a name of dae_reference_source */
    dae_quad *states;           /* those of the events */
    char *names;
} dae_event_reference;

/* Compute the solution of the problem, with its events and modes, from its start (made consistent) at count
 * increasing times in quad precision.
 *
 * Runs in doubles by two tolerances, far below those of studies, tell which events happen and in which
 * order. Between them the solution is extrapolated, or collocated where M is singular or F is stiff; each
 * event is located in quad on the motion itself; actions and entries to modes are those of the model in quad.
 * All this is done twice, by different orders and tolerances.
 *
 * DAE_NO_CONVERGENCE, with a sentence, where that does not agree to 18 digits, where the runs in doubles have
 * different events, or where an event function comes so near to zero, or several events come so near to each
 * other, that rounding decides. DAE_ACCUMULATION where events accumulate before the last time (the sentence
 * has the time); DAE_UNSUPPORTED where a function has no pass for quad numbers; DAE_BAD_MODEL where the passes
 * differ; and what a run may fail by. parameters, options and watch may be NULL. The reference is to be freed
 * where it was made. */
dae_status dae_event_reference_solve(dae_event_reference *reference, const dae_problem *problem,
                                     const double *parameters, const dae_formulation_options *options,
                                     const double *times, int count, const dae_reference_watch *watch,
                                     dae_report *report);
void dae_event_reference_free(dae_event_reference *reference);

DAE_API_END

#endif
