/* quad_level.h - levels of a study in quad precision, and what they tell of its orders
 *
 * Where the method's fixed steps can be made in quad precision, rounding hides nothing of its errors.
 */
#ifndef DAELAB_QUAD_LEVEL_H
#define DAELAB_QUAD_LEVEL_H

#include "study/converge.h"

/* So many steps to each sample of the path, from where the study's reference begins, and what they lead to. */
typedef struct {
    int steps;
    dae_reference at;           /* at the samples */
    dae_quad *recovered;        /* the recovered multipliers there */
    dae_quad *sorted;           /* of a first-order problem the values by class, those of the reference behind them */
    int differential;           /* so many of either are of differential unknowns */
} quad_level;

/* Of a curve whose formulation sys is in; shaken: with coefficients that are off in their last bits. DAE_STOPPED and
 * the like where the computation was ended, DAE_UNSUPPORTED where no coefficient has such bits. */
dae_status quad_level_ask(quad_level *l, const study *s, const converge_curve *c, dae_system *sys, int shaken,
                          int steps);
void quad_level_free(quad_level *l);

/* The values of a class at all samples, and those of the reference; how many. */
int quad_level_values(const quad_level *l, const study *s, dae_class k, const dae_quad **x, const dae_quad **reference);

/* The root mean square over the samples of |x - y|, and the largest |x_i|. */
double quad_distance(const dae_quad *x, const dae_quad *y, int count);
double quad_largest(const dae_quad *x, int count);

/* Are there steps in quad precision, and a level that went through in doubles? The first one that did: large steps
 * may be too large for Newton's iteration. */
int quad_levels_exist(const study *s, const converge_curve *c);
int quad_first_level(const converge_curve *c);

/* What so many steps in quad precision take: times unknowns, times Jacobians in each. */
double quad_level_work(const converge_curve *c, const dae_system *sys, double steps);

/* Where an order of the study is not what is declared: levels with the steps of the study, and finer ones, in quad.
 * Where all errors of a class are those of the study but for its rounding, it is the same method, and the order of
 * that class is judged by them. */
void quad_ladder(const study *s, converge_curve *c);

/* "below" for each class whose error has a term below the declared order that rounding of the coefficients does not
 * explain. */
void quad_expansion(const study *s, converge_curve *c);

#endif
