/* gradient.h - the derivative of one number of a run by many parameters and initial values
 *
 * For programs that optimise, in C and C++. The number is a sum of costs at times that the run comes to,
 *
 *     J = sum_k c_k(u(t_k), p),
 *
 * which the caller computes, with its derivatives by u. An integral of a running cost is such a sum, by a quadrature
 * whose nodes are times t_k. dJ/dp and dJ/du0 come from the steps that the run has made, taken backwards with
 * the transposes of their derivatives: Hager (2000), Numer. Math. 87, 247-282; Sandu (2006), LNCS 3994, 258-266. So
 * they are what sensitivity.h gives, times the derivatives of J, but for rounding, at a cost that grows with the number
 * of directions by little: one F per parameter and stage, nothing per initial value.
 *
 *     dae_solver_create(&solver, sys, method, &options, &why);
 *     dae_gradient_create(&g, solver, &directions, 0, &why);
 *     dae_system_start(sys, from, &why);
 *     memcpy(u, from, n * sizeof *u);
 *     dae_consistent_start(sys, t0, u, NULL, &why);
 *     dae_solver_start(solver, t0, u);
 *     dae_gradient_start(g, from, &why);
 *     for each t_k: dae_solver_advance(solver, t_k, u);
 *                   c_u[n] := dc_k/du at u;
 *                   dae_gradient_add(g, c_u, &why);
 *     dae_gradient_at(g, dJ, &why);                        dJ[directions], without what c_k have of p themselves
 *     dae_gradient_free(g);                                before the solver
 *
 * Rounding: of states that have derivatives both agree to 11 digits or more with Radau and explicit methods, in index 3
 * to 10. Multipliers are derivatives of velocities, or the second ones of positions: their rounding is divided by h, in
 * index 3 by h^2. Rosenbrock methods have second derivatives of F by interpolation (variation.h), of 12 digits: with
 * them it is 8 digits, and 6 in index 3, of states, and where multipliers are asked for 4 and 3. Forward derivatives of
 * large systems are iterated to a thousandth of the tolerance, this gradient to rounding.
 *
 * No error of a derivative chooses steps (dae_sensitivity_test): on stiff problems take implicit methods.
 *
 * Memory: the states of all steps, or of so many as there are checkpoints. Then steps between them are made again, each
 * about as often as a binomial schedule asks (Griewank, Walther (2000), ACM Trans. Math. Softw. 26, 19-45).
 * Steps that were found by an iteration are made again to rounding, as fixed steps are: with error control dJ is then
 * that of steps which differ by what the iteration had left, far below the tolerance.
 */
#ifndef DAELAB_GRADIENT_H
#define DAELAB_GRADIENT_H

#include "sensitivity.h"

DAE_API_BEGIN

typedef struct dae_gradient dae_gradient;

/* Of the runs of a solver, by these directions (sensitivity.h). checkpoints: states that are kept, at least 2; 0: those
 * of all steps. Errors as those of dae_sensitivity_create; a solver has sensitivities or a gradient. Through events
 * there is none: dae_hybrid_sensitivity_create. */
dae_status dae_gradient_create(dae_gradient **g, dae_solver *solver, const dae_directions *directions, int checkpoints,
                               dae_report *report);
void dae_gradient_free(dae_gradient *g);

/* The solver stands at its start; from as in dae_sensitivity_start. J is 0 so far. */
dae_status dae_gradient_start(dae_gradient *g, const double *from, dae_report *report);

/* J has a further cost at the solver's time, with the derivatives cost_u[n] by the state that the solver shows there.
 * DAE_UNSUPPORTED where no step ends there, and behind a jump of algebraic unknowns. */
dae_status dae_gradient_add(dae_gradient *g, const double *cost_u, dae_report *report);

/* dJ[directions] of the costs so far; the run may go on. What failed in a step that was made again. */
dae_status dae_gradient_at(dae_gradient *g, double *dJ, dae_report *report);

/* Of a run that may have events (hybrid.h), until the first one that changes something: DAE_UNSUPPORTED behind it.
 * start comes after that of the run; add and at are the same. To be freed before the run. */
dae_status dae_hybrid_gradient_create(dae_gradient **g, dae_hybrid *run, const dae_directions *directions,
                                      int checkpoints, dae_report *report);
dae_status dae_hybrid_gradient_start(dae_gradient *g, const dae_hybrid *run, dae_report *report);

DAE_API_END

#endif
