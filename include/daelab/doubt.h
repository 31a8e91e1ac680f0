/* doubt.h - what speaks against the numbers of a run: the orders that its method declares, and what was seen of it
 *
 * For programs and bindings that show a solution, in C and C++: the command and the module of Python say the same.
 */
#ifndef DAELAB_DOUBT_H
#define DAELAB_DOUBT_H

#include "api.h"
#include "study.h"

#include <stddef.h>

DAE_API_BEGIN

/* How far an unknown is from that of a run with a tenth of the tolerance, or half the step. With e(h) = C h^p, or
 * C rtol^r, the difference is e (1 - 2^-p) or e (1 - 10^-r): about e, and half of it at least where p >= 1 and
 * r >= 0.3. Where a method converges to something else (order 0), both runs err alike; of a multiplier that can be
 * seen, as it differs from the one recovered from the acceleration level. */
typedef struct {
    const char *name, *unit;
    double error, size;         /* the largest difference, and the largest value */
    double atol;
    const char *recovered;      /* the recovered multiplier beside it; or NULL */
    double apart, recovered_error;      /* the largest difference of the two behind the start; its error */
} dae_estimate;

/* A run; chosen: its steps are, by rtol. */
typedef struct {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;
    int chosen;
    double rtol;
    const char *rtol_is;        /* how the user writes it: "--rtol 0.5" */
    const char *run;            /* what the run is called; NULL: by its form and its method, "index1 radau" */
    const dae_rank_loss *lost;  /* where its constraints lost rank; or NULL */
    const dae_estimate *estimate;       /* [estimates] of its unknowns; or NULL, 0 */
    int estimates;
} dae_doubt;

/* The index of a first-order problem in the unknowns it is solved in: u' among them, it is 1 at least. */
int dae_index_as_written(const dae_problem *problem);

/* The order that the method declares for a class; NaN: none. */
double dae_doubt_order(const dae_doubt *run, dae_class c);

/* Fixed steps, order 0: the class converges to something else than the solution. With chosen steps multipliers are
 * those of the acceleration level. */
int dae_doubt_wrong(const dae_doubt *run, dae_class c);

/* Chosen steps, index 3, and order 1 or 2 of what is differentiated: local errors of high order are held to the
 * tolerance, global ones are not. The order, or 0. */
double dae_doubt_slow(const dae_doubt *run);

/* The method declares orders, but none for the positions (the differential variables) here. DAE_BAD_ARGUMENT, with
 * how another is chosen and how it is run all the same, "--method", "--force"; else DAE_OK. */
dae_status dae_doubt_refuse(const dae_doubt *run, const char *choose, const char *force, dae_report *report);

/* The sentence of a kind; of DAE_SAYS_WRONG that on class i, of DAE_SAYS_APART that on estimate i. 0: there is none,
 * else 1, with the sentence in text[length]. */
typedef enum {
    DAE_SAYS_LOOSE,             /* rtol asks for no digit */
    DAE_SAYS_WRONG,
    DAE_SAYS_SLOW,
    DAE_SAYS_RANK,
    DAE_SAYS_FAR,               /* an error is far above the tolerance */
    DAE_SAYS_APART,             /* a multiplier is not what the constraints ask for */
    DAE_SAYINGS
} dae_saying;
int dae_doubt_says(const dae_doubt *run, dae_saying what, int i, char *text, size_t length);

DAE_API_END

#endif
