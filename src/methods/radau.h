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

#include "linear/dense_lu.h"
#include "stepper/dense_radau.h"
#include "stepper/implicit.h"
#include "stepper/radau_tableau.h"
#include "stepper/solver.h"

typedef enum {
    RADAU_CONVERGED, RADAU_GOING_ON, RADAU_SLOW, RADAU_DIVERGED,
    RADAU_BELOW_ROUNDING        /* the tolerance is below rounding errors */
} radau_outcome;

typedef dae_two radau_pair;

/* The coefficients of a step, each twice side by side, for two unknowns at once: T and T^-1 by rows; h/mu, and a - i b
 * = h/(alpha + i beta). of, h: of which tableau and step they are */
typedef struct {
    radau_pair T[RADAU_STAGES * RADAU_STAGES], T_inverse[RADAU_STAGES * RADAU_STAGES];
    radau_pair g, a[RADAU_STAGES / 2], b[RADAU_STAGES / 2];
    const radau_tableau *of;
    double h;
} radau_coefficients;

typedef struct {
    dae_jacobian *jac;
    double *J;                  /* [stages x nnz] of the last step that was asked for, with room for more */
    size_t room, nnz;
    int stages;
    double *end_u, *end_F, *end_size;   /* [n] of the last stage: u, F, sizes of unknowns */
    double end_t;               /* its time; NaN: there is none for a next step */
    long end_rhs;               /* number of F that its J took */
} radau_jacobians;

typedef struct radau_full radau_full;

typedef struct {
    radau_coefficients twice;
    int fewest, most;           /* stages */
    const radau_tableau *tab;   /* of the next step */
    dae_linearised real;        /* J, and the real pencil */
    dae_pencil *pair[RADAU_PAIRS];      /* the complex pencils of the same J */
    /* [n x s] each: z of this step, of the last accepted one, of an earlier one; w; F at the stages; right
     * sides and corrections; the stages u + z; M w, or w where M is diagonal */
    double *z, *z_kept, *z_far, *w, *F, *dw, *at, *Mw;
    double *F0, *x, *Mx, *weight;       /* [n]: F(t, u), work arrays, weights of Newton's norm */
    double *mass;               /* [n] the diagonal of M; ones where it has other entries */
    double *moved, *level, *noise;      /* [n] of radau_rounding.c */
    double *left, *left_rate;   /* [n] of radau_cut.c */
    dae_dense_radau *dense;     /* NULL until dense output is required */

    /* the collocation polynomial of the last accepted step; kept_h = 0: none */
    const radau_tableau *kept;
    double kept_h, kept_t;      /* kept_t: where it begins */
    double left_in_stages, kept_left;   /* norm of what Newton's iteration may have left in this step, in that */

    /* The polynomial used for prediction after a shortened step; far_h = 0: the one above is used */
    const radau_tableau *far;
    double far_h, far_t;        /* far_t: where it begins */
    int cut;                    /* 1: the step is shorter than half the proposed size */
    double full_h;              /* the proposed size then, in index 2 and 3; else h */

    /* tableau and h of the factored pencils; factored_h = 0: none */
    const radau_tableau *factored;
    double factored_h;
    int jacobian_at_t, F0_at_t; /* J, F0 are of (t, u) */
    int jacobian_useful;        /* J may be used in the next step */

    /* Newton's iteration */
    int iterations;
    double tolerance;           /* rtol of the error estimate, 0.05 rtol^((s+1)/(2s)) */
    double kappa;               /* tolerance of Newton's iteration, in units of that */
    double contraction;         /* theta of the last iteration */
    double usual_ratio;         /* ratio of corrections, as seen from the third one on */
    double progress;            /* theta/(1 - theta) of the last step; 1 after a failure */
    double progress_h;          /* the size of that step */
    double slow_factor;         /* after RADAU_SLOW the next h over this one */
    int levelled, stalled;      /* 1: level is of this step; number of corrections that did not decrease */
    const radau_tableau *level_of;      /* tableau of level */
    double level_h;             /* its h; 0: level is not set */
    int level_age;              /* number of steps since */
    double size, ratio;         /* norm of the last correction, in units of rounding; over the one before */
    double smallest;            /* smallest norm of a correction so far */
    radau_jacobians *stages;    /* NULL until J is asked for at all stages */
    radau_full *full;           /* NULL until the iteration is made with the J of every stage, ... */
    int with_all;               /* ... which is so in this step; ... */
    int all_left, all_next;     /* ... in so many further ones; in so many when that is begun again */
    int hindered;               /* grows with each failure of Newton's iteration, and falls with each step */
    double since_t, pace;       /* begin of that, or of the further ones; time per F before them */
    long since_rhs;             /* F until since_t */
    int z_given;                /* 1: z is that of the next step */
    int met_rounding;           /* 1: in this run an iteration ended at rounding */

    /* steps and orders */
    int steps;                  /* number of accepted steps */
    int rejected;               /* 1: the step tried last was rejected */
    int failures;               /* failures of Newton's iteration in this step */
    int undone;                 /* number of rejections of this step */
    int kinks;                  /* number of tries of this step in a row that are rejected because F is not
                                   smooth in them */
    int stiff;                  /* 1: the error is that in stiff components, ... */
    int stiff_order;            /* ... which falls with h to the power of this plus 1 */
    int noisy;                  /* 1: what looks like a kink, or a stiff component, in this step is rounding */
    int noise_known;            /* 1: noise has been estimated in this step */
    int steps_at_order;
    double contraction_kept;    /* theta smoothed over steps, for the choice of order */
} radau;

/* The pencils of the J that stands, M - g J for g = h/mu and h/(alpha + i beta), where they are not those of h yet */
dae_status dae_radau_factor(dae_solver *s, double h);

/* Newton's iteration for a step of size h from the predicted r->w, r->z: r->z. */
radau_outcome dae_radau_newton(dae_solver *s, double h);

/* Its passes through the unknowns (radau_stages.c). begin: w = T^-1 z, before a step of size h; end: z = T w;
 * right_sides: dw of the linear systems from F; correct: w += dw, z = T w, and the root mean square of weight dw. All
 * but right_sides set r->at. */
void dae_radau_begin_stages(dae_solver *s, double h);
void dae_radau_end_stages(dae_solver *s);
void dae_radau_right_sides(dae_solver *s, double h);
double dae_radau_correct(dae_solver *s);

/* The first correction takes away what the prediction is wrong by. What falls slowly, as J has changed since the begin,
 * may be a small part of it: then the second correction is far smaller than the first, and the third is not far smaller
 * than the second. So the first ratio counts by its mean with those seen behind it in other steps, of which less
 * remains with each step that has none. */
static inline void dae_radau_keep_ratio(radau *r, double ratio)
{
    r->usual_ratio = fmin(1, r->iterations > 2 ? ratio : fmax(ratio, 0.8 * r->usual_ratio));
}

/* The sum of (w_i x_i)^2 over what has an index of its own in x[n], with the weights of Newton's norm; scale: h/T */
double dae_radau_square_by_index(const dae_solver *s, double scale, const double *x);

/* Its parts: x[n] := u + z_k; the correction r->dw to r->w from r->F, 0 where it fails. */
void dae_radau_stage(const dae_solver *s, int k, double *x);
int dae_radau_correction(dae_solver *s, double h);

/* With fixed steps (radau_rounding.c). begin: before the iteration; note: after w += dw; judge: after z = T
 * w, converged or not? */
void dae_radau_begin_rounding(dae_solver *s, double h);
void dae_radau_note_correction(dae_solver *s);
radau_outcome dae_radau_judge_rounding(dae_solver *s, double h);

/* level_i := the change of a correction by rounding errors of the stages. Overwrites r->F, r->dw; r->w is
 * computed from z. Corrections below RADAU_NEAR times the level are rounding errors. */
enum { RADAU_NEAR = 5 };
void dae_radau_measure_rounding(dae_solver *s, double h);

/* level_i of the stages z instead; it is smaller than that of w = T^-1 z. */
void dae_radau_level_of_stages(dae_solver *s);

/* noise_i := the rounding error of F in addition to that caused by rounding of x */
void dae_radau_measure_noise(dae_solver *s);

/* Is an error estimate, in units of rtol and atol, that does not get smaller with the step no more than
 * rounding makes? */
int dae_radau_is_rounding(dae_solver *s, double h, double error);

/* An error that falls slowly or not with the step, in these units; 0 where it rejects a step again and again and is
 * rounding. Overwrites r->F and r->dw. */
double dae_radau_above_rounding(dae_solver *s, double h, double error);

/* The report, with the unknown whose rounding error is largest relative to its tolerance. */
dae_status dae_radau_below_rounding(dae_solver *s, double h);

/* In a step much shorter than proposed (radau_cut.c). begin_cut: sets r->cut; note_residual: the residual
 * of the algebraic equations in F(t, u) = r->F0; keep_residual: subtract from F at t + x full_h the part
 * that is not to be removed; restore: undo changes of unknowns by rounding errors only. */
void dae_radau_begin_cut(dae_solver *s, double h);
void dae_radau_note_residual(dae_solver *s);
void dae_radau_keep_residual(const dae_solver *s, double x, double *F);
void dae_radau_restore(dae_solver *s, double h);

/* After the estimate, r->dw, of norm size in units of rtol and atol: where F is not smooth in the step
 * s->error becomes that norm and is counted in r->kinks (radau_reduced.c). Overwrites r->dw and r->F. */
void dae_radau_notice_kink(dae_solver *s, double h, double size);

/* After the estimate err[n]: the error in stiff components, in units of rtol and atol, or a bound of it that is below 1
 * and s->error (radau_reduced.c). Sets r->stiff_order. Overwrites r->F and r->x. */
double dae_radau_stiff_error(dae_solver *s, double h, const double *err);

/* x[n] := p'(0) for a step of size h with the stages z[n x s] */
void dae_radau_slope_at_begin(const radau *r, int n, double h, const double *z, double *x);

/* z[n x s] := an earlier polynomial, continued */
void dae_radau_predict(const dae_solver *s, double h, double *z);

/* J at the stages r->at of a step from t (radau_jacobians.c), in r->stages; 0 where there is no memory, or they are not
 * finite. take: J, its sizes and r->F0 of a step that begins where the last of these stages was; 0 where none was.
 * multiply: y[n] += x J_i w for two w[n]. */
int dae_radau_jacobians(dae_solver *s, double t, double h);
int dae_radau_take_jacobian(dae_solver *s);
void dae_radau_multiply(const radau *r, int i, double x, const radau_pair *w, radau_pair *y);
dae_jacobian *dae_radau_jacobian(dae_solver *s);        /* what makes them; NULL where there is no memory */
void dae_radau_jacobians_free(radau_jacobians *j);

static inline const double *dae_radau_J(const radau *r, int i) { return r->stages->J + (size_t)i * r->stages->nnz; }

/* Newton's iteration with the J of every stage (radau_full.c). start, failed, count: before a run, after a failure of
 * the iteration, after a step. wanted: where it failed in a step of size h, is it hindered by what oscillates fast?
 * room: may it be used, and is there memory? correction: as dae_radau_correction. holds: is the polynomial of the
 * last step right between its stages, too? Its defect d is filtered there, (M - g J)^-1 g d with the J of the
 * place, and compared with the tolerance. */
void dae_radau_full_start(radau *r);
void dae_radau_full_failed(dae_solver *s);
void dae_radau_full_count(dae_solver *s);
int dae_radau_full_wanted(dae_solver *s, double h);
int dae_radau_full_room(dae_solver *s);
int dae_radau_full_correction(dae_solver *s, double h);
int dae_radau_full_holds(dae_solver *s);
/* Its parts: the factors of its matrix for a step from t with the stages r->at, where there is room; 0 where that
 * fails. b[n s] := the solution for two right-hand sides, w[n s] that of the transpose. */
int dae_radau_full_factor(dae_solver *s, double t, double h);
void dae_radau_full_solve(dae_solver *s, radau_pair *b);
void dae_radau_full_solve_transposed(dae_solver *s, double *w);
void dae_radau_full_free(radau_full *full);

/* Largest number of iterations with error control: 7, 12, 17 for 3, 5, 7 stages. */
static inline int radau_most_iterations(int stages) { return 7 + 5 * (stages - 3) / 2; }

/* The order of the first step, by tolerance, and how long it may be. */
void dae_radau_first_order(dae_solver *s);

/* After a step was tried: h_next, and whether J is used again. */
void dae_radau_next_step(dae_solver *s, double h);

/* After a failure of Newton's iteration: divergence, or slow convergence (then h_next is set). */
void dae_radau_newton_failed(dae_solver *s, double h, int slow);

/* Use the number of stages of the last accepted step of another solver. */
void dae_radau_follow(dae_solver *s, const void *stepper);

/* a := A^-1 or its transpose, by columns, for dae_radau_combine. */
void dae_radau_inverse(const radau_tableau *tab, int transposed, double *a);

/* The functions dae_method.vary (radau_vary.c), .transpose (radau_transpose.c), .shape and .take_shape: how many
 * stages, whether each has its J, and z. largest: of x[n s], by unit[n]. */
dae_status dae_radau_vary(dae_solver *s, struct dae_variation *v);
dae_status dae_radau_transpose(dae_solver *s, struct dae_transpose *a);
double dae_radau_largest(const dae_solver *s, const double *unit, const double *x);
int dae_radau_shape(const dae_solver *s, const double **z, int *count);
dae_status dae_radau_take_shape(dae_solver *s, int shape, const double *z);

/* After an accepted step: the number of stages of the next one. */
void dae_radau_next_order(dae_solver *s, double h);

#endif
