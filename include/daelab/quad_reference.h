/* quad_reference.h - reference solutions, and fixed steps, as quad numbers
 *
 * For programs that compute in quad. In C; reference.h has the same as pairs of doubles.
 */
#ifndef DAELAB_QUAD_REFERENCE_H
#define DAELAB_QUAD_REFERENCE_H

#include "api.h"
#include "daelab.h"
#include "reference.h"
#include "scalar.h"

DAE_API_BEGIN

typedef struct {
    int nq, nl;                 /* first-order problems: nq = n, nl = 0, v and lambda NULL */
    dae_quad *q, *v, *lambda;   /* [count x nq], [count x nq], [count x nl] */
    double digits;              /* as in dae_plain_reference */
    const char *source;         /* a name of dae_reference_source */
} dae_reference;

/* As dae_plain_reference_solve, without and with a watch, and without its rounding to pairs of doubles. */
dae_status dae_reference_solve(dae_reference *reference, dae_system *sys, double t0,
                               const double *u0, const double *times, int count,
                               dae_report *report);
dae_status dae_reference_solve_watched(dae_reference *reference, dae_system *sys, double t0,
                                       const double *u0, const double *times, int count,
                                       const dae_reference_watch *watch, dae_report *report);
/* From a start in quad precision. */
dae_status dae_reference_solve_quad(dae_reference *reference, dae_system *sys, double t0, const dae_quad *u0,
                                    const double *times, int count, const dae_reference_watch *watch,
                                    dae_report *report);
void dae_reference_free(dae_reference *reference);

/* The same problem with fixed steps of a method in quad precision, for those with info.quad_steps: what
 * the method does without rounding of its arithmetic. Its coefficients are the doubles that it is coded
 * with, or those of Radau IIA and extrapolation, which have formulas; with shaken != 0 the doubles are off
 * by a unit in their last place, but for short binary fractions: the difference is what rounding of the
 * coefficients makes of the solution (DAE_UNSUPPORTED where there is nothing to be shaken).
 * (t0, u0) is a state of the system that a reference was asked for, any of its formulations; the run begins
 * where that reference does. Between two times, count of them, all steps are equal, steps in number. result
 * as for dae_reference_solve, but for lambda, the multipliers of the method; recovered[count x nl] those of
 * the acceleration level, where not NULL.
 * DAE_UNSUPPORTED for methods without such steps, for minimal coordinates that the problem does not give,
 * and for problems with more unknowns than dense matrices are for; DAE_NO_CONVERGENCE where Newton's
 * iteration does not. */
dae_status dae_quad_steps(dae_reference *result, dae_quad *recovered, dae_system *sys,
                          const dae_method *method, int shaken, double t0, const dae_quad *u0,
                          const double *times, int count, int steps, dae_report *report);

DAE_API_END

#endif
