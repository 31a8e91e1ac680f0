/* gradient.h - the steps of a run as they are kept, and the way back through them */
#ifndef DAE_GRADIENT_H
#define DAE_GRADIENT_H

#include "daelab/gradient.h"
#include "sensitivity/sensitivity.h"
#include "variation/transpose.h"

/* A step: its end, the size that was proposed for it, what of it its method chose. */
typedef struct {
    double t, size;
    int shape, cut;             /* cut: 1: it, or the one before, was shortened (stepper/cut.c) */
} dae_kept_step;

/* A cost behind so many steps, and where is_aside one step more that the run has undone: its derivatives by the
 * method's own state there, and by p directly. */
typedef struct {
    int step, is_aside;
    dae_kept_step aside;
    double *u, *p;              /* [n], [parameters] */
} dae_kept_cost;

/* The state with which step number `step` begins, and the numbers of that step (dae_method.shape); known = 0: there are
 * none, or it has not been made again yet. */
typedef struct {
    int step, known;
    double *u, *numbers;        /* [n], [numbers of the gradient] */
} dae_kept_state;

struct dae_gradient {
    dae_solver *solver, *again; /* again: of the same method, makes steps once more */
    dae_transpose a;            /* by the parameters of the directions */
    dae_status status;
    long run;                   /* number of the solver's run that is followed */
    int *parameter;             /* of the directions: as many as a.v.count */
    int unknowns, *unknown;     /* and the starts */
    double t0, *u0, *from;      /* [n] the start; from is of no use where given is 0 */
    int given;
    const dae_hybrid *hybrid;   /* that the solver is of, or NULL */
    int *held;                  /* [n] as in dae_sensitivity */
    double *own;                /* [n] u as the method goes on */
    dae_sensitivity *columns;   /* of `again`, by directions that are of no meaning */
    double *product, *state_now, *main_way;     /* [n] scratch of the way back */
    dae_kept_step *step;        /* of the run */
    int steps, room;
    dae_kept_state *state;      /* with which every stride-th step begins; at most so many, 0: all */
    int states, state_room, most, stride;
    dae_kept_cost *cost;
    int costs, cost_room;
    int numbers;                /* most that a step has */
    dae_kept_state *place;      /* [places] for states on the way back */
    int places;
    int made;                   /* the step that `again` has made last; -1: none that it may go on from */
};

/* hybrid.c: is the run still the one that is followed? */
dae_status dae_gradient_follows(dae_gradient *g);

/* tape.c: begin anew at the solver's start; keep the step that the solver has just accepted, as dae_driver.vary. */
void dae_tape_begin(dae_gradient *g);
void dae_tape_keep(void *gradient);
void dae_tape_free(dae_gradient *g);
/* A zeroed cost at the end of the last step; NULL: no memory, with a report. */
dae_kept_cost *dae_tape_cost(dae_gradient *g);

/* transpose_step.c: where a map takes du, dp to A du + B dp, a.u := A^T a.u and a.p += B^T a.u. Of the step that stands
 * in `again`; of what the solver shows instead of its own state. */
dae_status dae_transpose_step(dae_gradient *g);
dae_status dae_transpose_shown(dae_gradient *g);

/* start.c: dJ[directions] from a.u and a.p at the start, which dae_walk_back has found. */
dae_status dae_gradient_of_start(dae_gradient *g, double *dJ);

/* back.c: a.u and a.p := the derivatives of all costs by the start, and by p, with the start held. */
dae_status dae_walk_back(dae_gradient *g);
void dae_free_places(dae_gradient *g);

#endif
