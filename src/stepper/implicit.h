/* implicit.h - what implicit methods share: the Jacobian and the pencil M - gamma h J as the options
 * ask, with their counts and failures */
#ifndef DAE_IMPLICIT_H
#define DAE_IMPLICIT_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

typedef struct {
    dae_jacobian *jac;          /* it counts into the solver */
    dae_pencil *pencil;         /* of its M and J */
} dae_linearised;

/* Both; solver->jacobian and solver->linear say what is in use. To be freed after a failure, too; all
 * NULL may be. */
dae_status dae_linearised_create(dae_solver *solver, dae_linearised *l);
void dae_linearised_free(dae_linearised *l);

/* jac of the kind that the options name, dense or sparse as they ask or as size and pattern
 * suggest. It counts into the solver; solver->jacobian and solver->linear say what is in use. */
dae_status dae_implicit_jacobian(dae_solver *solver, dae_jacobian **jac);

/* Why there are no factors of M - gamma h J: DAE_SINGULAR, with the unknown where no pivot was left, or
 * DAE_NO_MEMORY. And why there is no solution with them. */
dae_status dae_implicit_singular(dae_solver *solver, double h, dae_factored factored);
dae_status dae_implicit_unsolved(dae_solver *solver, double h);

/* Factors of M - g J in a step of size h, and what is solved with them, counted; failures as above. */
static inline dae_status dae_implicit_factor(dae_solver *s, dae_pencil *pencil, double h, double g_re,
                                             double g_im)
{
    s->count.factorizations++;
    const dae_factored factored = dae_pencil_factor(pencil, g_re, g_im);
    return factored.status ? dae_implicit_singular(s, h, factored) : DAE_OK;
}

static inline dae_status dae_implicit_factor_real(dae_solver *s, dae_pencil *pencil, double h, double g)
{
    s->count.factorizations++;
    const dae_factored factored = dae_pencil_factor_real(pencil, g);
    return factored.status ? dae_implicit_singular(s, h, factored) : DAE_OK;
}

static inline dae_status dae_implicit_solve(dae_solver *s, dae_pencil *pencil, double h, double *re,
                                            double *im)
{
    s->count.solves++;
    return dae_pencil_solve(pencil, re, im) ? dae_implicit_unsolved(s, h) : DAE_OK;
}

static inline dae_status dae_implicit_solve_real(dae_solver *s, dae_pencil *pencil, double h, double *b)
{
    s->count.solves++;
    return dae_pencil_solve_real(pencil, b) ? dae_implicit_unsolved(s, h) : DAE_OK;
}

#endif
