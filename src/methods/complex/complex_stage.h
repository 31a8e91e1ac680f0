/* complex_stage.h - what complex Rosenbrock methods share: one stage (cros, cros4, excros), dense output by cubic
 * Hermite and the stepper (cros, cros4)
 *
 *     (M - a h J) k = F + a h F_t
 */
#ifndef DAE_COMPLEX_STAGE_H
#define DAE_COMPLEX_STAGE_H

#include "stepper/dense_radau.h"
#include "stepper/implicit.h"

/* Solve (M - a h J) k = F + a h F_t with the J that l->jac holds; k = re + i im, a = a_re + i a_im. */
dae_status dae_stage_solve(dae_solver *s, dae_linearised *l, double h, double a_re, double a_im,
                           const double *F, const double *F_t, double *re, double *im);

/* inside.c: increase s->error if F has a feature inside the step from (t, u) with F to (t + h, u_new) with
 * F_end that does not show at its ends. pencil: factors of M - a h J; c = 1/Re(1/a); re[n], im[n]: work arrays. */
dae_status dae_look_inside(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                           const double *F_end, double *re, double *im);

/* s->error := 1 if the estimate is caused by a discontinuity of F between t and t_new, and the step is short
 * enough to locate it. */
dae_status dae_pass_jump(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                         double *re, double *im);

/* Dense output of order 3 over the last step kept. */
typedef struct {
    double *inverse_mass;       /* [n] 1/M_ii; 0 where u' is not known: algebraic unknowns, M not diagonal */
    double *du_old, *du;        /* [n] u' at t_old and t, once asked for */
    /* 1 for problems of first order, of which unknowns take parabolas through the states begin, at t_begin = t_old, and
     * before, at t_before. Else the state at t_old is solver->u_old, until the next step is tried. */
    int parabolic;
    double *begin, *before;     /* [n] */
    double t_begin, t_before;
    int steps;                  /* steps kept since the start, at most 2 */
    int sloped;                 /* du_old and du belong to the last step */
} dae_hermite;

dae_status dae_hermite_create(dae_solver *s, dae_hermite *d);
void dae_hermite_free(dae_hermite *d);
void dae_hermite_start(dae_hermite *d);
void dae_hermite_keep(const dae_solver *s, dae_hermite *d);
static inline void dae_hermite_accepted(const dae_solver *s, dae_hermite *d)
{
    d->sloped = 0;
    if (d->parabolic)
        dae_hermite_keep(s, d);
}
dae_status dae_hermite_at(dae_solver *s, dae_hermite *d, double t, double *u);

/* cros_stepper.c: solver->stepper of CROS and CROS4, and their functions beside the step. Between the ends of a step
 * the solution is that of hermite.c, or where rows are asked for and no constraint of mechanics holds them, of
 * dense_radau.c. */
typedef struct {
    dae_linearised stage;
    dae_hermite dense;
    dae_dense_radau *rows;      /* NULL until one is asked for */
    double *F, *F_t;            /* [n] each */
    double *F_end;              /* F of the second stage, then at the end */
    double *re, *im;            /* k of the first stage */
    union { double *k2_re, *e; };       /* k of the second stage (cros4); or e, d of the error estimate (cros) */
    union { double *k2_im, *d; };
    double *w;
} dae_cros_stepper;
dae_status dae_cros_create(dae_solver *s);
dae_status dae_cros_start(dae_solver *s);
dae_status dae_cros_accepted(dae_solver *s);
dae_status dae_cros_refine(dae_solver *s);
dae_status dae_cros_interpolate(dae_solver *s, double t, double *u);
void dae_cros_destroy(dae_solver *s);
dae_status dae_cros_vary(dae_solver *s, struct dae_variation *v);

/* cros_vary.c: all du behind a step of size h from (t, u[n]), with J, F and F_t there, of coefficients T; end[n] :=
 * that of the step, unless it is NULL. */
struct dae_cros_tableau;
dae_status dae_cros_vary_step(dae_solver *s, struct dae_variation *v, dae_linearised *l,
                              const struct dae_cros_tableau *T, double t, double h, const double *u, double *end);

/* c->F_end := F at the end of the step. Where it is finite the driver does not evaluate it again (end_checked). */
dae_status dae_cros_see_end(dae_solver *s, dae_cros_stepper *c);

#define DAE_CROS_FUNCTIONS                                                                        \
    .create = dae_cros_create, .start = dae_cros_start, .accepted = dae_cros_accepted, .refine = dae_cros_refine, \
    .interpolate = dae_cros_interpolate, .destroy = dae_cros_destroy, .vary = dae_cros_vary

#endif
