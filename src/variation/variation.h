/* variation.h - derivatives of the states of a run along directions in its start and its parameters
 *
 * Direction c, of count, moves parameters by dp_c and the start by du0_c; du_c is what it moves u by. A method
 * differentiates its last step: dae_method.vary replaces all du_c at the begin of the step by those at its end.
 */
#ifndef DAE_VARIATION_H
#define DAE_VARIATION_H

#include "daelab/method.h"
#include "system/tangent.h"

typedef struct dae_variation {
    dae_system *sys;
    int n, count;
    double *du;                 /* [count + 1 x n] */
    double *dp;                 /* [count + 1 x parameters], 0 where parameters are held, and in the last */
    char *moves;                /* [count + 1] DAE_MOVES_...: what dp moves, found when it is asked for */
    double dt;                  /* what a direction moves t by, in the functions below; 0 but at events */
    double *error, *coarse;     /* [count x n] local errors of du, where a method is asked for them; and those of a
                                   lower order */
    int has_error;              /* 0: it has none; 2: it estimates them by both */
    const double *end;          /* [n] the end of the step, before what options.project moves it by */
    double *room, *kept;        /* of dae_variation_room, and dae_variation_keep */
    size_t size, kept_size;
    double kept_t;              /* when the method has filled kept; NaN: it has not */
    double *x, *y, *z;          /* [n] scratch of the functions below */
    double *a, *lambda, *dx;    /* [nq], [nl] of the state of dae_vary_at; [nq] */
    dae_dual *dual;             /* [4 nq + 2 nl] */
    dae_report report;
} dae_variation;

enum { DAE_MOVES_KNOWN = 1, DAE_MOVES_PARAMETERS = 2, DAE_MOVES_MASS = 4 };

/* Of a system, with du and dp zero. DAE_NO_MEMORY; DAE_UNSUPPORTED for a record without functions .tangent. What was
 * created is for dae_variation_free after a failure, too. */
dae_status dae_variation_create(dae_variation *v, dae_system *sys, int count);
void dae_variation_free(dae_variation *v);

static inline double *dae_du(const dae_variation *v, int c) { return v->du + (size_t)c * (size_t)v->n; }

static inline double *dae_dp(const dae_variation *v, int c)
{
    return v->dp + (size_t)c * (size_t)v->sys->parameters;
}

/* Room for so many numbers, which the next call overwrites; NULL with a report where there is none. */
double *dae_variation_room(dae_variation *v, size_t numbers);

/* The same for what a method keeps from step to step; kept_t becomes NaN where it is another. */
double *dae_variation_keep(dae_variation *v, size_t numbers);

/* out[n] := F_u du + F_p dp_c at (t, u). */
dae_status dae_vary_rhs(dae_variation *v, int c, double t, const double *u, const double *du, double *out);

/* What direction c moves: p, M. After a change of p or dp: dae_vary_anew. */
int dae_vary_moves(dae_variation *v, int c);
void dae_vary_anew(dae_variation *v);

/* out[n] := M_p dp_c x, with x held. */
dae_status dae_vary_mass(dae_variation *v, int c, const double *x, double *out);

/* out[n] := the derivative of dae_vary_rhs along (tau, y[n]) with du held: what a method that uses dF/du moves by. By
 * interpolation on the way to (t + tau/64, u + y/64), a short part of a step. */
dae_status dae_vary_slope(dae_variation *v, int c, double t, const double *u, double tau, const double *y,
                          const double *du, double *out);

/* ---- mechanical systems ------------------------------------------------------------------------ */

/* a and lambda of the acceleration level at (t, q, v), with G and S there, for calls of dae_vary_acceleration.
 * DAE_SINGULAR. */
dae_status dae_vary_at(dae_variation *v, double t, const double *q, const double *velocity);

/* da[nq], and dlambda[nl] unless it is NULL, along (dq, dv). */
dae_status dae_vary_acceleration(dae_variation *v, int c, double t, const double *q, const double *velocity,
                                 const double *dq, const double *dv, double *da, double *dlambda);

/* All du at (t, u): lambda, auxiliary multipliers and accelerations from (q, v). */
dae_status dae_vary_multipliers(dae_variation *v, double t, const double *u);

/* All du at a state that projections moved from before[n] to after[n]: of positions, of velocities. What they leave of
 * du is what d(g), d(dg/dt) = 0 ask for; of positions, terms of the second order in the move are left out. */
enum { DAE_VARY_POSITIONS = 1, DAE_VARY_VELOCITIES = 2 };
dae_status dae_vary_projection(dae_variation *v, unsigned what, double t, const double *before, const double *after);

/* All du with the steps that dae_project_positions_euclidean makes from q[nq], which becomes their end: nothing is left
 * out. */
dae_status dae_vary_euclidean(dae_variation *v, double t, double *q);

#endif
