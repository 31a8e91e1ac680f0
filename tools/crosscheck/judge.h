/* judge.h - is a run right, does it say itself that it is not, or is it wrong without a word?
 *
 * By tolerance: every row within LIMIT rtol of the size of the motion. With fixed steps: the error
 * at h/2 at most SLACK 2^-p times that at h, root mean square over the rows, p the declared order;
 * between steps no more than that of dense output. Where that does not hold the runs themselves
 * must tell, without a reference:
 *
 *   an order of 0 that is declared for a class of unknowns,
 *   the difference from a run at a tenth of the tolerance, above half of LIMIT rtol,
 *   the order that h, h/2 and h/4 show among themselves, which is not the declared one,
 *
 * and where it does hold with room to spare they must not. An error that the rounding of the steps
 * explains (order.h) is right.
 */
#ifndef DAELAB_JUDGE_H
#define DAELAB_JUDGE_H

#include "subject.h"

typedef enum { RIGHT, REMARKED, FAILED, WRONG, REFUSED, VERDICTS } verdict;

typedef struct {
    verdict verdict;
    char why[400];
} judgement;

/* "right", ..., with "WRONG" in capitals */
extern const char *const verdict_names[VERDICTS];

judgement judge_tolerance(const subject *s, const dae_formulation *form, const dae_method *method,
                          double rtol);
judgement judge_fixed(const subject *s, const dae_formulation *form, const dae_method *method);

#endif
