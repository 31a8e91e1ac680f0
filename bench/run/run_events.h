/* run_events.h - runs of problems with events, and what of their events is measured */
#ifndef DAELAB_RUN_EVENTS_H
#define DAELAB_RUN_EVENTS_H

#include <daelab/study.h>

enum { RUN_EVENT_NAME = 48 };

/* An event of a run beside that of the reference with the same number. */
typedef struct {
    char name[RUN_EVENT_NAME];
    int from, to;               /* modes before and after */
    double t, t_error;          /* [unit of t]; NaN: there is nothing to compare with */
    double error[DAE_CLASSES];  /* after it, the largest of any component; NaN */
} run_event;

typedef struct {
    int count, compared;        /* how many; of the first so many those of the reference were the same */
    run_event *at;              /* [count]; owned */
    double error, norm, noise;  /* of the times: the largest, the root mean square; what rounding makes of that */
    double after[DAE_CLASSES];          /* of the states after them, the largest */
    double after_norm[DAE_CLASSES];     /* root mean square over the events of Euclidean norms */
    double after_noise[DAE_CLASSES];    /* what rounding makes of that */
    double after_scale[DAE_CLASSES];    /* the largest component of the reference after any */
} run_events;

#endif
