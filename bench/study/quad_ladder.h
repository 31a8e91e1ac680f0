/* quad_ladder.h - the levels of a study once more, in quad precision */
#ifndef DAELAB_QUAD_LADDER_H
#define DAELAB_QUAD_LADDER_H

#include "study/converge.h"

/* Where the method's fixed steps can be made in quad precision, and an order of the study is not
 * what is declared: levels with the steps of the study, and finer ones, in quad. Where all errors
 * of a class are those of the study but for its rounding, it is the same method, and the order of
 * that class is judged by them. */
void quad_ladder(const study *s, converge_curve *c);

/* Are there steps in quad precision, and a reference that begins where they do? */
int quad_ladder_exists(const study *s, const converge_curve *c);

/* What so many steps in quad precision take: times unknowns, times Jacobians in each. */
double quad_ladder_work(const converge_curve *c, const dae_system *sys, double steps);

#endif
