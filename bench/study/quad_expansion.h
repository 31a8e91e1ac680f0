/* quad_expansion.h - terms of low order in an error, which a ladder of steps does not come down to */
#ifndef DAELAB_QUAD_EXPANSION_H
#define DAELAB_QUAD_EXPANSION_H

#include "study/converge.h"

/* Where the method's fixed steps can be made in quad precision: "below" for each class whose error has
 * a term below the declared order that rounding of the coefficients does not explain. */
void quad_expansion(const study *s, converge_curve *c);

#endif
