/* checker.h - what the parts of model_check.c share: a row of a reference, functions along
 * paths from it, and a check each of constraints, energy and minimal coordinates
 */
#ifndef DAE_CHECKER_H
#define DAE_CHECKER_H

#include "comparison.h"

#include <stdint.h>

enum { DAE_ON_CONSTRAINT, DAE_ON_RATE, DAE_ON_ENERGY, DAE_ON_EMBEDDED };
enum { DAE_DIRECTIONS = 2 };                /* random ones, at each row */

/* One row of a reference, and the path on which a function is looked at there. */
typedef struct {
    const dae_quad_rows *rows;
    const dae_mechanical *e;
    const dae_quad *p;
    int nq, nl, most;           /* most: of the rows of a function */
    dae_comparison found;
    uint64_t random;
    dae_quad span, t;
    const dae_quad *q, *v, *lambda;
    dae_quad *a;                /* [nq] */
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
    dae_quad *minimal;          /* [4 ns] x, x', x'', and another x' */
    dae_quad *minimal_slope;    /* [2 nq] v' from them, and its error */
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

/* dae_compare with what was found so far */
int dae_checker_compare(dae_checker *c, dae_quad apart, dae_quad error, dae_quad size,
                        const char *what, int row, const char *why);

/* Mx := M(t, q) x */
void dae_checker_inertia(dae_checker *c, const dae_quad *x, dae_quad *Mx);

/* x^T y; *size += the sum of |x_i y_i| */
dae_quad dae_checker_product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size);

/* M is linear and symmetric. */
void dae_check_mass(dae_checker *c);

/* dg/dt, d2g/dt2 and G^T lambda are those of g, and the first two 0 on the reference. Sets size_g,
 * size_rate. */
void dae_check_constraints(dae_checker *c);

/* Where they are stated: the energy, the invariants, minimal coordinates. */
void dae_check_energy(dae_checker *c);
void dae_check_invariants(dae_checker *c);
void dae_check_minimal(dae_checker *c);

/* Does the energy stay, as far as its terms show? By how much it changes where not. */
typedef struct { dae_quad off, error, size; } dae_energy_change;
int dae_check_energy_holds(dae_checker *c, dae_energy_change *by);

#endif
