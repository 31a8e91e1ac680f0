/* checker.h - what the parts of model_check.c share: a row of a reference, functions along paths from it, and what is
 * looked at there
 */
#ifndef DAE_CHECKER_H
#define DAE_CHECKER_H

#include "model_check.h"

#include <stdint.h>

typedef enum { DAE_ON_CONSTRAINT, DAE_ON_GRADIENTS, DAE_ON_RATE, DAE_ON_ACCELERATION, DAE_ON_ENERGY, DAE_ON_EMBEDDED,
               DAE_ON_CHART, DAE_ON_INVARIANTS, DAE_ON_EXACT } dae_on;

/* The worst difference of a row of one function, of all directions. */
typedef struct { double part, found, expected; } dae_row_difference;

/* One row of a reference, and the path on which a function is looked at there. */
typedef struct {
    const dae_quad_rows *rows;
    const dae_problem *problem;
    const dae_mechanical *e;
    const dae_quad *p;
    int nq, nl, holonomic;
    int n;                      /* numbers of a state: (q, v), or u */
    int most;                   /* rows of a function at most */
    dae_comparison found;
    uint64_t random;
    int directions;             /* random ones, at each row */
    dae_quad span, t;
    const dae_quad *q, *v, *lambda;         /* of first order q is u */
    int moves;                  /* 1: the state is consistent, and a the acceleration of the motion */
    dae_quad *a;                /* [nq] */
    dae_row_difference *rate_off, *acceleration_off, *second_off, *gradient_off;   /* [nl] */
    dae_quad *size_q, *size_v, *size_a;     /* [n], size_v = size_q + nq; [nq] of the motion */
    dae_quad *w, *b, *x, *y;    /* [n] directions, and work */
    dae_quad *mu;               /* [nl] multipliers */
    dae_quad *size_g, *size_rate;           /* [nl] of g as q moves by its size, of dg/dt */
    dae_quad *F, *size_F;       /* [n] of first order */
    dae_on map;                 /* of the path: t + s pace, q + s first + s^2 second/2, ... */
    dae_quad pace;
    const dae_quad *base, *base_v, *first, *second; /* ... base_v + s second */
    int moving;                 /* numbers in base */
    dae_quad *at, *at_v;        /* [most] there */
    dae_quad tilt;              /* relative changes of base, of either sign */
    dae_quad *minimal;          /* [6 ns] s, s', s''; another s'; what chart makes of them */
    dae_quad *embedded;         /* [2 nq] */
    dae_quad *slope, *error, *size, *got, *rounding;        /* [most] */
    dae_quad *work;
    void *memory;
} dae_checker;

/* 0 where there is no memory; to be destroyed in any case. */
int dae_checker_create(dae_checker *c, const dae_quad_rows *rows, double digits, dae_report *report);
void dae_checker_destroy(dae_checker *c);

/* Row i: at t0, then at the times; its time. */
const dae_quad *dae_checker_row(const dae_checker *c, int i);
double dae_checker_time(const dae_checker *c, int i);

static inline int dae_goes_on(const dae_checker *c) { return !c->found.status; }

/* w[n] := random, as large as size, or as 1 */
void dae_checker_choose(dae_checker *c, int n, const dae_quad *size, dae_quad *w);

/* x[n] := the state, a part of its sizes aside, and not across 0: at its end a root or a logarithm may have no value.
 * size[m] := what f changes by over the whole way, where that is more, from there[m], f at x, and here[m]. */
void dae_checker_aside(dae_checker *c, dae_quad *x);
void dae_checker_raise(int m, const dae_quad *there, const dae_quad *here, dae_quad *size);

/* c->slope[m] and c->error[m] on the path that is set; the rounding of a function is what it makes
 * of that of its arguments, and that of its value. */
void dae_checker_slope(dae_checker *c, dae_quad unit, int m);

/* The same of map on the path from (t, q, base_v) */
void dae_checker_differentiate(dae_checker *c, dae_on map, int m, double pace, const dae_quad *base_v,
                               const dae_quad *first, const dae_quad *second);

/* c->slope[m] := the second derivative of the map on the same path, to eight digits and more */
void dae_checker_second(dae_checker *c, int m);

/* x^T y; *size += the sum of |x_i y_i| */
dae_quad dae_checker_product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size);

/* M is linear; of these sizes x and y are, with M x in c->slope, M y in c->got, M (x + y) in c->error. */
void dae_check_linear(dae_checker *c, int n, const dae_map2 *M, const dae_quad *size, const char *name);

/* M is linear and symmetric. */
void dae_check_mass(dae_checker *c);

/* dg/dt, d2g/dt2 and G^T lambda are those of g, at any state. Sets size_g, size_rate. */
void dae_check_constraints(dae_checker *c);

/* g and dg/dt are 0 on the reference; sizes are those of dae_check_constraints there. */
void dae_check_drift(dae_checker *c);

/* Where they are stated: minimal coordinates, embed and chart; and what says how it moves beside force and inertia,
 * the energy and minimal.acceleration. */
void dae_check_minimal(dae_checker *c);
void dae_check_motion(dae_checker *c);

/* s'' is that of chart along the motion: 1; the row that is off most, with a minus; 0 where the problem has no minimal
 * coordinates, or something was wrong before. */
int dae_check_minimal_motion(dae_checker *c, dae_row_difference *off);

/* Invariants are at a state what they are at row number first; their derivative along the motion is 0; of M u' = F,
 * where u' is not known, they are at both ends of a run the same. */
void dae_check_invariants(dae_checker *c, int first);
void dae_check_stays(dae_checker *c);
void dae_check_ends(dae_checker *c);

/* Analytic derivatives, partials or jacobian, are those of the functions. They are doubles: what is off by more than
 * 1e-9 of the terms of its row is wrong. */
void dae_check_partials(dae_checker *c);

/* Row k of a first-order problem. */
void dae_set_first_order_sizes(dae_checker *c);
void dae_check_first_order_row(dae_checker *c, int k);
void dae_check_exact_between(dae_checker *c);

#endif
