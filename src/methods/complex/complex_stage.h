/* complex_stage.h - one stage of a complex Rosenbrock method, and dense output by cubic Hermite
 *
 *     (M - a h J) k = F + a h F_t
 */
#ifndef DAE_COMPLEX_STAGE_H
#define DAE_COMPLEX_STAGE_H

#include "stepper/implicit.h"

/* Solve (M - a h J) k = F + a h F_t with the J that l->jac holds; k = re + i im, a = a_re + i a_im. */
dae_status dae_stage_solve(dae_solver *s, dae_linearised *l, double h, double a_re, double a_im,
                           const double *F, const double *F_t, double *re, double *im);

/* inside.c: increase s->error if F has a feature inside the step from (t, u) with F to (t + h, u_new) with
 * F_end that does not show at its ends. pencil: M - a h J; c: with Re c/a = 1; re[n], im[n]: work arrays. */
dae_status dae_look_inside(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                           const double *F_end, double *re, double *im);

/* s->error := 1 if the estimate is caused by a discontinuity of F between t and t_new, and the step is short
 * enough to locate it. */
dae_status dae_pass_jump(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                         double *re, double *im);

/* Dense output of order 3 over the last step kept. */
typedef struct {
    double *inverse_mass;       /* [n] of differential unknowns; 0 where u' is not known */
    double *du_old, *du;        /* [n] u' at t_old and t, once asked for */
    /* Where unknowns take parabolas: the states at t_old and at the begin of the step before it.
     * Else u_old holds the first, until the next step is tried. */
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

#endif
