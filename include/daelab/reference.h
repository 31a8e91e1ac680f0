/* reference.h - reference solutions: what errors are measured against
 *
 * For programs that measure errors, in C and C++. References are computed in quad precision, and shown so by
 * quad_reference.h.
 */
#ifndef DAELAB_REFERENCE_H
#define DAELAB_REFERENCE_H

#include "api.h"
#include "daelab.h"

DAE_API_BEGIN

/* high is the nearest double and low the double nearest to its error: high + low has 32 digits. */
typedef struct {
    double high, low;
} dae_double_double;

enum { DAE_QUAD_TEXT = 48 };    /* characters that hold a double-double, or a quad number */

/* The 32 digits of x, 0-ended, into text[length]. */
void dae_double_double_text(dae_double_double x, char *text, int length);

typedef struct {
    int count, nq, nl;          /* times; first-order problems: nq = n, nl = 0, v and lambda NULL */
    dae_double_double *q, *v, *lambda;  /* [count x nq], [count x nq], [count x nl] */
    double digits;              /* of the two runs that agree, -log10 of the largest difference */
    const char *source;         /* a name of dae_reference_source */
} dae_plain_reference;

/* tell(context, t) is called at every step with the time that a run has come to; it comes to t more than
 * once. Where it answers 1 there is no reference: DAE_STOPPED. */
typedef struct {
    int (*tell)(void *context, double t);
    void *context;
} dae_reference_watch;

/* Solve in quad precision from (t0, u0) (a state of sys) to the count increasing times, by
 * extrapolation with two different orders and steps that must agree, each of which looks at the
 * equations in every ten thousandth of the interval; or evaluate the problem's exact solution, where the
 * start is on it to more than 30 digits. First-order problems with M singular, or too stiff, by
 * collocation likewise, from a start made consistent. Where rounding to doubles alone makes the start of a
 * stiff problem oscillate about a slow solution, that is the reference: digits do not count the oscillation.
 * The functions of the model are compared with each other, at the start and at all times: g and dg/dt
 * are 0, rate, acceleration, reaction, minimal coordinates, energy, invariants and derivatives are what
 * they say; DAE_BAD_ARGUMENT, with the function and its row, where they are not.
 * DAE_INCONSISTENT where a start of index 2 or 3 violates its constraints by more than rounding,
 * DAE_UNSUPPORTED where the problem has events or modes. watch may be NULL. */
dae_status dae_plain_reference_solve(dae_plain_reference *reference, dae_system *sys, double t0,
                                     const double *u0, const double *times, int count,
                                     const dae_reference_watch *watch, dae_report *report);
void dae_plain_reference_free(dae_plain_reference *reference);

/* The names that source may have, i = 0, 1, ...; NULL past the last: "exact", "minimal coordinates",
 * "Cartesian coordinates", "extrapolation" (of u' = F), "collocation" (of M u' = F), "collocation, slow
 * solution"; or "exact, but for the rounding of its start". */
const char *dae_reference_source(int i);

DAE_API_END

#endif
