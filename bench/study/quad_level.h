/* quad_level.h - levels of a study in quad precision, and what they tell of its orders
 *
 * Where the method's fixed steps can be made in quad precision, rounding hides nothing of its errors.
 */
#ifndef DAELAB_QUAD_LEVEL_H
#define DAELAB_QUAD_LEVEL_H

#include "study/converge.h"

/* Of which levels are asked for: of a curve, whose formulation sys is in; along: of |p| du/dp, not of u. */
typedef struct {
    const study *s;
    const converge_curve *c;
    dae_system *sys;
    int along;
} quad_subject;

/* The values of a class at all samples, and those of the reference. */
typedef struct {
    int count;
    dae_quad *x, *reference;
} quad_values;

/* So many steps to each sample of the path, from where the study's reference begins, and what they lead to. |p| du/dp
 * is made as study.errors is, by such steps at the same neighbours of p from the same starts. So its error is the
 * derivative by p of the error of u, but for a part d^4 of it, and for rounding over d. */
typedef struct {
    int steps;
    quad_values of[DAE_CLASSES];
    quad_values wrong[DAE_CLASSES];     /* along: what is not known of either */
} quad_level;

/* shaken: with coefficients that are off in their last bits. DAE_STOPPED and the like where the computation was ended,
 * DAE_UNSUPPORTED where no coefficient has such bits: then there is nothing to be freed. */
dae_status quad_level_ask(quad_level *l, const quad_subject *of, int shaken, int steps);
void quad_level_free(quad_level *l);

/* The root mean square over the samples of |x - y|, and the largest |x_i|. */
double quad_distance(const dae_quad *x, const dae_quad *y, int count);
double quad_largest(const dae_quad *x, int count);

/* Are there steps in quad precision, and a level that went through in doubles? The first one that did: large steps
 * may be too large for Newton's iteration. */
int quad_levels_exist(const study *s, const converge_curve *c);
int quad_first_level(const converge_curve *c);

/* What so many steps in quad precision take, at each neighbour: times unknowns, times Jacobians in each. */
double quad_level_work(const quad_subject *of, double steps);

/* Where an order of the study is not what is declared: levels with the steps of the study, and finer ones, in quad.
 * Where all errors of a class are those of the study but for its rounding, it is the same method, and the order of
 * that class is judged by them. */
void quad_ladder(const study *s, converge_curve *c);

/* "below" for each class whose error has a term below the declared order that rounding of the coefficients does not
 * explain. */
void quad_expansion(const study *s, converge_curve *c);

#endif
