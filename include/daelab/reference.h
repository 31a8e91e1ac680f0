/* reference.h - reference solutions in quad precision
 *
 * For programs that measure errors. In C.
 */
#ifndef DAELAB_REFERENCE_H
#define DAELAB_REFERENCE_H

#include "api.h"
#include "daelab.h"
#include "scalar.h"

DAE_API_BEGIN

enum { DAE_QUAD_TEXT = 48 };    /* characters that hold a quad number */

typedef struct {
    int nq, nl;                 /* first-order problems: nq = n, nl = 0, v and lambda NULL */
    dae_quad *q, *v, *lambda;   /* [count x nq], [count x nq], [count x nl] */
    double digits;              /* of the two runs that agree, -log10 of the largest difference */
    const char *source;         /* "exact", "minimal coordinates", "Cartesian coordinates",
                                   "extrapolation" (of u' = F), "collocation" (of M u' = F) or
                                   "collocation, slow solution": see dae_reference_solve; or "exact,
                                   but for the rounding of its start" */
} dae_reference;

/* Solve in quad precision from (t0, u0) (a state of sys) to the count increasing times, by
 * extrapolation with two different orders and steps that must agree, each of which looks at the
 * equations in every ten thousandth of the interval; or evaluate the problem's exact solution, where the
 * start is on it to more than 30 digits. First-order problems with M singular, or too stiff, by collocation likewise, from
 * a start made consistent. Where rounding to doubles alone makes the start of a stiff problem
 * oscillate about a slow solution, that is the reference: digits do not count the oscillation.
 * The functions of the model are compared with each other, at the start and at all times: g and dg/dt
 * are 0, rate, acceleration, reaction, minimal coordinates, energy, invariants and derivatives are what
 * they say; DAE_BAD_ARGUMENT, with the function and its row, where they are not.
 * DAE_INCONSISTENT where a start of index 2 or 3 violates its constraints by more than rounding,
 * DAE_UNSUPPORTED where the problem has events or modes. */
dae_status dae_reference_solve(dae_reference *reference, dae_system *sys, double t0,
                               const double *u0, const double *times, int count,
                               dae_report *report);
void dae_reference_free(dae_reference *reference);

/* The same, and tell(context, t) is called at every step with the time that a run has come to; it comes
 * to t more than once. Where it answers 1 there is no reference: DAE_STOPPED. */
typedef struct {
    int (*tell)(void *context, double t);
    void *context;
} dae_reference_watch;
dae_status dae_reference_solve_watched(dae_reference *reference, dae_system *sys, double t0,
                                       const double *u0, const double *times, int count,
                                       const dae_reference_watch *watch, dae_report *report);

/* The same problem with fixed steps of Radau IIA of so many stages in quad precision: what a method of
 * info.quad_stages does, without its rounding. (t0, u0) is a state of the system that a reference was
 * asked for, any of its formulations; the run begins where that reference does. Between two times, count of
 * them, all steps are equal, steps in number. result as for dae_reference_solve, but for lambda, the
 * multipliers of the method; recovered[count x nl] those of the acceleration level, where not NULL.
 * DAE_UNSUPPORTED for minimal coordinates that the problem does not give, and for problems with more
 * unknowns than dense matrices are for; DAE_NO_CONVERGENCE where Newton's iteration does not. */
dae_status dae_quad_steps(dae_reference *result, dae_quad *recovered, dae_system *sys, int stages,
                          double t0, const double *u0, const double *times, int count, int steps,
                          dae_report *report);

/* The names that source may have, i = 0, 1, ...; NULL past the last. */
const char *dae_reference_source(int i);

DAE_API_END

#endif
