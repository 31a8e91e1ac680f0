/* unresolved.h - modes of the equations that the finest step of a study does not resolve */
#ifndef DAELAB_UNRESOLVED_H
#define DAELAB_UNRESOLVED_H

#include "study/converge.h"

/* Where the finest step h has h |lambda| > 1 for an eigenvalue of M^-1 dF/du at the start, an order that is
 * "below" becomes "not determined", with h |lambda| as the reason: errors in what steps do not resolve need
 * not fall with them (Prothero, Robinson (1974), Math. Comp. 28, 145-162). Systems of index 0 with a diagonal
 * M; others have infinite eigenvalues, and are left as they are. */
void unresolved_modes(const study *s, converge_curve *c);

#endif
