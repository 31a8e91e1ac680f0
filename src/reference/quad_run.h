/* quad_run.h - a run with fixed steps in quad precision, and the step of each family of methods
 *
 * A family reads the tableau of the method's record, with the coefficients as they are in double. So it is
 * the method as coded, without the rounding errors of its arithmetic.
 */
#ifndef DAE_QUAD_RUN_H
#define DAE_QUAD_RUN_H

#include "quad_model.h"
#include "stepper/solver.h"

/* F, dF/du and dF/dt, and M - gamma J, factored in quad */
typedef struct {
    int size;                   /* of the matrix: n, or 2 n where gamma is complex */
    dae_quad *F, *F_t, *J;      /* [n], [n], [n x n] by columns: one block */
    dae_quad *M;                /* [n x n] by columns */
    int weighed;                /* 1: M has been computed */
    dae_quad *largest;          /* [n] |u_i| so far */
    dae_quad *x, *at;           /* [n], [4 n] scratch */
    dae_quad *A, *b;            /* [size x size] by rows, [size] */
    dae_quad *factor;           /* [size] of each row */
    int *pivot;                 /* [size] */
} dae_quad_pencil;

enum { DAE_QUAD_ROWS = 64 };    /* of a pencil, at most: it is factored at every step */

typedef struct {
    dae_system *sys;
    const dae_method *method;
    const void *tableau;        /* the method's, or a copy with perturbed coefficients */
    dae_quad_model model;
    int n;
    dae_quad t, *u;             /* [n] the state */
    dae_quad *work;             /* [n] each, as many as the family has */
    dae_quad_pencil pencil;     /* where the family has one */
    void *own;                  /* what else the family keeps */
} dae_quad_run;

/* F[n] := F(t, u);  out[n] := M x. */
void dae_quad_run_rhs(const dae_quad_run *run, dae_quad t, const dae_quad *u, dae_quad *F);
void dae_quad_run_mass(const dae_quad_run *run, dae_quad t, const dae_quad *x, dae_quad *out);

/* In u, behind (q, v): the multipliers of the latest dae_quad_accelerate, and a[nq] where accelerations are
 * unknowns. */
void dae_quad_run_complete(const dae_quad_run *run, const dae_quad *a, dae_quad *u);

/* quad_pencil.c. DAE_UNSUPPORTED where the matrix, of so many rows for each unknown, is too large. */
dae_status dae_quad_pencil_create(dae_quad_run *run, int rows);
void dae_quad_pencil_free(dae_quad_pencil *pencil);

/* F, F_t, J at (t, u). */
void dae_quad_linearise(dae_quad_run *run, dae_quad t, const dae_quad *u);

/* Factor M - (re + i im) J; then solve for re[n] + i im[n] in place, with im NULL where the pencil is
 * real. DAE_SINGULAR, DAE_NOT_FINITE. */
dae_status dae_quad_pencil_factor(dae_quad_run *run, dae_quad re, dae_quad im);
void dae_quad_pencil_solve(dae_quad_run *run, dae_quad *re, dae_quad *im);

typedef struct {
    int vectors;                /* [n] in run->work */
    int rows;                   /* of the pencil for each unknown: 1, or 2 where gamma is complex; 0: no pencil */
    size_t own;                 /* bytes of run->own, zeroed */
    dae_status (*create)(dae_quad_run *run);                /* may be NULL; DAE_UNSUPPORTED */
    dae_status (*start)(dae_quad_run *run);                 /* at (t, u); may be NULL */
    dae_status (*step)(dae_quad_run *run, dae_quad h);      /* u at t := u at t + h; t stays */
    void (*destroy)(void *own);                             /* may be NULL */
    /* copy[size] := the tableau with its coefficients perturbed in their last bits; returns their number.
     * NULL: the coefficients are computed in quad. */
    int (*shake)(const void *tableau, void *copy);
    size_t size;
    /* tableau[size] := from published coefficients, where records of the family have those; else NULL */
    dae_status (*derive)(const dae_method *method, void *tableau, dae_report *report);
} dae_quad_family;

/* By dae_method_family; NULL: none. */
extern const dae_quad_family *const dae_quad_families[DAE_FAMILIES];

/* Change x[count] by a unit in the last place, up or down. Short binary fractions are exact and are not
 * changed. Returns the number of the others. */
int dae_quad_shake(double *x, int count);

#endif
