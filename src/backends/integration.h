/* integration.h - a run of an integrator of SUNDIALS: IDA, CVODE or ARKODE
 *
 * What the driver asks of a method, said once for all of them. An integrator is a table of its functions,
 * whose first argument is the memory that it was created with; a code below 0 is a failure.
 */
#ifndef DAE_INTEGRATION_H
#define DAE_INTEGRATION_H

#include "linear.h"
#include "sundials.h"

#include "base/numbers.h"
#include "stepper/solver.h"

#include <math.h>
#include <nvector/nvector_serial.h>

/* What an integrator has counted since it was last begun, and where it is. */
typedef struct {
    long steps, error_fails, step_fails, setups, iterations, conv_fails;
    double last, next;          /* sizes of its last and its next step */
    double now;                 /* end of its last step, in its own time */
} dae_integration_counts;

typedef struct {
    const char *name;           /* "IDA", for reports */
    const dae_flag *flags;
    int conv_fail, setup_fail;  /* its codes where Newton's iteration or its matrix has failed */
    int too_many;               /* its code where max_steps were not enough */
    int linear_not_finite;      /* the code of its linear solver where J is not finite */
    int goes_past;              /* dense reaches a little past the last step */
    /* Begin at its own time 0 with the unknowns and u' of the run. step: one step towards far, to *t. stride: all
     * steps to far, or max_steps; or NULL. All times are its own. set_size: the size of fixed steps, or NULL. */
    int (*restart)(dae_solver *s);
    int (*step)(dae_solver *s, double far, double *t);
    int (*stride)(dae_solver *s, double far, double *t);
    int (*set_size)(void *memory, double h);
    int (*set_first_step)(void *memory, double h);
    int (*set_max_step)(void *memory, double h);
    int (*set_stop)(void *memory, double t);
    /* All counts; steps, last, next and now alone. */
    int (*counted)(void *memory, dae_integration_counts *counts);
    int (*progress)(void *memory, dae_integration_counts *counts);
    int (*dense)(void *memory, double t, int derivative, N_Vector u);
    int (*linear_flag)(void *memory, long *flag);
    int (*refuses)(dae_solver *s);      /* 1: its last step, which has passed, is to be made again, shorter; or NULL */
} dae_integrator;

typedef struct {
    const dae_integrator *code;
    void *memory;
    SUNContext context;
    dae_words words;
    double part, usual_part;    /* of the tolerance: what a step may err by; and until that proves too little */
    int length;                 /* of vectors: n, or the leading unknowns y of y' = f */
    N_Vector u, du;             /* the state, and u' at the start */
    N_Vector dense;             /* u between steps */
    /* With projections (options.project) u = w + d: an integrator, whose history cannot be moved from
     * outside, integrates w, and a move of u is added to d, which moves the history as a whole. */
    double *offset;             /* [length] d; NULL: none */
    double *whole;              /* [length] w + d, or V w + d */
    /* The integrator has combinations y = T u where these, not the unknowns, have an index of their own; or NULL. */
    const dae_components *components;
    dae_sundials_linear linear; /* zeroed: none */
    double *ends;               /* [3 x n] of the integrator's last step, and the start */
    double reached, last;       /* by its own steps; its last step, or 0 */
    double t_start;             /* where its own time is 0 */
    double h;                   /* of the next step, as far as it is known before it */
    double stop, own_stop;      /* where it has been told to stop, and that in its own time; NAN: nowhere */
    dae_integration_counts counts;      /* after its last step */
    dae_statistics before;      /* counted before it began, here or anew after a step undone */
    dae_statistics own;         /* rhs and jacobians not yet added to the solver's */
    int begun;                  /* a step was tried since the start */
    double far;                 /* the end of the present call of the integrator */
    int striding;               /* which makes all steps to it */
    dae_status refused;         /* a step was not kept, for this reason */
    int arrived;                /* a stride has come so close to far that its polynomial goes on from there */
    int undefined;              /* in the present step F or J was not finite somewhere, ... */
    double edge;                /* ... or in the last one that began here; NAN: in none */
    int singular;               /* in the present step f(t, y) was not determined */
    /* u[n] := the state of w; and F and u' at the start, into du */
    void (*unpack)(dae_solver *s, double t, N_Vector w, double *u);
    dae_status (*slope)(dae_solver *s);
} dae_integration;

/* What a step of a BDF method may err by, as a part of the tolerance. */
double dae_bdf_part(const dae_solver *s);

/* The run is the first member of what a method keeps. create: context and vectors; take_components: what is integrated
 * are those of the solver; 0: no memory. */
int dae_integration_create(dae_integration *r, const dae_integrator *code, int length,
                           const dae_solver *s);
int dae_integration_take_components(dae_integration *r, const dae_solver *s);
void dae_integration_free(dae_integration *r);

/* The linear solver of Newton's iteration, whose work is counted in the run. */
dae_status dae_integration_create_linear(dae_solver *s, int of_ode);

/* The time that the integrator calls own. */
static inline double dae_integration_time(const dae_integration *r, double own)
{
    return own == r->own_stop ? r->stop : r->t_start + own;
}

/* The unknowns w + d, or V w + d, of w [length]. Valid until the next call. */
double *dae_integration_moved_unknowns(const dae_integration *r, const double *w);
static inline double *dae_integration_unknowns(const dae_integration *r, N_Vector w)
{
    return r->whole ? dae_integration_moved_unknowns(r, NV_DATA_S(w)) : NV_DATA_S(w);
}

/* The answer to an integrator: 0, or 1 where numbers are not finite, 0 times whose sum is zero; or x[n] are not. */
static inline int dae_integration_answer(dae_integration *r, double zero)
{
    const int finite = zero == 0;
    r->undefined |= !finite;
    return !finite;
}
static inline int dae_integration_judge(dae_integration *r, const double *x, int n)
{
    return dae_integration_answer(r, dae_vector_finite(n, x) ? 0 : NAN);
}

/* What a matrix function answers: a M - b J is factored. */
static inline int dae_integration_factor(dae_integration *r, double a, double b)
{
    const int answer = dae_sundials_linear_factor(&r->linear, a, b);
    r->undefined |= answer > 0;
    return answer;
}

/* Weights of the error test, a function as integrators take it; data is the dae_solver. */
int dae_integration_weights(N_Vector w, N_Vector out, void *data);

/* The failure of a step or a creation, with the integrator's own words. */
dae_status dae_integration_explain(dae_solver *s, int flag);

/* Functions of a dae_method. A step of a size h > 0 ends at t_stop, in one or, chosen by tolerance, more of
 * the integrator's own; with h = 0 it is one of those. */
dae_status dae_integration_start(dae_solver *s);
dae_status dae_integration_step(dae_solver *s, double h, double t_stop);
dae_status dae_integration_interpolate(dae_solver *s, double t, double *u);
void dae_integration_moved(dae_solver *s, const double *by);

#define DAE_INTEGRATION(between)                                                                  \
    .own_control = 1, .limits_steps = 1,                                                          \
    .start = dae_integration_start, .step = dae_integration_step,                                 \
    .moved = dae_integration_moved, .interpolate = between

#endif
