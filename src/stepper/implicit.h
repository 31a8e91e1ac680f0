/* implicit.h - Jacobian and pencil M - gamma h J of implicit methods, by the solver's options, with counts
 * and failures */
#ifndef DAE_IMPLICIT_H
#define DAE_IMPLICIT_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

typedef struct {
    dae_jacobian *jac;          /* counts evaluations in solver->count */
    dae_pencil *pencil;         /* of its M and J */
    dae_pencil *slow;           /* of longer steps; NULL until a method has created it */
} dae_linearised;

/* Creates both, and sets solver->jacobian and solver->linear to the kinds in use. Free it after a failure,
 * too; freeing a zeroed record is allowed. */
dae_status dae_linearised_create(dae_solver *solver, dae_linearised *l);
void dae_linearised_free(dae_linearised *l);

/* The same for the Jacobian alone. Its kind, and dense or sparse, are those of the options; with BEST they
 * depend on size and pattern. */
dae_status dae_implicit_jacobian(dae_solver *solver, dae_jacobian **jac);

/* Report a failure. singular: M - gamma h J has no factors: DAE_NO_MEMORY; DAE_NOT_FINITE, with the place, or
 * DAE_BAD_MODEL where F or J is wrong; else DAE_SINGULAR, with the unknown whose pivot is 0 where that is known.
 * unsolved: it has, but the solution with them failed. */
dae_status dae_implicit_singular(dae_solver *solver, const dae_pencil *pencil, double h,
                                 dae_factored factored);
dae_status dae_implicit_unsolved(dae_solver *solver, const dae_pencil *pencil, double h);

/* Factor M - g J in a step of size h, or solve with the factors. Both are counted; failures as above. */
static inline dae_status dae_implicit_factor(dae_solver *s, dae_pencil *pencil, double h, double g_re,
                                             double g_im)
{
    s->count.factorizations++;
    const dae_factored factored = dae_pencil_factor(pencil, g_re, g_im);
    return factored.status ? dae_implicit_singular(s, pencil, h, factored) : DAE_OK;
}

static inline dae_status dae_implicit_factor_real(dae_solver *s, dae_pencil *pencil, double h, double g)
{
    s->count.factorizations++;
    const dae_factored factored = dae_pencil_factor_real(pencil, g);
    return factored.status ? dae_implicit_singular(s, pencil, h, factored) : DAE_OK;
}

static inline dae_status dae_implicit_solve(dae_solver *s, dae_pencil *pencil, double h, double *re,
                                            double *im)
{
    s->count.solves++;
    return dae_pencil_solve(pencil, re, im) ? dae_implicit_unsolved(s, pencil, h) : DAE_OK;
}

static inline dae_status dae_implicit_solve_real(dae_solver *s, dae_pencil *pencil, double h, double *b)
{
    s->count.solves++;
    return dae_pencil_solve_real(pencil, b) ? dae_implicit_unsolved(s, pencil, h) : DAE_OK;
}

/* left_over.c: by how much the end u_new of a step misses the algebraic equations: the sum of the norms
 * (dae_error_norm) of corrections as of Newton's iteration from u_new, until they fall fast, or the sum is above 1.
 * Infinite where F or a correction is not finite. 0 for a mechanical system whose constraints at u_new are at most half
 * of what e may make of them. h: size of the step; pencil: its real factors of M - g J; e[n]: its estimated error,
 * which may lie in the last third of work[3 n]. */
double dae_left_over(dae_solver *solver, dae_pencil *pencil, double h, double g, const double *e, double *work);

#endif
