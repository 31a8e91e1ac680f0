/* quad_mechanics.h - accelerations, multipliers and consistent starts in quad precision */
#ifndef DAE_QUAD_MECHANICS_H
#define DAE_QUAD_MECHANICS_H

#include "daelab/problem.h"
#include "daelab/status.h"
#include "system.h"

typedef struct {
    const dae_mechanical *equations;
    const dae_quad *p;
    int nq, nl, holonomic;
    int ng;                     /* constraints that G and S are of: all, or those on positions */
    dae_quad *lambda;           /* [nl] of the latest dae_quad_accelerate */
    dae_quad *inverse_mass;     /* [nq] */
    dae_quad *try;              /* [nq] a vector x: is M x, M(t, q), still diag(m) x? */
    int varied;                 /* 1 + the row of M where it is not: dae_quad_accelerate fails */
    int general_mass;                /* M is not diagonal and constant: */
    dae_quad *factored;         /* [nq x nq] D M(t, q) D, factored in place */
    dae_quad *mass_scale, *schur_scale;         /* [nq], [nl] D of M and of S */
    int *pivot;                 /* [nq + nl] rows exchanged in `factored` and in `schur` */
    dae_quad *weighted;         /* [nl x nq] rows M^-1 G_k */
    dae_schur_plan *plan;       /* with many constraints, &own; else NULL */
    dae_schur_plan own;
    dae_quad *gradient;         /* [nl x nq] rows of G, or [entries] of the plan, in a block of its own with the band */
    dae_quad *schur;            /* [nl x nl] D S D, S = G M^-1 G^T, or the band of S; factored in place */
    dae_schur_plan own_aside;   /* of many constraints, where not all are holonomic: those of the other ng */
    dae_quad *gradient_aside, *schur_aside;
    dae_quad *rest;             /* [nl] what is left of d2g/dt2 */
    dae_quad *e;                /* [nl + 2 nq] work */
    dae_quad *a, *b;            /* [nq] */
    void *memory;               /* one block for all of them */
} dae_quad_mechanics;

/* 0 where memory ran out. */
int dae_quad_mechanics_create(dae_quad_mechanics *m, const dae_system *sys);
void dae_quad_mechanics_free(dae_quad_mechanics *m);

/* M = diag(m) from the inertia of accelerations of one; first of all. */
void dae_quad_set_mass(dae_quad_mechanics *m, dae_quad t, const dae_quad *q);

/* a[nq] and m->lambda at (t, q, v); DAE_SINGULAR where S is, DAE_BAD_ARGUMENT where an M that is
 * taken for constant is not. */
dae_status dae_quad_accelerate(dae_quad_mechanics *m, dae_quad t, const dae_quad *q,
                               const dae_quad *v, dae_quad *a);

/* q onto g = 0 by Newton's method, then v onto dg/dt = 0 and A v + b = 0, which are linear in v; in the
 * mass norm as short a way as each step finds. DAE_INCONSISTENT where Newton's method does not end. */
dae_status dae_quad_project(dae_quad_mechanics *m, dae_quad t, dae_quad *q, dae_quad *v);
dae_status dae_quad_project_positions(dae_quad_mechanics *m, dae_quad t, dae_quad *q);
dae_status dae_quad_project_velocities(dae_quad_mechanics *m, dae_quad t, const dae_quad *q,
                                       dae_quad *v);

#endif
