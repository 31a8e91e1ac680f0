/* radau.h - the Radau IIA stepper: its state, and its parts
 *
 * Stages u_n + z_i, M z = h (A x I) F. With z = T w (radau_tableau.h) a simplified Newton step is
 *
 *     (M - g J) dw = g phi - M w,    phi = T^-1 (F(t_n + c_1 h, u_n + z_1), ...)
 *
 * one real system with g = h/mu and (s-1)/2 complex ones with g = h/(alpha + i beta).
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8.
 */
#ifndef DAE_RADAU_H
#define DAE_RADAU_H

#include "stepper/between.h"
#include "stepper/implicit.h"
#include "stepper/radau_tableau.h"
#include "stepper/solver.h"

enum { RADAU_ORDERS = (RADAU_STAGES - 1) / 2 };         /* 3, 5, 7 stages */

typedef enum {
    RADAU_CONVERGED, RADAU_GOING_ON, RADAU_SLOW, RADAU_DIVERGED,
    RADAU_BELOW_ROUNDING        /* the tolerance is */
} radau_outcome;

typedef struct {
    int fewest, most;           /* stages */
    radau_tableau tables[RADAU_ORDERS];
    const radau_tableau *tab;   /* of the next step */
    dae_linearised real;        /* J, and the real pencil; ... */
    dae_pencil *pair[RADAU_PAIRS];      /* ... the complex ones of the same J */
    /* [n x s] each: z, of the last step kept, of an earlier one; w; F at the stages; right sides
     * and corrections */
    double *z, *z_kept, *z_far, *w, *F, *dw;
    double *F0, *x, *Mx, *weight;       /* [n]: F(t, u), work, of the unknowns in Newton's norm */
    double *mass;               /* [n] the diagonal of M; ones where it has other entries */
    double *moved, *level, *noise;      /* [n] of radau_rounding.c */
    double *left, *left_rate;   /* [n] of radau_cut.c */
    double *memory;             /* one block for all */
    dae_between *dense;     /* NULL until a row asks for it */

    /* the collocation polynomial of the last step kept; kept_h = 0: none */
    const radau_tableau *kept;
    double kept_h, kept_t;      /* kept_t: where it begins */

    /* The one that predicts, where the last step was cut short: far_h = 0: it is the one above */
    const radau_tableau *far;
    double far_h, far_t;        /* far_t: where it begins */
    int cut;                    /* the step is less than half as long as it could be, ... */
    double full_h;              /* ... which in index 2 and 3 is this; else h */

    /* what the pencils hold; factored_h = 0: nothing */
    const radau_tableau *factored;
    double factored_h;
    int jacobian_at_t, F0_at_t; /* J, F0 are of (t, u) */
    int jacobian_useful;        /* J may serve one more step */

    /* Newton's iteration */
    int iterations;
    double tolerance;           /* rtol of the error estimate, 0.05 rtol^((s+1)/(2s)), and ... */
    double kappa;               /* ... of what Newton's iteration leaves, in units of that */
    double contraction;         /* theta of the last iteration */
    double progress;            /* theta/(1 - theta), kept between steps; 1 after a failure */
    double progress_h;          /* the step it belongs to */
    double slow_factor;         /* the step to try after RADAU_SLOW, as a part of h */
    int levelled, stalled;      /* level is of this step; corrections that did not fall, in a row */
    const radau_tableau *level_of;      /* what level belongs to, ... */
    double level_h;             /* ... with its h, 0: none, ... */
    int level_age;              /* ... and so many steps ago */
    double size, ratio;         /* of the last correction, in units of rounding; to that before */
    double smallest;            /* correction so far */

    /* steps and orders */
    int steps;                  /* kept since the start */
    int rejected;               /* the last attempt was */
    int failures;               /* of Newton's iteration in this step */
    int undone;                 /* attempts at it */
    int noise_known;            /* noise has been measured in one of them */
    int steps_at_order;
    double error_kept;          /* of the last step kept, for the predictive controller */
    double contraction_kept;    /* theta smoothed over steps, for the choice of order */
} radau;

/* Newton's iteration for a step of size h from the predicted r->w, r->z: r->z. */
radau_outcome dae_radau_newton(dae_solver *s, double h);

/* Its parts: x[n] := u + z_k; the correction r->dw to r->w from r->F, 0 where it fails. */
void dae_radau_stage(const dae_solver *s, int k, double *x);
int dae_radau_correction(dae_solver *s, double h);

/* With fixed steps (radau_rounding.c): before the iteration; w += dw; after z = T w: on? */
void dae_radau_begin_rounding(dae_solver *s, double h);
void dae_radau_note_correction(dae_solver *s);
radau_outcome dae_radau_judge_rounding(dae_solver *s, double h);

/* level_i := what stages rounded otherwise would make of a correction; r->F, r->dw are used, and
 * r->w comes back from z. Corrections of RADAU_NEAR times that are at rounding. */
enum { RADAU_NEAR = 5 };
void dae_radau_measure_rounding(dae_solver *s, double h);

/* The same of the stages, then: less is left of it there than in w = T^-1 z. */
void dae_radau_level_of_stages(dae_solver *s);

/* noise_i := what F is uncertain by of itself, where the rounding of x does not tell */
void dae_radau_measure_noise(dae_solver *s);

/* The sentence, with the unknown that rounding moves most against its tolerance. */
dae_status dae_radau_below_rounding(dae_solver *s, double h);

/* In a step that was cut (radau_cut.c): was it; what F(t, u) = r->F0 leaves open; F at t + x full_h
 * without what may stay open there; unknowns that only rounding has moved, back. */
void dae_radau_begin_cut(dae_solver *s, double h);
void dae_radau_note_residual(dae_solver *s);
void dae_radau_keep_residual(const dae_solver *s, double x, double *F);
void dae_radau_restore(dae_solver *s, double h);

/* z[n x s] := an earlier polynomial, continued */
void dae_radau_predict(const dae_solver *s, double h, double *z);

/* Of Newton's iteration in a step with its size chosen: 7, 12, 17. */
static inline int radau_most_iterations(int stages) { return 7 + 5 * (stages - 3) / 2; }

/* y[rows x n] := a[rows x s] x[s x n], rows of y and x one after the other, a by columns. */
void dae_radau_combine(int rows, int s, int n, const double *a, const double *x, double *y);

/* The order of the first step, by tolerance, and how long it may be. */
void dae_radau_first_order(dae_solver *s);

/* After an attempt: h_next, and whether J serves once more. */
void dae_radau_next_step(dae_solver *s, double h);

/* After an attempt that Newton's iteration ended: diverging, or too slowly (then h_next). */
void dae_radau_newton_failed(dae_solver *s, double h, int slow);

/* As many stages as the last step kept of another solver. */
void dae_radau_follow(dae_solver *s, const void *stepper);

/* After a step was kept: stages of the next one. */
void dae_radau_next_order(dae_solver *s, double h);

#endif
