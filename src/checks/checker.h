/* checker.h - what the parts of model_check.c share: a row of a reference, functions along
 * paths from it, and a check each of constraints, energy and minimal coordinates
 */
#ifndef DAE_CHECKER_H
#define DAE_CHECKER_H

#include "comparison.h"

#include <stdint.h>

enum { DAE_ON_CONSTRAINT, DAE_ON_GRADIENTS, DAE_ON_RATE, DAE_ON_ACCELERATION, DAE_ON_ENERGY,
       DAE_ON_EMBEDDED, DAE_ON_CHART };
enum { DAE_DIRECTIONS = 2 };                /* random ones, at each row */

/* The worst difference of a row of one function, of all directions. */
typedef struct { double part, found, expected; } dae_row_difference;

/* One row of a reference, and the path on which a function is looked at there. */
typedef struct {
    const dae_quad_rows *rows;
    const dae_mechanical *e;
    const dae_quad *p;
    int nq, nl, holonomic;
    int most;                   /* rows of a function at most */
    dae_comparison found;
    uint64_t random;
    dae_quad span, t;
    const dae_quad *q, *v, *lambda;
    int moves;                  /* 1: the state is consistent, and a the acceleration of the motion */
    dae_quad *a;                /* [nq] */
    dae_quad *state;            /* [2 nq + nl] a state beside the row */
    dae_row_difference *rate_off, *acceleration_off, *second_off, *gradient_off;   /* [nl] */
    dae_quad *size_q, *size_v, *size_a;     /* [nq] of the motion */
    dae_quad *w, *b, *x, *y;    /* [nq] directions, and work */
    dae_quad *mu;               /* [nl] multipliers */
    dae_quad *size_g, *size_rate;           /* [nl] of g as q moves by its size, of dg/dt */
    int map;                    /* of the path: t + s pace, q + s first + s^2 second/2, ... */
    dae_quad pace;
    const dae_quad *base, *base_v, *first, *second; /* ... base_v + s second */
    int moving;                 /* numbers in base */
    dae_quad *at, *at_v;        /* [2 nq] there */
    dae_quad tilt;              /* relative changes of base, of either sign */
    dae_quad *minimal;          /* [6 ns] s, s', s''; another s'; what chart makes of them */
    dae_quad *embedded;         /* [2 nq] */
    dae_quad *slope, *error, *size, *got, *rounding;        /* [most] */
    dae_quad *work, *memory;
} dae_checker;

/* Row i: at t0, then at the times. */
const dae_quad *dae_checker_row(const dae_checker *c, int i);

/* w[n] := random, as large as size */
void dae_checker_choose(dae_checker *c, int n, const dae_quad *size, dae_quad *w);

/* c->slope[m] and c->error[m] on the path that is set; the rounding of a function is what it makes
 * of that of its arguments, and that of its value. */
void dae_checker_slope(dae_checker *c, dae_quad unit, int m);

/* The same of map on the path from (t, q, base_v) */
void dae_checker_differentiate(dae_checker *c, int map, int m, double pace, const dae_quad *base_v,
                               const dae_quad *first, const dae_quad *second);

/* c->slope[m] := the second derivative of the map on the same path, to eight digits and more */
void dae_checker_second(dae_checker *c, int m);

/* dae_compare with what was found so far */
int dae_checker_compare(dae_checker *c, dae_quad found, dae_quad expected, dae_quad error,
                        dae_quad size, const char *function, int row, const char *why);

/* Mx := M(t, q) x */
void dae_checker_inertia(dae_checker *c, const dae_quad *x, dae_quad *Mx);

/* x^T y; *size += the sum of |x_i y_i| */
dae_quad dae_checker_product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size);

/* M is linear and symmetric. */
void dae_check_mass(dae_checker *c);

/* dg/dt, d2g/dt2 and G^T lambda are those of g, at any state. Sets size_g, size_rate. */
void dae_check_constraints(dae_checker *c);

/* g and dg/dt are 0 on the reference; sizes are those of dae_check_constraints there. */
void dae_check_drift(dae_checker *c);

/* Where they are stated: the invariants; minimal coordinates, embed and chart; and what says how it moves
 * beside force and inertia, the energy and minimal.acceleration. */
void dae_check_invariants(dae_checker *c);
void dae_check_minimal(dae_checker *c);
void dae_check_motion(dae_checker *c);

/* s''[n] of minimal coordinates in c->got, what chart makes of (v, a) in c->slope, c->error, c->size; 0 where
 * the problem has none, or they are wrong. */
int dae_check_minimal_motion(dae_checker *c);

#endif
