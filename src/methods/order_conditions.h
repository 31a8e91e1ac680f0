/* order_conditions.h - do coefficients have the order that is declared for them? */
#ifndef DAE_ORDER_CONDITIONS_H
#define DAE_ORDER_CONDITIONS_H

#include "daelab/status.h"

enum { DAE_MOST_CONDITION_STAGES = 16 };

/* sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree with up to `order` vertices. Phi multiplies
 * for each son of a vertex sums over a row of `many`, or of `one` where it is the only one: a_ij and a_ij for
 * Runge-Kutta methods, alpha_ij and alpha_ij + gamma_ij (gamma on the diagonal) for Rosenbrock methods. */
typedef struct {
    const char *method, *weights;       /* names for the report: "b_hat" */
    int stages, order;
    double many[DAE_MOST_CONDITION_STAGES][DAE_MOST_CONDITION_STAGES];
    double one[DAE_MOST_CONDITION_STAGES][DAE_MOST_CONDITION_STAGES];
    const double *b;            /* [stages] */
} dae_order_conditions;

/* DAE_OK where all hold but for rounding and ten digits of published coefficients; else
 * DAE_BAD_ARGUMENT with the first that does not. */
dae_status dae_check_order(const dae_order_conditions *conditions, dae_report *report);

#endif
