/* judge_drawn.h - runs of drawn problems by tolerance, beside their closed forms
 *
 * With atol = rtol times the largest |unknown|, an error of 1 is one tolerance. What a drawn problem holds to the
 * tolerance may be wrong by DRAWN_LIMIT of them at the most, at any of its rows; above DRAWN_FAR it is counted. The
 * other unknowns of index 2 and 3, which the error test holds to less, and methods of order 1 and 2 in the index of the
 * problem may be wrong by more where a run at a tenth of the tolerance tells so. A run may fail with its reason; where
 * rows are missing without one it is wrong. Where a method declares no order, as most in index 3, it is refused, as
 * daelab solve refuses it.
 */
#ifndef DAELAB_JUDGE_DRAWN_H
#define DAELAB_JUDGE_DRAWN_H

#include "drawn.h"
#include "judge.h"

static const double DRAWN_LIMIT = 100, DRAWN_FAR = 30;

/* *error: the largest error of what is held to the tolerance, in tolerances; NaN where the run failed. */
judgement judge_drawn(const drawn *d, const dae_method *method, double rtol, double *error);

#endif
