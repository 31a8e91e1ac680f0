/* kinsol.h - solve r(x) = 0 to rounding by KINSOL: Newton's method, a line search, dense LU
 *
 * The first nx unknowns are what is sought, those behind them multipliers; the rows r[nx .. n-1]
 * are the equations that must hold, those before them say which of their solutions is nearest.
 */
#ifndef DAE_KINSOL_H
#define DAE_KINSOL_H

#include "base/no_fast_math.h"
#include "daelab/status.h"

typedef struct {
    const char *what;           /* "positions", for the report */
    int n, nx;
    double t;
    void *context;
    /* r[n] at x[n], and J = dr/dx[n x n] column-major (or near it) */
    void (*evaluate)(void *context, const double *x, double *r, double *J);
    int always;                 /* iterate even where the equations that must hold do */
    const double *terms;        /* [n - nx] what an equation is a sum of, in size, beside J x;
                                   evaluate writes it. NULL: nothing */
} dae_equations;

/* x[n] := the solution, from the guess x. Where x solves the equations to rounding already, it
 * stays as it is. DAE_NOT_FINITE where they are not finite at the guess; DAE_INCONSISTENT where
 * there is no solution near, with what was left of them and KINSOL's own words: x is then of no
 * use. */
dae_status dae_equations_solve(const dae_equations *equations, double *x, dae_report *report);

#endif
