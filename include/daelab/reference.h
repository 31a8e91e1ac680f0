/* reference.h - reference solutions, from which errors are measured
 *
 * For programs that measure errors, in C and C++. References are computed in quad precision. Here they are
 * pairs of doubles; quad_reference.h gives them as quad numbers.
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
    double digits;              /* -log10 of the largest difference of two independent computations, of each
                                   number in its own size in the run, or 1e-12 of the terms that it is the sum of */
    const char *source;         /* a name of dae_reference_source */
} dae_plain_reference;

/* tell(context, t) is called at every step. t may start again at t0, as several runs are compared. If it
 * returns 1 the computation ends with DAE_STOPPED. */
typedef struct {
    int (*tell)(void *context, double t);
    void *context;
} dae_reference_watch;

/* Compute the solution of sys from (t0, u0) at count increasing times in quad precision:
 * - by the problem's exact solution, if (t0, u0) agrees with it to more than 30 digits;
 * - else by extrapolation, twice with different orders and step sizes, whose results must agree. F is
 *   evaluated at least once in every ten thousandth of the interval, so that short pulses are not missed;
 * - first-order problems with M singular, or too stiff for this, by collocation, likewise twice, from initial
 *   values made consistent. If rounding of u0 to doubles excites fast oscillations about a slow solution of a
 *   stiff problem, the reference is the slow solution, and digits say how far the oscillation leads from it:
 *   they may be few.
 * An exact solution on another branch of the algebraic equations than u0 is none; minimal coordinates of u0 that
 * lead to another state are refused (DAE_INCONSISTENT).
 * The functions of the model are verified at the start and at all times: g and dg/dt are 0, and rate,
 * acceleration, reaction, minimal coordinates, energy, invariants and derivatives agree with each other.
 * DAE_BAD_ARGUMENT, with the function and its row, where they do not.
 * DAE_INCONSISTENT where a start of index 2 or 3 violates its constraints by more than rounding,
 * DAE_UNSUPPORTED where the problem has events or modes (event_reference.h). watch may be NULL. */
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
