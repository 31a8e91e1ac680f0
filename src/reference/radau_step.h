/* radau_step.h - one step of Radau IIA with s stages for M u' = F(t, u) in quad precision */
#ifndef DAE_RADAU_STEP_H
#define DAE_RADAU_STEP_H

#include "collocation.h"
#include "base/quad_kernel.h"
#include "base/no_fast_math.h"

typedef struct {
    int s;
    dae_quad c[DAE_RADAU_MOST], b[DAE_RADAU_MOST];
    dae_quad a[DAE_RADAU_MOST][DAE_RADAU_MOST];
    dae_quad weight[DAE_RADAU_MOST], weight_0[DAE_RADAU_MOST + 1];  /* barycentric: c; 0 and c */
    dae_quad last[DAE_RADAU_MOST];      /* sum_j last_j z_j: coefficient of Legendre's P_s */
} dae_quad_radau;

void dae_quad_radau_compute(dae_quad_radau *tab, int s);

typedef struct {
    const dae_quad_dae *dae;
    int n;
    dae_quad_radau tab;
    dae_quad t, *u;             /* [n] the state */
    dae_quad *z, *z_old;        /* [s x n] u(t + c_i h) - u(t); of the step before */
    dae_quad *F, *Mz;           /* [s x n] */
    dae_quad *M, *J;            /* [n x n] by columns */
    dae_quad *M_graded, *J_graded;      /* the same as L M R, L J R of the kernel, where it is needed */
    dae_quad_kernel kernel;     /* of M, in index 2 and above */
    dae_quad *x, *F0;           /* [n] */
    dae_quad *scale;            /* [n] magnitudes of the unknowns in recent steps */
    dae_quad *level;            /* [n] the same for this step, with a lower bound */
    dae_quad *terms;            /* [n] how far a unit of rounding in each term of F would move an unknown */
    dae_quad *reach;            /* [n] change of F as u changes by level */
    dae_quad *shaken;           /* [n] F at a perturbed u */
    dae_quad *step;             /* [s x n] of Newton's iteration, and behind it z before */
    long double *matrix;        /* [s n x s n] I x M - h A x J, factored, by rows; behind it their factors */
    long double *right;         /* [s n] */
    int *pivot;                 /* [s n] */
    dae_quad least;             /* lower bound of level, relative to terms: dae_quad_least_part */
    dae_quad h_old;             /* 0: there is no z_old */
    int searches;               /* 1: where the iteration with J at the begin fails, Newton's follows */
    void *memory;
} dae_quad_stepper;

/* 0 where memory ran out; free it in any case. */
int dae_quad_stepper_create(dae_quad_stepper *r, const dae_quad_dae *dae, int stages);
void dae_quad_stepper_free(dae_quad_stepper *r);
void dae_quad_stepper_start(dae_quad_stepper *r, dae_quad t, const dae_quad *u);

/* r->z for a step of size h from (t, u); *error: the last coefficient of the polynomial against
 * the unknowns. DAE_NO_CONVERGENCE, DAE_SINGULAR, DAE_NOT_FINITE. */
dae_status dae_quad_stepper_try(dae_quad_stepper *r, dae_quad h, double *error);

/* Checks F between the stages, for features that the stages miss. interpolate: call first. between: at the
 * given part (0 ... 1) of the step, compares F(t, u) at the interpolated u with the interpolated F. The
 * result is below 1 where u has a relative error, in units of level, of at most exact. */
void dae_quad_stepper_interpolate(dae_quad_stepper *r, dae_quad h);
double dae_quad_stepper_between(dae_quad_stepper *r, dae_quad h, dae_quad part, double exact);

/* 1 where M at all stages of a step of size h is that of the start. */
int dae_quad_stepper_mass_holds(dae_quad_stepper *r, dae_quad h);

/* (t, u) := the end of that step. */
void dae_quad_stepper_accept(dae_quad_stepper *r, dae_quad h);

/* r->J := dF/du at (t, u), r->F0 := F there. */
void dae_quad_stepper_linearise(dae_quad_stepper *r);

/* LU with partial pivoting of rows scaled to 1, in place; then b := A^-1 b. */
dae_status dae_long_factor(int n, long double *A, int *pivot);
void dae_long_solve(int n, const long double *A, const int *pivot, long double *b);

#endif
