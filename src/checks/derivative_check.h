/* derivative_check.h - analytic derivatives of a model against differences of its functions */
#ifndef DAE_DERIVATIVE_CHECK_H
#define DAE_DERIVATIVE_CHECK_H

#include "comparison.h"

typedef struct {
    dae_system *sys;
    dae_quad t, span;
    const dae_quad *q, *v, *a, *lambda;     /* the state; first order: q = u */
    const dae_quad *size_q, *size_v;        /* of its changes */
} dae_derivative_point;

/* Blocks of the model's partials, and the Jacobian of a first-order problem. They are doubles: what is
 * off by more than 1e-9 of the terms of its row is wrong. DAE_NO_MEMORY; else DAE_OK. */
dae_status dae_check_partials(const dae_derivative_point *at, dae_comparison *found);
dae_status dae_check_jacobian(const dae_derivative_point *at, dae_comparison *found);

#endif
