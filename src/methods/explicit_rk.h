/* explicit_rk.h - what an explicit Runge-Kutta method keeps of a step, for the step and for its dense output */
#ifndef DAE_EXPLICIT_RK_H
#define DAE_EXPLICIT_RK_H

#include "explicit_stepper.h"

#include "stage_rows.h"

#include "stepper/doubt.h"

enum { DAE_RK_ROWS = DAE_RK_STAGES + DAE_RK_ESTIMATES + DAE_RK_DENSE };
enum { DAE_RK_E = DAE_RK_STAGES, DAE_RK_D = DAE_RK_E + DAE_RK_ESTIMATES };

typedef struct {
    const dae_tableau *T;       /* of the method's record, or derived from that */
    dae_tableau *derived;       /* NULL: there was no need */
    int ny, projects;
    dae_stage_sum *sum;         /* of T, or NULL: by its terms */
    dae_stage_run *run;
    dae_stage_squares *squares;
    int first;                  /* k_0 holds f at (t, u) */
    int step_kept;              /* k_S does, and all stages belong to the last step */
    int dense_ready;            /* r holds the last step */
    int on_constraints;         /* (t, u) has been projected */
    double rough;               /* the norm of all rows of E of the last try, in tolerances */
    dae_doubt kept;             /* of the last step kept */
    double *k;                  /* [stages x ny], and f between the ends of a step */
    double *y;                  /* [n] Y_i */
    double *weight;             /* [ny] 1/(rtol |u_i| + atol_i) */
    double *e;                  /* [ny] */
    double *zero;               /* [ny] */
    double *r;                  /* [(3 + DAE_RK_DENSE) x ny] */
    dae_term *begin[DAE_RK_ROWS + 1];   /* the terms that are not zero of each row of A, E and D that is not compiled */
    dae_term *terms;
} dae_explicit_rk;

/* out := y + h sum_j a_j k_j */
static inline void dae_rk_combine(const dae_explicit_rk *e, int row, const double *y, double h, double *out)
{
    if (e->sum && row <= e->T->stages)
        e->sum(row, e->ny, e->k, y, h, out);
    else
        dae_add_stages(e->begin[row], e->begin[row + 1], e->ny, y, h, out);
}

static inline void dae_rk_copy(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

/* weight := 1/(rtol max(|u|, |u_new|) + atol) */
static inline void dae_rk_weigh(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    dae_weigh(e->ny, s->u, s->u_new, s->options.rtol, s->atol, e->weight);
}

/* The mean square of w_i x_i */
static inline double dae_rk_mean_square(const dae_explicit_rk *e, const double *x)
{
    double sum = 0;
    for (int i = 0; i < e->ny; i++)
        sum += e->weight[i] * x[i] * e->weight[i] * x[i];
    return sum / e->ny;
}

/* k := f(t, y[n]), y's multipliers behind it */
dae_status dae_rk_evaluate(dae_solver *solver, double t, double *y, double *k);

/* Stages begin .. end-1 of the step of size h from (t, u), by the terms of their rows; and 1 .. S-1. */
dae_status dae_rk_stages_by_terms(dae_solver *solver, int begin, int end, double t, double h, const double *u);
dae_status dae_rk_inner_stages(dae_solver *solver, double t, double h, const double *u);

/* explicit_dense.c, of a step of size h from (t, u) to u_new with its stages: 1 where its estimate is not to be
 * believed unseen; solver->error := no less than what its polynomial shows between its ends. */
int dae_rk_is_doubtful(const dae_solver *solver, double h);
dae_status dae_rk_look(dae_solver *solver, double h);

/* Move the state u at t onto the constraints. */
dae_status dae_rk_project(dae_solver *solver, double t, double *u);

#endif
